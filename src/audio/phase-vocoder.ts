import { createRealFft } from './real-fft.ts';
import { releaseSamples } from './release-samples.ts';

const size = 512;
const hop = 128;
const window = Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));

/** The shortest sound that the phase vocoder takes: its ends are mirrored, by half a frame. */
export const shortestVocoderSamples = size / 2 + 1;

/**
 * The sound at another tempo by a phase vocoder, as torchaudio's `phase_vocoder` between its `stft` and `istft` of 512
 * samples, hop 128, Hann window, makes it (torchaudio/functional/functional.py): magnitudes are blended between frames,
 * and phases advance by what they advanced between the two. Voices lose about 3 dB, since the phases of neighbouring bins
 * drift apart (Laroche and Dolson, IEEE Trans. Speech and Audio Processing 7, 1999).
 *
 * @param rate above 1 is faster; the length becomes length / rate, rounded
 * @param samples at least `shortestVocoderSamples`
 */
export function stretchByPhaseVocoder(samples: Float32Array, rate: number): Float32Array {
  const fft = createRealFft(size);
  const { bins } = fft;
  const frames = 1 + Math.floor(samples.length / hop);
  const steps = Math.ceil(frames / rate);
  const frame = new Float64Array(size);
  let [earlier, later] = [createSpectrum(bins), createSpectrum(bins)];
  const [re, im] = [new Float64Array(bins), new Float64Array(bins)];
  const analyse = (index: number, into: Spectrum) => {
    if (index < frames) {
      windowed(samples, index * hop - size / 2, frame);
      fft.forward(frame, re, im);
    } else {
      re.fill(0);
      im.fill(0);
    }
    for (let k = 0; k < bins; k++) {
      const level = Math.sqrt(re[k]! * re[k]! + im[k]! * im[k]!);
      into.level[k] = level;
      // The angle of nothing is 0.
      into.cosine[k] = level > 0 ? re[k]! / level : 1;
      into.sine[k] = level > 0 ? im[k]! / level : 0;
    }
  };
  analyse(0, earlier);
  analyse(1, later);
  const phase = { cosine: earlier.cosine.slice(), sine: earlier.sine.slice() };

  const sum = new Float64Array((steps - 1) * hop + size);
  let at = 0;
  for (let step = 0; step < steps; step++) {
    const place = step * rate;
    const whole = Math.floor(place);
    if (whole > at) {
      [earlier, later] = [later, earlier];
      if (whole > at + 1) analyse(whole, earlier);
      analyse(whole + 1, later);
      at = whole;
    }
    blend(earlier, later, place - whole, phase, re, im);
    fft.inverse(re, im, frame);
    const start = step * hop;
    for (let n = 0; n < size; n++) sum[start + n] = sum[start + n]! + frame[n]! * window[n]!;
  }
  return normalized(sum, steps, Math.round(samples.length / rate));
}

/** Levels, and angles as points of the unit circle. */
interface Spectrum {
  readonly level: Float64Array;
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
}

function createSpectrum(bins: number): Spectrum {
  return { level: new Float64Array(bins), cosine: new Float64Array(bins), sine: new Float64Array(bins) };
}

/** The next frame, and the phases after it: turned on by the angle between the two spectra, without taking angles. */
function blend(
  earlier: Spectrum,
  later: Spectrum,
  share: number,
  phase: { readonly cosine: Float64Array; readonly sine: Float64Array },
  re: Float64Array,
  im: Float64Array,
): void {
  for (let k = 0; k < re.length; k++) {
    const level = share * later.level[k]! + (1 - share) * earlier.level[k]!;
    const phaseRe = phase.cosine[k]!;
    const phaseIm = phase.sine[k]!;
    re[k] = level * phaseRe;
    im[k] = level * phaseIm;
    const beforeRe = earlier.cosine[k]!;
    const beforeIm = earlier.sine[k]!;
    const afterRe = later.cosine[k]!;
    const afterIm = later.sine[k]!;
    const turnRe = afterRe * beforeRe + afterIm * beforeIm;
    const turnIm = afterIm * beforeRe - afterRe * beforeIm;
    const nextRe = phaseRe * turnRe - phaseIm * turnIm;
    const nextIm = phaseRe * turnIm + phaseIm * turnRe;
    // Rounding would let the length of a phase drift.
    const correction = 1.5 - 0.5 * (nextRe * nextRe + nextIm * nextIm);
    phase.cosine[k] = nextRe * correction;
    phase.sine[k] = nextIm * correction;
  }
}

/** A frame under the window; the sound is mirrored at its ends, the last samples not repeated. */
function windowed(samples: Float32Array, start: number, into: Float64Array): void {
  const last = samples.length - 1;
  for (let n = 0; n < size; n++) {
    const place = Math.abs(start + n);
    into[n] = samples[place <= last ? place : 2 * last - place]! * window[n]!;
  }
}

/** Divided by what the windows add up to, half a frame left out at the start. */
function normalized(sum: Float64Array, steps: number, length: number): Float32Array {
  const weight = new Float64Array(sum.length);
  for (let step = 0; step < steps; step++) {
    const start = step * hop;
    for (let n = 0; n < size; n++) weight[start + n] = weight[start + n]! + window[n]! * window[n]!;
  }
  const output = new Float32Array(length);
  const offset = size / 2;
  const end = Math.min(length, sum.length - offset);
  for (let n = 0; n < end; n++) output[n] = weight[n + offset]! > 1e-11 ? sum[n + offset]! / weight[n + offset]! : 0;
  releaseSamples(sum);
  return output;
}
