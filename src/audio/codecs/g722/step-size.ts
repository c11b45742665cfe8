/** 2048 x 2^(i / 32): the fine part of the logarithmic step size (ITU-T G.722, table ILB). */
const powers = Int32Array.from({ length: 32 }, (_, i) => Math.floor(2048 * 2 ** (i / 32) + 0.5));

/**
 * The logarithm of the step size, after a code: it leaks towards 0 and moves by what the code is worth (LOGSCL, LOGSCH).
 *
 * @param most upper limit, 18432 for the lower band and 22528 for the higher
 */
export function nextLogStep(logStep: number, worth: number, most: number): number {
  const next = ((logStep * 127) >> 7) + worth;
  return next < 0 ? 0 : next > most ? most : next;
}

/**
 * Step size of a logarithm (SCALEL, SCALEH).
 *
 * @param shift 8 for the lower band, 10 for the higher
 */
export function stepSize(logStep: number, shift: number): number {
  const power = powers[(logStep >> 6) & 31]!;
  const down = shift - (logStep >> 11);
  return (down < 0 ? power << -down : power >> down) << 2;
}
