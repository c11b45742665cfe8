import type { Comparison, Estimate, SampleSize, Verdict } from '../../model/finding.ts';
import type { Interval } from '../../statistics/interval.ts';
import { jackknifeDifference } from '../../statistics/psychometric/jackknife.ts';
import type { ReceptionThreshold } from '../../statistics/psychometric/reception-threshold.ts';
import { correctByHolm } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { Axis } from './axes.ts';
import type { ThresholdOptions } from './options.ts';
import type { ThresholdSearch } from './search.ts';

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
}

export interface ThresholdResults {
  readonly searches: readonly SearchResult[];
  readonly comparisons: readonly ThresholdComparison[];
}

/** Turns searches into thresholds and compares them. */
export function concludeSearches(searches: readonly ThresholdSearch[], options: ThresholdOptions): ThresholdResults {
  const results = searches.map((search): SearchResult => {
    const found = search.result();
    const n = sampleSize(search);
    return { search, found, n, threshold: toEstimate(inUnits(found.threshold, search.axis), n) };
  });
  return { searches: results, comparisons: compareSearches(results, options) };
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

function sampleSize({ answered }: ThresholdSearch): SampleSize {
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
      return kind === null ? [] : [{ kind, first, second }];
    }),
  );
  const tested = pairs.map(({ first, second }) => {
    const one = first.found.jackknife;
    const other = second.found.jackknife;
    if (one === null || other === null) return null;
    return jackknifeDifference(other, one, { level, minimumClusters: minimumSpeakers });
  });
  const pValues = tested.map((test) => test?.pValue ?? null);
  const { adjusted, correction } = correctByHolm(pValues, 'each threshold has trials of its own');
  return pairs.map(({ kind, first, second }, place) => {
    const test = tested[place] ?? null;
    const { axis } = first.search;
    const interval: Interval = test?.interval ?? {
      value: null,
      low: null,
      high: null,
      level,
      reason: 'one of the two has no threshold',
      method: 'jackknife over clusters (speakers)',
    };
    const difference = toEstimate(inSteps(interval, axis), {
      utterances: first.n.utterances + second.n.utterances,
      speakers: speakersOf(first, second),
    });
    const adjustedPValue = adjusted[place]!;
    const { reason } = difference;
    return {
      kind,
      first,
      second,
      comparison: {
        difference,
        pValue: pValues[place]!,
        adjustedPValue,
        test: `t test of the jackknife, ${correction}`,
        verdict: verdictOf(interval, adjustedPValue),
        ...(reason === undefined ? {} : { reason }),
      },
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

/** Who needs an easier level is worse. Interval and corrected test must agree, or nothing is claimed. */
export function verdictOf({ low, high, level }: Interval, adjustedPValue: number | null): Verdict {
  if (low === null || high === null || adjustedPValue === null || adjustedPValue > 1 - level) return 'cannot tell';
  if (high < 0) return 'better';
  return low > 0 ? 'worse' : 'cannot tell';
}

function speakersOf(...results: readonly SearchResult[]): number {
  return new Set(results.flatMap(({ search }) => search.answered.flatMap(({ clip }) => clip.utterance.speaker ?? [])))
    .size;
}
