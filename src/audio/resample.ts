import { badInput } from '../base/errors.ts';
import { type Clip, copyWithSilence } from './clip.ts';
import { createFft, fftRadices } from './fft.ts';
import { kaiserBeta, kaiserOrder, windowedSinc } from './kaiser.ts';
import { keepRecent, releaseSamples } from './kept-samples.ts';
import { createSpectralEngine } from './spectral-engine.ts';
import { compile, createMemory } from './wasm/assembler.ts';
import { entryBytes, rowProducts } from './wasm/kernels.ts';

/** Stop-band attenuation that the filters are designed for. Transforms of single floats end near 135 dB. */
const attenuationDb = 130;

const largestBlock = 2 ** 16;
/** Larger factors cost more than reading between samples does. */
const largestFactor = 13;

/** Where the pass band ends, as a share of half the lower of the two rates; it is stopped from 1 on. */
const passBand = 0.93;

/**
 * The clip at another sample rate, of length round(length x rate out / rate in), without delay; the sound outside the clip
 * counts as silence. A Kaiser-windowed sinc filter: flat within 1e-6 up to 93 % of half the lower rate, 127 dB down from
 * half the lower rate on, rounding 130 dB below the level of a tone (measured by bench/resampling.ts). Peaks between samples may come out above the input's. The same
 * rate gives the same clip.
 *
 * @param sampleRate samples per second, above 0, not necessarily whole
 * @throws RangeError for a rate that is not a positive number
 * @throws EarwitnessError `bad-input` where the rates are more than a factor of 64 apart
 * @example resample({ samples, sampleRate: 44100 }, 16000)
 */
export function resample(clip: Clip, sampleRate: number): Clip {
  if (!(sampleRate > 0) || !Number.isFinite(sampleRate)) {
    throw new RangeError(`expected a sample rate above 0, got ${sampleRate}`);
  }
  if (sampleRate === clip.sampleRate) return clip;
  const { samples } = clip;
  const length = Math.round((samples.length * sampleRate) / clip.sampleRate);
  if (length === 0 || samples.length === 0) return { samples: new Float32Array(length), sampleRate };

  const stop = Math.min(0.5, (0.5 * sampleRate) / clip.sampleRate);
  const ratio = wholeRatio(sampleRate, clip.sampleRate);
  const direct = ratio && filterFor({ ...ratio, stop });
  if (direct) return { samples: direct(samples, length), sampleRate };

  // No fast transform fits the ratio. The sharp filter runs at a simple one, up to where the sound fills at most half of
  // the band; between such samples a short kernel can be read at any place.
  const up = stop <= 0.25 ? 1 : 2;
  const filter = filterFor({ up, down: 1, stop });
  if (!filter) {
    throw badInput(
      `expected audio that can be brought to ${sampleRate} Hz in one step, but its rate is ${clip.sampleRate} Hz; make a file of a rate between: ffmpeg -i FILE -ar 48000 OUT.wav`,
    );
  }
  const dense = filter(samples, samples.length * up);
  const changed = { samples: interpolate(dense, (clip.sampleRate * up) / sampleRate, length), sampleRate };
  releaseSamples(dense);
  return changed;
}

/** Filters are kept for the ratios used last. Each holds at most a few megabytes. */
const filterFor = keepRecent(
  16,
  ({ up, down, stop }: { up: number; down: number; stop: number }) => `${up}/${down}/${stop}`,
  ({ up, down, stop }) => createBlockResampler({ up, down, pass: stop * passBand, stop }),
);

function wholeRatio(rateOut: number, rateIn: number): { up: number; down: number } | null {
  if (!Number.isSafeInteger(rateOut) || !Number.isSafeInteger(rateIn)) return null;
  let divisor = rateOut;
  for (let rest = rateIn; rest !== 0; ) [divisor, rest] = [rest, divisor % rest];
  return { up: rateOut / divisor, down: rateIn / divisor };
}

/** A change of rate by up / down, with everything above the stop band taken away. */
interface RateChange {
  readonly up: number;
  readonly down: number;
  /** Ends of the pass band and of the transition, as shares of the input's sample rate. */
  readonly pass: number;
  readonly stop: number;
}

/** Changes the rate of a signal that is zero outside of what is given, without delay. */
type BlockResampler = (samples: Float32Array, outputLength: number) => Float32Array;

/**
 * A Kaiser-windowed sinc filter together with a change of rate, both done on spectra. It gives what the polyphase form of
 * the same filter gives, in a fraction of the work.
 *
 * Null where the ratio has prime factors that no fast transform fits, or where blocks would get too large.
 */
function createBlockResampler(change: RateChange): BlockResampler | null {
  const { up, down } = change;
  const plan = planBlocks(change);
  if (plan === null) return null;
  const { multiple, margin, halfLength } = plan;
  const hop = multiple - 2 * margin;
  const blockIn = multiple * down;
  const response = frequencyResponse(change, halfLength, blockIn);
  const engine = createSpectralEngine({ blockIn, blockOut: multiple * up, bins: response.length }, 'real');
  engine.setResponse({ real: response, imaginary: null });
  const steps = { hopIn: hop * down, hopOut: hop * up, skipOut: margin * up };
  return (samples, outputLength) => engine.filter(samples, -margin * down, outputLength, steps);
}

