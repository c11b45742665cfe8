import { keepRecent, releaseSamples } from './kept-samples.ts';
import {
  advance,
  type Code,
  compile,
  countDown,
  createMemory,
  get,
  integer,
  set,
  type WasmFunction,
} from './wasm/assembler.ts';
import { lanes, loadVector, storeVector, transpose, vectorBytes } from './wasm/vectors.ts';

/** Looks for the place at which a signal is most like a template. It holds working memory. */
interface LikenessSearch {
  /** Filled in by the caller before each search; a multiple of 4 samples. */
  readonly template: Float32Array;
  /** The place, counted from `start`, of the least sum of squared differences; the first of several. */
  minDifference(samples: Float32Array, start: number): number;
  /** The place, counted from `start`, of the largest sum of products; the first of several. */
  largestProduct(samples: Float32Array, start: number): number;
}

/**
 * Prepares the search with a template of `length` samples (rounded up to a multiple of 4) at `places` neighbouring places.
 * Sums are of single precision. The samples searched, `places + template.length - 1` from `start` on, must be there.
 *
 * @example
 * const search = createLikenessSearch(72, 86);
 * search.template.set(samples.subarray(0, 72));
 * search.minDifference(samples, 300); // 0 to 85
 */
export function createLikenessSearch(length: number, places: number): LikenessSearch {
  const taps = 4 * Math.ceil(length / 4);
  const groups = Math.ceil(places / 4);
  const signalAt = 4 * taps;
  const signalLength = 4 * groups + taps;
  const resultsAt = signalAt + 4 * signalLength;
  const memory = createMemory(resultsAt + 16 * groups);
  const { products, differences } = link(memory);
  const template = new Float32Array(memory.buffer, 0, taps);
  const signal = new Float32Array(memory.buffer, signalAt, signalLength);
  const results = new Float32Array(memory.buffer, resultsAt, places);
  const needed = places + taps - 1;
  return {
    template,
    minDifference(samples, start) {
      signal.set(samples.subarray(start, start + needed));
      differences!(0, signalAt, taps / 4, groups, resultsAt);
      let best = 0;
      for (let place = 1; place < places; place++) if (results[place]! < results[best]!) best = place;
      return best;
    },
    largestProduct(samples, start) {
      signal.set(samples.subarray(start, start + needed));
      products!(0, signalAt, taps / 4, groups, resultsAt);
      let best = 0;
      for (let place = 1; place < places; place++) if (results[place]! > results[best]!) best = place;
      return best;
    },
  };
}

const link = compile([likenessFunction('products'), likenessFunction('differences')]);

/**
 * How like a template a signal is at each of many places, four neighbouring ones at a time: `products` by the sum of
 * products, `differences` by the sum of squared differences. Parameters: template, signal, vectors in the template, places
 * over 4, results.
 */
function likenessFunction(name: 'products' | 'differences'): WasmFunction {
  return {
    name,
    parameters: 5,
    body(scope) {
      const [template, signal, vectors, groups, results] = [0, 1, 2, 3, 4];
      const [weight, place, left] = [scope.i32(), scope.i32(), scope.i32()];
      const [value, difference] = [scope.v128(), scope.v128()];
      const sums = Array.from({ length: 4 }, () => scope.v128());
      const accumulate = (sum: number, lag: number): Code[] => {
        const there = loadVector(get(place), 4 * lag);
        if (name === 'products') return [set(sum, lanes.add(get(sum), lanes.multiply(get(value), there)))];
        return [
          set(difference, lanes.subtract(get(value), there)),
          set(sum, lanes.add(get(sum), lanes.multiply(get(difference), get(difference)))),
        ];
      };
      const [first, second, third, fourth] = sums.map(get) as [Code, Code, Code, Code];
      return [
        countDown(groups, [
          ...sums.map((sum) => set(sum, lanes.constant(0))),
          set(weight, get(template)),
          set(place, get(signal)),
          set(left, get(vectors)),
          countDown(left, [
            set(value, loadVector(get(weight))),
            ...sums.flatMap(accumulate),
            advance(weight, integer(vectorBytes)),
            advance(place, integer(vectorBytes)),
          ]),
          transpose(scope, sums),
          storeVector(get(results), lanes.add(lanes.add(first, second), lanes.add(third, fourth))),
          advance(results, integer(vectorBytes)),
          advance(signal, integer(vectorBytes)),
        ]),
      ];
    },
  };
}

const shiftSeconds = 0.01;

/** A sound at another speed, and how far it goes. */
interface WsolaResult {
  readonly samples: Float32Array;
  /** Where the last piece ends, after and before: what follows is silent, up to the end of each. */
  readonly endOut: number;
  readonly endIn: number;
}

/**
 * Another tempo by WSOLA as SR-MT made it (Wang, Ben, Zhang, MET'22, section 3; the class is that of sprocket 0.18, whose
 * authors are Kobayashi and Toda): pieces of 10 ms, faded over whole under a symmetric Hann window. Each piece is looked
 * for within 10 ms around its nominal place, by the largest product of what would follow and what is there, both under the
 * window and neither normalised. Its habits are kept: the nominal step is cut to whole samples, samples 10 to 20 ms of the
 * sound are never heard, and the last few pieces are silent.
 *
 * @param rate above 1 is faster; the length becomes length / rate, cut
 */
