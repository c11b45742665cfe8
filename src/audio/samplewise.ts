import { keepRecent } from './kept-samples.ts';
import {
  advance,
  type Code,
  compile,
  countDown,
  createMemory,
  type FunctionScope,
  get,
  integer,
  type Kernel,
  type Local,
  set,
} from './wasm/assembler.ts';
import { doubles, lanes, loadVector, shuffle, storeVector, vectorBytes } from './wasm/vectors.ts';

/** What is done to every sample on its own, as data: several in a row are one pass over the samples. */
export interface SampleChange {
  readonly kind: 'finite' | 'count' | 'scaleSingle' | 'scale' | 'limit' | SampleSteps['rounding'];
  /** What the formula of the kind holds. */
  readonly numbers: readonly number[];
}

/** Every sample times a factor, multiplied in double precision and rounded once. Tells the largest magnitude of the products. */
export function scaling(factor: number): SampleChange {
  // The product of two numbers of single precision fits into a double: it is rounded once either way.
  return { kind: Math.fround(factor) === factor ? 'scaleSingle' : 'scale', numbers: [factor] };
}

/**
 * Every sample brought into the range from `-bound` to `bound`, which is rounded to single precision first. Tells how many were
 * beyond it.
 */
export function limiting(bound: number): SampleChange {
  return { kind: 'limit', numbers: [bound, -bound] };
}

/** How samples are rounded. */
export interface SampleSteps {
  /** What the value 1 stands for before rounding, in steps. */
  readonly scale: number;
  /** Steps from 0 to the least sample, a power of two; to the largest it is one less. */
  readonly steps: number;
  /** To the nearer of two steps, and upwards where both are as near; or towards 0. */
  readonly rounding: 'nearest' | 'truncate';
}

/**
 * Samples as whole steps hold them: each is `round(sample x scale) / steps` within the range, a zero without sign. Tells how many
 * were beyond the range.
 */
export function stepping({ scale, steps, rounding }: SampleSteps): SampleChange {
  return { kind: rounding, numbers: [scale, -steps, steps - 1, 1 / steps] };
}

const finite: SampleChange = { kind: 'finite', numbers: [] };

/**
 * Samples as changes in a row leave them, what each change tells, and whether all of them are numbers and not infinite.
 *
 * @param into where they are written, which may be the samples given; absent: a new array
 * @example changeSamples(new Float32Array([0.5, -2]), [scaling(2), limiting(1)]) // { samples: [1, -1], told: [4, 1], finite: true }
 */
export function changeSamples(
  samples: Float32Array,
  changes: readonly SampleChange[],
  into: Float32Array = new Float32Array(samples.length),
): { samples: Float32Array; told: number[]; finite: boolean } {
  const told = pass(samples, [...changes, finite], into);
  return { samples: into, told, finite: told.pop() === 0 };
}

/** The largest absolute value; 0 for no samples. What is no number is passed over. */
export function peak(samples: Float32Array): number {
  return pass(samples, [scaling(1)])[0]!;
}

/** Whether every sample is a number and not infinite. */
export function allFinite(samples: Float32Array): boolean {
  return pass(samples, [finite])[0] === 0;
}

/**
 * How many samples have at least a magnitude, which is rounded to single precision first.
 *
 * @param magnitude above 0
 * @example countFrom(new Float32Array([0.5, -1]), 1) // 1
 */
export function countFrom(samples: Float32Array, magnitude: number): number {
  return pass(samples, [{ kind: 'count', numbers: [magnitude] }])[0]!;
}

/** Samples at a time: few enough for the nearest caches. */
const blockSamples = 8192;
/** Vectors in a turn of a kernel's loop, each with a tally of its own, so that none waits for the one before. */
const unrolled = 2;
/** Where a change's numbers are: from the second on that of its tallies. */
const numbersBytes = 32;
const slotBytes = numbersBytes + unrolled * vectorBytes;

let bench: ReturnType<typeof createBench> | null = null;

