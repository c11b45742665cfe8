import { releaseSamples } from './kept-samples.ts';
import { createPairedRealFft, type PairedRealFft, type RealSpectrum } from './paired-real-fft.ts';

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
  fft ??= createPairedRealFft(size);
  const { inverse, bins } = fft;
  const frames = 1 + Math.floor(samples.length / hop);
  const steps = Math.ceil(frames / rate);
  const spectrum = frameSpectra(samples, frames, fft);
  const { cosine, sine } = spectrum(0);
  const phase = { cosine: cosine.slice(), sine: sine.slice() };
  const blended = [createBins(bins), createBins(bins)] as const;
  const pieces = [new Float64Array(size), new Float64Array(size)] as const;

  const sum = new Float64Array((steps - 1) * hop + size);
  for (let step = 0; step < steps; step += 2) {
    const together = Math.min(2, steps - step);
    for (let later = 0; later < together; later++) {
      const place = (step + later) * rate;
      const whole = Math.floor(place);
      blend(spectrum(whole), spectrum(whole + 1), place - whole, phase, blended[later]!);
    }
    inverse(blended, pieces);
    for (let later = 0; later < together; later++) addWindowed(pieces[later]!, sum, (step + later) * hop);
  }
  return normalized(sum, steps, Math.round(samples.length / rate));
}

let fft: PairedRealFft | null = null;

/** The spectra of the frames of a sound, by number: the last four are kept. What lies behind the last frame is silent. */
function frameSpectra(
  samples: Float32Array,
  frames: number,
  { forward, bins }: PairedRealFft,
): (index: number) => PolarSpectrum {
  const pair = [new Float64Array(size), new Float64Array(size)] as const;
  const spectra = [createBins(bins), createBins(bins)] as const;
  const kept = [0, 1].map(() => ({ number: -1, spectra: [createPolar(bins), createPolar(bins)] as const }));
  return (index) => {
    const number = Math.floor(index / 2);
    const slot = kept[number % 2]!;
    if (slot.number !== number) {
      for (const [place, frame] of pair.entries()) {
        const each = 2 * number + place;
        if (each < frames) windowed(samples, each * hop - size / 2, frame);
        else frame.fill(0);
      }
      forward(pair, spectra);
      for (const [place, { re, im }] of spectra.entries()) toPolar(re, im, slot.spectra[place]!);
      slot.number = number;
    }
    return slot.spectra[index % 2]!;
  };
}

function toPolar(re: Float64Array, im: Float64Array, into: PolarSpectrum): void {
  for (let k = 0; k < re.length; k++) {
    const level = Math.sqrt(re[k]! * re[k]! + im[k]! * im[k]!);
    into.level[k] = level;
    // The angle of nothing is 0.
    into.cosine[k] = level > 0 ? re[k]! / level : 1;
    into.sine[k] = level > 0 ? im[k]! / level : 0;
  }
}

/** Levels, and angles as points of the unit circle. */
interface PolarSpectrum {
  readonly level: Float64Array;
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
}

function createPolar(bins: number): PolarSpectrum {
  return { level: new Float64Array(bins), cosine: new Float64Array(bins), sine: new Float64Array(bins) };
}

function createBins(bins: number): RealSpectrum {
  return { re: new Float64Array(bins), im: new Float64Array(bins) };
}

/** The next frame, and the phases after it: turned on by the angle between the two spectra, without taking angles. */
function blend(
  earlier: PolarSpectrum,
  later: PolarSpectrum,
  share: number,
  phase: { readonly cosine: Float64Array; readonly sine: Float64Array },
  { re, im }: RealSpectrum,
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

function addWindowed(frame: Float64Array, sum: Float64Array, start: number): void {
  for (let n = 0; n < size; n++) sum[start + n] = sum[start + n]! + frame[n]! * window[n]!;
}

/** Divided by what the windows add up to, half a frame left out at the start. */
function normalized(sum: Float64Array, steps: number, length: number): Float32Array {
  const weight = new Float64Array(hop);
  const output = new Float32Array(length);
  const end = Math.min(length, sum.length - size / 2);
  let known = '';
  for (let start = 0, block = size / 2 / hop; start < end; start += hop, block++) {
    // The steps that reach into this block: four, fewer at the ends.
    const [first, last] = [Math.max(0, block - size / hop + 1), Math.min(steps - 1, block)];
    const reach = `${block - first} ${block - last}`;
    if (reach !== known) {
      weight.fill(0);
      for (let step = first; step <= last; step++) {
        const offset = (block - step) * hop;
        for (let n = 0; n < hop; n++) weight[n] = weight[n]! + window[offset + n]! * window[offset + n]!;
      }
      known = reach;
    }
    const count = Math.min(hop, end - start);
    for (let n = 0; n < count; n++) {
      output[start + n] = weight[n]! > 1e-11 ? sum[block * hop + n]! / weight[n]! : 0;
    }
  }
  releaseSamples(sum);
  return output;
}
