/** Rows of one of two groups: for each cause the factor by which it multiplies the error rate, and the words. */
export interface GroupFactors {
  /** Causes by rows. */
  readonly factors: readonly Float64Array[];
  readonly weights: Float64Array;
}

/** More causes than this take too long: the number of sets doubles with each. */
export const mostCauses = 12;

/**
 * What each cause contributes to the logarithm of the ratio of two groups' mean error rates: the change when the cause is
 * moved from the values of the second group to those of the first, averaged over all orders in which the causes can be moved
 * (Shapley value; A. Shorrocks, "Decomposition procedures for distributional analysis", J. Economic Inequality 11, 2013). So no
 * order is preferred, and parts add up to the whole. Causes that were moved keep how they go together in the first group,
 * the others how they do in the second.
 *
 * @throws RangeError for more than 12 causes
 * @example
 * shapleyParts({ factors: [Float64Array.of(2)], weights: Float64Array.of(1) }, { factors: [Float64Array.of(1)], weights: Float64Array.of(1) })
 * // [0.693]: twice the errors
 */
export function shapleyParts(first: GroupFactors, second: GroupFactors): Float64Array {
  const causes = first.factors.length;
  if (causes > mostCauses) throw new RangeError(`expected at most ${mostCauses} causes, but got ${causes}`);
  const sets = 2 ** causes;
  const moved = logMeans(first);
  const rest = logMeans(second);
  const parts = new Float64Array(causes);
  const weights = orderShares(causes);
  for (let set = 0; set < sets; set++) {
    const size = bitCount(set);
    const value = moved[set]! + rest[sets - 1 - set]!;
    for (let cause = 0; cause < causes; cause++) {
      const inSet = (set >> cause) & 1;
      // A set counts as the end of moving a cause that is in it, and as the start of moving one that is not.
      parts[cause]! += inSet === 1 ? weights[size - 1]! * value : -weights[size]! * value;
    }
  }
  return parts;
}

/** For every set of causes (a bit for each) the logarithm of the mean product of their factors. */
function logMeans({ factors, weights }: GroupFactors): Float64Array {
  const sets = 2 ** factors.length;
  const sums = new Float64Array(sets);
  const products = new Float64Array(sets);
  for (let row = 0; row < weights.length; row++) {
    if (weights[row] === 0) continue;
    products[0] = weights[row]!;
    sums[0]! += products[0]!;
    for (let cause = 0, size = 1; cause < factors.length; cause++, size *= 2) {
      const factor = factors[cause]![row]!;
      for (let set = 0; set < size; set++) {
        const product = products[set]! * factor;
        products[size + set] = product;
        sums[size + set]! += product;
      }
    }
  }
  const all = sums[0]!;
  return sums.map((sum) => Math.log(sum / all));
}

/** In which share of all orders exactly a given set of so many others comes before a cause. */
function orderShares(causes: number): Float64Array {
  const shares = new Float64Array(Math.max(1, causes));
  let binomial = 1;
  for (let size = 0; size < causes; size++) {
    shares[size] = 1 / (causes * binomial);
    binomial = (binomial * (causes - 1 - size)) / (size + 1);
  }
  return shares;
}

function bitCount(set: number): number {
  let count = 0;
  for (let rest = set; rest > 0; rest &= rest - 1) count++;
  return count;
}
