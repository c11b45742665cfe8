import type { Clip } from '../../audio/clip.ts';
import { createRealFft } from '../../audio/real-fft.ts';
import type { Random } from '../../base/random.ts';

/** Width in which the spectrum is smoothed: about what separates formants, and more than the partials of a voice. */
const smoothingHz = 300;

/**
 * White noise with the short-time spectrum of a sound: what is left of a voice when it is spoken again without pitch. It
 * stands in for the unvoiced synthesis of WORLD that SR-MT's program names. Frames of 20 to 40 ms, overlapping by half.
 */
export function shapedNoise({ samples, sampleRate }: Clip, random: Random): Float32Array {
  let size = 32;
  while (size < 0.02 * sampleRate) size *= 2;
  const hop = size / 2;
  const fft = createRealFft(size);
  // The root of a Hann window, twice: squares of overlapping halves add up to 1.
  const window = Float64Array.from({ length: size }, (_, n) => Math.sin((Math.PI * (n + 0.5)) / size));
  const reach = Math.round(((smoothingHz / sampleRate) * size) / 2);
  const padded = new Float32Array(samples.length + 2 * size);
  padded.set(samples, hop);
  const noise = new Float64Array(padded.length);
  for (let n = 0; n < noise.length; n++) noise[n] = random.normal();
  const output = new Float32Array(samples.length);
  const frame = new Float64Array(size);
  const [re, im] = [new Float64Array(fft.bins), new Float64Array(fft.bins)];
  const gain = new Float64Array(fft.bins);
  for (let start = -hop; start < samples.length; start += hop) {
    for (let n = 0; n < size; n++) frame[n] = padded[start + hop + n]! * window[n]!;
    fft.forward(frame, re, im);
    smoothedLevels(re, im, reach, hop, gain);
    for (let n = 0; n < size; n++) frame[n] = noise[start + hop + n]! * window[n]!;
    fft.forward(frame, re, im);
    for (let k = 0; k < fft.bins; k++) {
      re[k] = re[k]! * gain[k]!;
      im[k] = im[k]! * gain[k]!;
    }
    fft.inverse(re, im, frame);
    const from = Math.max(0, -start);
    const to = Math.min(size, samples.length - start);
    for (let n = from; n < to; n++) output[start + n] = output[start + n]! + frame[n]! * window[n]!;
  }
  return output;
}

/** Roots of the mean power of the bins around each, over the energy of the window. */
function smoothedLevels(
  re: Float64Array,
  im: Float64Array,
  reach: number,
  windowEnergy: number,
  into: Float64Array,
): void {
  const bins = into.length;
  let sum = 0;
  let first = 0;
  let next = 0;
  for (let k = 0; k < bins; k++) {
    const end = Math.min(bins, k + reach + 1);
    for (; next < end; next++) sum += re[next]! * re[next]! + im[next]! * im[next]!;
    for (; first < k - reach; first++) sum -= re[first]! * re[first]! + im[first]! * im[first]!;
    into[k] = Math.sqrt(Math.max(0, sum) / (next - first) / windowEnergy);
  }
}
