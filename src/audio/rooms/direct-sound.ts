/** Of the largest value: where a response is taken to begin (ISO 3382-1: 20 dB below). */
const onsetShare = 0.1;

/**
 * Where the direct sound stands in a room response.
 *
 * @param by `peak`: the first of its largest values, which in rooms with a strong reflection may be that; `onset`: the first
 * value within 20 dB of it, which may be a little early
 * @example directSound(new Float32Array([0, 0.2, 1, 0.5]), 'peak') // 2
 */
export function directSound(response: Float32Array, by: 'peak' | 'onset'): number {
  let peak = 0;
  for (let n = 1; n < response.length; n++) if (Math.abs(response[n]!) > Math.abs(response[peak]!)) peak = n;
  if (by === 'peak' || response.length === 0) return peak;
  const least = onsetShare * Math.abs(response[peak]!);
  let onset = 0;
  while (Math.abs(response[onset]!) < least) onset++;
  return onset;
}
