import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../statistics/interval.ts';
import type { CheckSettings } from './verdicts.ts';

function intervalOptions(
  level: number,
  { minimumSpeakers = defaultMinimumClusters, resamples = 2000, seed }: CheckSettings,
) {
  return { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
}

/** The ends of the interval of this two-sided level would be too far out for few resamples. */
const inTail = 20;

export function farOptions(errorEachSide: number, settings: CheckSettings) {
  const wanted = Math.max(settings.resamples ?? 2000, Math.ceil(inTail / errorEachSide));
  const resamples = Math.min(settings.look !== undefined && settings.resamples !== undefined ? 2000 : 20_000, wanted);
  return intervalOptions(1 - 2 * errorEachSide, { ...settings, resamples });
}

/** Of the number that is shown. */
export function shownOptions(settings: CheckSettings) {
  const { level, look } = settings;
  return look === undefined ? intervalOptions(level, settings) : farOptions(look.errorOf((1 - level) / 2), settings);
}

/** Of the bound that a pass needs. */
export function passOptions(settings: CheckSettings) {
  const { level, look } = settings;
  return look === undefined ? intervalOptions(2 * level - 1, settings) : farOptions(look.errorOf(1 - level), settings);
}

/**
 * A rate with its interval; where speakers do not differ, so that resamples cannot tell how they might, that of a proportion over speakers, as
 * exact as if each were one item: of 60 who are all wrong, at least 95.1 % of all are. More errors than words are all words wrong there, and
 * have no upper end.
 */
export function rateOf(counts: ClusteredCounts, options: ReturnType<typeof intervalOptions>): Interval {
  const usual = rateInterval(counts, options);
  if (usual.value === null || usual.low !== null) return usual;
  const exact = rateInterval(asProportion(counts), options);
  if (exact.low === null) return usual;
  return isProportion(counts) ? exact : { ...exact, value: usual.value, high: null };
}

/** The same of a difference of rates, where neither has more errors than words. */
export function differenceOf(
  first: ClusteredCounts,
  second: ClusteredCounts,
  options: ReturnType<typeof intervalOptions> & { readonly clusters?: 'separate' },
): Interval {
  const usual = differenceInterval(first, second, options);
  if (usual.value === null || usual.low !== null || ![first, second].every(isProportion)) return usual;
  const exact = differenceInterval(asProportion(first), asProportion(second), options);
  return exact.low === null ? usual : exact;
}

const isProportion = ({ numerators, denominators }: ClusteredCounts) =>
  numerators.every((errors, at) => errors <= denominators[at]!);

const asProportion = ({ numerators, denominators }: ClusteredCounts): ClusteredCounts => ({
  numerators: numerators.map((errors, at) => Math.min(errors, denominators[at]!)),
  denominators,
  proportion: true,
});

/** An interval where it is wanted, else the value alone. */
export function intervalWhere(wanted: boolean, value: number | null, interval: () => Interval): Interval {
  if (wanted) return interval();
  const reason = value === null && { reason: { code: 'no-denominator' } as const };
  return { value, low: null, high: null, level: 0, ...reason, method: 'value alone' };
}

export const rateAlone = ({ numerators, denominators }: ClusteredCounts): number | null => {
  const words = sum(denominators);
  return words === 0 ? null : sum(numerators) / words;
};

export const differenceAlone = (first: ClusteredCounts, second: ClusteredCounts): number | null => {
  const [before, after] = [rateAlone(first), rateAlone(second)];
  return before === null || after === null ? null : after - before;
};

export const sum = (values: Float64Array) => values.reduce((all, value) => all + value, 0);
