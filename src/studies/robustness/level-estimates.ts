import type { Estimate, SampleSize } from '../../model/finding.ts';
import { neededClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { BootstrapOptions, ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { combineRates, type WeightedRate } from '../../statistics/bootstrap/combine-rates.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../statistics/interval.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { LeafCounts } from './leaf-counts.ts';
import type { RobustnessOptions } from './options.ts';
import { meanWeights } from './scenario-tree.ts';

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
    const reason = 'no scenario has more errors than clean sound, and this profile takes 0 for fewer';
    return { ...nothing(n, settings, reason), value: 0 };
  }
  const estimate = guarded(differenceInterval(before, after, settings.bootstrap), counts, n, settings);
  if (!clipped) return estimate;
  const least = (value: number | null) => (value === null ? null : Math.max(0, value));
  const method = `${estimate.method}; less than 0 in a scenario taken for 0`;
  return { ...estimate, value: least(estimate.value), low: least(estimate.low), high: least(estimate.high), method };
}

/** Weighted sums of the rates before and after. */
export function sides(
  counts: readonly LeafCounts[],
  weights: readonly number[],
): { readonly before: ClusteredCounts | null; readonly after: ClusteredCounts | null } {
  const side = (which: 'before' | 'after') =>
    combineRates(counts.map(({ pair }, index): WeightedRate => ({ counts: pair![which], weight: weights[index]! })));
  return { before: side('before'), after: side('after') };
}

/** How much stands behind an average: speakers and utterances of the fullest scenario of each data set, words of all. */
export function sizeOf(counts: readonly LeafCounts[]): SampleSize {
  const fullest = new Map<number, SampleSize>();
  let words = 0;
  for (const { leaf, n } of counts) {
    words += n.words ?? 0;
    if (n.utterances > (fullest.get(leaf.dataset)?.utterances ?? -1)) fullest.set(leaf.dataset, n);
  }
  let utterances = 0;
  let speakers = 0;
  for (const n of fullest.values()) {
    utterances += n.utterances;
    speakers += n.speakers;
  }
  return { utterances, speakers, words };
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
