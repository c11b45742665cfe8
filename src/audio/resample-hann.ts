import { type Clip, copyWithSilence } from './clip.ts';
import { keepRecent } from './kept-samples.ts';
import { compile, createMemory } from './wasm/assembler.ts';
import { entryBytes, rowProducts } from './wasm/kernels.ts';

/** Results made at a time, at least. */
const stretch = 2048;

/** Zero crossings of the sinc function on either side, and where it is cut off as a share of half the lower rate. */
const crossings = 6;
const rolloff = 0.99;

/**
 * The clip at another rate by a short filter, as torchaudio's `Resample` makes it with its defaults (`sinc_interp_hann`,
 * `lowpass_filter_width` 6, `rolloff` 0.99; torchaudio/functional/functional.py): about 6 dB down at half the lower rate,
 * and what lies above is heard, mirrored, some 20 dB down close to it. `resample` is better in every way; this one is for
 * results that are to be compared with those made with torchaudio. The length is rounded up.
 *
 * @param sampleRate a whole number; that of the clip too
 * @example resampleHann({ samples, sampleRate: 16000 }, 8000)
 */
export function resampleHann(clip: Clip, sampleRate: number): Clip {
  if (sampleRate === clip.sampleRate) return clip;
  const divisor = greatestCommonDivisor(sampleRate, clip.sampleRate);
  const ratio = { up: sampleRate / divisor, down: clip.sampleRate / divisor };
  const length = Math.ceil((clip.samples.length * ratio.up) / ratio.down);
  return { samples: filterFor(ratio)(clip.samples, length), sampleRate };
}

/** A row of weights for each place between samples that occurs. */
const filterFor = keepRecent(
  8,
  ({ up, down }: { up: number; down: number }) => `${up}/${down}`,
  ({ up, down }) => {
    const cutoff = Math.min(up, down) * rolloff;
    const reach = (crossings * down) / cutoff;
    const taps = 4 * Math.ceil((Math.floor(2 * reach) + 1) / 4);
    const weights = new Float32Array(up * taps);
    const starts = new Int32Array(up);
    for (let row = 0; row < up; row++) {
      const place = (row * down) / up;
      const start = Math.ceil(place - reach);
      starts[row] = start;
      for (let tap = 0; tap < taps; tap++) {
        const crossing = ((start + tap - place) / down) * cutoff;
        if (Math.abs(crossing) >= crossings) continue;
        const window = Math.cos((Math.PI * crossing) / crossings / 2) ** 2;
        const angle = Math.PI * crossing;
        weights[row * taps + tap] = (angle === 0 ? 1 : Math.sin(angle) / angle) * window * (cutoff / down);
      }
    }
    return createPolyphaseFilter({ up, down, weights, taps, starts });
  },
);

function greatestCommonDivisor(first: number, second: number): number {
  return second === 0 ? first : greatestCommonDivisor(second, first % second);
}

/** Weights for places between samples that come again and again: the phases of a change of rate by `up` / `down`. */
interface Phases {
  readonly up: number;
  readonly down: number;
  /** A row for each of `up` places, of `taps` numbers; taps is a multiple of 4. */
  readonly weights: Float32Array;
  readonly taps: number;
  /** For each row, the first sample that it weighs, counted from the start of a turn. */
  readonly starts: Int32Array;
}

/**
 * A change of rate by sums of products: result n weighs the samples from `starts[n mod up]` + `down` floor(n / up) on with
 * its row. Outside of what is given, samples count as zero. The work for a result is that of a row, whatever the ratio.
 */
function createPolyphaseFilter({
  up,
  down,
  weights,
  taps,
  starts,
}: Phases): (samples: Float32Array, outputLength: number) => Float32Array {
  const turns = Math.ceil(stretch / up);
  const first = starts.reduce((least, start) => Math.min(least, start), 0);
  const last = starts.reduce((most, start) => Math.max(most, start), 0);
  const window = last - first + down * (turns - 1) + taps;
  const listAt = 4 * weights.length;
  const resultsAt = listAt + entryBytes.single * turns * up;
  const samplesAt = resultsAt + 4 * turns * up;
  const memory = createMemory(samplesAt + 4 * window);
  new Float32Array(memory.buffer, 0, weights.length).set(weights);
  const list = new Int32Array(memory.buffer, listAt, 2 * turns * up);
  for (let turn = 0, entry = 0; turn < turns; turn++) {
    for (let row = 0; row < up; row++) {
      list[entry++] = 4 * (starts[row]! - first + down * turn);
      list[entry++] = 4 * taps * row;
    }
  }
  const results = new Float32Array(memory.buffer, resultsAt, turns * up);
  const staged = new Float32Array(memory.buffer, samplesAt, window);
  const { rowProducts: run } = compile([rowProducts('single', taps / 4)])(memory);

  return (samples, outputLength) => {
    const output = new Float32Array(outputLength);
    for (let from = 0, turn = 0; from < outputLength; from += turns * up, turn += turns) {
      const count = Math.min(turns * up, outputLength - from);
      copyWithSilence(samples, first + down * turn, staged);
      run!(listAt, resultsAt, count, samplesAt);
      output.set(count < results.length ? results.subarray(0, count) : results, from);
    }
    return output;
  };
}
