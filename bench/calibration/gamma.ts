import type { Random } from '../../src/base/random.ts';

/** G. Marsaglia and W. W. Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000). */
export function gamma(shape: number, random: Random): number {
  if (shape < 1) return gamma(shape + 1, random) * random.next() ** (1 / shape);
  const centre = shape - 1 / 3;
  for (;;) {
    const normal = random.normal();
    const cube = (1 + normal / Math.sqrt(9 * centre)) ** 3;
    if (cube > 0 && Math.log(random.next()) < normal ** 2 / 2 + centre - centre * cube + centre * Math.log(cube)) {
      return centre * cube;
    }
  }
}

/** A proportion drawn for a speaker, with a mean and an intraclass correlation. */
export function beta(mean: number, correlation: number, random: Random): number {
  if (correlation === 0 || mean === 0) return mean;
  const size = 1 / correlation - 1;
  const right = gamma(size * mean, random);
  const wrong = gamma(size * (1 - mean), random);
  // Both may be too small for a double where the mean is near the edge: then the mean decides which is the larger.
  return right + wrong > 0 ? right / (right + wrong) : Number(random.next() < mean);
}
