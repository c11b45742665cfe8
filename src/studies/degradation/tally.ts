import type { Estimate, SampleSize } from '../../model/finding.ts';
import type { Utterance } from '../../model/utterance.ts';
import { transcriptDistance } from '../../scoring/agreement/transcript-distance.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { errors } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { combineRates, rateInterval, type WeightedRate } from '../../statistics/bootstrap/rate-interval.ts';
import type { Answer } from '../contract.ts';
import { toEstimate } from '../shared/estimates.ts';
import { FailureCounts } from '../shared/failures.ts';
import { ListenerTally } from '../shared/listeners.ts';
import { gather, type Part, SlicedCounts } from '../shared/sliced-counts.ts';
import {
  binning,
  type DegradationOptions,
  type Design,
  type Family,
  type Measure,
  type MeasureKind,
} from './design.ts';

/** The numbers under which counts are kept. */
export interface Series {
  /** All of the baseline. */
  baseline(measure: number): number;
  /** A condition, on what was answered in it and in the baseline. */
  after(measure: number, condition: number): number;
  /** The baseline on the same utterances, as often. */
  before(measure: number, condition: number): number;
  /** Failed trials of a recognizer, over its trials. */
  failures(recognizer: number): number;
}

/** What was counted in one pass over the answers; its size follows measures, conditions and speakers. */
export interface Tally {
  readonly slices: SlicedCounts;
  readonly series: Series;
  /** By recognizer x conditions + condition. */
  readonly trials: FailureCounts;
  /** What people heard beside machines; null where nobody is said to be people. */
  readonly heard: ListenerTally | null;
  readonly utterances: number;
  /** Perturbed clips that somebody was asked about. */
  readonly perturbed: number;
  readonly withReference: number;
  readonly withoutSpeaker: number;
}

/** Edits and words of one sound. */
interface Score {
  readonly errors: number;
  readonly words: number;
}

/** Scores the answers as they come. Those about one utterance come one after another, the baseline first. */
export async function tallyAnswers(
  answers: AsyncIterable<Answer>,
  design: Design,
  options: DegradationOptions,
  normalizer: Normalizer,
): Promise<Tally> {
  const { recognizers, conditions, measures } = design;
  const series = numberSeries(measures.length, conditions.length);
  const slices = new SlicedCounts(options.groupBy);
  const trials = new FailureCounts(recognizers.length * conditions.length);
  const numbers = new Map(recognizers.map(({ name }, number) => [name, number]));
  const places = new Map(conditions.map(({ name }, number) => [name, number]));
  const binned = binning(options);
  const people = options.people === null ? null : new ListenerTally(options.people, recognizers);
  const seen = { utterances: 0, perturbed: 0, withReference: 0, withoutSpeaker: 0 };

  let current = null as Utterance | null;
  let reference: readonly string[] | null = null;
  let condition = 0;
  let draw = 0;
  let heard: (readonly string[] | null)[] = [];
  let baseline: (Score | null)[] = [];
  /** Whether the utterance has counted: by measure and condition, and by recognizer. */
  const counted = new Uint8Array(measures.length * conditions.length);
  const asked = new Uint8Array(recognizers.length);

  const enter = (next: Utterance) => {
    current = next;
    reference = next.reference === undefined ? null : normalizer.words(next.reference, next.language);
    seen.utterances++;
    if (reference !== null) seen.withReference++;
    if (next.speaker === undefined) seen.withoutSpeaker++;
    slices.enter(binned(next));
    baseline = measures.map(() => null);
    counted.fill(0);
    asked.fill(0);
  };
  const closeSound = () => {
    if (condition > 0) seen.perturbed++;
    for (const [number, measure] of measures.entries()) {
      const score = scoreOf(measure, heard, reference);
      if (score === null) continue;
      if (condition === 0) {
        baseline[number] = score;
        slices.add(series.baseline(number), score.errors, score.words, 1, 1);
        continue;
      }
      const before = baseline[number]!;
      if (before === null) continue;
      const place = number * conditions.length + condition;
      const first = counted[place] === 0 ? 1 : 0;
      counted[place] = 1;
      slices.add(series.after(number, condition), score.errors, score.words, 1, first);
      slices.add(series.before(number, condition), before.errors, before.words, 1, first);
    }
    heard = recognizers.map(() => null);
  };

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { trial, observation } = answer;
    const number = places.get(trial.condition.name)!;
    if (current === null || current.id !== trial.utterance.id) {
      if (current !== null) closeSound();
      enter(trial.utterance);
      heard = recognizers.map(() => null);
    } else if (number !== condition || trial.draw !== draw) closeSound();
    condition = number;
    draw = trial.draw;
    const recognizer = numbers.get(trial.recognizer)!;
    const place = recognizer * conditions.length + number;
    const { failure } = observation;
    slices.add(series.failures(recognizer), failure === undefined ? 0 : 1, 1, 1, asked[recognizer] === 0 ? 1 : 0);
    asked[recognizer] = 1;
    if (failure !== undefined) trials.addFailure(place, failure.kind);
    else {
      trials.addAnswer(place);
      const words = normalizer.words(observation.transcript.text, trial.utterance.language);
      heard[recognizer] = words;
      const said = reference as readonly string[] | null;
      if (people !== null && said !== null) {
        const wrong = { errors: errors(countEdits(said, words)), words: said.length };
        people.take(trial, { condition: number, recognizer, ...wrong }, observation.transcript);
      }
    }
  }
  if (current !== null) closeSound();
  people?.end();
  return { heard: people, slices, series, trials, ...seen };
}

