import type { Random } from '../../base/random.ts';

/** Numbers kept for each unit: a value, numerator and denominator of a count, or those of two counts that are compared. */
export type Width = 1 | 2 | 4;

/** What has to be resampled. Each resample has a seed of its own: the parts of a plan can be made in any order, with the same result. */
export interface ResamplingPlan {
  /** `width` numbers for each unit (speaker, observation), one unit after another; at most 65,535 units. */
  readonly table: Float64Array;
  readonly width: Width;
  /** Two numbers for each resample: state and stream of its generator. */
  readonly seeds: Int32Array;
  /** Columns whose sum must be above 0: other resamples have no value, and are drawn again. */
  readonly positive: readonly number[];
}

/**
 * A plan of so many resamples of a table.
 *
 * @param positive must hold for some resample
 * @throws RangeError for more than 65,535 units
 */
export function planResampling(
  table: Float64Array,
  width: Width,
  positive: readonly number[],
  resamples: number,
  random: Random,
): ResamplingPlan {
  const units = table.length / width;
  if (units > 65_535) throw new RangeError(`expected at most 65535 units to resample, but got ${units}`);
  const seeds = new Int32Array(2 * resamples);
  for (let place = 0; place < seeds.length; place++) seeds[place] = random.next() * 4294967296;
  return { table, width, seeds, positive };
}

/**
 * The sums over the resamples from `from` to `end` (not included) of a plan: units are drawn with replacement, as many as
 * there are; `width` sums for each resample.
 *
 * @example resamplePart(plan, 0, 5000) // the first half of 10,000
 */
export function resamplePart(plan: ResamplingPlan, from: number, end: number): Float64Array<ArrayBuffer> {
  const { table, width, seeds, positive } = plan;
  const units = table.length / width;
  const sums = new Float64Array((end - from) * width);
  const source: WordSource = { state: 0, stream: 1 };
  const drawPairs = width === 1 ? sumsOfOne : width === 2 ? sumsOfTwo : sumsOfFour;
  for (let resample = from; resample < end; resample++) {
    source.state = seeds[2 * resample]!;
    source.stream = seeds[2 * resample + 1]! | 1;
    const target = (resample - from) * width;
    do {
      drawPairs(table, units, source, sums, target);
      if (units % 2 === 1) addOne(table, width, units, source, sums, target);
    } while (!hasValue(sums, target, positive));
  }
  return sums;
}

function hasValue(sums: Float64Array, target: number, positive: readonly number[]): boolean {
  for (const column of positive) if (!(sums[target + column]! > 0)) return false;
  return true;
}

function addOne(
  table: Float64Array,
  width: number,
  units: number,
  source: WordSource,
  sums: Float64Array,
  target: number,
): void {
  const place = nextIndex(source, units) * width;
  for (let column = 0; column < width; column++) sums[target + column]! += table[place + column]!;
}

// The sums of pairs of draws. One loop for each width, with the generator of `nextWord` written into it: a loop that asks
// for the width, or calls for each of the millions of draws, takes twice the time. Each half of a random word gives one
// index as in `nextIndex`, and has sums of its own, so that additions need not wait for each other.

function sumsOfOne(table: Float64Array, units: number, source: WordSource, sums: Float64Array, target: number): void {
  const favoured = 65_536 % units;
  const stream = source.stream;
  let state = source.state;
  let first = 0;
  let otherFirst = 0;
  for (let left = units; left > 1; ) {
    state = (Math.imul(state, 747796405) + stream) | 0;
    const mixed = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737);
    const bits = (mixed >>> 22) ^ mixed;
    const low = Math.imul(bits & 65_535, units);
    const high = Math.imul(bits >>> 16, units);
    if ((low & 65_535) < favoured || (high & 65_535) < favoured) continue;
    first += table[low >>> 16]!;
    otherFirst += table[high >>> 16]!;
    left -= 2;
  }
  sums[target] = first + otherFirst;
  source.state = state;
}

function sumsOfTwo(table: Float64Array, units: number, source: WordSource, sums: Float64Array, target: number): void {
  const favoured = 65_536 % units;
  const stream = source.stream;
  let state = source.state;
  let first = 0;
  let second = 0;
  let otherFirst = 0;
  let otherSecond = 0;
  for (let left = units; left > 1; ) {
    state = (Math.imul(state, 747796405) + stream) | 0;
    const mixed = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737);
    const bits = (mixed >>> 22) ^ mixed;
    const low = Math.imul(bits & 65_535, units);
    const high = Math.imul(bits >>> 16, units);
    if ((low & 65_535) < favoured || (high & 65_535) < favoured) continue;
    const one = (low >>> 16) << 1;
    const two = (high >>> 16) << 1;
    first += table[one]!;
    second += table[one + 1]!;
    otherFirst += table[two]!;
    otherSecond += table[two + 1]!;
    left -= 2;
  }
  sums[target] = first + otherFirst;
  sums[target + 1] = second + otherSecond;
  source.state = state;
}

function sumsOfFour(table: Float64Array, units: number, source: WordSource, sums: Float64Array, target: number): void {
  const favoured = 65_536 % units;
  const stream = source.stream;
  let state = source.state;
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let left = units; left > 1; ) {
    state = (Math.imul(state, 747796405) + stream) | 0;
    const mixed = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737);
    const bits = (mixed >>> 22) ^ mixed;
    const low = Math.imul(bits & 65_535, units);
    const high = Math.imul(bits >>> 16, units);
    if ((low & 65_535) < favoured || (high & 65_535) < favoured) continue;
    const one = (low >>> 16) << 2;
    const two = (high >>> 16) << 2;
    first += table[one]!;
    second += table[one + 1]!;
    third += table[one + 2]!;
    fourth += table[one + 3]!;
    first += table[two]!;
    second += table[two + 1]!;
    third += table[two + 2]!;
    fourth += table[two + 3]!;
    left -= 2;
  }
  sums[target] = first;
  sums[target + 1] = second;
  sums[target + 2] = third;
  sums[target + 3] = fourth;
  source.state = state;
}

/** A stream of random 32-bit words; its state is changed by drawing. */
interface WordSource {
  state: number;
  /** Odd: which of the generator's sequences. */
  stream: number;
}

/**
 * The next 32 random bits: PCG-RXS-M-XS-32 (M. O'Neill, "PCG: a family of simple fast space-efficient statistically good
 * algorithms for random number generation", 2014).
 */
function nextWord(source: WordSource): number {
  const state = (Math.imul(source.state, 747796405) + source.stream) | 0;
  source.state = state;
  const mixed = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737);
  return (mixed >>> 22) ^ mixed;
}

/**
 * A whole number from 0 to `bound - 1`, each alike likely: the upper half of a word times the bound, thrown away where that
 * would favour some number (D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019).
 *
 * @param bound from 1 to 65,535
 */
export function nextIndex(source: WordSource, bound: number): number {
  const favoured = 65_536 % bound;
  for (;;) {
    const product = Math.imul(nextWord(source) >>> 16, bound);
    if ((product & 65_535) >= favoured) return product >>> 16;
  }
}
