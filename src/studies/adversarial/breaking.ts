import type { Comparison, Estimate } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { clean } from '../../model/trial.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import { errors, referenceLength } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { type BootstrapOptions, rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../statistics/interval.ts';
import type { Answer, Batch, Question, StudyContext } from '../contract.ts';
import { compareAll } from '../shared/comparisons.ts';
import { countsNamed, groupsOf, type Part, type Ratio, type Slice } from '../shared/cube/contract.ts';
import { openCube } from '../shared/cube/cube.ts';
import { toEstimate } from '../shared/estimates.ts';
import { type AttackDesign, plainAttack } from './design.ts';
import type { AdversarialOptions } from './options.ts';

/** What is made fainter and louder until a transcript changes; the control last. */
export const breakingKinds = ['kenansville', 'white-noise'] as const;
export type BreakingKind = (typeof breakingKinds)[number];

/** Ratios that are asked about, in whole decibels: searches that come to the same one share its sound and its answers. */
export const lowestDb = 0;
export const highestDb = 60;
const levels = highestDb - lowestDb + 1;
const half = 0.5;

/** At which SNR the transcripts of one recognizer change under one kind of sound, over clips. */
export interface BreakingPoint {
  readonly recognizer: number;
  readonly kind: BreakingKind;
  /** Null: all clips. */
  readonly group: Part<never, never>['group'];
  /** The highest SNR, in decibels, at which at least half of the clips have changed. */
  readonly median: Estimate;
  /** Share of the clips that have changed at each SNR, lowest first. */
  readonly shares: readonly number[];
  readonly clips: number;
  /** Clips that do not change even at the lowest SNR. */
  readonly never: number;
  /** Kenansville less white noise, the mean over clips in decibels; null for the noise and for groups. */
  readonly overNoise: Comparison | null;
}

export interface Breaking {
  readonly points: readonly BreakingPoint[];
  /** Clips left out because a recognizer failed on the way, by recognizer. */
  readonly leftOut: readonly number[];
}

type Settings = Pick<
  AdversarialOptions,
  'breakingCer' | 'groupBy' | 'level' | 'resamples' | 'minimumSpeakers' | 'profile'
>;

/**
 * For each clip, recognizer and kind the highest SNR at which its transcript is another than that of the clean clip (at least `breakingCer`
 * away in characters; any difference in words where that is 0), by bisection over whole decibels: six questions for 61 ratios. That a
 * sound which changes a transcript also does so when it is louder is taken for granted; where it is not so, one of the changes is found.
 */
export async function* findBreaking(
  { recognizers }: AttackDesign,
  options: Settings,
  context: StudyContext,
  normalizer: Normalizer,
): AsyncGenerator<Batch, Breaking, AsyncIterable<Answer>> {
  const searches = new Searches(context.utteranceCount, recognizers.length);
  for (let round = 0; searches.pending > 0; round++) {
    const answers = yield batchOf(searches, round, context, recognizers);
    const expected = searches.questions();
    let cleanWords: readonly string[] | null = null;
    for await (const answer of answers) {
      const question = expected.next().value;
      if (answer.ask !== 'recognition' || question === undefined) continue;
      const { observation, trial } = answer;
      if (observation.failure !== undefined) {
        // Without its clean transcript nothing can be said of the questions behind it, which come all the same.
        if (question.kind === null) cleanWords = null;
        searches.fail(question.utterance, question.recognizer);
        continue;
      }
      const { language } = trial.utterance;
      const words = normalizer.words(observation.transcript.text, language);
      if (question.kind === null) cleanWords = words;
      else if (cleanWords !== null) {
        const edits = countCharacterEdits(cleanWords, words, 'least', normalizer.hasCharacterWords?.(language));
        const changed = errors(edits);
        searches.take(question, changed > 0 && changed >= options.breakingCer * referenceLength(edits));
      }
    }
    searches.settle();
  }
  return conclude(searches, recognizers, options, context);
}

/** What is asked about one clip in one round; `kind` null: the clean clip, before the others. */
interface Asked {
  readonly utterance: number;
  readonly recognizer: number;
  readonly kind: number | null;
  /** In decibels; 0 for the clean clip. */
  readonly snrDb: number;
}

/** Two numbers of a byte for each search, between which the last ratio lies that changes the transcript. */
class Searches {
  readonly #recognizers: number;
  readonly #changed: Int8Array;
  readonly #same: Int8Array;
  readonly #failed: Uint8Array;
  readonly #asked: number[] = [];
  #pending: number;

