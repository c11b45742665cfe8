import { copyWithSilence } from './copy-with-silence.ts';
import { compile, createMemory } from './wasm/assembler.ts';
import { entryBytes, rowProducts } from './wasm/row-kernels.ts';

/** Weights for places between samples that come again and again: the phases of a change of rate by `up` / `down`. */
export interface Phases {
  readonly up: number;
  readonly down: number;
  /** A row for each of `up` places, of `taps` numbers; taps is a multiple of 4. */
  readonly weights: Float32Array;
  readonly taps: number;
  /** For each row, the first sample that it weighs, counted from the start of a turn. */
  readonly starts: Int32Array;
}

/** Results made at a time, at least. */
const stretch = 2048;

/**
 * A change of rate by sums of products: result n weighs the samples from `starts[n mod up]` + `down` floor(n / up) on with
 * its row. Outside of what is given, samples count as zero. The work for a result is that of a row, whatever the ratio.
 */
export function createPolyphaseFilter({
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