/** Memory of a block of samples, with the numbers and tallies of each change behind it. */
function createBench() {
  const memory = createMemory(65536);
  const at = 4 * blockSamples;
  return {
    memory,
    staged: new Float32Array(memory.buffer, 0, blockSamples),
    singles: new Float32Array(memory.buffer, at),
    doubles: new Float64Array(memory.buffer, at),
    integers: new Int32Array(memory.buffer, at),
  };
}

/** Takes samples through changes, block by block, and writes them where there is a place for them. Gives what the changes tell. */
function pass(samples: Float32Array, changes: readonly SampleChange[], into?: Float32Array): number[] {
  bench ??= createBench();
  const kernel = kernelFor(changes);
  for (const [place, { kind, numbers }] of changes.entries()) {
    const slot = place * slotBytes;
    if (kinds[kind].isDouble) bench.doubles.set(numbers, slot / 8);
    else bench.singles.set(numbers, slot / 4);
    bench.integers.fill(0, (slot + numbersBytes) / 4, (slot + slotBytes) / 4);
  }
  const { staged } = bench;
  const together = unrolled * lanes.count;
  for (let from = 0; from < samples.length; from += blockSamples) {
    const count = Math.min(blockSamples, samples.length - from);
    staged.set(count === samples.length ? samples : samples.subarray(from, from + count));
    const turns = Math.ceil(count / together);
    staged.fill(0, count, turns * together);
    kernel(0, turns, 4 * blockSamples);
    into?.set(count === blockSamples ? staged : staged.subarray(0, count), from);
  }
  return changes.map(({ kind }, place) => {
    const [from, to] = [(place * slotBytes + numbersBytes) / 4, ((place + 1) * slotBytes) / 4];
    return kinds[kind].tell(bench!.singles.subarray(from, to), bench!.integers.subarray(from, to));
  });
}

/** What is done with a vector of samples, and what is tallied of it. */
interface Kind {
  readonly isDouble?: true;
  /** Statements that change the value in place. */
  body(value: Local, numbers: readonly Local[], tally: Local, scope: FunctionScope): readonly Code[];
  tell(singles: Float32Array, integers: Int32Array): number;
}

const largest = (singles: Float32Array): number => Math.max(...singles);
const total = (_: Float32Array, integers: Int32Array): number => integers.reduce((sum, count) => sum + count, 0);

const raise = (tally: Local, value: Local): Code => set(tally, lanes.greater(get(tally), lanes.magnitude(get(value))));
/** One more in each lane where a comparison holds: in two lanes where it is one of doubles. */
const tick = (tally: Local, comparison: Code): Code => set(tally, lanes.subtractIntegers(get(tally), comparison));

const kinds: Readonly<Record<SampleChange['kind'], Kind>> = {
  /** A number minus itself has no bit; of what is none, or infinite, that is no number. */
  finite: {
    body: (value, _, tally) => [set(tally, lanes.either(get(tally), lanes.subtract(get(value), get(value))))],
    tell: (_, integers) => integers.reduce((all, bits) => all | bits, 0),
  },
  count: {
    body: (value, [least], tally) => [tick(tally, lanes.atMost(get(least!), lanes.magnitude(get(value))))],
    tell: total,
  },
  scaleSingle: {
    body: (value, [factor], tally) => [set(value, lanes.multiply(get(value), get(factor!))), raise(tally, value)],
    tell: largest,
  },
  scale: {
    isDouble: true,
    body: (value, [factor], tally) => {
      const product = (half: Code) => doubles.toFirstLanes(doubles.multiply(half, get(factor!)));
      const halves = [doubles.ofFirstLanes(get(value)), doubles.ofLastLanes(get(value))].map(product);
      return [set(value, shuffle(halves[0]!, halves[1]!, [0, 1, 4, 5])), raise(tally, value)];
    },
    tell: largest,
  },
  limit: {
    body: (value, [bound, least], tally) => [
      tick(tally, lanes.less(get(bound!), lanes.magnitude(get(value)))),
      set(value, lanes.greater(lanes.lesser(get(value), get(bound!)), get(least!))),
    ],
    tell: total,
  },
  nearest: stepKind((exact, whole) => {
    const isHalfAbove = doubles.atMost(doubles.constant(0.5), doubles.subtract(get(exact), get(whole)));
    return [
      set(whole, doubles.floor(get(exact))),
      set(whole, doubles.add(get(whole), doubles.both(doubles.constant(1), isHalfAbove))),
    ];
  }),
  truncate: stepKind((exact, whole) => [set(whole, doubles.truncate(get(exact)))]),
};

