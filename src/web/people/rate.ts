import { html } from '../../report/html/markup.ts';
import { notFound } from '../frame.ts';
import { fieldsOf, playsIn } from './clip-session.ts';
import { type ClipSession, everything, openPlannedSession, type SessionOptions, seatsOf } from './planned-session.ts';
import {
  headphoneContent,
  headphoneRounds,
  headphonesPassed,
  headphoneTrial,
  headphoneTrials,
  noHeadphonesContent,
  type Rating,
  ratingContent,
  welcome,
} from './rate-pages.ts';
import {
  hasOriginalBeside,
  minutesOfRating,
  type RatingKind,
  type RatingPlan,
  type RatingTask,
  ratedClips,
  scalesOf,
  tasksOfRater,
} from './rating-plan.ts';
import { kept, notTaken } from './take-part.ts';

/** One rating on one scale, as a row of the table. */
export interface GivenRow {
  readonly listener: string;
  readonly utterance: string;
  /** `anchor` for a clip that is bad beyond doubt. */
  readonly condition: string;
  readonly relation: string | null;
  readonly corpus: string | null;
  readonly scale: string;
  readonly rating: number;
  readonly kind: RatingKind;
  /** How often the clip was heard to its end. */
  readonly plays: number;
  /** Why nothing of this listener counts, by the rules of the plan; null: it counts. */
  readonly excluded: string | null;
}

const noHeadphones = '/headphones';

/**
 * Lets people rate clips, one by one, as the plan deals them. No name of a condition or utterance is on any page, and nothing tells hidden originals, anchors and repeats
 * from other clips.
 *
 * @example
 * const rating = openRating({ plan, clips: 'ratings-clips', people, write, problem });
 */
export function openRating(options: SessionOptions<RatingPlan, GivenRow>): ClipSession<GivenRow> {
  const { plan, people } = options;
  const scales = scalesOf(plan.profile);
  const seats = seatsOf(people);
  const tasksOf = (person: string): readonly RatingTask[] => {
    const seat = seats.find(({ name }) => name === person)?.seat;
    return seat === undefined ? [] : tasksOfRater(plan, seat);
  };

  /** Trials of the headphone check, round by round. */
  const trialsOf = (person: string, round: number) =>
    Array.from({ length: headphoneTrials }, (_, place) => {
      const trial = headphoneTrial(place, people.alias('headphones', `${person} ${round}`));
      const key = `headphones/${round}/${place}`;
      const said = people.answer(person, key, 'softest') as number | null;
      const id = people.alias('headphones', `${person} ${key}`);
      return { ...trial, key, id, round, place, right: said === null ? null : said === trial.soft };
    });
  /** Null: not asked, or not done yet. */
  const passedBy = (person: string): boolean | null => {
    if (plan.headphones === 'off') return null;
    const rounds = Array.from({ length: headphoneRounds }, (_, round) =>
      headphonesPassed(trialsOf(person, round).map(({ right }) => right)),
    );
    return rounds.includes(true) ? true : rounds.includes(null) ? null : false;
  };
  const openTrial = (person: string) => {
    if (plan.headphones === 'off' || passedBy(person) !== null) return null;
    for (let round = 0; round < headphoneRounds; round++) {
      const open = trialsOf(person, round).find(({ right }) => right === null);
      if (open !== undefined) return open;
    }
    return null;
  };
  const headphonesOf = (person: string) => {
    const passed = passedBy(person);
    return passed === null ? '–' : passed ? 'passed' : 'not passed';
  };
  const isShutOut = (person: string) => plan.headphones === 'required' && passedBy(person) === false;

  const givenBy = (person: string, ratings: ReadonlyMap<string, Rating> | undefined) =>
    tasksOf(person).flatMap((task): (GivenRating & { readonly task: RatingTask; readonly plays: number })[] => {
      const rating = ratings?.get(task.key);
      return rating === undefined ? [] : [{ ...task, task, ...rating }];
    });
  const rows = (): GivenRow[] => {
    const names = ratedClips(plan);
    const all = everything<Rating>(people, 'rating');
    return seats
      .toSorted((a, b) => a.seat - b.seat)
      .flatMap(({ name: listener }) => {
        const given = givenBy(listener, all.get(listener));
        const excluded = whyExcluded(plan, given, passedBy(listener));
        return given.flatMap(({ task, grades, plays }) =>
          scales.map(({ name: scale }): GivenRow => {
            const { id: utterance, corpus } = plan.utterances[task.utterance]!;
            const relation = plan.conditions[task.clip - 1]?.relation ?? null;
            const about = { listener, utterance, condition: names[task.clip]!, relation, corpus, scale };
            return { ...about, rating: grades[scale]!, kind: task.kind, plays, excluded };
          }),
        );
      });
  };
  return openPlannedSession<RatingTask, Rating, GivenRow>(options, {
    question: 'rating',
    words: { todo: 'rate', done: 'rated', title: 'Ratings' },
    script: 'rate',
    ...{ tasksOf, rows },
    minutesOf: (tasks) => minutesOfRating(plan, tasks),
    before(person) {
      const trial = openTrial(person);
      return trial !== null ? `/check/${trial.id}` : isShutOut(person) ? noHeadphones : null;
    },
    answer({ who: { name, home }, top, id, what, sent, next, frame }) {
      if (top === '' && sent === undefined && isShutOut(name)) return { to: next() };
      if (`/${top}` === noHeadphones && id === '' && isShutOut(name))
        return { page: { ...frame, title: 'Headphones' }, content: noHeadphonesContent() };
      if (top !== 'check' && top !== 'tones') return null;
      const rounds = Array.from({ length: headphoneRounds }, (_, round) => trialsOf(name, round));
      const trial = plan.headphones === 'off' ? undefined : rounds.flat().find((one) => one.id === id);
      if (trial === undefined) return notFound('There is no such page.');
      if (top === 'tones') return { type: 'audio/wav', body: trial.wav() };
      if (openTrial(name)?.id !== id) return sent === undefined ? { to: next() } : kept(next());
      if (sent === undefined) {
        const content = headphoneContent(trial, { path: `${home}/check/${id}`, audio: `${home}/tones/${id}` });
        return { page: { ...frame, title: 'Headphone check' }, content };
      }
      const { softest, plays } = fieldsOf(sent) ?? {};
      if (what !== 'softest') return notTaken('There is no such question.', 404);
      if ((playsIn(plays) ?? 0) === 0) return notTaken('Hear the three tones first.');
      if (softest === undefined || !/^[123]$/.test(softest)) return notTaken('Say which tone was the softest.');
      people.keep({ person: name, task: trial.key, question: 'softest', value: Number(softest) - 1 });
      return kept(next());
    },
    closed: (person) => (openTrial(person) === null && !isShutOut(person) ? null : 'First comes the headphone check.'),
    clipAt: ({ clip }, below) =>
      below === undefined ? clip : below === 'original' && hasOriginalBeside(plan) ? 0 : null,
    welcome: (tasks, first) => welcome(plan, tasks, first),
    clip: (_, __, ___, shown) => ratingContent(scales, { ...shown, hasOriginal: hasOriginalBeside(plan) }),
    keep(question, fields, { person, task }) {
      if (question !== 'rating') return null;
      const grades: Record<string, number> = {};
      for (const { name, grades: all } of scales) {
        const grade = /^\d{1,2}$/.test(fields[name] ?? '') ? Number(fields[name]) : 0;
        if (grade < 1 || grade > all.length) return notTaken(`Choose a grade from 1 to ${all.length}.`);
        grades[name] = grade;
      }
      const before = people.answer(person, task.key, 'rating') as Rating | null;
      const plays = Math.max(playsIn(fields.plays) ?? 0, before?.plays ?? 0);
      return plays === 0 ? notTaken('Hear the clip to its end first.') : { keep: { rating: { grades, plays } } };
    },
    overview: {
      ...{ caption: 'Who has rated how many clips', done: 'Rated' },
      columns: [
        ...(plan.headphones === 'off' ? [] : [{ name: 'Headphones', of: (person: string) => headphonesOf(person) }]),
        {
          name: 'Counts',
          of(person, said) {
            const why = whyExcluded(plan, givenBy(person, said), passedBy(person));
            return why === null ? 'yes' : `no: ${why}`;
          },
        },
      ],
      note: () =>
        html`<p class="text quiet">The ratings stand in the table; it is written anew with every answer. Who looks at means before the end is tempted to stop when they please.</p>`,
    },
  });
}

