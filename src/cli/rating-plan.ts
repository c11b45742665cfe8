import { join } from 'node:path';
import type { Clip } from '../audio/clip.ts';
import { encodeWav } from '../audio/encode-wav.ts';
import { levelDbfs } from '../audio/levels.ts';
import { addModulatedNoise } from '../audio/modulated-noise.ts';
import { peak, scaled } from '../audio/ranges.ts';
import { EarwitnessError } from '../base/errors.ts';
import { sha256 } from '../base/hash.ts';
import { printable } from '../base/printable.ts';
import { createRandom } from '../base/random.ts';
import { findRun } from '../engine/open-run.ts';
import { clean } from '../model/condition.ts';
import { openRunSounds } from '../session/cases/run-sounds.ts';
import { writeWhole } from '../session/export/write-whole.ts';
import { listenersNeeded, type RatingSpreads, ratingPrecision } from '../statistics/planning/rating-precision.ts';
import type { Store } from '../store/contract.ts';
import { openStore } from '../store/sqlite/sqlite-store.ts';
import { clipName, inSquareOrder, planText } from '../web/people/listening-plan.ts';
import {
  familyOf,
  minutesOfRating,
  type RatingPlan,
  ratedClips,
  ratingPanel,
  scalesOf,
  tasksOfRater,
} from '../web/people/rating-plan.ts';
import { aboutMinutes } from '../web/people/transcribe-pages.ts';
import { type TrustFlags, trustedCode } from './cases/tell.ts';
import { chosenConditions, hearable, refuseFormulas } from './listening-plan.ts';
import { say } from './output.ts';
import { createCountingLine } from './progress/counting-line.ts';
import { storeFile } from './store-option.ts';
import { refuseExisting } from './write-sound.ts';

/** What the plan is made from; refused where it says something else than the plan that there is. */
export interface RatingFlags {
  readonly run?: string;
  readonly profile?: RatingPlan['profile'];
  readonly order?: RatingPlan['order'];
  readonly condition?: readonly string[];
  readonly listeners?: number;
  readonly utterances?: number;
  readonly groupBy?: readonly string[];
  readonly repeats?: number;
  /** False: without. */
  readonly anchor: boolean;
  readonly headphones?: RatingPlan['headphones'];
  readonly anchorMargin?: number;
  readonly repeatDifference?: number;
  /** False: left as it is. */
  readonly level?: false | number;
  readonly halfWidth?: number;
  readonly spreads?: RatingSpreads;
  readonly seed?: number;
}

/** Everybody's original: ITU-T P.800 has speech played 26 dB below full scale. */
const usualLevelDbfs = -26;
/** The anchor's speech over its noise: ITU-T P.810's unit at 5 dB is heard as bad. */
const anchorRatioDb = 5;
/** Square: as many people hear every utterance once. Rising severities: nothing but time. */
const maxConditions = { 'sr-mt': 12, aequevox: 60 };
/** In steps of five and of ten grades. */
const usualRules = {
  'sr-mt': { anchorMargin: 1, repeatDifference: 1.5 },
  aequevox: { anchorMargin: 2, repeatDifference: 3 },
};
/**
 * Listeners and rest as in the two raw files of AequeVox' listening test (197 people; one recording, so that clips are an assumption: half of the rest), and on five grades four
 * ninths of that.
 */
const usualSpreads: Readonly<Record<RatingPlan['profile'], RatingSpreads>> = {
  aequevox: { listeners: 1.66, clips: 0.58, rest: 1.15 },
  'sr-mt': { listeners: 0.74, clips: 0.26, rest: 0.51 },
};
const confidence = 0.95;

/**
 * Makes the plan and its clips.
 *
 * @throws EarwitnessError `bad-usage` for conditions, attributes and numbers that do not fit the run; `bad-input` where audio cannot be made as it was
 */
