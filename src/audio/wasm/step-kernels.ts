import { advance, type Code, countDown, get, integer, type Local, set, type WasmFunction } from './assembler.ts';
import { doubles, loadVector, shuffle, storeVector, vectorBytes } from './vectors.ts';

/** How a number between two steps is rounded: to the nearer one, and upwards where both are as near; or towards 0. */
export type StepRounding = 'nearest' | 'truncate';

/**
 * Rounds samples, in place, to whole multiples of a step, in double precision, and counts, place by place, those beyond the
 * range of steps. Parameters: samples, vectors of them (1 or more), counts, the address of four doubles: steps in 1, least and
 * largest number of steps, and the length of a step.
 */
export function stepFunction(rounding: StepRounding): WasmFunction {
  return {
    name: rounding,
    parameters: 4,
    body(scope) {
      const [samples, vectors, counts, numbers] = [0, 1, 2, 3];
      const [value, exact, whole, beyond] = [scope.v128(), scope.v128(), scope.v128(), scope.v128()];
      const [scale, least, largest, step] = [scope.v128(), scope.v128(), scope.v128(), scope.v128()];
      const halves = [
        { samples: doubles.ofFirstLanes(get(value)), result: scope.v128() },
        { samples: doubles.ofLastLanes(get(value)), result: scope.v128() },
      ];
      return [
        ...[scale, least, largest, step].map((number, index) => set(number, doubles.splat(get(numbers), 8 * index))),
        set(beyond, loadVector(get(counts))),
        countDown(vectors, [
          set(value, loadVector(get(samples))),
          ...halves.flatMap((half) => [
            set(exact, doubles.multiply(half.samples, get(scale))),
            ...toWhole(rounding, exact, whole),
            set(beyond, doubles.subtractIntegers(get(beyond), doubles.less(get(whole), get(least)))),
            set(beyond, doubles.subtractIntegers(get(beyond), doubles.less(get(largest), get(whole)))),
            set(whole, doubles.greater(doubles.lesser(get(whole), get(largest)), get(least))),
            // Plus 0: a zero without sign.
            set(half.result, doubles.add(doubles.multiply(get(whole), get(step)), doubles.constant(0))),
          ]),
          storeVector(
            get(samples),
            shuffle(
              doubles.toFirstLanes(get(halves[0]!.result)),
              doubles.toFirstLanes(get(halves[1]!.result)),
              [0, 1, 4, 5],
            ),
          ),
          advance(samples, integer(vectorBytes)),
        ]),
        storeVector(get(counts), get(beyond)),
      ];
    },
  };
}

function toWhole(rounding: StepRounding, exact: Local, whole: Local): Code[] {
  if (rounding === 'truncate') return [set(whole, doubles.truncate(get(exact)))];
  const isHalfAbove = doubles.atMost(doubles.constant(0.5), doubles.subtract(get(exact), get(whole)));
  return [
    set(whole, doubles.floor(get(exact))),
    set(whole, doubles.add(get(whole), doubles.both(doubles.constant(1), isHalfAbove))),
  ];
}
