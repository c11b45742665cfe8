import type { Estimate, SampleSize } from '../../model/finding.ts';
import { neededClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { BootstrapOptions, ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { combineRates, rateInterval, type WeightedRate } from '../../statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../statistics/interval.ts';
import { toEstimate } from '../shared/estimates.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
import type { Counts } from './counts.ts';
import type { Design } from './design.ts';
import type { RobustnessOptions } from './options.ts';
import { type Leaf, meanWeights } from './scenario-tree.ts';
import { isPaperBaseline } from './srb-difficulties.ts';

/** The five numbers of Speech Robust Bench for some scenarios together. */
export interface LevelEstimates {
  readonly wordErrorRate: Estimate;
  readonly characterErrorRate: Estimate;
  /** WERD: word error rate less that of clean sound. */
  readonly degradation: Estimate;
  /** NWER and NWERD: rate and degradation over the points of difficulty, as shares of 100. */
  readonly normalizedRate: Estimate;
  readonly normalizedDegradation: Estimate;
}

/** What is given to every estimate of a study. */
export interface EstimateSettings {
  readonly options: Pick<RobustnessOptions, 'profile' | 'level' | 'resamples' | 'minimumSpeakers'>;
  readonly bootstrap: BootstrapOptions;
}

/** Whether the profile averages over all scenarios alike, and not family by family. */
export function mannerOf({ profile }: Pick<RobustnessOptions, 'profile'>): 'sound' | 'flat' {
  return profile === 'sound' ? 'sound' : 'flat';
}

/** Means over scenarios, with intervals from resampling speakers. */
export function levelEstimates(counts: readonly LeafCounts[], settings: EstimateSettings): LevelEstimates {
  const hard = counts.filter(({ leaf }) => leaf.difficulty.value !== null);
  return {
    wordErrorRate: meanRate(counts, 'words', 'rate', settings),
    characterErrorRate: meanRate(counts, 'characters', 'rate', settings),
    degradation: meanDegradation(counts, 'rate', settings),
    normalizedRate: withReason(meanRate(hard, 'words', 'normalized', settings), counts),
    normalizedDegradation: withReason(meanDegradation(hard, 'normalized', settings), counts),
  };
}

type Manner = 'rate' | 'normalized';

/** The scenarios' weights; a normalized rate is one over the hundredth part of its difficulty. */
function weightsOf(counts: readonly LeafCounts[], manner: Manner, { options }: EstimateSettings): number[] {
  const leaves = counts.map(({ leaf }) => leaf);
  return meanWeights(leaves, mannerOf(options)).map((weight, index) =>
    manner === 'rate' ? weight : (100 * weight) / leaves[index]!.difficulty.value!,
  );
}

/** Mean of rates over scenarios and data sets. */
export function meanRate(
  counts: readonly LeafCounts[],
  what: 'words' | 'characters',
  manner: Manner,
  settings: EstimateSettings,
): Estimate {
  const weights = weightsOf(counts, manner, settings);
  const combined = combineRates(counts.map((one, index) => ({ counts: one[what], weight: weights[index]! })));
  const n = sizeOf(counts);
  if (combined === null) return nothing(n, settings, 'nothing was answered');
  return guarded(rateInterval(combined, settings.bootstrap), counts, n, settings);
}

/** Mean degradation; profile `srb` takes 0 where a scenario has fewer errors than clean sound, as its program does. */
export function meanDegradation(all: readonly LeafCounts[], manner: Manner, settings: EstimateSettings): Estimate {
  const counts = all.filter(({ pair }) => pair !== null);
  const n = sizeOf(counts);
  if (counts.length === 0) {
    return nothing(n, settings, all.find(({ reason }) => reason)?.reason ?? 'nothing was answered');
  }
  const clipped = settings.options.profile === 'srb';
  const weights = weightsOf(counts, manner, settings);
  const rises = counts.map(({ pair }) => rateOf(pair!.after) - rateOf(pair!.before));
  const alone = counts.length === 1;
  const kept = weights.map((weight, index) => (clipped && !alone && rises[index]! <= 0 ? 0 : weight));
  const { before, after } = sides(counts, kept);
  if (before === null || after === null) {
    const reason = 'no scenario has more errors than clean audio, and this profile takes 0 for fewer';
    return { ...nothing(n, settings, reason), value: 0 };
  }
  const estimate = guarded(differenceInterval(before, after, settings.bootstrap), counts, n, settings);
  if (!clipped) return estimate;
  const least = (value: number | null) => (value === null ? null : Math.max(0, value));
  const method = `${estimate.method}; values below 0 in a scenario count as 0`;
  return { ...estimate, value: least(estimate.value), low: least(estimate.low), high: least(estimate.high), method };
}

/** Weighted sums of the rates before and after. */
function sides(
  counts: readonly LeafCounts[],
  weights: readonly number[],
): { readonly before: ClusteredCounts | null; readonly after: ClusteredCounts | null } {
  const side = (which: 'before' | 'after') =>
    combineRates(counts.map(({ pair }, index): WeightedRate => ({ counts: pair![which], weight: weights[index]! })));
  return { before: side('before'), after: side('after') };
}

/** What is counted behind an average: the words of one scenario in one data set, by speaker. */
export type Counted = Pick<LeafCounts, 'words' | 'n' | 'isSpeaker'> & { readonly leaf: Pick<Leaf, 'dataset'> };

/**
 * How much stands behind an average: utterances of the fullest scenario of each data set, their speakers, each once, however many
 * data sets have them, and words of all scenarios.
 */
export function sizeOf(counts: readonly Counted[]): SampleSize {
  const fullest = new Map<number, Counted>();
  let words = 0;
  for (const one of counts) {
    words += one.n.words ?? 0;
    const { dataset } = one.leaf;
    if (one.n.utterances > (fullest.get(dataset)?.n.utterances ?? -1)) fullest.set(dataset, one);
  }
  let utterances = 0;
  const speakers = new Set<number>();
  for (const { n, words: of, isSpeaker } of fullest.values()) {
    utterances += n.utterances;
    of.denominators.forEach((said, cluster) => {
      if (said > 0 && isSpeaker(cluster)) speakers.add(cluster);
    });
  }
  return { utterances, speakers: speakers.size, words };
}

/** An average over data sets has an interval only where each of them has speakers enough. */
function guarded(
  interval: Interval,
  counts: readonly LeafCounts[],
  n: SampleSize,
  { options }: EstimateSettings,
): Estimate {
  const fewest = counts.reduce((least, { speakers }) => Math.min(least, speakers), Number.POSITIVE_INFINITY);
  if (interval.low === null || fewest >= options.minimumSpeakers) return toEstimate(interval, n);
  const reason = neededClusters(options.minimumSpeakers, fewest, 'in each data set');
  return toEstimate({ ...interval, low: null, high: null, reason }, n);
}

function withReason(estimate: Estimate, counts: readonly LeafCounts[]): Estimate {
  if (estimate.value !== null) return estimate;
  const reason = counts.find(({ leaf }) => leaf.difficulty.value === null)?.leaf.difficulty.reason;
  return reason === undefined ? estimate : { ...estimate, reason };
}

function nothing(n: SampleSize, { options }: EstimateSettings, reason: string): Estimate {
  return { value: null, low: null, high: null, level: options.level, n, reason, method: 'mean over scenarios' };
}

function rateOf({ numerators, denominators }: ClusteredCounts): number {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  return sum(numerators) / sum(denominators);
}

/** What one recognizer made of one scenario in one data set; the same index is the same speaker everywhere. */
export interface LeafCounts {
  readonly leaf: Leaf;
  /** All answered trials. */
  readonly words: ClusteredCounts;
  readonly characters: ClusteredCounts;
  /** Of trials answered here and clean; null where there is nothing to compare with. */
  readonly pair: { readonly before: ClusteredCounts; readonly after: ClusteredCounts } | null;
  /** Why there is no pair. */
  readonly reason?: string;
  readonly n: SampleSize;
  /** Whether somebody knows who a cluster is. */
  readonly isSpeaker: (cluster: number) => boolean;
  /** Speakers (clusters) in the data set, and in its baseline where that is another. */
  readonly speakers: number;
}

/** Which part of a data set is looked at: all of it, or a group of speakers. */
export type PartOf = (dataset: number) => Part | null;

/** The whole of every data set. */
export function wholeOf({ datasets }: Counts): PartOf {
  const parts = datasets.map((counts) => counts.whole());
  return (dataset) => parts[dataset]!;
}

/** The counts of a recognizer in every scenario that it answered anything of. */
export function countLeaves(
  leaves: readonly Leaf[],
  recognizer: number,
  {
    tally,
    design,
    options,
    partOf,
  }: {
    readonly tally: Counts;
    readonly design: Design;
    readonly options: RobustnessOptions;
    readonly partOf: PartOf;
  },
): LeafCounts[] {
  const { series } = tally;
  const clean = new Map<number, ClusteredCounts>();
  const cleanOf = (dataset: number): ClusteredCounts | null => {
    const part = partOf(dataset);
    if (part === null) return null;
    let counts = clean.get(dataset);
    if (counts === undefined) {
      counts = byCluster(part, tally, series.words(recognizer, 0)).counts;
      clean.set(dataset, counts);
    }
    return counts;
  };
  return leaves.flatMap((leaf): LeafCounts[] => {
    const { condition, dataset } = leaf;
    const part = partOf(dataset);
    if (part === null) return [];
    const { counts: words, n } = byCluster(part, tally, series.words(recognizer, condition));
    if (n.words === 0) return [];
    const characters = byCluster(part, tally, series.characters(recognizer, condition)).counts;
    const shared = { leaf, words, characters, n, isSpeaker: tally.slices.clusters.isSpeaker };
    const speakers = speakersIn(words);
    if (condition < design.disturbed) {
      const draws = design.draws(condition, recognizer);
      const before = byCluster(
        part,
        tally,
        series.words(recognizer, 0),
        series.cleanOnly(recognizer, condition),
        draws,
      );
      const after = byCluster(
        part,
        tally,
        series.words(recognizer, condition),
        series.withoutClean(recognizer, condition),
      );
      if (!(before.n.words > 0)) {
        return [{ ...shared, pair: null, reason: 'no trial was answered both here and clean', speakers }];
      }
      return [{ ...shared, pair: { before: before.counts, after: after.counts }, speakers }];
    }
    const baseline = baselineOf(leaf, design, options, cleanOf);
    if (typeof baseline === 'string') return [{ ...shared, pair: null, reason: baseline, speakers }];
    return [
      { ...shared, pair: { before: baseline, after: words }, speakers: Math.min(speakers, speakersIn(baseline)) },
    ];
  });
}

/** Clean sound that a recorded scenario is compared with, or why there is none. */
function baselineOf(
  { condition, dataset }: Leaf,
  { survey, disturbed }: Design,
  { recorded, profile }: RobustnessOptions,
  cleanOf: (dataset: number) => ClusteredCounts | null,
): ClusteredCounts | string {
  const { baseline } = recorded[condition - disturbed]!;
  const { language } = survey.datasets[dataset]!;
  const clean = survey.datasets.flatMap((one, number) => {
    const counts = one.recorded === null ? cleanOf(number) : null;
    return counts === null || sum(counts.denominators) === 0 ? [] : [{ ...one, counts }];
  });
  if (baseline !== null) {
    const named = clean.filter(({ corpus }) => corpus === baseline);
    const found = named.find((one) => one.language === language) ?? named[0];
    return found?.counts ?? `nothing was answered of its baseline ${baseline.slice(0, 100)}`;
  }
  if (clean.length === 0) return 'there is no clean corpus to compare it with';
  if (profile === 'srb') {
    const rate = ({ counts }: (typeof clean)[number]) => sum(counts.numerators) / sum(counts.denominators);
    return clean.reduce((best, one) => (rate(one) < rate(best) ? one : best)).counts;
  }
  const sameLanguage = clean.filter((one) => one.language === language);
  if (sameLanguage.length === 1) return sameLanguage[0]!.counts;
  if (profile === 'srb-paper') {
    const ofPaper = sameLanguage.filter(({ corpus }) => isPaperBaseline(corpus, language));
    if (ofPaper.length === 1) return ofPaper[0]!.counts;
  }
  return sameLanguage.length === 0
    ? `there is no clean corpus of its language (${language}); name its baseline`
    : 'there are several clean corpora; name its baseline';
}

/** A series in a part, less another, at the places of all speakers of the run. */
export function byCluster(
  part: Part,
  { slices }: Pick<Counts, 'slices'>,
  series: number,
  out?: number,
  times = 1,
): ReturnType<typeof gather> {
  const { counts, n } = gather(part, series, out, times);
  const numerators = new Float64Array(slices.clusters.count);
  const denominators = new Float64Array(slices.clusters.count);
  part.rows.forEach((row, place) => {
    numerators[part.clusterOf(row)]! += counts.numerators[place]!;
    denominators[part.clusterOf(row)]! += counts.denominators[place]!;
  });
  return { counts: { numerators, denominators }, n };
}

/** Speakers (clusters) of whom a word was asked. */
export function speakersIn({ denominators }: ClusteredCounts): number {
  return denominators.reduce((count, words) => count + (words > 0 ? 1 : 0), 0);
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
