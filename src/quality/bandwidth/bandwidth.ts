import type { Clip } from '../../audio/clip.ts';
import { createRealFft } from '../../audio/real-fft.ts';
import { plainMeasure } from '../shared/plain-measure.ts';

/** How far below the loudest frequency a frequency still counts. */
const rangeDb = 50;

/** Up to which frequency a recording has sound: telephones and codecs cut it off, whatever the file's sample rate says. */
export const bandwidth = plainMeasure({
  name: 'bandwidth',
  version: 1,
  about: 'Highest frequency at which the mean spectrum is at most 50 dB below its maximum.',
  values: { bandwidthHz: 'That frequency in hertz, at most half the sample rate' },
  needsClean: false,
  sampleRate: null,
  of(clip) {
    const bandwidthHz = measureBandwidth(clip);
    return bandwidthHz === null ? 'the clip is shorter than a frame of 32 ms, or silent' : { bandwidthHz };
  },
});

/**
 * The highest frequency in hertz whose power, averaged over the clip, is at most 50 dB below that of the loudest one. Frames of
 * about 32 ms with a Hann window, overlapped by half. A line 180 Hz wide is taken for one frequency, so that a single
 * leaking bin does not count. Recordings by telephone end at 3,400 Hz, whatever their sample rate.
 *
 * @returns null for a clip shorter than one frame or silent
 */
export function measureBandwidth({ samples, sampleRate }: Clip): number | null {
  const size = 2 ** Math.max(4, Math.round(Math.log2(0.032 * sampleRate)));
  if (samples.length < size) return null;
  const fft = createRealFft(size);
  const window = Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
  const frame = new Float64Array(size);
  const [real, imaginary] = [new Float64Array(fft.bins), new Float64Array(fft.bins)];
  const powers = new Float64Array(fft.bins);
  for (let start = 0; start + size <= samples.length; start += size / 2) {
    for (let n = 0; n < size; n++) frame[n] = window[n]! * samples[start + n]!;
    fft.forward(frame, real, imaginary);
    for (let bin = 1; bin < fft.bins; bin++) powers[bin]! += real[bin]! ** 2 + imaginary[bin]! ** 2;
  }
  const reach = Math.max(1, Math.round((90 * size) / sampleRate));
  const smooth = powers.map((_, bin) => {
    const near = powers.subarray(Math.max(1, bin - reach), Math.min(fft.bins, bin + reach + 1));
    return near.reduce((sum, power) => sum + power, 0) / near.length;
  });
  const floor = smooth.reduce((most, power) => Math.max(most, power), 0) * 10 ** (-rangeDb / 10);
  if (!(floor > 0)) return null;
  const highest = smooth.findLastIndex((power) => power >= floor);
  return (highest * sampleRate) / size;
}