/** Sizes of the blocks, in units of `up` and `down`: long enough beside the filter, short enough for the caches. */
function planBlocks({ up, down, pass, stop }: RateChange) {
  const halfLength = Math.ceil(kaiserOrder(attenuationDb, stop - pass) / 2) + 1;
  const margin = 2 * Math.ceil(halfLength / down / 2);
  let multiple = 8;
  while (multiple < 8 * margin || multiple * (up + down) < 4096) multiple *= 2;
  const factors = [
    ...(fftRadices(up) ?? [Number.POSITIVE_INFINITY]),
    ...(fftRadices(down) ?? [Number.POSITIVE_INFINITY]),
  ];
  if (multiple * Math.max(up, down) > largestBlock || Math.max(...factors) > largestFactor) return null;
  return { multiple, margin, halfLength };
}

/** Spectrum of the zero-phase filter up to its stop band, scaled for transforms that do not scale. */
function frequencyResponse({ pass, stop }: RateChange, halfLength: number, size: number): Float64Array {
  const fft = createFft(size);
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  const beta = kaiserBeta(attenuationDb);
  for (let offset = 0; offset < halfLength; offset++) {
    const tap = windowedSinc(offset, (pass + stop) / 2, halfLength, beta);
    real[offset] = tap;
    if (offset > 0) real[size - offset] = tap;
  }
  fft.forward(real, imaginary);
  // Beyond the stop band there is nothing to keep; rounding may lift its edge, never past the middle of a spectrum.
  const bins = Math.ceil(stop * size - 1e-6);
  return real.subarray(0, bins).map((value) => value / size);
}

const interpolationDb = 140;
/** Places between two samples that the kernel is kept for; in between, it is read by a straight line (error below -140 dB). */
const phases = 2048;
/** The sound ends at a quarter of the sample rate, so that its first image begins at three quarters. */
const halfLength = 2 * Math.ceil(kaiserOrder(interpolationDb, 0.5) / 4);
const taps = 2 * halfLength;

/** Results made at a time, and samples that they may reach over. */
const stretch = 2048;
const window = 65536;

let interpolator: ReturnType<typeof createInterpolator> | null = null;

/**
 * A signal that fills at most half of its band, read at the places 0, step, 2 step, … (in samples, any real number).
 * Outside of what is given it counts as zero.
 */
function interpolate(samples: Float32Array, step: number, outputLength: number): Float32Array {
  interpolator ??= createInterpolator();
  return interpolator(samples, step, outputLength);
}

function createInterpolator() {
  const kernel = makeKernel();
  const listAt = 4 * kernel.length;
  const resultsAt = listAt + entryBytes.blended * stretch;
  const samplesAt = resultsAt + 4 * stretch;
  const memory = createMemory(samplesAt + 4 * window);
  new Float32Array(memory.buffer, 0, kernel.length).set(kernel);
  const list = new Int32Array(memory.buffer, listAt, 3 * stretch);
  const shares = new Float32Array(memory.buffer, listAt, 3 * stretch);
  const results = new Float32Array(memory.buffer, resultsAt, stretch);
  const { rowProducts: run } = compile([rowProducts('blended', taps / 4)])(memory);

  return (samples: Float32Array, step: number, outputLength: number): Float32Array => {
    const output = new Float32Array(outputLength);
    const together = Math.max(1, Math.min(stretch, Math.floor((window - taps - 2) / step)));
    const staged = new Float32Array(memory.buffer, samplesAt, Math.ceil(together * step) + taps + 1);
    for (let from = 0; from < outputLength; from += together) {
      const count = Math.min(together, outputLength - from);
      const first = Math.floor(from * step);
      for (let n = 0, entry = 0; n < count; n++) {
        const place = (from + n) * step;
        const whole = Math.floor(place);
        const phase = (place - whole) * phases;
        const row = Math.floor(phase);
        list[entry++] = 4 * (whole - first);
        list[entry++] = 4 * taps * row;
        shares[entry++] = phase - row;
      }
      copyWithSilence(samples, first - halfLength + 1, staged);
      run!(listAt, resultsAt, count, samplesAt);
      output.set(count < stretch ? results.subarray(0, count) : results, from);
    }
    return output;
  };
}

/** A row of taps for each phase from 0 to 1, both included. */
function makeKernel(): Float32Array {
  const beta = kaiserBeta(interpolationDb);
  const table = new Float32Array((phases + 1) * taps);
  for (let row = 0; row <= phases; row++) {
    for (let tap = 0; tap < taps; tap++) {
      table[row * taps + tap] = windowedSinc(tap - halfLength + 1 - row / phases, 0.5, halfLength, beta);
    }
  }
  return table;
}