export function wsola(samples: Float32Array, sampleRate: number, rate: number): WsolaResult {
  const shift = Math.floor(sampleRate * shiftSeconds);
  const frame = 2 * shift;
  const step = Math.floor(shift * rate);
  const { search, window } = toolsFor(shift);
  const length = samples.length;
  const output = new Float32Array(Math.floor(length / rate));
  output.set(samples.subarray(0, Math.min(shift, output.length)));
  let written = shift;
  let current = frame;
  let nominal = current + step;
  while (length > nominal + frame) {
    // The window counts twice: once for each side. A piece near the end is followed by silence.
    const following = Math.min(frame, length - current);
    for (let n = 0; n < frame; n++) {
      search.template[n] = n < following ? samples[current + n]! * window[n]! * window[n]! : 0;
    }
    const place = nominal - frame + search.largestProduct(samples, nominal - frame);
    const end = Math.min(shift, output.length - written);
    for (let n = 0; n < end; n++) {
      output[written + n] = samples[current + n]! * window[shift + n]! + samples[place + n]! * window[n]!;
    }
    written += shift;
    current = place + shift;
    nominal += step;
  }
  return { samples: output, endOut: Math.min(written, output.length), endIn: Math.min(current, length) };
}

/** Samples that a sound must have for a single piece to be found. */
export function shortestWsolaSamples(sampleRate: number, rate: number): number {
  const shift = Math.floor(sampleRate * shiftSeconds);
  return 4 * shift + Math.floor(shift * rate) + 1;
}

const toolsFor = keepRecent(
  4,
  (shift: number) => `${shift}`,
  (shift): { search: LikenessSearch; window: Float64Array } => ({
    search: createLikenessSearch(2 * shift, 2 * shift + 1),
    window: Float64Array.from(
      { length: 2 * shift },
      (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (2 * shift - 1)),
    ),
  }),
);

/** How a sound is cut into segments for another tempo, all in seconds. */
export interface StretchSegments {
  /** Length of what is taken over in one piece. */
  readonly segmentSeconds: number;
  /** Range within which the best place for the next segment is looked for. */
  readonly searchSeconds: number;
  /** Length of the cross-fade from one segment to the next. */
  readonly overlapSeconds: number;
}

/**
 * The sound at another tempo, its pitch kept: WSOLA with long segments, the effect `tempo` of SoX 14.4.2 sample by sample,
 * but for what single precision sums up in another order. Segments are taken from the sound `factor` times as far apart as
 * they are laid down; each is moved within a range to where it continues the one before best (least squared difference),
 * and faded over in a straight line. (Verhelst and Roelands, ICASSP 1993; sizes are rounded as SoX rounds them.)
 *
 * @param factor above 1 is faster; the length becomes length / factor, rounded
 * @example stretchTime(samples, 16000, 1.25, { segmentSeconds: 0.03, searchSeconds: 0.00537, overlapSeconds: 0.00439 })
 */
export function stretchTime(
  samples: Float32Array,
  sampleRate: number,
  factor: number,
  segments: StretchSegments,
): Float32Array {
  const segment = Math.floor(sampleRate * segments.segmentSeconds + 0.5);
  const range = Math.floor(sampleRate * segments.searchSeconds + 0.5);
  // Whole multiples of 8, and never more than half of a segment.
  const rounded = 8 * Math.floor(Math.max(sampleRate * segments.overlapSeconds + 4.5, 16) / 8);
  const overlap = 2 * rounded > segment ? rounded - 8 : rounded;
  const hop = segment - overlap;
  const middle = Math.floor(range / 2);
  const output = new Float32Array(Math.floor(samples.length / factor + 0.5));
  const count = Math.ceil(output.length / hop);
  const furthest = Math.ceil(factor * hop * count) + range + segment + 8;
  const padded = new Float32Array(Math.max(furthest, middle + samples.length));
  padded.set(samples, middle);
  const search = searchFor({ overlap, range: Math.max(1, range) });
  const fadeStep = Math.fround(1 / overlap);

  for (let index = 0, tail = 0; index < count; index++) {
    const place = Math.floor(factor * index * hop + 0.5);
    const start = index * hop;
    let from = place + middle;
    let faded = 0;
    if (index > 0) {
      search.template.set(padded.subarray(tail, tail + overlap));
      from = place + search.minDifference(padded, place);
      for (; faded < overlap && start + faded < output.length; faded++) {
        const share = Math.fround(fadeStep * faded);
        output[start + faded] = padded[tail + faded]! * (1 - share) + padded[from + faded]! * share;
      }
    }
    const end = Math.min(hop, output.length - start);
    if (faded < end) output.set(padded.subarray(from + faded, from + end), start + faded);
    tail = from + hop;
  }
  releaseSamples(padded);
  return output;
}

const searchFor = keepRecent(
  4,
  ({ overlap, range }: { overlap: number; range: number }) => `${overlap} ${range}`,
  ({ overlap, range }): LikenessSearch => createLikenessSearch(overlap, range),
);
