import { createRealFft } from '../audio/real-fft.ts';

/** How a mel spectrum is taken. */
interface MelSettings {
  /** As wide as the transform. */
  readonly window: Float64Array;
  readonly hop: number;
  readonly sampleRateHz: number;
  readonly bands: number;
  /** What stands before and after the sound, half a window each. */
  readonly edges: 'reflect' | 'zero';
}

/** Energies in mel bands with the way back. */
interface MelSpectrum {
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
function createMelSpectrum({
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

/** What a model is fed instead of a waveform, with the way back. */
interface Features {
  readonly values: Float32Array;
  readonly shape: readonly number[];
  /** What was decided by comparisons, to be given where it is to stay decided. */
  readonly held: Held | null;
  /**
   * The gradient with respect to the samples.
   *
   * @param gradient that with respect to `values`
   */
  backward(gradient: Float32Array): Float32Array;
}

/** Which numbers of a log-mel spectrum were raised to the least one, and where the greatest stood. */
export interface Held {
  readonly greatest: number;
  readonly raised: Uint8Array;
}

/** Computes features of a sound; `held` keeps what another sound decided. */
export type FeatureExtractor = (samples: Float32Array, held?: Held | null) => Features;

/** The samples themselves, as one row. */
export const rawSamples: FeatureExtractor = (samples) => ({
  values: samples,
  shape: [1, samples.length],
  held: null,
  backward: (gradient) => Float32Array.from(gradient),
});

/** Added to the variance, as transformers does. */
const varianceFloor = 1e-7;

/** Zero mean and unit variance over the clip, as wav2vec 2.0 and its kin are fed (`do_normalize`). */
export const unitVariance: FeatureExtractor = (samples) => {
  const n = samples.length;
  let mean = 0;
  for (const value of samples) mean += value / n;
  let variance = 0;
  for (const value of samples) variance += (value - mean) ** 2 / n;
  const scale = 1 / Math.sqrt(variance + varianceFloor);
  const values = samples.map((value) => (value - mean) * scale);
  return {
    values,
    shape: [1, n],
    held: null,
    backward(gradient) {
      let sum = 0;
      let along = 0;
      for (let index = 0; index < n; index++) {
        sum += gradient[index]! / n;
        along += (gradient[index]! * values[index]!) / n;
      }
      return gradient.map((value, index) => scale * (value - sum - values[index]! * along));
    },
  };
};

/** Settings of preprocessor_config.json. */
interface WhisperFeatureSettings {
  /** Mel bands: 80, or 128 of large-v3. */
  readonly bands: number;
  /** Samples that are taken at once; shorter sound is followed by silence. */
  readonly length: number;
  readonly hop: number;
  readonly fftSize: number;
  readonly sampleRateHz: number;
}

/** Least energy before the logarithm, and how far below the greatest logarithm the least one stands. */
const minEnergy = 1e-10;
const decades = 8;

/**
 * Whisper's log-mel spectrogram (A. Radford et al., "Robust Speech Recognition via Large-Scale Weak Supervision", 2022, and the
 * authors' `log_mel_spectrogram`), as transformers.js computes it: [1, bands, frames].
 *
 * Its way back holds what the limit of 8 decades below the maximum decided: numbers that were raised pass their gradient to
 * where the maximum stood.
 */
export function whisperFeatures({
  bands,
  length,
  hop,
  fftSize,
  sampleRateHz,
}: WhisperFeatureSettings): FeatureExtractor {
  const window = Float64Array.from({ length: fftSize }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / fftSize));
  const spectrum = createMelSpectrum({ window, hop, sampleRateHz, bands, edges: 'reflect' });
  const frames = Math.floor(length / hop);
  return (samples, given = null) => {
    const whole = new Float64Array(length);
    whole.set(samples.subarray(0, length));
    const { mel, backward } = spectrum(whole, frames);
    const logs = mel.map((energy) => Math.log10(Math.max(minEnergy, energy)));
    let greatest = given?.greatest ?? 0;
    if (given === null)
      for (let index = 1; index < logs.length; index++) if (logs[index]! > logs[greatest]!) greatest = index;
    const least = logs[greatest]! - decades;
    const raised = given?.raised ?? Uint8Array.from(logs, (value) => (value < least ? 1 : 0));
    const values = Float32Array.from(logs, (value, index) => ((raised[index] === 1 ? least : value) + 4) / 4);
    return {
      values,
      shape: [1, bands, frames],
      held: { greatest, raised },
      backward(gradient) {
        const ofLogs = Float64Array.from(gradient, (value, index) => (raised[index] === 1 ? 0 : value / 4));
        for (let index = 0; index < raised.length; index++) {
          if (raised[index] === 1) ofLogs[greatest]! += gradient[index]! / 4;
        }
        const ofMel = ofLogs.map((value, index) => (mel[index]! > minEnergy ? value / (mel[index]! * Math.LN10) : 0));
        return Float32Array.from(backward(ofMel).subarray(0, samples.length));
      },
    };
  };
}

/** Settings of preprocessor_config.json. */
interface ParakeetFeatureSettings {
  readonly bands: number;
  readonly hop: number;
  readonly fftSize: number;
  /** Samples under the window, in the middle of the transform. */
  readonly windowLength: number;
  readonly preemphasis: number;
  readonly sampleRateHz: number;
}

const parakeetOffset = 2 ** -24;
const parakeetDeviationFloor = 1e-5;

/**
 * NeMo's log-mel spectrogram of Parakeet and FastConformer, as transformers.js computes it: [1, frames, bands], each band with
 * zero mean and unit variance over the frames of the clip.
 */
export function parakeetFeatures(settings: ParakeetFeatureSettings): FeatureExtractor {
  const { bands, hop, fftSize, windowLength, preemphasis, sampleRateHz } = settings;
  const window = new Float64Array(fftSize);
  const offset = Math.floor((fftSize - windowLength) / 2);
  for (let n = 0; n < windowLength; n++) {
    window[offset + n] = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (windowLength - 1));
  }
  const spectrum = createMelSpectrum({ window, hop, sampleRateHz, bands, edges: 'zero' });
  return (samples) => {
    const emphasized = Float64Array.from(samples, (value, n) => value - (n === 0 ? 0 : preemphasis * samples[n - 1]!));
    const all = 1 + Math.floor(samples.length / hop);
    const frames = Math.floor(samples.length / hop);
    const { mel, backward } = spectrum(emphasized, all);
    const values = new Float32Array(all * bands);
    const deviations = new Float64Array(bands);
    for (let band = 0; band < bands; band++) {
      const logs = Array.from(mel.subarray(band * all, band * all + frames), (energy) =>
        Math.log(energy + parakeetOffset),
      );
      const mean = logs.reduce((sum, value) => sum + value, 0) / frames;
      const squares = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      deviations[band] = Math.sqrt(squares / Math.max(1, frames - 1));
      for (const [frame, value] of logs.entries()) {
        values[frame * bands + band] = (value - mean) / (deviations[band]! + parakeetDeviationFloor);
      }
    }
    return {
      values,
      shape: [1, all, bands],
      held: null,
      backward(gradient) {
        const ofMel = new Float64Array(mel.length);
        for (let band = 0; band < bands; band++) {
          const floored = deviations[band]! + parakeetDeviationFloor;
          let sum = 0;
          let along = 0;
          for (let frame = 0; frame < frames; frame++) {
            sum += gradient[frame * bands + band]! / frames;
            along += gradient[frame * bands + band]! * values[frame * bands + band]!;
          }
          // d deviation / d log is (log - mean) / (deviation (frames - 1)).
          const pull = deviations[band] === 0 ? 0 : (along * floored) / deviations[band]! / Math.max(1, frames - 1);
          for (let frame = 0; frame < frames; frame++) {
            const place = frame * bands + band;
            const ofLog = (gradient[place]! - sum - pull * values[place]!) / floored;
            ofMel[band * all + frame] = ofLog / (mel[band * all + frame]! + parakeetOffset);
          }
        }
        const ofEmphasized = backward(ofMel);
        return Float32Array.from(ofEmphasized, (value, n) => value - preemphasis * (ofEmphasized[n + 1] ?? 0));
      },
    };
  };
}
