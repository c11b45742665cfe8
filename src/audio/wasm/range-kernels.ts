import { advance, countDown, get, integer, set, type WasmFunction } from './assembler.ts';
import { doubles, lanes, loadVector, shuffle, storeVector, vectorBytes } from './vectors.ts';

/**
 * Raises the largest magnitudes, lane by lane, to those of samples. Parameters: samples, vectors of them (1 or more), largest.
 */
export const peakFunction: WasmFunction = {
  name: 'peak',
  parameters: 3,
  body(scope) {
    const [samples, vectors, largest] = [0, 1, 2];
    const most = scope.v128();
    return [
      set(most, loadVector(get(largest))),
      countDown(vectors, [
        set(most, lanes.greater(get(most), lanes.magnitude(loadVector(get(samples))))),
        advance(samples, integer(vectorBytes)),
      ]),
      storeVector(get(largest), get(most)),
    ];
  },
};

/**
 * Multiplies samples, in place, by a number in double precision, and raises the largest magnitudes, lane by lane, to those of
 * the products. Parameters: samples, vectors of them (1 or more), largest, the address of the number.
 */
export const scaleFunction: WasmFunction = {
  name: 'scale',
  parameters: 4,
  body(scope) {
    const [samples, vectors, largest, number] = [0, 1, 2, 3];
    const [value, factor, most] = [scope.v128(), scope.v128(), scope.v128()];
    const [first, last] = [doubles.ofFirstLanes(get(value)), doubles.ofLastLanes(get(value))].map((half) =>
      doubles.toFirstLanes(doubles.multiply(half, get(factor))),
    );
    return [
      set(factor, doubles.splat(get(number))),
      set(most, loadVector(get(largest))),
      countDown(vectors, [
        set(value, loadVector(get(samples))),
        set(value, shuffle(first!, last!, [0, 1, 4, 5])),
        set(most, lanes.greater(get(most), lanes.magnitude(get(value)))),
        storeVector(get(samples), get(value)),
        advance(samples, integer(vectorBytes)),
      ]),
      storeVector(get(largest), get(most)),
    ];
  },
};

/**
 * As `scale` with a number that single precision holds, which gives the same: the product of two such numbers fits into double
 * precision, so that it is rounded once either way.
 */
export const scaleSingleFunction: WasmFunction = {
  name: 'scaleSingle',
  parameters: 4,
  body(scope) {
    const [samples, vectors, largest, number] = [0, 1, 2, 3];
    const [value, factor, most] = [scope.v128(), scope.v128(), scope.v128()];
    return [
      set(factor, lanes.splat(get(number))),
      set(most, loadVector(get(largest))),
      countDown(vectors, [
        set(value, lanes.multiply(loadVector(get(samples)), get(factor))),
        set(most, lanes.greater(get(most), lanes.magnitude(get(value)))),
        storeVector(get(samples), get(value)),
        advance(samples, integer(vectorBytes)),
      ]),
      storeVector(get(largest), get(most)),
    ];
  },
};

/**
 * Counts, lane by lane, samples of a magnitude or more. Parameters: samples, vectors of them (1 or more), counts, the address
 * of the magnitude.
 */
export const countFunction: WasmFunction = {
  name: 'count',
  parameters: 4,
  body(scope) {
    const [samples, vectors, counts, number] = [0, 1, 2, 3];
    const [least, found] = [scope.v128(), scope.v128()];
    return [
      set(least, lanes.splat(get(number))),
      set(found, loadVector(get(counts))),
      countDown(vectors, [
        set(
          found,
          lanes.subtractIntegers(get(found), lanes.atMost(get(least), lanes.magnitude(loadVector(get(samples))))),
        ),
        advance(samples, integer(vectorBytes)),
      ]),
      storeVector(get(counts), get(found)),
    ];
  },
};

/**
 * Brings samples, in place, into a range, and counts, lane by lane, those that were beyond it. Parameters: samples, vectors of
 * them (1 or more), counts, the address of two numbers: least and largest of the range.
 */
export const limitFunction: WasmFunction = {
  name: 'limit',
  parameters: 4,
  body(scope) {
    const [samples, vectors, counts, numbers] = [0, 1, 2, 3];
    const [value, least, largest, beyond] = [scope.v128(), scope.v128(), scope.v128(), scope.v128()];
    return [
      set(least, lanes.splat(get(numbers))),
      set(largest, lanes.splat(get(numbers), 4)),
      set(beyond, loadVector(get(counts))),
      countDown(vectors, [
        set(value, loadVector(get(samples))),
        set(beyond, lanes.subtractIntegers(get(beyond), lanes.less(get(value), get(least)))),
        set(beyond, lanes.subtractIntegers(get(beyond), lanes.less(get(largest), get(value)))),
        storeVector(get(samples), lanes.greater(lanes.lesser(get(value), get(largest)), get(least))),
        advance(samples, integer(vectorBytes)),
      ]),
      storeVector(get(counts), get(beyond)),
    ];
  },
};
