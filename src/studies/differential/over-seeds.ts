import type { Estimate } from '../../model/finding.ts';
import { pairedTTest } from '../../statistics/significance/t-test.ts';

const fewSeeds = 'an interval needs two replicates';
const alike = 'all replicates gave the same';

/**
 * The mean of one number of each replicate, with Student's interval: how far another draw of the first iteration would move it.
 * The texts are those of the pool; nothing is said of others. A count is not below 0, and neither is the interval.
 *
 * @param texts of one replicate
 */
export function meanOverSeeds(values: readonly number[], level: number, texts: number): Estimate {
  const mean = linear(values, level, texts, `mean over ${values.length} replicates, Student's t`);
  return mean.low === null ? mean : { ...mean, low: Math.max(0, mean.low) };
}

/**
 * All of the first over all of the second, replicate by replicate: a speed-up. Its interval is Student's, of the ratio made linear
 * (delta method): with few replicates, or a second number near 0, it is rough.
 *
 * @example ratioOverSeeds([30, 34], [10, 12], .95, 100).value // 2.909
 */
export function ratioOverSeeds(
  numerators: readonly number[],
  denominators: readonly number[],
  level: number,
  texts: number,
): Estimate {
  const method = `ratio of sums over ${numerators.length} replicates, Student's t of the linearised ratio`;
  const below = denominators.reduce((sum, one) => sum + one, 0);
  if (!(below > 0)) {
    const n = { utterances: texts, speakers: 1, pairs: numerators.length };
    return { value: null, low: null, high: null, level, n, method, reason: 'there is nothing to divide by' };
  }
  const ratio = numerators.reduce((sum, one) => sum + one, 0) / below;
  const mean = below / denominators.length;
  const values = numerators.map((one, replicate) => ratio + (one - ratio * denominators[replicate]!) / mean);
  return { ...linear(values, level, texts, method), value: ratio };
}

function linear(values: readonly number[], level: number, texts: number, method: string): Estimate {
  const { value, low, high } = pairedTTest(values, { level });
  const n = { utterances: texts, speakers: 1, pairs: values.length };
  if (low !== null) return { value, low, high, level, n, method };
  return { value, low, high, level, n, method, reason: values.length < 2 ? fewSeeds : alike };
}
