import type { Random } from '../../base/random.ts';
import { requirePermutations } from './arrangements.ts';

/**
 * Calls with the sums of two columns over `taken` of the rows: with every choice of rows where there are at most
 * `permutations`, else with so many random ones.
 *
 * @param taken at most half of the rows, so that little is drawn
 */
export function eachRegrouping(
  numerators: Float64Array,
  denominators: Float64Array,
  taken: number,
  permutations: number,
  random: Random,
  call: (numerator: number, denominator: number) => void,
): { readonly arrangements: number; readonly exact: boolean } {
  requirePermutations(permutations);
  const units = numerators.length;
  let ways = 1;
  for (let place = 1; place <= taken && ways <= permutations; place++) ways = (ways * (units - taken + place)) / place;
  if (Math.round(ways) <= permutations) {
    let arrangements = 0;
    const take = (from: number, left: number, numerator: number, denominator: number) => {
      if (left === 0) {
        call(numerator, denominator);
        arrangements++;
        return;
      }
      for (let unit = from; unit <= units - left; unit++) {
        take(unit + 1, left - 1, numerator + numerators[unit]!, denominator + denominators[unit]!);
      }
    };
    take(0, taken, 0, 0);
    return { arrangements, exact: true };
  }
  const order = Uint32Array.from({ length: units }, (_, unit) => unit);
  for (let permutation = 0; permutation < permutations; permutation++) {
    let numerator = 0;
    let denominator = 0;
    // The front of a shuffle; any order is as good a start for the next one.
    for (let place = 0; place < taken; place++) {
      const drawn = place + random.integer(units - place);
      const unit = order[drawn]!;
      order[drawn] = order[place]!;
      order[place] = unit;
      numerator += numerators[unit]!;
      denominator += denominators[unit]!;
    }
    call(numerator, denominator);
  }
  return { arrangements: permutations, exact: false };
}
