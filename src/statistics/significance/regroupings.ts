import type { Random } from '../../base/random.ts';
import { requirePermutations } from './arrangements.ts';

/**
 * Calls with the sums of the columns of a table over `taken` of its rows: with every choice of rows where there are at most
 * `permutations`, else with so many random ones.
 *
 * @param table row after row
 * @param width columns of it
 * @param taken at most half of the rows, so that little is drawn
 * @param call must not keep the sums
 */
export function eachRegrouping(
  table: Float64Array,
  width: number,
  taken: number,
  permutations: number,
  random: Random,
  call: (sums: Float64Array) => void,
): { readonly arrangements: number; readonly exact: boolean } {
  requirePermutations(permutations);
  const units = table.length / width;
  let ways = 1;
  for (let place = 1; place <= taken && ways <= permutations; place++) ways = (ways * (units - taken + place)) / place;
  if (Math.round(ways) <= permutations) {
    const sumsAt = Array.from({ length: taken + 1 }, () => new Float64Array(width));
    let arrangements = 0;
    const take = (from: number, depth: number) => {
      const sums = sumsAt[depth]!;
      if (depth === taken) {
        call(sums);
        arrangements++;
        return;
      }
      const next = sumsAt[depth + 1]!;
      for (let unit = from; unit <= units - (taken - depth); unit++) {
        for (let column = 0; column < width; column++) next[column] = sums[column]! + table[unit * width + column]!;
        take(unit + 1, depth + 1);
      }
    };
    take(0, 0);
    return { arrangements, exact: true };
  }
  const order = Uint32Array.from({ length: units }, (_, unit) => unit);
  const sums = new Float64Array(width);
  for (let permutation = 0; permutation < permutations; permutation++) {
    sums.fill(0);
    // The front of a shuffle; any order is as good a start for the next one.
    for (let place = 0; place < taken; place++) {
      const drawn = place + random.integer(units - place);
      const unit = order[drawn]!;
      order[drawn] = order[place]!;
      order[place] = unit;
      for (let column = 0; column < width; column++) sums[column]! += table[unit * width + column]!;
    }
    call(sums);
  }
  return { arrangements: permutations, exact: false };
}
