import {
  add,
  advance,
  type Code,
  countDown,
  get,
  integer,
  type Local,
  loadInteger,
  set,
  type WasmFunction,
} from './assembler.ts';
import { lanes, loadVector, shuffle, storeFirstLane, vectorBytes } from './vectors.ts';

/** Bytes of an entry of the list that `rowProducts` reads. */
export const entryBytes = { single: 8, blended: 12 } as const;

/**
 * For each of a list of places: the sum of products of the samples there with a row of weights. Parameters: list, results,
 * count, address that those in the list are counted from. An entry of the list: where the samples are, address of the row,
 * and, where rows are blended, how far on the way to the next row the weights lie, 0 to 1.
 *
 * @param vectors in a row
 */
export function rowProducts(rows: 'single' | 'blended', vectors: number): WasmFunction {
  return {
    name: 'rowProducts',
    parameters: 4,
    body(scope) {
      const [list, results, count, origin] = [0, 1, 2, 3];
      const [samples, row] = [scope.i32(), scope.i32()];
      const [sum, nextSum] = [scope.v128(), scope.v128()];
      const accumulate = (total: Local, vector: number, weightsAt: number): Code => {
        const there = loadVector(get(samples), vector * vectorBytes);
        const product = lanes.multiply(there, loadVector(get(row), weightsAt));
        return set(total, vector === 0 ? product : lanes.add(get(total), product));
      };
      const each = Array.from({ length: vectors }, (_, vector) => vector);
      const shares = lanes.splat(get(list), 8);
      const blend: Code[] = [
        ...each.map((vector) => accumulate(nextSum, vector, (vectors + vector) * vectorBytes)),
        set(sum, lanes.add(get(sum), lanes.multiply(lanes.subtract(get(nextSum), get(sum)), shares))),
      ];
      return [
        countDown(count, [
          set(samples, add(get(origin), loadInteger(get(list)))),
          set(row, loadInteger(get(list), 4)),
          ...each.map((vector) => accumulate(sum, vector, vector * vectorBytes)),
          ...(rows === 'blended' ? blend : []),
          sumOfLanes(sum),
          storeFirstLane(get(results), get(sum)),
          advance(results, integer(4)),
          advance(list, integer(entryBytes[rows])),
        ]),
      ];
    },
  };
}

/**
 * Sums of products of 16-bit integers with those at a place, at the place behind or before it, and so on; wrapped at 32 bits.
 * Parameters: values, place, results, count.
 *
 * @param vectors of eight values
 * @param step from place to place, in integers
 */
export function slidingProducts(name: string, vectors: number, step: number): WasmFunction {
  return {
    name,
    parameters: 4,
    body(scope) {
      const [values, place, results, count] = [0, 1, 2, 3];
      const sum = scope.v128();
      const kept = Array.from({ length: vectors }, () => scope.v128());
      const products = kept.map((value, vector) =>
        lanes.productsOfShorts(get(value), loadVector(get(place), vector * vectorBytes)),
      );
      return [
        ...kept.map((value, vector) => set(value, loadVector(get(values), vector * vectorBytes))),
        countDown(count, [
          set(sum, products.reduce(lanes.addIntegers)),
          sumOfLanes(sum, lanes.addIntegers),
          storeFirstLane(get(results), get(sum)),
          advance(results, integer(4)),
          advance(place, integer(2 * step)),
        ]),
      ];
    },
  };
}

/** The first lane becomes the sum of all: of the first and third, of the second and fourth, then of both. */
function sumOfLanes(value: Local, add: typeof lanes.add = lanes.add): Code {
  const halves = add(get(value), shuffle(get(value), get(value), [2, 3, 2, 3]));
  return [...set(value, halves), ...set(value, add(get(value), shuffle(get(value), get(value), [1, 1, 1, 1])))];
}

/** Samples that kernels handle at a time: few enough for the nearest caches. */
export const blockSamples = 4096;

/**
 * Copies a block of samples to where kernels read it, filled up with silence so that the last vector is whole.
 *
 * @returns how many vectors there are
 */
export function stageSamples(samples: Float32Array, from: number, into: Float32Array): number {
  const count = Math.min(blockSamples, samples.length - from);
  into.set(count === samples.length ? samples : samples.subarray(from, from + count));
  const vectors = Math.ceil(count / lanes.count);
  into.fill(0, count, vectors * lanes.count);
  return vectors;
}
