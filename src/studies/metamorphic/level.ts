import type { Estimate } from '../../model/finding.ts';

/** What a robustness level may rest on: shares from 0 to 1, 1 the best (`accuracy` may be less than 0). */
export const levelMetrics = [
  'fillRate',
  'accuracy',
  'bleu1',
  'bleu2',
  'bleu3',
  'bleu4',
  'similarity',
  'criticalWords',
] as const;

export type LevelMetric = (typeof levelMetrics)[number];

/**
 * Robustness level from 1 to 5 (SR-MT, section 3.5): 5 from the first edge on, 4 from the second, … 1 below the last; edges
 * belong to the higher level. The paper leaves open how several metrics make one level; the lowest of them is what fits
 * its Table 4 best (design/sr-mt.md).
 *
 * @param edges lowest value of levels 5, 4, 3 and 2, falling
 * @example levelOf(0.8, [0.8, 0.6, 0.4, 0.2]) // 5
 */
function levelOf(value: number, edges: readonly number[]): number {
  const reached = edges.findIndex((edge) => value >= edge);
  return reached === -1 ? 1 : edges.length + 1 - reached;
}

/** The level of the lowest metric, with the levels of the ends of intervals: of the lowest low end and the lowest high end. */
export function levelEstimate(metrics: readonly Estimate[], edges: readonly number[]): Estimate {
  const [first] = metrics;
  const method = 'level of the lowest of its metrics; the ends are the levels of the lowest ends of their intervals';
  const missing = metrics.find(({ value }) => value === null);
  const { level, n } = first!;
  if (missing) return { value: null, low: null, high: null, level, n, reason: missing.reason ?? 'no value', method };
  const lowest = (end: (estimate: Estimate) => number | null): number | null => {
    const ends = metrics.map(end);
    return ends.includes(null) ? null : levelOf(Math.min(...(ends as number[])), edges);
  };
  const [low, high] = [lowest((one) => one.low), lowest((one) => one.high)];
  const reason = metrics.find((one) => one.low === null)?.reason;
  return {
    value: lowest((one) => one.value),
    low,
    high,
    level,
    n,
    ...(reason === undefined ? {} : { reason }),
    method,
  };
}
