import { z } from 'zod';
import { sha256 } from '../../base/hash.ts';
import { between, list, whole } from '../../base/option-kinds.ts';
import { byLot, plannedClip, readPlan } from './listening-plan.ts';

const planShape = z.strictObject({
  plan: z.literal('earwitness rate, version 1'),
  /** The run whose clips are rated. */
  run: z.string(),
  seed: whole(0),
  profile: z.enum(['sr-mt', 'aequevox']),
  /** `increasing`: family by family, from the mildest severity on. */
  order: z.enum(['random', 'increasing']),
  /** Whose values the clips are balanced over. */
  groupBy: z.array(z.string()),
  /** A seat is what one person rates. */
  seats: whole(1, 1000),
  /** To what the original of each utterance is brought; its other clips with the same gain. Null: left as it is. */
  levelDbfs: between(-60, 0).nullable(),
  /** How many clips each person rates again at the end. */
  repeats: whole(0, 100),
  /** `required`: who does not pass goes no further. */
  headphones: z.enum(['required', 'asked', 'off']),
  /** Whose ratings do not count, fixed before anybody rates. Null, false: the rule is not applied. */
  exclude: z.strictObject({
    /** Whose mean of hidden originals is not above that of anchors by so much. */
    anchorMargin: between(0, 9).nullable(),
    /** Whose repeats differ from the first ratings by more than this on average. */
    repeatDifference: between(0, 9).nullable(),
    /** Who gives one rating to everything. */
    sameRating: z.boolean(),
  }),
  /** Changed, in each family from the mildest on; `relation`: what it belongs to in a metamorphic study. */
  conditions: list(z.strictObject({ name: z.string(), relation: z.string().nullable() }), 1, 200),
  /** Whether a clip that is bad beyond doubt is among those that are rated. */
  anchor: z.boolean(),
  utterances: list(
    z.strictObject({
      ...{ id: z.string(), group: z.string(), corpus: z.string().nullable() },
      /** The original, each condition, the anchor. */
      clips: z.array(plannedClip),
    }),
    1,
    100_000,
  ),
});

/** Who rates which clip, and whose ratings count, fixed before anybody listens. */
export type RatingPlan = Readonly<z.infer<typeof planShape>>;

/** Why a clip is rated: for itself, or to know who rates. */
export type RatingKind = 'rated' | 'original' | 'anchor' | 'repeat';

/** One clip that one seat rates. */
export interface RatingTask {
  /** Unique in the plan. */
  readonly key: string;
  /** Numbers of the utterance and of its clip: 0 is the original. */
  readonly utterance: number;
  readonly clip: number;
  readonly kind: RatingKind;
  /** Of a repeat: what was rated first. */
  readonly first: string | null;
}

/** What a clip is rated for. */
export interface RatingScale {
  readonly name: string;
  readonly question: string;
  /** What the grades are called, from 1 on; a grade without a name is a number. */
  readonly grades: readonly (string | null)[];
}

const fiveGrades = ['Very poor', 'Poor', 'Fair', 'Good', 'Excellent'];

/**
 * SR-MT's two scales of five grades (section 3.4), and AequeVox' question with its ten (research question 2).
 *
 * @example scalesOf('aequevox')[0].grades.length // 10
 */
export function scalesOf(profile: RatingPlan['profile']): readonly RatingScale[] {
  if (profile === 'sr-mt') {
    return [
      { name: 'sharpness', question: 'How clear does it sound?', grades: fiveGrades },
      {
        name: 'naturalness',
        question: 'How natural does it sound?',
        grades: fiveGrades,
      },
    ];
  }
  return [
    {
      name: 'comprehensibility',
      question: 'How well can you understand it?',
      grades: ['Not at all', ...Array<null>(8).fill(null), 'Just as the original'],
    },
  ];
}

/** In the profile aequevox the original can be played beside each clip. */
export function hasOriginalBeside({ profile }: Pick<RatingPlan, 'profile'>): boolean {
  return profile === 'aequevox';
}

/** What is rated of each utterance: the original, the conditions, and the anchor where there is one. */
export function ratedClips({ conditions, anchor }: Pick<RatingPlan, 'conditions' | 'anchor'>): readonly string[] {
  return ['clean', ...conditions.map(({ name }) => name), ...(anchor ? ['anchor'] : [])];
}

/** How many people rate everything alike often: sr-mt, as there are clips of an utterance; aequevox, as there are utterances. */
export function ratingPanel(plan: Pick<RatingPlan, 'profile' | 'conditions' | 'anchor'>, utterances: number): number {
  return plan.profile === 'sr-mt' ? ratedClips(plan).length : utterances;
}

