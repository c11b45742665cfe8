import type { Random } from '../../src/base/random.ts';

/**
 * A Poisson number (D. Knuth's products of uniform ones), made of pieces, since the exponential of a large mean is 0.
 *
 * @param piece the largest mean drawn at once: another one draws other numbers
 */
export function poisson(mean: number, random: Random, piece = 30): number {
  let count = 0;
  for (let left = mean; left > 0; left -= piece) {
    const floor = Math.exp(-Math.min(left, piece));
    for (let product = random.next(); product > floor; product *= random.next()) count++;
  }
  return count;
}