export async function makeRatingPlan(
  table: string,
  files: { readonly plan: string; readonly clips: string },
  options: RatingFlags & TrustFlags & { readonly store?: string },
): Promise<RatingPlan> {
  await refuseExisting(table, false);
  const file = await storeFile(options.store);
  using store = openStore(file, { readonly: true });
  const found = findRun(store, options.run ?? 'last');
  const { profile = 'sr-mt', groupBy = [], repeats = 2, utterances: count = null, anchor } = options;
  const conditions = conditionsOf(store, found.id, profile, options.condition);
  const seed = options.seed ?? found.seed;
  const chosen = inSquareOrder(hearable(store, found.id, groupBy), { seed, most: count });
  if (chosen.length === 0) {
    throw new EarwitnessError('bad-input', `run ${found.id}: expected utterances with audio, but there are none`);
  }
  const shape = { profile, conditions, anchor };
  const panel = ratingPanel(shape, chosen.length);
  const seats = seatsFor(options, shape, chosen.length, panel);
  const level = options.level === false ? null : (options.level ?? usualLevelDbfs);
  await using sounds = await openRunSounds(store, found, file, trustedCode(options));
  const line = createCountingLine(process.stderr, 'clips');
  const utterances: RatingPlan['utterances'][number][] = [];
  const softer: string[] = [];
  try {
    for (const [number, { id, group, corpus }] of chosen.entries()) {
      const made: Clip[] = [];
      for (const conditionName of ['clean', ...conditions.map(({ name }) => name)]) {
        line.done(number * (conditions.length + 1) + made.length, chosen.length * (conditions.length + 1));
        made.push(await sounds.clip({ utteranceId: id, conditionName, draw: 0 }));
      }
      if (anchor) made.push(addModulatedNoise(made[0]!, anchorRatioDb, createRandom({ anchor: id, seed })));
      const { gain, isLess } = gainOf(made, level);
      if (isLess) softer.push(id);
      const clips = [];
      for (const [clip, { samples, sampleRate }] of made.entries()) {
        const bytes = encodeWav({ samples: scaled(samples, gain).samples, sampleRate }, { format: 's16' });
        await writeWhole(join(files.clips, clipName({ utterance: number, condition: clip })), bytes);
        clips.push({ sha256: sha256(bytes), seconds: Number((samples.length / sampleRate).toFixed(2)) });
      }
      utterances.push({ id, group, corpus, clips });
    }
  } finally {
    line.clear();
  }
  const rules = usualRules[profile];
  const rule = (wanted: number | undefined, usual: number) => (wanted === 0 ? null : (wanted ?? usual));
  const plan: RatingPlan = {
    ...{ plan: 'earwitness rate, version 1', run: found.id, seed, profile },
    order: options.order ?? (profile === 'sr-mt' ? 'random' : 'increasing'),
    ...{ groupBy: [...groupBy], seats, levelDbfs: level, repeats, headphones: options.headphones ?? 'required' },
    exclude: {
      anchorMargin: anchor ? rule(options.anchorMargin, rules.anchorMargin) : null,
      repeatDifference: repeats > 0 ? rule(options.repeatDifference, rules.repeatDifference) : null,
      sameRating: true,
    },
    ...{ conditions, anchor, utterances },
  };
  refuseFormulas(table, [...conditions.map(({ name }) => name), ...utterances.map(({ id }) => id)]);
  await writeWhole(files.plan, planText(plan));
  if (softer.length > 0) {
    const which = softer.slice(0, 6).map((id) => printable(id, 40));
    say(`Softer than ${level} dB, because a clip would be above full scale: ${which.join(', ')}`);
  }
  for (const told of [`${files.plan}: who rates what`, ...ratingPlanLines(plan, options.spreads)]) say(told);
  return plan;
}

