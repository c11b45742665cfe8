import {
  advance,
  type Code,
  compile,
  countDown,
  createMemory,
  get,
  integer,
  type Local,
  set,
  type WasmFunction,
} from './wasm/assembler.ts';
import { blockSamples, changedInBlocks } from './wasm/kernels.ts';
import { doubles, loadVector, shuffle, storeVector, vectorBytes } from './wasm/vectors.ts';

/** How samples are rounded. */
export interface SampleSteps {
  /** What the value 1 stands for before rounding, in steps. */
  readonly scale: number;
  /** Steps from 0 to the least sample, a power of two; to the largest it is one less. */
  readonly steps: number;
  readonly rounding: StepRounding;
}

let engine: ReturnType<typeof createEngine> | null = null;

/**
 * Samples as whole steps hold them: each is `round(sample x scale) / steps` within the range, a zero without sign; and how many
 * were beyond the range.
 *
 * @example inSteps(new Float32Array([0.3, 2]), { scale: 4, steps: 4, rounding: 'nearest' }) // { samples: [0.25, 0.75], beyond: 1 }
 */
export function inSteps(samples: Float32Array, steps: SampleSteps): { samples: Float32Array; beyond: number } {
  engine ??= createEngine();
  return engine(samples, steps);
}

function createEngine() {
  const numbersAt = 4 * blockSamples;
  const countsAt = numbersAt + 32;
  const memory = createMemory(countsAt + 16);
  const kernels = compile([stepFunction('nearest'), stepFunction('truncate')])(memory);
  const staged = new Float32Array(memory.buffer, 0, blockSamples);
  const numbers = new Float64Array(memory.buffer, numbersAt, 4);
  // The lower halves of 64-bit integers, which are enough.
  const counts = new Int32Array(memory.buffer, countsAt, 4);
  return (samples: Float32Array, { scale, steps, rounding }: SampleSteps) => {
    numbers.set([scale, -steps, steps - 1, 1 / steps]);
    counts.fill(0);
    const run = kernels[rounding]!;
    const changed = changedInBlocks(samples, staged, (vectors) => run(0, vectors, countsAt, numbersAt));
    return { samples: changed, beyond: counts[0]! + counts[2]! };
  };
}

/** How a number between two steps is rounded: to the nearer one, and upwards where both are as near; or towards 0. */
type StepRounding = 'nearest' | 'truncate';

/**
 * Rounds samples, in place, to whole multiples of a step, in double precision, and counts, place by place, those beyond the
 * range of steps. Parameters: samples, vectors of them (1 or more), counts, the address of four doubles: steps in 1, least and
 * largest number of steps, and the length of a step.
 */
function stepFunction(rounding: StepRounding): WasmFunction {
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
