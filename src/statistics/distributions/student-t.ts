import { incompleteBeta } from './incomplete-beta.ts';
import { logBeta } from './log-beta.ts';
import { normalQuantile } from './normal.ts';

/** The probability that a Student t variable exceeds `x`. `degreesOfFreedom` > 0, need not be whole. */
export function studentUpperTail(x: number, degreesOfFreedom: number): number {
  const outside = incompleteBeta(degreesOfFreedom / (degreesOfFreedom + x * x), degreesOfFreedom / 2, 0.5);
  return x > 0 ? outside / 2 : 1 - outside / 2;
}

/**
 * The value that a Student t variable stays below with a probability.
 * Newton steps on the logarithm of the tail (convex there, so that they cannot overshoot for long), from the normal value
 * widened by its first correction (E. A. Cornish and R. A. Fisher, 1938).
 *
 * @example studentQuantile(.975, 10) // 2.228138851964939
 */
export function studentQuantile(probability: number, degreesOfFreedom: number): number {
  if (!(probability >= 0 && probability <= 1) || !(degreesOfFreedom > 0)) return Number.NaN;
  if (probability === 0.5) return 0;
  if (probability === 0 || probability === 1) return probability === 0 ? -Infinity : Infinity;
  const upper = Math.min(probability, 1 - probability);
  const sign = probability < 0.5 ? -1 : 1;
  if (degreesOfFreedom === 1) return sign / Math.tan(Math.PI * upper);
  const logDensityFactor = -logBeta(degreesOfFreedom / 2, 0.5) - Math.log(degreesOfFreedom) / 2;
  const normal = -normalQuantile(upper);
  let x = Math.max(1e-6, normal + (normal ** 3 + normal) / (4 * degreesOfFreedom));
  for (let step = 0; step < 200; step++) {
    const above = studentUpperTail(x, degreesOfFreedom);
    const density = Math.exp(logDensityFactor - ((degreesOfFreedom + 1) / 2) * Math.log1p((x * x) / degreesOfFreedom));
    const change = (Math.log(above / upper) * above) / density;
    const next = x + change > 0 ? Math.min(x + change, 2 * x + 1) : x / 2;
    if (Math.abs(next - x) <= 1e-15 * next) return sign * next;
    x = next;
  }
  return sign * x;
}