/** What somebody said of a clip, as far as rules look at it. */
export interface GivenRating {
  readonly key: string;
  readonly kind: RatingKind;
  /** Of a repeat: what was rated first. */
  readonly first: string | null;
  /** By scale. */
  readonly grades: Readonly<Record<string, number>>;
}

/** Fewer ratings that are all the same say nothing of whoever gave them. */
const minimumAlike = 8;

/**
 * Why somebody's ratings do not count, by the rules of the plan; null: they count. Rules look at hidden originals, anchors and repeats, never at the clips that are rated for
 * themselves: who is left out does not depend on what is measured (as hidden references in ITU-R BS.1534 and gold clips in ITU-T P.808). A rule without clips to look at
 * leaves nobody out.
 *
 * @param passed the headphone check; null: there was none
 * @example whyExcluded({ anchorMargin: 1, repeatDifference: 1.5, sameRating: true }, ratings, true)
 */
export function whyExcluded(
  { exclude, headphones }: Pick<RatingPlan, 'exclude' | 'headphones'>,
  ratings: readonly GivenRating[],
  passed: boolean | null,
): string | null {
  const { anchorMargin, repeatDifference, sameRating } = exclude;
  if (headphones === 'required' && passed === false) return 'headphone check not passed';
  const meanOf = (kind: RatingKind) => {
    const grades = ratings.flatMap((one) => (one.kind === kind ? Object.values(one.grades) : []));
    return grades.length === 0 ? null : grades.reduce((sum, grade) => sum + grade, 0) / grades.length;
  };
  const [originals, anchors] = [meanOf('original'), meanOf('anchor')];
  if (anchorMargin !== null && originals !== null && anchors !== null && !(originals - anchors >= anchorMargin))
    return `originals not ${anchorMargin} above anchors`;
  const firsts = new Map(ratings.map(({ key, grades }) => [key, grades]));
  const differences = ratings.flatMap(({ first, grades }) => {
    const before = first === null ? undefined : firsts.get(first);
    return before === undefined
      ? []
      : Object.entries(grades).flatMap(([scale, grade]) =>
          before[scale] === undefined ? [] : [Math.abs(grade - before[scale])],
        );
  });
  const apart = differences.reduce((sum, one) => sum + one, 0) / differences.length;
  if (repeatDifference !== null && differences.length > 0 && apart > repeatDifference)
    return `repeats more than ${repeatDifference} apart`;
  const all = ratings.flatMap(({ grades }) => Object.values(grades));
  if (sameRating && ratings.length >= minimumAlike && new Set(all).size === 1) return 'the same rating everywhere';
  return null;
}