function numberSeries(measures: number, conditions: number): Series {
  const place = (measure: number, condition: number) => measure * conditions + condition;
  return {
    baseline: (measure) => place(measure, 0),
    after: place,
    before: (measure, condition) => measures * conditions + place(measure, condition),
    failures: (recognizer) => 2 * measures * conditions + recognizer,
  };
}

/** Null where somebody did not answer, or a reference is missing. */
function scoreOf(
  { kind, recognizers }: Measure,
  heard: readonly (readonly string[] | null)[],
  reference: readonly string[] | null,
): Score | null {
  const one = heard[recognizers[0]!]!;
  const other = kind === 'distance' ? heard[recognizers[1]!]! : reference;
  if (one === null || other === null) return null;
  if (kind === 'word error rate') return { errors: errors(countEdits(other, one)), words: other.length };
  const { edits, words } = transcriptDistance([[one, other]]);
  return { errors: edits, words };
}

/** One measure in one condition. */
export interface Leaf {
  readonly measure: number;
  readonly condition: number;
}

/** Rates of a group before and after, averaged over leaves, as counts of one rate each; by speaker. */
export interface GroupCounts {
  readonly before: ClusteredCounts;
  readonly after: ClusteredCounts;
  /** After less before. */
  readonly degradation: ClusteredCounts;
  /** The cluster of each place in the counts. */
  readonly clusters: readonly number[];
  readonly n: SampleSize;
}

/** Words of a group in the baseline. */
export function wordsBefore(part: Part, measure: number, { series }: Tally): number {
  return part.counts(series.baseline(measure))?.totals(part.rows).words ?? 0;
}

/** Whether a group has words in a leaf, before and after. */
export function hasWords(part: Part, { measure, condition }: Leaf, { series }: Tally): boolean {
  const wordsIn = (number: number) => part.counts(number)?.totals(part.rows).words ?? 0;
  return wordsIn(series.after(measure, condition)) > 0 && wordsIn(series.before(measure, condition)) > 0;
}

/**
 * A group's rates averaged over the leaves: those of one family of conditions alike, then the families. Null where there
 * are no leaves, or the group has no words in one of them.
 */