/** Rounds to whole multiples of a step, in double precision, and counts those beyond the range of steps. */
function stepKind(toWhole: (exact: Local, whole: Local) => Code[]): Kind {
  return {
    isDouble: true,
    body(value, [scale, least, most, step], tally, scope) {
      const [exact, whole, first] = [scope.v128(), scope.v128(), scope.v128()];
      const half = (samples: Code): Code[] => [
        set(exact, doubles.multiply(samples, get(scale!))),
        ...toWhole(exact, whole),
        tick(tally, doubles.less(get(whole), get(least!))),
        tick(tally, doubles.less(get(most!), get(whole))),
        set(whole, doubles.greater(doubles.lesser(get(whole), get(most!)), get(least!))),
        // Plus 0: a zero without sign.
        set(whole, doubles.toFirstLanes(doubles.add(doubles.multiply(get(whole), get(step!)), doubles.constant(0)))),
      ];
      return [
        ...half(doubles.ofFirstLanes(get(value))),
        set(first, get(whole)),
        ...half(doubles.ofLastLanes(get(value))),
        set(value, shuffle(get(first), get(whole), [0, 1, 4, 5])),
      ];
    },
    tell: (singles, integers) => total(singles, integers) / 2,
  };
}

/** Changes a block, in place, by the formulas of kinds one after the other. Parameters: samples, turns (1 or more), first slot. */
const kernelFor = keepRecent(
  32,
  (changes: readonly SampleChange[]) => changes.map(({ kind }) => kind).join(' '),
  (changes): Kernel => {
    const { pass: kernel } = compile([
      {
        name: 'pass',
        parameters: 3,
        body(scope) {
          const [samples, turns, slots] = [0, 1, 2];
          const value = scope.v128();
          const vectors = Array.from({ length: unrolled }, (_, vector) => vector);
          const steps = changes.map((change, place) => {
            const kind = kinds[change.kind];
            const slot = place * slotBytes;
            const numbers = change.numbers.map(() => scope.v128());
            const tallies = vectors.map(() => scope.v128());
            const [precision, bytes] = kind.isDouble ? [doubles, 8] : [lanes, 4];
            return {
              begin: [
                ...numbers.map((number, each) => set(number, precision.splat(get(slots), slot + bytes * each))),
                ...tallies.map((tally, each) =>
                  set(tally, loadVector(get(slots), slot + numbersBytes + each * vectorBytes)),
                ),
              ],
              change: (vector: number) => kind.body(value, numbers, tallies[vector]!, scope),
              end: tallies.map((tally, each) =>
                storeVector(get(slots), get(tally), slot + numbersBytes + each * vectorBytes),
              ),
            };
          });
          return [
            ...steps.flatMap(({ begin }) => begin),
            countDown(turns, [
              ...vectors.flatMap((vector) => [
                set(value, loadVector(get(samples), vector * vectorBytes)),
                ...steps.flatMap(({ change }) => change(vector)),
                storeVector(get(samples), get(value), vector * vectorBytes),
              ]),
              advance(samples, integer(unrolled * vectorBytes)),
            ]),
            ...steps.flatMap(({ end }) => end),
          ];
        },
      },
    ])(bench!.memory);
    return kernel!;
  },
);