  constructor(utterances: number, recognizers: number) {
    const count = utterances * recognizers * breakingKinds.length;
    this.#recognizers = recognizers;
    this.#changed = new Int8Array(count).fill(lowestDb - 1);
    this.#same = new Int8Array(count).fill(highestDb + 1);
    this.#failed = new Uint8Array(utterances * recognizers);
    this.#pending = count;
  }

  get pending(): number {
    return this.#pending;
  }

  /** How many questions there are in this round. */
  count(): number {
    let count = 0;
    for (const _ of this.questions()) count++;
    return count;
  }

  /** In the order asked; what is taken meanwhile changes none that comes. */
  *questions(): Generator<Asked, undefined> {
    const clips = this.#failed.length;
    for (let clip = 0; clip < clips; clip++) {
      if (this.#failed[clip] === 1) continue;
      const open = breakingKinds.flatMap((_, kind) => (this.#isOpen(this.#place(clip, kind)) ? [kind] : []));
      if (open.length === 0) continue;
      const [utterance, recognizer] = [Math.floor(clip / this.#recognizers), clip % this.#recognizers];
      const asked = open.map((kind) => ({ utterance, recognizer, kind, snrDb: this.#middle(this.#place(clip, kind)) }));
      yield { utterance, recognizer, kind: null, snrDb: 0 };
      yield* asked;
    }
  }

  take({ utterance, recognizer, kind, snrDb }: Asked, changed: boolean): void {
    const place = this.#place(utterance * this.#recognizers + recognizer, kind!);
    (changed ? this.#changed : this.#same)[place] = snrDb;
  }

  /** Failures count from the end of the round: the order of its questions is fixed. */
  fail(utterance: number, recognizer: number): void {
    this.#asked.push(utterance * this.#recognizers + recognizer);
  }

  settle(): void {
    for (const clip of this.#asked) this.#failed[clip] = 1;
    this.#asked.length = 0;
    this.#pending = 0;
    for (let place = 0; place < this.#changed.length; place++) {
      if (this.#failed[Math.floor(place / breakingKinds.length)] === 0 && this.#isOpen(place)) this.#pending++;
    }
  }

  /** The ratio that was found, the lowest less 1 where none changes the transcript; null where the recognizer failed. */
  found(utterance: number, recognizer: number, kind: number): number | null {
    const clip = utterance * this.#recognizers + recognizer;
    return this.#failed[clip] === 1 ? null : this.#changed[this.#place(clip, kind)]!;
  }

  #place(clip: number, kind: number): number {
    return clip * breakingKinds.length + kind;
  }

  #isOpen(place: number): boolean {
    return this.#same[place]! - this.#changed[place]! > 1;
  }

  #middle(place: number): number {
    return Math.floor((this.#changed[place]! + this.#same[place]!) / 2);
  }
}

function batchOf(
  searches: Searches,
  round: number,
  { utterances }: StudyContext,
  recognizers: AttackDesign['recognizers'],
): Batch {
  return {
    about: `SNRs at which transcripts change, round ${round + 1} of at most ${Math.ceil(Math.log2(levels + 1))}`,
    size: searches.count(),
    async *questions(): AsyncGenerator<Question> {
      const open = searches.questions();
      let next = open.next().value;
      let place = 0;
      for await (const utterance of utterances()) {
        for (; next?.utterance === place; next = open.next().value) {
          const recognizer = recognizers[next.recognizer]!.name;
          const condition = next.kind === null ? clean : plainAttack(breakingKinds[next.kind]!, next.snrDb);
          yield { ask: 'recognition', trial: { utterance, condition, draw: 0, recognizer, repeat: 0 } };
        }
        place++;
      }
    },
  };
}

type Step = `from${number}`;
const steps = Array.from({ length: levels }, (_, step): Step => `from${step}`);

async function conclude(
  searches: Searches,
  recognizers: AttackDesign['recognizers'],
  { groupBy, level, resamples, minimumSpeakers }: Settings,
  { utterances, seed, computing }: StudyContext,
): Promise<Breaking> {
  type Found = Readonly<Partial<Record<Step | 'clips' | 'found', number>>> & { readonly kind: BreakingKind };
  const byKind: Slice<Found> = { columns: [], of: ({ kind }) => [[kind]] };
  const ratios: Record<Step | 'mean', Ratio<Step | 'clips' | 'found'>> = {
    mean: { label: 'Mean', kind: 'number', over: ['found', 'clips'] },
  };
  for (const step of steps) ratios[step] = { label: step, kind: 'rate', over: [step, 'clips'], proportion: true };
  const settings = { level, resamples, minimumSpeakers, seed, ...(computing && { computing }) };
  const cube = openCube<Found>()({
    series: recognizers.map(({ name }) => name),
    conditions: [],
    counts: countsNamed<Step | 'clips' | 'found'>(['clips', 'found', ...steps]),
    ratios,
    slices: { kind: byKind, group: groupsOf(groupBy, byKind) },
    unit: 'speaker',
    paired: false,
    settings,
  });
  const leftOut = recognizers.map(() => 0);
  let place = 0;
  for await (const utterance of utterances()) {
    for (const [number, kind] of breakingKinds.entries()) {
      const facts = recognizers.map((_, recognizer): Found | null => {
        const found = searches.found(place, recognizer, number);
        if (found === null) return null;
        const changed = steps.map((name, step) => [name, Number(found >= lowestDb + step)]);
        // What never changes counts as the lowest.
        return { kind, clips: 1, found: Math.max(found, lowestDb) - lowestDb, ...Object.fromEntries(changed) };
      });
      cube.add(utterance, facts);
      for (const [recognizer, fact] of facts.entries()) if (number === 0 && fact === null) leftOut[recognizer]!++;
    }
    place++;
  }
  const everybody = cube.parts('kind');
  const comparisons = compareAll(
    [...recognizers.keys()],
    (series) => {
      const [second, first] = breakingKinds.map((kind) => everybody[0]!.side({ series, path: [kind], ratio: 'mean' }));
      return { first: first!.counts, second: second!.counts, n: second!.n };
    },
    settings,
  );
  const bootstrap = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const points = [...recognizers.keys()].flatMap((recognizer) =>
    [...everybody, ...cube.parts('group')].flatMap((part) =>
      breakingKinds.map((kind): BreakingPoint => {
        const at = (ratio: Step) => part.side({ series: recognizer, path: [kind], ratio });
        const counts = part.counts(recognizer, [kind]);
        const { clips } = counts;
        const shares = steps.map((step) => (clips === 0 ? 0 : (counts[step] ?? 0) / clips));
        const median = medianOf((step) => at(steps[step]!).counts, bootstrap);
        return {
          recognizer,
          kind,
          group: part.group,
          shares,
          clips,
          never: clips - (counts.from0 ?? 0),
          median: toEstimate(median, at('from0').n),
          overNoise: part.group === null && kind !== 'white-noise' ? comparisons[recognizer]! : null,
        };
      }),
    ),
  );
  return { points, leftOut };
}

/**
 * The highest ratio at which at least half of the clips have changed, and those at which the ends of the interval of that share, by
 * speaker, reach one half.
 *
 * @param countsAt clips that have changed over clips, by speaker; fewer the higher the step
 */
function medianOf(
  countsAt: (step: number) => Parameters<typeof rateInterval>[0],
  bootstrap: BootstrapOptions,
): Interval {
  const { level = 0.95 } = bootstrap;
  const method = 'median over clips in whole dB; interval where that of the share of changed clips holds one half';
  const known = new Map<number, Interval>();
  const shareAt = (step: number): Interval => {
    const share = known.get(step) ?? rateInterval(countsAt(step), bootstrap);
    known.set(step, share);
    return share;
  };
  const without = (value: number | null, reason: Reason): Interval => {
    return { value, low: null, high: null, level, reason, method };
  };
  if (shareAt(0).value === null) return without(null, { code: 'nothing-answered' });
  /** The highest step at which it is at least half; -1: none. */
  const reached = (which: 'value' | 'low' | 'high'): number => {
    let [below, above] = [-1, levels];
    while (above - below > 1) {
      const step = Math.floor((below + above) / 2);
      if ((shareAt(step)[which] ?? shareAt(step).value!) >= half) below = step;
      else above = step;
    }
    return below;
  };
  const found = reached('value');
  if (found === -1) return without(null, { code: 'half-beyond', what: 'clips change', snrDb: lowestDb, at: 'lowest' });
  if (found === levels - 1)
    return without(null, { code: 'half-beyond', what: 'clips change', snrDb: highestDb, at: 'highest' });
  const { low: own, reason } = shareAt(found);
  if (own === null) return without(lowestDb + found, reason ?? { code: 'no-interval' });
  const [low, high] = [reached('low'), reached('high')];
  if (low === -1 || high === levels - 1) return without(lowestDb + found, { code: 'beyond-asked' });
  return { value: lowestDb + found, low: lowestDb + low, high: lowestDb + high, level, method };
}