export function groupCounts(
  part: Part,
  leaves: readonly Leaf[],
  families: readonly Family[],
  tally: Tally,
): GroupCounts | null {
  const own = families
    .map(({ conditions }) => leaves.filter(({ condition }) => conditions.includes(condition)))
    .filter((ofFamily) => ofFamily.length > 0);
  const n = { utterances: 0, speakers: 0, words: 0 };
  const before: WeightedRate[] = [];
  const after: WeightedRate[] = [];
  for (const ofFamily of own) {
    for (const { measure, condition } of ofFamily) {
      const weight = 1 / own.length / ofFamily.length;
      const disturbed = gather(part, tally.series.after(measure, condition));
      after.push({ counts: disturbed.counts, weight });
      before.push({ counts: gather(part, tally.series.before(measure, condition)).counts, weight });
      n.utterances = Math.max(n.utterances, disturbed.n.utterances);
      n.speakers = Math.max(n.speakers, disturbed.n.speakers);
      n.words = Math.max(n.words, disturbed.n.words);
    }
  }
  return combined(before, after, part, n);
}

/** A group's rates in the baseline, averaged over measures. */
export function baselineCounts(
  part: Part,
  measures: readonly number[],
  tally: Tally,
): { readonly counts: ClusteredCounts; readonly n: SampleSize } | null {
  const n = { utterances: 0, speakers: 0, words: 0 };
  const rates = measures.map((measure): WeightedRate => {
    const here = gather(part, tally.series.baseline(measure));
    n.utterances = Math.max(n.utterances, here.n.utterances);
    n.speakers = Math.max(n.speakers, here.n.speakers);
    n.words = Math.max(n.words, here.n.words);
    return { counts: here.counts, weight: 1 / measures.length };
  });
  const counts = combineRates(rates);
  return counts === null ? null : { counts, n };
}

function combined(
  before: readonly WeightedRate[],
  after: readonly WeightedRate[],
  part: Part,
  n: SampleSize,
): GroupCounts | null {
  const [one, other] = [combineRates(before), combineRates(after)];
  const degradation = combineRates([...after, ...before.map(({ counts, weight }) => ({ counts, weight: -weight }))]);
  if (one === null || other === null || degradation === null) return null;
  return { before: one, after: other, degradation, clusters: part.rows.map((row) => part.clusterOf(row)), n };
}

/** A group's rate in a condition, the mean over the measures of a kind. */
export interface GroupRate {
  readonly attribute: string;
  readonly group: string;
  readonly kind: MeasureKind;
  readonly condition: number;
  readonly rate: Estimate;
}

/** Rates of the groups of an attribute in the baseline and in every condition: what curves are drawn from. */
export function groupRates(
  attribute: string,
  kind: MeasureKind,
  about: {
    readonly parts: readonly Part[];
    readonly measures: readonly number[];
    readonly conditions: readonly number[];
  },
  known: {
    readonly tally: Tally;
    readonly design: Design;
    readonly options: DegradationOptions;
    readonly seed: number;
  },
): GroupRate[] {
  const { parts, measures, conditions } = about;
  const { tally, design, options, seed } = known;
  const { level, resamples, minimumSpeakers } = options;
  const countsIn = (part: Part, condition: number) => {
    if (condition === 0) {
      return baselineCounts(
        part,
        measures.filter((measure) => wordsBefore(part, measure, tally) > 0),
        tally,
      );
    }
    const leaves = measures.map((measure) => ({ measure, condition })).filter((leaf) => hasWords(part, leaf, tally));
    const counts = groupCounts(part, leaves, design.families, tally);
    return counts === null ? null : { counts: counts.after, n: counts.n };
  };
  return parts.flatMap((part) =>
    [0, ...conditions].flatMap((condition): GroupRate[] => {
      const group = part.group!.value;
      const found = countsIn(part, condition);
      if (found === null) return [];
      const random = randomOfData(seed);
      const interval = rateInterval(found.counts, { level, resamples, minimumClusters: minimumSpeakers, random });
      return [{ attribute, group, kind, condition, rate: toEstimate(interval, found.n) }];
    }),
  );
}
