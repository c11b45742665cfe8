import { z } from 'zod';
import { type Clip, fitLength } from '../../audio/clip.ts';
import { createConvolver } from '../../audio/convolve.ts';
import { keepRecent } from '../../audio/kept-samples.ts';
import { createRealFft } from '../../audio/real-fft.ts';
import { resample } from '../../audio/resample.ts';
import { shortestWsolaSamples, wsola } from '../../audio/wsola.ts';
import { InapplicableStep } from '../../base/errors.ts';
import { between, oneOf } from '../../base/option-kinds.ts';
import type { Random } from '../../base/random.ts';
import { plainPerturbation } from '../contract.ts';

/** Width in which the spectrum is smoothed: about what separates formants, and more than the partials of a voice. */
const smoothingHz = 300;

const taps = 255;

const convolverFor = keepRecent(
  4,
  (share: number) => `${share}`,
  (share) => {
    const once = highPass(share);
    const twice = new Float64Array(2 * taps - 1);
    for (let first = 0; first < taps; first++) {
      for (let second = 0; second < taps; second++) twice[first + second]! += once[first]! * once[second]!;
    }
    return createConvolver(twice);
  },
);

/**
 * Another pitch at the same length, as SR-MT made it: WSOLA in pieces of 10 ms, then resampled to the length it had. Its
 * factor r is the speech rate of that WSOLA: the pitch is multiplied by 1 / r.
 *
 * A lowered pitch leaves the top of the band empty. It is repaired with the high part of the voice, spoken again without
 * pitch. SR-MT's program asks whether r is below 1, which in the class it is taken from means lowered but here means
 * raised; that is `repair: 'raised'`, and doubles what is there already.
 */
export const tone = plainPerturbation({
  name: 'tone',
  version: 1,
  about: 'Speaks higher or lower at the same tempo, in pieces of 10 ms.',
  parameters: z.strictObject({
    pitchFactor: between(0.5, 2).describe('Pitch: 2 is an octave higher; 1 / r of the factor r of SR-MT'),
    repair: oneOf(['lowered', 'raised', 'none'])
      .default('lowered')
      .describe(
        'When noise like the voice is added in the high part of the band: where the pitch is lowered, or raised',
      ),
  }),
  random: true,
  identity: { pitchFactor: 1, repair: 'lowered' },
  example: { pitchFactor: 0.8, repair: 'lowered' },
  apply(clip, { pitchFactor, repair }, { random }) {
    const { samples, sampleRate } = clip;
    const repaired = (repair === 'lowered' && pitchFactor < 1) || (repair === 'raised' && pitchFactor > 1);
    const facts = { pitchFactor, repaired };
    if (samples.length === 0 || pitchFactor === 1) {
      return { clip: { samples: samples.slice(), sampleRate }, facts: { ...facts, silentEndSeconds: 0 } };
    }
    if (sampleRate < 200) {
      throw new InapplicableStep(
        `tone: expected a clip of at least 200 samples per second, but it has ${sampleRate}; leave this clip out`,
      );
    }
    const shortest = shortestWsolaSamples(sampleRate, 1 / pitchFactor);
    if (samples.length < shortest) {
      throw new InapplicableStep(
        `tone: expected a clip of at least ${shortest} samples (${(shortest / sampleRate).toFixed(3)} s), but it has ${samples.length}; leave this clip out`,
      );
    }
    const stretched = wsola(samples, sampleRate, 1 / pitchFactor);
    const played = { samples: stretched.samples, sampleRate: sampleRate * pitchFactor };
    const changed = fitLength(resample(played, sampleRate).samples, samples.length);
    if (repaired) {
      const high = highBand(shapedNoise(clip, random), Math.min(pitchFactor, 1 / pitchFactor));
      for (let n = 0; n < changed.length; n++) changed[n] = changed[n]! + high[n]!;
    }
    const silentEndSeconds = (stretched.samples.length - stretched.endOut) / played.sampleRate;
    return { clip: { samples: changed, sampleRate }, facts: { ...facts, silentEndSeconds } };
  },
});

/**
 * The part of a sound above a share of its band, without delay: a high-pass of 255 taps under a Hamming window, forward and
 * backward, as scipy's `firwin(255, share, pass_zero=False)` and `filtfilt` make it but for the ends.
 *
 * @param share where the band begins, as a share of half the sample rate, 0 to 1
 */
function highBand(samples: Float32Array, share: number): Float32Array {
  return convolverFor(share).convolve(samples, taps - 1, samples.length);
}

/** Gain 1 at half the sample rate. */
function highPass(share: number): Float64Array {
  const middle = (taps - 1) / 2;
  const response = Float64Array.from({ length: taps }, (_, n) => {
    const angle = Math.PI * (n - middle);
    const ideal = n === middle ? 1 - share : -Math.sin(share * angle) / angle;
    return ideal * (0.54 - 0.46 * Math.cos((2 * Math.PI * n) / (taps - 1)));
  });
  const gain = response.reduce((sum, value, n) => sum + value * ((n - middle) % 2 === 0 ? 1 : -1), 0);
  return response.map((value) => value / gain);
}

/**
 * White noise with the short-time spectrum of a sound: what is left of a voice when it is spoken again without pitch. It
 * stands in for the unvoiced synthesis of WORLD that SR-MT's program names. Frames of 20 to 40 ms, overlapping by half.
 */
function shapedNoise({ samples, sampleRate }: Clip, random: Random): Float32Array {
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
