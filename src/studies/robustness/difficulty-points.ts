import type { Estimate } from '../../model/finding.ts';
import {
  pointsPerDeviation,
  type QualityScales,
  qualityDifficulty,
  type ScenarioQuality,
} from '../../scoring/srb/quality-difficulty.ts';
import { combineRates } from '../../statistics/bootstrap/combine-rates.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { ClusterMeans, MeanOptions } from '../shared/cluster-means.ts';
import { toEstimate } from '../shared/estimates.ts';

export type MeasureName = keyof ScenarioQuality;

/** The measures of difficulty, in the order of their series. */
export const measureNames: readonly MeasureName[] = ['dnsmos', 'pesq'];

/** Where the means of a measure stand: every cell has a series for each measure, empty where the config does not name it. */
export function seriesOf(cell: number, name: MeasureName): number {
  return cell * measureNames.length + measureNames.indexOf(name);
}

/**
 * Points of a cell, with the interval of the same weighted sum of means: what the difficulty would be in other recordings of
 * the same kind. Null, with the reason, where nothing was measured.
 */
export function difficultyPoints(
  cell: number,
  means: ClusterMeans,
  scales: QualityScales,
  { level, resamples, minimumSpeakers, random }: MeanOptions,
): Estimate {
  const known = measureNames.flatMap((name) => {
    const series = seriesOf(cell, name);
    return means.count(series) > 0 ? [{ name, series, counts: means.counts(series) }] : [];
  });
  const most = (count: (series: number) => number) => Math.max(0, ...known.map(({ series }) => count(series)));
  const n = { utterances: most(means.count), speakers: most(means.speakers) };
  const meanOf = (name: MeasureName) => {
    const counts = known.find((one) => one.name === name)?.counts;
    return counts === undefined ? null : sum(counts.numerators) / sum(counts.denominators);
  };
  const { value, reason } = qualityDifficulty({ dnsmos: meanOf('dnsmos'), pesq: meanOf('pesq') }, scales);
  if (value === null) {
    return { value, low: null, high: null, level, n, reason: reason!, method: 'points of quality' };
  }
  // Points fall as quality rises: their interval is that of the falling part, turned round.
  const falling = combineRates(
    known.map(({ name, counts }) => ({
      counts,
      weight: pointsPerDeviation / (known.length * scales[name]!.deviation),
    })),
  )!;
  const interval = rateInterval(falling, { level, resamples, minimumClusters: minimumSpeakers, random });
  const turned = (end: number | null) => (end === null ? null : value + interval.value! - end);
  return toEstimate({ ...interval, value, low: turned(interval.high), high: turned(interval.low) }, n);
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