/** Changed conditions, families together, each from the mildest on, with the relations of metamorphic studies. */
function conditionsOf(
  store: Store,
  runId: string,
  profile: RatingPlan['profile'],
  wanted: readonly string[] | undefined,
): RatingPlan['conditions'] {
  const names = chosenConditions(
    store.conditions(runId).map(({ name }) => name),
    wanted,
    'one-condition',
    maxConditions[profile],
  ).filter((name) => name !== clean.name);
  if (names.length === 0) {
    throw new EarwitnessError(
      'bad-usage',
      'expected a changed condition to rate, but the run has none; name another run with --run',
    );
  }
  const relations = new Map<string, string>();
  for (const { study, data } of store.findings(runId) ?? []) {
    if (study.name !== 'metamorphic') continue;
    const { relations: known } = data as unknown as { relations: { name: string; conditions: string[] }[] };
    for (const { name, conditions } of known) for (const one of conditions) relations.set(one, name);
  }
  const rankOf = (name: string) => {
    const rank = Number(name.slice(familyOf(name).length + 1));
    return Number.isFinite(rank) ? rank : 0;
  };
  return [...Map.groupBy(names, familyOf).values()].flatMap((family) =>
    family.toSorted((a, b) => rankOf(a) - rankOf(b)).map((name) => ({ name, relation: relations.get(name) ?? null })),
  );
}

/** @throws EarwitnessError `bad-usage` for a number that does not let everything be rated alike often, or a half width that nobody reaches */
function seatsFor(
  { listeners, halfWidth, spreads }: RatingFlags,
  shape: Pick<RatingPlan, 'profile' | 'conditions' | 'anchor'>,
  utterances: number,
  panel: number,
): number {
  if (listeners !== undefined && listeners % panel !== 0) {
    const each = shape.profile === 'sr-mt' ? 'clip of an utterance (original and anchor too)' : 'utterance';
    throw new EarwitnessError(
      'bad-usage',
      `expected a multiple of ${panel} listeners, one for each ${each}, so that every clip is rated alike often, but got ${listeners}; take ${Math.ceil(listeners / panel) * panel}`,
    );
  }
  if (halfWidth === undefined || listeners !== undefined) return listeners ?? panel;
  const layout = layoutOf(shape, utterances);
  const needed = listenersNeeded(halfWidth, layout, panel, spreads ?? usualSpreads[shape.profile], confidence);
  if (needed !== null) return needed;
  throw new EarwitnessError(
    'bad-usage',
    `expected a half width that some number of listeners reaches, but with ${utterances} utterances none reaches ${halfWidth}; take more utterances, or a larger half width`,
  );
}

/** As `ratingPrecision` counts: in rising order a listener hears one utterance in all severities. */
function layoutOf(shape: Pick<RatingPlan, 'profile' | 'conditions' | 'anchor'>, utterances: number) {
  return { clips: utterances, conditions: shape.profile === 'sr-mt' ? ratedClips(shape).length : utterances };
}

function gainOf(clips: readonly Clip[], level: number | null) {
  const [original] = clips;
  const own = levelDbfs(original!.samples);
  const wanted = level === null || own === null ? 1 : 10 ** ((level - own) / 20);
  const loudest = Math.max(...clips.map(({ samples }) => peak(samples)));
  const gain = loudest * wanted > 1 ? 1 / loudest : wanted;
  return { gain, isLess: gain < wanted };
}

