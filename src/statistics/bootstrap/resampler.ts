import type { Random } from '../../base/random.ts';

/** Numbers kept for each cluster: numerator and denominator of one count, or of two that are compared. */
export type Width = 2 | 4;

/**
 * Sums over resampled clusters, many times: clusters are drawn with replacement, as many as there are.
 *
 * The draws come from a generator written into the loop, since a call for each of the millions of draws would take most
 * of the time: PCG-RXS-M-XS-32 (M. O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms
 * for random number generation", 2014), which begins anew for each resample with a state and a stream from `random`. Each
 * half of its numbers gives one index by multiplication, halves that would favour some index being thrown away (D.
 * Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019).
 *
 * @param table `width` numbers for each cluster, one cluster after another; at most 65,535 clusters
 * @param accept whether the sums have a rate; others are drawn again. It must hold for some resample.
 * @param receive takes the sums of each resample
 */
export function resampleSums(
  table: Float64Array,
  width: Width,
  resamples: number,
  random: Random,
  accept: (sums: Float64Array) => boolean,
  receive: (sums: Float64Array, resample: number) => void,
): void {
  const clusters = (table.length / width) | 0;
  if (clusters > 65_535) throw new RangeError(`expected at most 65535 clusters, but got ${clusters}`);
  const sums = new Float64Array(width);
  const word = () => (random.next() * 4294967296) | 0;
  const drawSums = width === 2 ? sumsOfTwo : sumsOfFour;
  let resample = 0;
  while (resample < resamples) {
    drawSums(table, clusters, word(), word() | 1, sums);
    if (accept(sums)) receive(sums, resample++);
  }
}

// One loop for each width: a loop that asks for the width takes twice the time.

/** The sums of one resample of a table of two numbers, from a state and a stream (odd). */
function sumsOfTwo(table: Float64Array, clusters: number, seed: number, stream: number, sums: Float64Array): void {
  const favoured = 65_536 % clusters;
  let state = seed;
  let first = 0;
  let second = 0;
  let drawn = 0;
  while (drawn < clusters) {
    state = (Math.imul(state, 747796405) + stream) | 0;
    const mixed = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737);
    const bits = (mixed >>> 22) ^ mixed;
    const low = Math.imul(bits & 65_535, clusters);
    if ((low & 65_535) >= favoured) {
      const place = low >>> 16;
      first += table[2 * place]!;
      second += table[2 * place + 1]!;
      drawn++;
    }
    const high = Math.imul(bits >>> 16, clusters);
    if ((high & 65_535) >= favoured && drawn < clusters) {
      const place = high >>> 16;
      first += table[2 * place]!;
      second += table[2 * place + 1]!;
      drawn++;
    }
  }
  sums[0] = first;
  sums[1] = second;
}

/** As `sumsOfTwo`, for a table of four numbers. */
function sumsOfFour(table: Float64Array, clusters: number, seed: number, stream: number, sums: Float64Array): void {
  const favoured = 65_536 % clusters;
  let state = seed;
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let drawn = 0;
  while (drawn < clusters) {
    state = (Math.imul(state, 747796405) + stream) | 0;
    const mixed = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737);
    const bits = (mixed >>> 22) ^ mixed;
    const low = Math.imul(bits & 65_535, clusters);
    if ((low & 65_535) >= favoured) {
      const place = low >>> 16;
      first += table[4 * place]!;
      second += table[4 * place + 1]!;
      third += table[4 * place + 2]!;
      fourth += table[4 * place + 3]!;
      drawn++;
    }
    const high = Math.imul(bits >>> 16, clusters);
    if ((high & 65_535) >= favoured && drawn < clusters) {
      const place = high >>> 16;
      first += table[4 * place]!;
      second += table[4 * place + 1]!;
      third += table[4 * place + 2]!;
      fourth += table[4 * place + 3]!;
      drawn++;
    }
  }
  sums[0] = first;
  sums[1] = second;
  sums[2] = third;
  sums[3] = fourth;
}
