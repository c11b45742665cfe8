import { copyWithSilence } from './clip.ts';
import {
  type Response,
  stagesOf,
  transformRadices,
  writePackRows,
  writeSpectrumPlaces,
  writeTwiddles,
  writeWeights,
} from './spectral-tables.ts';
import {
  add,
  advance,
  type Code,
  compile,
  countDown,
  createMemory,
  type FunctionScope,
  get,
  integer,
  type Kernel,
  multiply,
  sequence,
  set,
  type WasmFunction,
  type WasmMemory,
} from './wasm/assembler.ts';
import { packFunction, smallTransform, spectrumFunction } from './wasm/spectral-kernels.ts';
import {
  complexBytes,
  complexes,
  imaginary,
  lanes,
  loadComplex,
  loadVector,
  storeComplex,
  storeVector,
  transpose,
} from './wasm/vectors.ts';

/** Names of the functions for one radix. */
const stageNames = (radix: number) => ({
  /** (base, blocks): of every `radix` neighbours. */
  plain: `plain${radix}`,
  /** (base, blocks, inner, part bytes, twiddles) */
  forward: `forward${radix}`,
  /** (base, blocks, inner, part bytes, twiddles) */
  backward: `backward${radix}`,
});

/** Complex numbers that `enter` and `leave` handle at a time. */
const complexesPerTurn = 2;

/** Parameters: samples of the first lane, bytes from lane to lane, transform, turns. */
const enterFunction: WasmFunction = {
  name: 'enter',
  parameters: 4,
  body(scope) {
    const [samples, laneStep, transform, turns] = [0, 1, 2, 3];
    const offsets = Array.from({ length: lanes.count }, () => scope.i32());
    const rows = offsets.map(() => scope.v128());
    const address = (lane: number) => add(get(samples), get(offsets[lane]!));
    const setOffsets = offsets.map((offset, lane) => set(offset, multiply(get(laneStep), integer(lane))));
    return [
      ...setOffsets,
      countDown(turns, [
        ...rows.map((row, lane) => set(row, loadVector(address(lane)))),
        transpose(scope, rows),
        ...rows.map((row, index) => storeVector(get(transform), get(row), 16 * index)),
        advance(samples, integer(16)),
        advance(transform, integer(2 * complexBytes)),
      ]),
    ];
  },
};

/** Parameters: transform (parts exchanged), samples of the first lane, bytes from lane to lane, turns. */
const leaveFunction: WasmFunction = {
  name: 'leave',
  parameters: 4,
  body(scope) {
    const [transform, samples, laneStep, turns] = [0, 1, 2, 3];
    const offsets = Array.from({ length: lanes.count }, () => scope.i32());
    const address = (lane: number) => add(get(samples), get(offsets[lane]!));
    const setOffsets = offsets.map((offset, lane) => set(offset, multiply(get(laneStep), integer(lane))));
    const rows = offsets.map(() => scope.v128());
    return [
      ...setOffsets,
      countDown(turns, [
        ...[imaginary, 0, complexBytes + imaginary, complexBytes].map((offset, index) =>
          set(rows[index]!, loadVector(get(transform), offset)),
        ),
        transpose(scope, rows),
        ...rows.map((row, lane) => storeVector(address(lane), get(row))),
        advance(samples, integer(16)),
        advance(transform, integer(2 * complexBytes)),
      ]),
    ];
  },
};

/** Lengths of blocks of real samples, before and after: both even, the second a multiple of 4. */
export interface BlockSizes {
  readonly blockIn: number;
  readonly blockOut: number;
  /** Bins that are kept, from 0 on: at most half of the shorter block, plus 1. All others are 0. */
  readonly bins: number;
}

/** Which part of each block is kept. */
export interface BlockSteps {
  /** From the start of a block to the start of the next, in samples before and after; the second a multiple of 4. */
  readonly hopIn: number;
  readonly hopOut: number;
  /** Samples at the start of each block after that are left out: an even number. */
  readonly skipOut: number;
}

/** Filters blocks by way of their spectra. It holds working memory, about 100 bytes for each sample of a block. */
export interface SpectralEngine {
  /** Transforms forth and back multiply by `blockIn`, which is not undone. */
  setResponse(response: Response): void;
  /** The spectrum of at most `blockIn` samples, not scaled. The response is lost. */
  spectrumOf(samples: Float32Array): Response;
  /**
   * Filters samples that begin at `startIn` (negative: with silence before them; what lies outside counts as silence), and
   * gives `outputLength` samples, the first of which is the first that is kept of the first block.
   */
  filter(samples: Float32Array, startIn: number, outputLength: number, steps: BlockSteps): Float32Array;
}

