import { createRealFft } from '../audio/real-fft.ts';

/** How a mel spectrum is taken. */
export interface MelSettings {
  /** As wide as the transform. */
  readonly window: Float64Array;
  readonly hop: number;
  readonly sampleRateHz: number;
  readonly bands: number;
  /** What stands before and after the sound, half a window each. */
  readonly edges: 'reflect' | 'zero';
}

/** Energies in mel bands with the way back. */
export interface MelSpectrum {
  /** Band by band: `frames` numbers of each. */
  readonly mel: Float64Array;
  /**
   * The gradient with respect to the samples.
   *
   * @param gradient that with respect to `mel`
   */
  backward(gradient: Float64Array): Float64Array;
}

/** Mel in the manner of Slaney's Auditory Toolbox: linear up to 1 kHz, logarithmic above. */
function melOf(hz: number): number {
  return hz < 1000 ? (3 * hz) / 200 : 15 + (27 * Math.log(hz / 1000)) / Math.log(6.4);
}

function hertzOf(mel: number): number {
  return mel < 15 ? (200 * mel) / 3 : 1000 * Math.exp((Math.log(6.4) / 27) * (mel - 15));
}

interface Band {
  readonly firstBin: number;
  readonly weights: Float64Array;
}

/**
 * Triangles of equal area between 0 and half the sample rate, as of `librosa.filters.mel` and transformers.js.
 *
 * @param bins of the transform: half its size and one
 */
function melBands(bands: number, bins: number, sampleRateHz: number): Band[] {
  const top = melOf(sampleRateHz / 2);
  const edges = Array.from({ length: bands + 2 }, (_, index) => hertzOf((top * index) / (bands + 1)));
  const hertz = (bin: number) => (bin * sampleRateHz) / 2 / (bins - 1);
  return Array.from({ length: bands }, (_, band) => {
    const [low, middle, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!];
    const weights: number[] = [];
    let firstBin = 0;
    for (let bin = 0; bin < bins; bin++) {
      const height = Math.min((hertz(bin) - low) / (middle - low), (high - hertz(bin)) / (high - middle));
      if (height <= 0) continue;
      if (weights.length === 0) firstBin = bin;
      weights.push((2 * height) / (high - low));
    }
    return { firstBin, weights: Float64Array.from(weights) };
  });
}

/**
 * Prepares mel spectra of one kind: the squared magnitude of windowed Fourier transforms, summed in bands.
 *
 * @returns the first `frames` frames of a sound; those without any sound have 0
 */
export function createMelSpectrum({
  window,
  hop,
  sampleRateHz,
  bands: count,
  edges,
}: MelSettings): (samples: Float64Array, frames: number) => MelSpectrum {
  const size = window.length;
  const half = size / 2;
  const fft = createRealFft(size);
  const bands = melBands(count, fft.bins, sampleRateHz);
  const frame = new Float64Array(size);
  const power = new Float64Array(fft.bins);

  return (samples, frames) => {
    /** Where a place before or after the sound takes its value from; -1 for none. */
    const source = (place: number): number => {
      if (place >= 0 && place < samples.length) return place;
      if (edges === 'zero' || samples.length < 2) return -1;
      const mirrored = place < 0 ? -place : 2 * (samples.length - 1) - place;
      return mirrored >= 0 && mirrored < samples.length ? mirrored : -1;
    };
    const mel = new Float64Array(count * frames);
    const spectra: ({ readonly real: Float64Array; readonly imaginary: Float64Array } | null)[] = [];
    for (let index = 0; index < frames; index++) {
      const start = index * hop - half;
      let silent = true;
      for (let n = 0; n < size; n++) {
        const from = source(start + n);
        frame[n] = from === -1 ? 0 : samples[from]! * window[n]!;
        if (frame[n] !== 0) silent = false;
      }
      if (silent) {
        spectra.push(null);
        continue;
      }
      const spectrum = { real: new Float64Array(fft.bins), imaginary: new Float64Array(fft.bins) };
      fft.forward(frame, spectrum.real, spectrum.imaginary);
      spectra.push(spectrum);
      for (let bin = 0; bin < fft.bins; bin++) power[bin] = spectrum.real[bin]! ** 2 + spectrum.imaginary[bin]! ** 2;
      for (const [band, { firstBin, weights }] of bands.entries()) {
        let sum = 0;
        for (let n = 0; n < weights.length; n++) sum += weights[n]! * power[firstBin + n]!;
        mel[band * frames + index] = sum;
      }
    }
    return {
      mel,
      backward(gradient) {
        const passed = new Float64Array(samples.length);
        const real = new Float64Array(fft.bins);
        const imaginary = new Float64Array(fft.bins);
        for (const [index, spectrum] of spectra.entries()) {
          // The gradient of a square is 0 at 0.
          if (spectrum === null) continue;
          power.fill(0);
          for (const [band, { firstBin, weights }] of bands.entries()) {
            const value = gradient[band * frames + index]!;
            for (let n = 0; n < weights.length; n++) power[firstBin + n]! += weights[n]! * value;
          }
          for (let bin = 0; bin < fft.bins; bin++) {
            // The inverse transform counts inner bins twice and divides by the size; the transposed one does neither.
            const share = (bin === 0 || bin === half ? size : half) * 2 * power[bin]!;
            real[bin] = share * spectrum.real[bin]!;
            imaginary[bin] = share * spectrum.imaginary[bin]!;
          }
          fft.inverse(real, imaginary, frame);
          const start = index * hop - half;
          for (let n = 0; n < size; n++) {
            const from = source(start + n);
            if (from !== -1) passed[from]! += frame[n]! * window[n]!;
          }
        }
        return passed;
      },
    };
  };
}