/** What scenarios of one kind have in common: `aequevox/noise` of `aequevox/noise:3`. */
export function familyOf(condition: string): string {
  return condition.replace(/:[^:]*$/, '');
}

/**
 * What a seat rates, in its order.
 *
 * sr-mt: seat s rates utterance u as clip (u + s) modulo their number, a Latin square, so that nobody rates an utterance twice. aequevox: seat s rates all severities of family
 * f of the utterance (f + s) modulo their number, as its listeners did, with hidden original and anchor. Some conditions are rated again at the end.
 *
 * @example tasksOfRater(plan, 0).map(({ utterance, clip }) => [utterance, clip])
 */
export function tasksOfRater(plan: RatingPlan, seat: number): readonly RatingTask[] {
  const clips = ratedClips(plan);
  const drawnBy = (what: string) => [plan.seed, 'rating', seat, what];
  const shuffled = <One>(list: readonly One[], nameOf: (one: One) => string) =>
    byLot(list, (one) => drawnBy(nameOf(one)));
  const inLots = (tasks: readonly RatingTask[]) => shuffled(tasks, ({ key }) => key);
  const taskOf = (utterance: number, clip: number, block = 0): RatingTask => ({
    ...{ key: `${utterance}/${clip}/${block}/${seat}`, utterance, clip, first: null },
    kind: clip === 0 ? 'original' : plan.anchor && clip === clips.length - 1 ? 'anchor' : 'rated',
  });
  const withRepeats = (tasks: readonly RatingTask[]) => {
    const again = shuffled(
      tasks.filter(({ kind }) => kind === 'rated'),
      ({ key }) => `again ${key}`,
    ).slice(0, plan.repeats);
    return [
      ...tasks,
      ...again.map((task) => ({ ...task, key: `${task.key}/again`, kind: 'repeat' as const, first: task.key })),
    ];
  };
  const utterances = plan.utterances.length;
  if (plan.profile === 'sr-mt') {
    const dealt = plan.utterances.map((_, utterance) => taskOf(utterance, (utterance + seat) % clips.length));
    return withRepeats(plan.order === 'random' ? inLots(dealt) : dealt.toSorted((a, b) => a.clip - b.clip));
  }
  const families = [...new Set(plan.conditions.map(({ name }) => familyOf(name)))];
  const blocks = families.map((family, block) => {
    const utterance = (block + seat) % utterances;
    const rising = plan.conditions.flatMap(({ name }, at) =>
      familyOf(name) === family ? [taskOf(utterance, at + 1, block)] : [],
    );
    const hidden = [0, ...(plan.anchor ? [clips.length - 1] : [])].map((clip) => taskOf(utterance, clip, block));
    // Where hidden clips come is drawn, or they would be known by their place.
    return hidden.reduce<readonly RatingTask[]>((tasks, task) => {
      const place =
        Number.parseInt(sha256(JSON.stringify(drawnBy(`place ${task.key}`))).slice(0, 8), 16) % (tasks.length + 1);
      return tasks.toSpliced(place, 0, task);
    }, rising);
  });
  if (plan.order === 'random') return withRepeats(inLots(blocks.flat()));
  return withRepeats(shuffled(blocks, ([first]) => `block ${first!.key}`).flat());
}

const secondsForEachScale = 4;
const playsOfClip = 1.5;

/** About how long it takes to hear clips, some of them twice, and the originals beside them, and to rate them. */
export function minutesOfRating(
  plan: Pick<RatingPlan, 'profile' | 'utterances'>,
  tasks: readonly Pick<RatingTask, 'utterance' | 'clip'>[],
): number {
  const scales = scalesOf(plan.profile).length;
  const seconds = tasks.reduce((sum, { utterance, clip }) => {
    const { clips } = plan.utterances[utterance]!;
    const beside = hasOriginalBeside(plan) ? clips[0]!.seconds : 0;
    return sum + playsOfClip * clips[clip]!.seconds + beside + secondsForEachScale * scales;
  }, 0);
  return seconds / 60;
}

/** @throws EarwitnessError `bad-input` for a text that is no plan */
export function parseRatingPlan(text: string, file: string): RatingPlan {
  return readPlan(text, file, {
    ...{ shape: planShape, command: 'rate' },
    fits: (plan) => plan.utterances.every(({ clips }) => clips.length === ratedClips(plan).length),
  });
}