/**
 * Prepares overlap-save on spectra, with another rate where blocks have another length after than before. (Oppenheim and
 * Schafer, Discrete-Time Signal Processing, section 8.7.3; change of rate: Muramatsu and Kiya, IEEE Trans. Signal
 * Processing 45, 1997.) Four blocks are done at once in the lanes of WebAssembly's vectors, without any influence on each
 * other, so digital silence stays digital silence. They calculate in single precision: rounding is about 135 dB below the
 * level of a block. The samples are the same on every machine of one architecture.
 *
 * @param kind `real` for responses without an imaginary part, which are quicker
 * @throws RangeError where half a block has a prime factor above 61
 */
export function createSpectralEngine(sizes: BlockSizes, kind: 'real' | 'complex'): SpectralEngine {
  const { blockIn, blockOut, bins } = sizes;
  const [sizeIn, sizeOut] = [blockIn / 2, blockOut / 2];
  const [radicesIn, radicesOut] = [transformRadices(sizeIn), transformRadices(sizeOut)];
  const rowWords = kind === 'real' ? 5 : 6;
  const packRows = Math.floor(sizeOut / 2) + 1;
  const inputLength = lanes.count * blockIn;

  let bytes = 0;
  const reserve = (length: number): number => {
    const at = bytes;
    bytes = 64 * Math.ceil((at + length) / 64);
    return at;
  };
  const forward = stagesOf(sizeIn, radicesIn, reserve);
  const backward = stagesOf(sizeOut, radicesOut, reserve).reverse();
  const spectrumTable = reserve(4 * rowWords * bins);
  const packTable = reserve(16 * packRows);
  // The last place of the transform takes what belongs nowhere.
  const transform = reserve((Math.max(sizeIn, sizeOut) + 1) * complexBytes);
  const spectrum = reserve((sizeOut + 1) * complexBytes);
  const input = reserve(4 * (inputLength + 4));
  const output = reserve(4 * lanes.count * blockOut);

  const memory = createMemory(bytes);
  const kernels = kernelsFor([...radicesIn, ...radicesOut], kind)(memory);
  for (const stage of [...forward, ...backward]) writeTwiddles(stage, memory);
  writeSpectrumPlaces(sizeIn, radicesIn, new Int32Array(memory.buffer, spectrumTable, rowWords * bins), rowWords);
  writePackRows(sizeOut, radicesOut, memory, packTable, packRows);
  const weights = new Float32Array(memory.buffer, spectrumTable, rowWords * bins);
  const staged = new Float32Array(memory.buffer, input, inputLength);
  const finished = new Float32Array(memory.buffer, output, lanes.count * blockOut);
  const firstBins = new Float32Array(memory.buffer, spectrum, (bins * complexBytes) / 4);

  const toSpectrum = (hopIn: number) => {
    kernels.enter!(input, 4 * hopIn, transform, Math.ceil(sizeIn / complexesPerTurn));
    for (const { radix, blocks, inner, twiddles } of forward) {
      if (inner === 1) kernels[stageNames(radix).plain]!(transform, blocks);
      else kernels[stageNames(radix).forward]!(transform, blocks, inner, inner * complexBytes, twiddles);
    }
    kernels.spectrum!(transform, spectrumTable, spectrum, bins);
  };
  const fromSpectrum = ({ hopOut, skipOut }: BlockSteps) => {
    kernels.pack!(spectrum, spectrum + sizeOut * complexBytes, packTable, transform, packRows);
    for (const { radix, blocks, inner, twiddles } of backward) {
      if (inner === 1) kernels[stageNames(radix).plain]!(transform, blocks);
      else kernels[stageNames(radix).backward]!(transform, blocks, inner, inner * complexBytes, twiddles);
    }
    kernels.leave!(transform + (skipOut / 2) * complexBytes, output, 4 * hopOut, hopOut / 2 / complexesPerTurn);
  };

  return {
    setResponse: (response) => writeWeights(response, blockIn, weights, rowWords),
    spectrumOf(samples) {
      writeWeights({ real: new Float64Array(bins).fill(1), imaginary: null }, blockIn, weights, rowWords);
      copyWithSilence(samples, 0, staged.subarray(0, blockIn));
      toSpectrum(0);
      const real = new Float64Array(bins);
      const imaginary = new Float64Array(bins);
      for (let k = 0; k < bins; k++) {
        real[k] = firstBins[2 * lanes.count * k]!;
        imaginary[k] = firstBins[2 * lanes.count * k + lanes.count]!;
      }
      return { real, imaginary };
    },
    filter(samples, startIn, outputLength, steps) {
      const result = new Float32Array(outputLength);
      const needed = staged.subarray(0, blockIn + (lanes.count - 1) * steps.hopIn);
      const made = lanes.count * steps.hopOut;
      let place = startIn;
      for (let start = 0; start < outputLength; start += made, place += lanes.count * steps.hopIn) {
        copyWithSilence(samples, place, needed);
        toSpectrum(steps.hopIn);
        fromSpectrum(steps);
        result.set(finished.subarray(0, Math.min(made, outputLength - start)), start);
      }
      return result;
    },
  };
}

