import { grouped } from '../../base/number-format.ts';
import { shownDifference, withEnds } from '../../model/comparison.ts';
import type { Comparison, Estimate, SampleSize } from '../../model/finding.ts';
import type { Interval } from '../../statistics/interval.ts';
import { jackknifeDifference } from '../../statistics/psychometric/jackknife.ts';
import type { ReceptionThreshold } from '../../statistics/psychometric/reception-threshold.ts';
import { correctByHolm, toComparison } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { TrialRow } from '../shared/failures.ts';
import type { Axis } from './axes.ts';
import type { ThresholdOptions } from './options.ts';
import type { Asked, ThresholdSearch } from './search.ts';

/** What one search found. */
export interface SearchResult {
  readonly search: ThresholdSearch;
  readonly found: ReceptionThreshold;
  /** In the units of the axis. */
  readonly threshold: Estimate;
  readonly n: SampleSize;
}

/** Two searches along one axis against each other: `first` compared with `second`. */
export interface ThresholdComparison {
  readonly kind: 'recognizers' | 'groups';
  readonly first: SearchResult;
  readonly second: SearchResult;
  /** The first threshold less the second, in units of the axis, or in octaves where it is logarithmic. */
  readonly comparison: Comparison;
  /** Where one of two recognizers answered less of the same questions: those that both did, and the thresholds by them alone; else null. */
  readonly rests: { readonly over: string; readonly first: Estimate; readonly second: Estimate } | null;
}

export interface ThresholdResults {
  readonly searches: readonly SearchResult[];
  readonly comparisons: readonly ThresholdComparison[];
  /** By axis, of everybody and of groups together. */
  readonly trials: readonly TrialRow[];
}

/** Turns searches into thresholds and compares them. */
export function concludeSearches(
  searches: readonly ThresholdSearch[],
  options: ThresholdOptions,
): Omit<ThresholdResults, 'trials'> {
  const results = searches.map((search) => resultOf(search));
  return { searches: results, comparisons: compareSearches(results, options) };
}

function resultOf(search: ThresholdSearch, answered: readonly Asked[] = search.answered): SearchResult {
  const found = search.result(answered);
  const n = sampleSize(answered);
  return { search, found, n, threshold: toEstimate(inUnits(found.threshold, search.axis), n) };
}

/**
 * In a grid all recognizers are asked the same, and the difference of two is over what both answered. Null where that is all; a search that
 * follows its answers has questions of its own.
 */
function overShared(first: SearchResult, second: SearchResult, { design }: ThresholdOptions) {
  if (design !== 'grid') return null;
  const keyOf = ({ clip, place }: Asked) => JSON.stringify([clip.utterance.id, place]);
  const [one, other] = [first, second].map(({ search }) => new Set(search.answered.map(keyOf)));
  const all = one!.union(other!).size;
  const both = one!.intersection(other!);
  if (both.size === all) return null;
  const over = `${grouped(both.size)} of ${grouped(all)} questions`;
  const [own, others] = [first, second].map(({ search }) =>
    resultOf(
      search,
      search.answered.filter((asked) => both.has(keyOf(asked))),
    ),
  );
  return { over, first: own!, second: others! };
}

/** An interval of coordinates in the units of an axis. */
function inUnits(interval: Interval, { levelAt }: Axis): Interval {
  const { value, low, high } = interval;
  const ends = low === null || high === null ? null : [levelAt(low), levelAt(high)].sort((a, b) => a - b);
  return {
    ...interval,
    value: value === null ? null : levelAt(value),
    low: ends?.[0] ?? null,
    high: ends?.[1] ?? null,
  };
}

function sampleSize(answered: readonly Asked[]): SampleSize {
  const speakers = new Set(answered.flatMap(({ clip }) => clip.utterance.speaker ?? []));
  return {
    utterances: new Set(answered.map(({ clip }) => clip.utterance.id)).size,
    speakers: speakers.size,
    words: answered.reduce((sum, { clip }) => sum + clip.words.length, 0),
  };
}

/** Recognizers for everybody, and groups of one attribute for each recognizer; corrected together. */
function compareSearches(results: readonly SearchResult[], options: ThresholdOptions): ThresholdComparison[] {
  const { level, minimumSpeakers } = options;
  const pairs = results.flatMap((first, place) =>
    results.slice(place + 1).flatMap((second) => {
      const kind = kindOf(first, second);
      const shared = kind === 'recognizers' ? overShared(first, second, options) : null;
      return kind === null ? [] : [{ kind, first, second, shared }];
    }),
  );
  const tested = pairs.map(({ shared, ...pair }) => {
    const { first, second } = shared ?? pair;
    const one = first.found.jackknife;
    const other = second.found.jackknife;
    if (one === null || other === null) return null;
    return jackknifeDifference(other, one, { level, minimumClusters: minimumSpeakers });
  });
  const pValues = tested.map((test) => test?.pValue ?? null);
  const { adjusted, correction } = correctByHolm(pValues, 'each threshold has trials of its own');
  return pairs.map(({ kind, first, second, shared }, place) => {
    const test = tested[place] ?? null;
    const { axis } = first.search;
    const interval: Interval = test?.interval ?? {
      value: null,
      low: null,
      high: null,
      level,
      reason: { code: 'no-threshold' },
      method: 'jackknife over clusters (speakers)',
    };
    const both = shared === null ? sampleSize([...first.search.answered, ...second.search.answered]) : shared.first.n;
    const n = { utterances: both.utterances, speakers: both.speakers };
    const tests = { pValue: pValues[place]!, test: 't test of the jackknife' };
    return {
      ...{ kind, first, second },
      rests:
        shared === null ? null : { over: shared.over, first: shared.first.threshold, second: shared.second.threshold },
      comparison: comparedAlong(axis, toComparison(toEstimate(interval, n), tests, adjusted[place]!, correction)),
    };
  });
}

function kindOf(first: SearchResult, second: SearchResult): ThresholdComparison['kind'] | null {
  if (first.search.axis !== second.search.axis) return null;
  const one = first.search.listeners.group;
  const other = second.search.listeners.group;
  if (first.search.recognizer !== second.search.recognizer)
    return one === null && other === null ? 'recognizers' : null;
  return one !== null && other !== null && one.attribute === other.attribute ? 'groups' : null;
}

/** Differences of coordinates as differences of levels; of logarithms as octaves. */
export function inSteps(interval: Interval, { harder, scale }: Axis): Interval {
  const factor = (harder === 'lower' ? 1 : -1) * (scale === 'logarithmic' ? Math.log2(10) : 1);
  // 0 + x, so that nothing becomes -0.
  const times = (value: number | null) => (value === null ? null : 0 + factor * value);
  const [low, high] = factor > 0 ? [interval.low, interval.high] : [interval.high, interval.low];
  return { ...interval, value: times(interval.value), low: times(low), high: times(high) };
}

/** A comparison of coordinates, where who needs an easier level is worse, with its difference in levels or octaves. */
export function comparedAlong(axis: Axis, comparison: Comparison): Comparison {
  const { difference, open } = comparison;
  const steps = (one: Interval) => toEstimate(inSteps(one, axis), difference.n);
  const { low, high } = steps(shownDifference(comparison));
  const told = { ...comparison, difference: steps(difference) };
  return open === undefined || low === null || high === null
    ? told
    : { ...told, open: withEnds(open, () => ({ low, high })) };
}