/** @throws EarwitnessError `bad-usage` where flags want another plan than there is */
export function refuseOtherRatingPlan(plan: RatingPlan, options: RatingFlags, file: string): void {
  const { profile, order, seed, listeners, utterances, groupBy, condition, repeats, headphones, run } = options;
  const differs =
    (profile !== undefined && profile !== plan.profile && '--profile') ||
    (order !== undefined && order !== plan.order && '--order') ||
    (seed !== undefined && seed !== plan.seed && '--seed') ||
    (listeners !== undefined && listeners !== plan.seats && '--listeners') ||
    (utterances !== undefined && utterances < plan.utterances.length && '--utterances') ||
    (repeats !== undefined && repeats !== plan.repeats && '--repeats') ||
    (headphones !== undefined && headphones !== plan.headphones && '--headphones') ||
    (!options.anchor && plan.anchor && '--no-anchor') ||
    (options.anchorMargin !== undefined &&
      (options.anchorMargin || null) !== plan.exclude.anchorMargin &&
      '--anchor-margin') ||
    (options.repeatDifference !== undefined &&
      (options.repeatDifference || null) !== plan.exclude.repeatDifference &&
      '--repeat-difference') ||
    (options.level === false && plan.levelDbfs !== null && '--no-level') ||
    (options.level !== undefined && options.level !== false && options.level !== plan.levelDbfs && '--level') ||
    (groupBy !== undefined && groupBy.join('\n') !== plan.groupBy.join('\n') && '--group-by') ||
    (condition !== undefined &&
      !condition.every((name) => ratedClips(plan).some((one) => one === name || one.startsWith(`${name}:`))) &&
      '--condition') ||
    (run !== undefined && run !== 'last' && !plan.run.startsWith(run) && '--run');
  if (differs === false) return;
  throw new EarwitnessError(
    'bad-usage',
    `expected ${differs} as the plan has it, because it was made before anybody listened (${file}); leave it away, or begin with another table`,
  );
}

/** What each seat rates, and about how long that takes. */
export function ratingSeats(plan: RatingPlan) {
  return Array.from({ length: plan.seats }, (_, seat) => {
    const tasks = tasksOfRater(plan, seat);
    return { clips: tasks.length, minutes: minutesOfRating(plan, tasks) };
  });
}

/** What a plan costs and gives, for people. */
export function ratingPlanLines(plan: RatingPlan, spreads = usualSpreads[plan.profile]): string[] {
  const seats = ratingSeats(plan);
  const { conditions, utterances, seats: listeners, exclude, headphones } = plan;
  const panel = ratingPanel(plan, utterances.length);
  const layout = layoutOf(plan, utterances.length);
  const reached = ratingPrecision({ ...layout, listeners }, spreads, confidence);
  const wanted = [0.1, 0.15, 0.2, 0.3, 0.5, 1].flatMap((halfWidth) => {
    const needed = listenersNeeded(halfWidth, layout, panel, spreads, confidence);
    return needed === null || (reached !== null && halfWidth >= reached) ? [] : [`±${halfWidth}: ${needed}`];
  });
  const rules = [
    ...(headphones === 'required' ? ['who does not pass the headphone check'] : []),
    ...(exclude.anchorMargin === null
      ? []
      : [`whose hidden originals are not ${exclude.anchorMargin} above the anchors`]),
    ...(exclude.repeatDifference === null ? [] : [`whose repeats are more than ${exclude.repeatDifference} apart`]),
    ...(exclude.sameRating ? ['who rates everything alike'] : []),
  ];
  const scales = scalesOf(plan.profile);
  return [
    `${utterances.length} utterances, ${conditions.length} conditions: ${conditions.map(({ name }) => printable(name, 60)).join(', ')}`,
    `Rated: ${scales.map(({ name, grades }) => `${name} (1 to ${grades.length})`).join(', ')}`,
    `${listeners} listeners: ${seats[0]!.clips} clips each, ${aboutMinutes(Math.max(...seats.map(({ minutes }) => minutes)))}`,
    reached === null
      ? 'With fewer than 4 listeners no mean has an interval.'
      : `Each condition's mean is going to be known to about ±${reached.toFixed(2)}, were listeners and clips as far apart as elsewhere${utterances.length < 4 ? ', for these clips alone' : ''}.`,
    ...(wanted.length === 0 ? [] : [`Listeners for a half width of ${wanted.join(', ')}`]),
    `Left out, by rule: ${rules.join('; ') || 'nobody'}.`,
  ];
}