const modules = new Map<string, (memory: WasmMemory) => Readonly<Record<string, Kernel>>>();

/** Compiled once for each set of radices. */
function kernelsFor(radices: readonly number[], kind: 'real' | 'complex') {
  const distinct = [...new Set(radices)].sort((first, second) => first - second);
  const key = [kind, ...distinct].join();
  const link =
    modules.get(key) ??
    compile([
      enterFunction,
      leaveFunction,
      spectrumFunction(kind),
      packFunction,
      ...distinct.flatMap((radix) => stageFunctions(radix)),
    ]);
  modules.set(key, link);
  return link;
}

/**
 * Fourier transforms of several signals at once, one in each lane: a complex number is two vectors, the real and the
 * imaginary parts of all lanes. No lane hears of the others, so the result for a block does not depend on its company.
 *
 * Forward by decimation in frequency, which leaves the spectrum in digit-reversed order; backward by decimation in time,
 * which takes it so: neither needs a second array nor a pass for sorting. (Van Loan, Computational Frameworks for the Fast
 * Fourier Transform, 1992, sections 1.9 and 2.3.)
 *
 * @param radix 2, 4 or any odd number
 */
function stageFunctions(radix: number): WasmFunction[] {
  const names = stageNames(radix);
  return [
    { name: names.plain, parameters: 2, body: (scope) => plainStage(scope, radix) },
    { name: names.forward, parameters: 5, body: (scope) => twiddledStage(scope, radix, 'after') },
    { name: names.backward, parameters: 5, body: (scope) => twiddledStage(scope, radix, 'before') },
  ];
}

function plainStage(scope: FunctionScope, radix: number): Code[] {
  const [base, blocks] = [0, 1];
  const legs = complexes(scope, radix);
  const transform = smallTransform(scope, radix);
  return [
    transform.prepare,
    countDown(blocks, [
      ...legs.flatMap((leg, k) => loadComplex(leg, get(base), k * complexBytes)),
      transform.apply(legs),
      ...legs.flatMap((leg, k) => storeComplex(get(base), leg, k * complexBytes)),
      advance(base, integer(radix * complexBytes)),
    ]),
  ];
}

function twiddledStage(scope: FunctionScope, radix: number, place: 'before' | 'after'): Code[] {
  const [base, blocks, inner, part, twiddles] = [0, 1, 2, 3, 4];
  const legs = complexes(scope, radix);
  const offsets = legs.map(() => scope.i32());
  const [counter, twiddle] = [scope.i32(), scope.i32()];
  const product = scope.v128();
  const transform = smallTransform(scope, radix);
  const address = (k: number) => (k === 0 ? get(base) : add(get(base), get(offsets[k]!)));
  const turned = sequence(
    legs.slice(1).map(({ re, im }, k) => {
      const cosine = lanes.splat(get(twiddle), 2 * k * 4);
      const sine = lanes.splat(get(twiddle), (2 * k + 1) * 4);
      return sequence([
        set(product, lanes.subtract(lanes.multiply(get(re), cosine), lanes.multiply(get(im), sine))),
        set(im, lanes.add(lanes.multiply(get(re), sine), lanes.multiply(get(im), cosine))),
        set(re, get(product)),
      ]);
    }),
  );
  return [
    transform.prepare,
    ...offsets.map((offset, k) => set(offset, multiply(get(part), integer(k)))),
    countDown(blocks, [
      set(counter, get(inner)),
      set(twiddle, get(twiddles)),
      countDown(counter, [
        ...legs.flatMap((leg, k) => loadComplex(leg, address(k), 0)),
        ...(place === 'before' ? [turned] : []),
        transform.apply(legs),
        ...(place === 'after' ? [turned] : []),
        ...legs.flatMap((leg, k) => storeComplex(address(k), leg, 0)),
        advance(base, integer(complexBytes)),
        advance(twiddle, integer(2 * (radix - 1) * 4)),
      ]),
      advance(base, get(offsets[radix - 1]!)),
    ]),
  ];
}
