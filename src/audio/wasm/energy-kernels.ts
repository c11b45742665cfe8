import { advance, countDown, get, integer, set, type WasmFunction } from './assembler.ts';
import { doubles, lanes, loadVector, storeVector, vectorBytes } from './vectors.ts';

/** Sums that go on from block to block: two vectors of doubles, one for each lane's place, then one of integers. */
export const sumsBytes = 3 * vectorBytes;

/** Adds the squares of samples to the sums, all in double precision. Parameters: samples, vectors of them (1 or more), sums. */
export const energyFunction: WasmFunction = {
  name: 'energy',
  parameters: 3,
  body(scope) {
    const [samples, vectors, sums] = [0, 1, 2];
    const [value, wide] = [scope.v128(), scope.v128()];
    const totals = [scope.v128(), scope.v128()];
    const halves = [doubles.ofFirstLanes(get(value)), doubles.ofLastLanes(get(value))];
    return [
      ...totals.map((total, index) => set(total, loadVector(get(sums), index * vectorBytes))),
      countDown(vectors, [
        set(value, loadVector(get(samples))),
        ...totals.flatMap((total, index) => [
          set(wide, halves[index]!),
          set(total, doubles.add(get(total), doubles.multiply(get(wide), get(wide)))),
        ]),
        advance(samples, integer(vectorBytes)),
      ]),
      ...totals.map((total, index) => storeVector(get(sums), get(total), index * vectorBytes)),
    ];
  },
};

/**
 * Adds noise times a gain. The squares of what is then more or less than before are added to the sums, and so are, lane by
 * lane, the samples beyond a range. Squares are summed in single precision first: of a few thousand samples that leaves a
 * millionth. Parameters: samples, noise (which the result replaces), vectors of them (1 or more), sums, the address of three
 * numbers: the gain, least and largest of the range.
 */
export const addScaledFunction: WasmFunction = {
  name: 'addScaled',
  parameters: 5,
  body(scope) {
    const [samples, noise, vectors, sums, numbers] = [0, 1, 2, 3, 4];
    const [before, after, change, squares, beyond] = [
      scope.v128(),
      scope.v128(),
      scope.v128(),
      scope.v128(),
      scope.v128(),
    ];
    const [gain, least, largest] = [scope.v128(), scope.v128(), scope.v128()];
    const added = [doubles.ofFirstLanes(get(squares)), doubles.ofLastLanes(get(squares))];
    return [
      set(gain, lanes.splat(get(numbers))),
      set(least, lanes.splat(get(numbers), 4)),
      set(largest, lanes.splat(get(numbers), 8)),
      set(beyond, loadVector(get(sums), 2 * vectorBytes)),
      set(squares, lanes.constant(0)),
      countDown(vectors, [
        set(before, loadVector(get(samples))),
        set(after, lanes.add(get(before), lanes.multiply(get(gain), loadVector(get(noise))))),
        storeVector(get(noise), get(after)),
        set(beyond, lanes.subtractIntegers(get(beyond), lanes.less(get(after), get(least)))),
        set(beyond, lanes.subtractIntegers(get(beyond), lanes.less(get(largest), get(after)))),
        set(change, lanes.subtract(get(after), get(before))),
        set(squares, lanes.add(get(squares), lanes.multiply(get(change), get(change)))),
        advance(samples, integer(vectorBytes)),
        advance(noise, integer(vectorBytes)),
      ]),
      ...added.map((value, index) =>
        storeVector(get(sums), doubles.add(loadVector(get(sums), index * vectorBytes), value), index * vectorBytes),
      ),
      storeVector(get(sums), get(beyond), 2 * vectorBytes),
    ];
  },
};
