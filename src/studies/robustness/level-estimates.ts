import type { Estimate, SampleSize } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { combineRates, rateInterval, type WeightedRate } from '../../statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../statistics/interval.ts';
import { toEstimate } from '../shared/estimates.ts';
import { type Cells, cellOf, heardOf, rateOf } from './counts.ts';
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

/** What every estimate of a study is made of. */
export interface Known {
  readonly cells: Cells;
  readonly design: Design;
  readonly options: RobustnessOptions;
  /** Of the run. */
  readonly seed: number;
}

/** How the intervals of a study are made. */
export function bootstrapOf({ options: { level, resamples, minimumSpeakers }, seed }: Pick<Known, 'options' | 'seed'>) {
  return { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
}

/** Whether the profile averages over all scenarios alike, and not family by family. */
export function mannerOf({ profile }: Pick<RobustnessOptions, 'profile'>): 'sound' | 'flat' {
  return profile === 'sound' ? 'sound' : 'flat';
}

/** Means over scenarios, with intervals from resampling speakers. */
export function levelEstimates(counts: readonly LeafCounts[], known: Known): LevelEstimates {
  const hard = counts.filter(({ leaf }) => leaf.difficulty.value !== null);
  return {
    wordErrorRate: meanRate(counts, 'words', 'rate', known),
    characterErrorRate: meanRate(counts, 'characters', 'rate', known),
    degradation: meanDegradation(counts, 'rate', known),
    normalizedRate: withReason(meanRate(hard, 'words', 'normalized', known), counts),
    normalizedDegradation: withReason(meanDegradation(hard, 'normalized', known), counts),
  };
}

type Manner = 'rate' | 'normalized';

/** The scenarios' weights; a normalized rate is one over the hundredth part of its difficulty. */
function weightsOf(counts: readonly LeafCounts[], manner: Manner, { options }: Pick<Known, 'options'>): number[] {
  const leaves = counts.map(({ leaf }) => leaf);
  return meanWeights(leaves, mannerOf(options)).map((weight, index) =>
    manner === 'rate' ? weight : (100 * weight) / leaves[index]!.difficulty.value!,
  );
}

/** What a mean counts as one: soundly, a condition in all its data sets, as it is wherever it stands alone; else each scenario in each data set. */
export function countedAsOne<Item>(
  all: readonly Item[],
  conditionOf: (item: Item) => number,
  options: Pick<RobustnessOptions, 'profile'>,
): readonly (readonly Item[])[] {
  return mannerOf(options) === 'flat' ? all.map((one) => [one]) : [...Map.groupBy(all, conditionOf).values()];
}

/** The counts that a mean is made of. What is divided by a difficulty, which each data set has its own of, is a mean over data sets in every profile. */
export function meanParts(
  counts: readonly LeafCounts[],
  manner: Manner,
  options: RobustnessOptions,
): readonly LeafCounts[] {
  if (manner === 'normalized') return counts;
  return countedAsOne(counts, ({ leaf }) => leaf.condition, options).map(asOne);
}

/** One condition in all data sets that have it. */
function asOne(parts: readonly LeafCounts[]): LeafCounts {
  if (parts.length === 1) return parts[0]!;
  const words = addedUp(parts.map((one) => one.words));
  const pairs = parts.flatMap(({ pair }) => pair ?? []);
  const pair =
    pairs.length === 0
      ? null
      : { before: addedUp(pairs.map(({ before }) => before)), after: addedUp(pairs.map(({ after }) => after)) };
  return {
    ...parts[0]!,
    ...{ words, characters: addedUp(parts.map((one) => one.characters)), pair },
    speakers: speakersIn(pair?.after ?? words),
  };
}

/** The same speakers in all of them. */
function addedUp(counts: readonly ClusteredCounts[]): ClusteredCounts {
  const sum = (of: keyof Pick<ClusteredCounts, 'numerators' | 'denominators'>) => {
    const total = new Float64Array(Math.max(...counts.map((one) => one[of].length)));
    for (const one of counts) {
      one[of].forEach((value, place) => {
        total[place]! += value;
      });
    }
    return total;
  };
  return { numerators: sum('numerators'), denominators: sum('denominators') };
}

/** Mean of rates over scenarios. */
export function meanRate(
  all: readonly LeafCounts[],
  what: 'words' | 'characters',
  manner: Manner,
  known: Known,
): Estimate {
  const counts = meanParts(all, manner, known.options);
  const weights = weightsOf(counts, manner, known);
  const combined = combineRates(counts.map((one, index) => ({ counts: one[what], weight: weights[index]! })));
  const n = sizeOf(all, known.cells.units.isSpeaker);
  if (combined === null) return nothing(n, known, { code: 'nothing-answered' });
  return guarded(rateInterval(combined, bootstrapOf(known)), counts, n, known);
}

/** Mean degradation; profile `srb` takes 0 where a scenario has fewer errors than clean sound, as its program does. */
export function meanDegradation(all: readonly LeafCounts[], manner: Manner, known: Known): Estimate {
  const paired = all.filter(({ pair }) => pair !== null);
  const n = sizeOf(paired, known.cells.units.isSpeaker);
  const counts = meanParts(paired, manner, known.options);
  if (counts.length === 0) {
    return nothing(n, known, all.find(({ reason }) => reason)?.reason ?? { code: 'nothing-answered' });
  }
  const clipped = known.options.profile === 'srb';
  const weights = weightsOf(counts, manner, known);
  const rises = counts.map(({ pair }) => rateOf(pair!.after)! - rateOf(pair!.before)!);
  const alone = counts.length === 1;
  const kept = weights.map((weight, index) => (clipped && !alone && rises[index]! <= 0 ? 0 : weight));
  const { before, after } = sides(counts, kept);
  if (before === null || after === null) return { ...nothing(n, known, { code: 'none-worse' }), value: 0 };
  const estimate = guarded(differenceInterval(before, after, bootstrapOf(known)), counts, n, known);
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
export interface Counted {
  readonly leaf: Pick<Leaf, 'dataset'>;
  readonly words: ClusteredCounts;
  readonly n: SampleSize;
}

/**
 * How much stands behind an average: utterances of the fullest scenario of each data set, their speakers, each once, however many
 * data sets have them, and words of all scenarios.
 *
 * @param isSpeaker whether somebody knows who stands at a place of the counts
 */
export function sizeOf(counts: readonly Counted[], isSpeaker: (place: number) => boolean) {
  const fullest = new Map<number, Counted>();
  for (const one of counts) {
    const { dataset } = one.leaf;
    if (one.n.utterances > (fullest.get(dataset)?.n.utterances ?? -1)) fullest.set(dataset, one);
  }
  const speakers = new Set<number>();
  for (const { words } of fullest.values()) {
    words.denominators.forEach((said, place) => {
      if (said > 0 && isSpeaker(place)) speakers.add(place);
    });
  }
  return {
    utterances: [...fullest.values()].reduce((total, { n }) => total + n.utterances, 0),
    speakers: speakers.size,
    words: counts.reduce((total, { n }) => total + (n.words ?? 0), 0),
  };
}

/** A mean has an interval only where each of its parts has speakers enough. */
function guarded(
  interval: Interval,
  counts: readonly LeafCounts[],
  n: SampleSize,
  { options }: Pick<Known, 'options'>,
): Estimate {
  const fewest = counts.reduce((least, { speakers }) => Math.min(least, speakers), Number.POSITIVE_INFINITY);
  if (interval.low === null || fewest >= options.minimumSpeakers) return toEstimate(interval, n);
  const reason: Reason = { code: 'few-units', need: options.minimumSpeakers, have: [fewest], each: 'data set' };
  return toEstimate({ ...interval, low: null, high: null, reason }, n);
}

function withReason(estimate: Estimate, counts: readonly LeafCounts[]): Estimate {
  if (estimate.value !== null) return estimate;
  const reason = counts.find(({ leaf }) => leaf.difficulty.value === null)?.leaf.difficulty.reason;
  return reason === undefined ? estimate : { ...estimate, reason };
}

function nothing(n: SampleSize, { options }: Pick<Known, 'options'>, reason: Reason): Estimate {
  return { value: null, low: null, high: null, level: options.level, n, reason, method: 'mean over scenarios' };
}

/** What one recognizer made of one scenario in one data set. */
export interface LeafCounts extends Counted {
  readonly leaf: Leaf;
  readonly characters: ClusteredCounts;
  /** Of trials answered here and clean; null where there is nothing to compare with. */
  readonly pair: { readonly before: ClusteredCounts; readonly after: ClusteredCounts } | null;
  /** Why there is no pair. */
  readonly reason?: Reason;
  /** Speakers (clusters) in the data set, and in its baseline where that is another. */
  readonly speakers: number;
}

/** The counts of a recognizer in every scenario that it answered anything of. */
export function countLeaves(
  leaves: readonly Leaf[],
  recognizer: number,
  { cells, design, options }: Known,
): LeafCounts[] {
  const clean = new Map<number, ClusteredCounts>();
  const cleanOf = (dataset: number): ClusteredCounts => {
    const counts =
      clean.get(dataset) ?? heardOf(cells, 'condition', cellOf({ condition: 0, dataset }, design), recognizer).words;
    clean.set(dataset, counts);
    return counts;
  };
  return leaves.flatMap((leaf): LeafCounts[] => {
    const { words, characters, n } = heardOf(cells, 'condition', cellOf(leaf, design), recognizer);
    if (n.words === 0) return [];
    const shared = { leaf, words, characters, n };
    const speakers = speakersIn(words);
    if (leaf.condition < design.disturbed) {
      const change = heardOf(cells, 'change', cellOf(leaf, design), recognizer);
      return change.n.words > 0
        ? [{ ...shared, pair: { before: change.before, after: change.words }, speakers }]
        : [{ ...shared, pair: null, reason: { code: 'no-clean-pair' }, speakers }];
    }
    const before = baselineOf(leaf, design, options, cleanOf);
    if ('code' in before) return [{ ...shared, pair: null, reason: before, speakers }];
    return [{ ...shared, pair: { before, after: words }, speakers: Math.min(speakers, speakersIn(before)) }];
  });
}

/** Clean sound that a recorded scenario is compared with, or why there is none. */
function baselineOf(
  { condition, dataset }: Leaf,
  { survey, disturbed }: Design,
  { recorded, profile }: RobustnessOptions,
  cleanOf: (dataset: number) => ClusteredCounts,
): ClusteredCounts | Reason {
  const { baseline } = recorded[condition - disturbed]!;
  const { language } = survey.datasets[dataset]!;
  const clean = survey.datasets.flatMap((one, number) => {
    const counts = one.recorded === null ? cleanOf(number) : null;
    const rate = counts && rateOf(counts);
    return rate === null ? [] : [{ ...one, counts: counts!, rate }];
  });
  if (baseline !== null) {
    const named = clean.filter(({ corpus }) => corpus === baseline);
    const found = named.find((one) => one.language === language) ?? named[0];
    return found?.counts ?? { code: 'baseline-not-answered', baseline: baseline.slice(0, 100) };
  }
  if (clean.length === 0) return { code: 'no-baseline', language: null };
  if (profile === 'srb') return clean.reduce((best, one) => (one.rate < best.rate ? one : best)).counts;
  const sameLanguage = clean.filter((one) => one.language === language);
  if (sameLanguage.length === 1) return sameLanguage[0]!.counts;
  if (profile === 'srb-paper') {
    const ofPaper = sameLanguage.filter(({ corpus }) => isPaperBaseline(corpus, language));
    if (ofPaper.length === 1) return ofPaper[0]!.counts;
  }
  return sameLanguage.length === 0 ? { code: 'no-baseline', language } : { code: 'many-baselines' };
}

/** Speakers (clusters) of whom a word was asked. */
export function speakersIn({ denominators }: ClusteredCounts): number {
  return denominators.reduce((count, words) => count + (words > 0 ? 1 : 0), 0);
}
