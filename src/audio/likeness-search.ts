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
export interface LikenessSearch {
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
