import {
  advance,
  type Code,
  countDown,
  type FunctionScope,
  get,
  integer,
  type Local,
  set,
  type WasmFunction,
} from './assembler.ts';
import { doubles, lanes, loadVector, storeVector, vectorBytes } from './vectors.ts';

/** Sums that go on from block to block: two vectors of doubles, one for each lane's place, then one of integers. */
export const sumsBytes = 3 * vectorBytes;

/** Adds the squares of samples to the sums. Parameters: samples, vectors of them (1 or more), sums. */
export const energyFunction: WasmFunction = {
  name: 'energy',
  parameters: 3,
  body(scope) {
    const [samples, vectors, sums] = [0, 1, 2];
    const value = scope.v128();
    const energy = energySums(scope, sums);
    return [
      ...energy.load,
      countDown(vectors, [
        set(value, loadVector(get(samples))),
        ...energy.accumulate(doubles.ofFirstLanes(get(value)), doubles.ofLastLanes(get(value))),
        advance(samples, integer(vectorBytes)),
      ]),
      ...energy.store,
    ];
  },
};

/**
 * Adds noise times a gain in double precision, rounded once; the squares of what is then more or less than before are added
 * to the sums, and so are, lane by lane, the samples beyond a range. Parameters: samples, noise (which the result replaces),
 * vectors of them (1 or more), sums, the address of three numbers: the gain (64 bits), least and largest of the range (32 bits).
 */
export const addScaledFunction: WasmFunction = {
  name: 'addScaled',
  parameters: 5,
  body(scope) {
    const [samples, noise, vectors, sums, numbers] = [0, 1, 2, 3, 4];
    const [before, added, after, beyond] = [scope.v128(), scope.v128(), scope.v128(), scope.v128()];
    const [gain, least, largest] = [scope.v128(), scope.v128(), scope.v128()];
    const energy = energySums(scope, sums);
    const sum = (of: (value: Code) => Code) =>
      doubles.add(of(get(before)), doubles.multiply(get(gain), of(get(added))));
    const change = (of: (value: Code) => Code) => doubles.subtract(of(get(after)), of(get(before)));
    const { ofFirstLanes, ofLastLanes } = doubles;
    return [
      set(gain, doubles.splat(get(numbers))),
      set(least, lanes.splat(get(numbers), 8)),
      set(largest, lanes.splat(get(numbers), 12)),
      set(beyond, loadVector(get(sums), 2 * vectorBytes)),
      ...energy.load,
      countDown(vectors, [
        set(before, loadVector(get(samples))),
        set(added, loadVector(get(noise))),
        set(after, doubles.toLanes(sum(ofFirstLanes), sum(ofLastLanes))),
        storeVector(get(noise), get(after)),
        set(beyond, lanes.subtractIntegers(get(beyond), lanes.less(get(after), get(least)))),
        set(beyond, lanes.subtractIntegers(get(beyond), lanes.less(get(largest), get(after)))),
        ...energy.accumulate(change(ofFirstLanes), change(ofLastLanes)),
        advance(samples, integer(vectorBytes)),
        advance(noise, integer(vectorBytes)),
      ]),
      ...energy.store,
      storeVector(get(sums), get(beyond), 2 * vectorBytes),
    ];
  },
};

/** Sums of squares of two vectors of doubles at a time, as they stand in memory before and after. */
function energySums(scope: FunctionScope, sums: Local) {
  const totals = [scope.v128(), scope.v128()];
  const value = scope.v128();
  return {
    load: totals.map((total, index) => set(total, loadVector(get(sums), index * vectorBytes))),
    accumulate: (...values: readonly [Code, Code]): readonly Code[] =>
      totals.flatMap((total, index) => [
        set(value, values[index]!),
        set(total, doubles.add(get(total), doubles.multiply(get(value), get(value)))),
      ]),
    store: totals.map((total, index) => storeVector(get(sums), get(total), index * vectorBytes)),
  };
}
