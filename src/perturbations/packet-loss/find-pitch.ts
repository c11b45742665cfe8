/**
 * The lag at which the end of a history resembles what went before most: the largest normalized correlation of its last
 * stretch. Searched coarsely at about 8 kHz, then sample by sample around the best.
 *
 * @param history at least `window + longest` values
 */
export function findPitch(
  history: Float64Array,
  { shortest, longest, window, stride }: { shortest: number; longest: number; window: number; stride: number },
): number {
  let best = shortest;
  let most = Number.NEGATIVE_INFINITY;
  const look = (lag: number, step: number) => {
    const likeness = resemblance(history, lag, window, step);
    if (likeness > most) [most, best] = [likeness, lag];
  };
  for (let lag = shortest; lag <= longest; lag += stride) look(lag, stride);
  if (stride === 1) return best;
  const coarse = best;
  most = Number.NEGATIVE_INFINITY;
  for (let lag = Math.max(shortest, coarse - stride); lag <= Math.min(longest, coarse + stride); lag++) look(lag, 1);
  return best;
}

function resemblance(history: Float64Array, lag: number, window: number, step: number): number {
  let product = 0;
  let energy = 0;
  for (let n = history.length - window; n < history.length; n += step) {
    const past = history[n - lag]!;
    product += history[n]! * past;
    energy += past * past;
  }
  return energy > 0 ? product / Math.sqrt(energy) : 0;
}
