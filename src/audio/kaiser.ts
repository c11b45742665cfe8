/** Modified Bessel function of the first kind, order 0, by its power series (Abramowitz and Stegun 9.6.12). */
export function besselI0(x: number): number {
  const quarterSquare = (x * x) / 4;
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= quarterSquare / (k * k);
    sum += term;
  }
  return sum;
}

/**
 * Shape parameter of the Kaiser window whose filter has so much attenuation (Kaiser 1974; Oppenheim and Schafer,
 * Discrete-Time Signal Processing, section 7.5.3).
 *
 * @param attenuationDb above 50
 */
export function kaiserBeta(attenuationDb: number): number {
  return 0.1102 * (attenuationDb - 8.7);
}

/**
 * Taps, less one, of a Kaiser-windowed low-pass filter (same source).
 *
 * @param transition from the end of the pass band to the start of the stop band, as a share of the sample rate
 */
export function kaiserOrder(attenuationDb: number, transition: number): number {
  return Math.ceil((attenuationDb - 7.95) / (2.285 * 2 * Math.PI * transition));
}

/**
 * Impulse response of an ideal low-pass filter under a Kaiser window, at `offset` samples from its middle.
 *
 * @param cutoff middle of the transition as a share of the sample rate, 0 to 0.5
 * @param halfLength samples from the middle to where the window ends; 0 from there on
 */
export function windowedSinc(offset: number, cutoff: number, halfLength: number, beta: number): number {
  const place = offset / halfLength;
  if (Math.abs(place) >= 1) return 0;
  const window = besselI0(beta * Math.sqrt(1 - place * place)) / besselI0(beta);
  const angle = 2 * Math.PI * cutoff * offset;
  return 2 * cutoff * window * (angle === 0 ? 1 : Math.sin(angle) / angle);
}
