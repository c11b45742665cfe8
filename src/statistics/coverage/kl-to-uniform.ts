/**
 * How far the amounts of groups are from being equal: the Kullback-Leibler divergence of their shares from the uniform
 * distribution, log K + sum p log p, in nats (S. Kullback and R. Leibler, Annals of Mathematical Statistics 22, 1951; the
 * balance measure of FairLENS). 0 where all are equal, log K where all lies in one of K. Groups without anything count
 * among the K and must be given as 0.
 *
 * @param amounts clips, speakers or hours of each group: say which beside the number
 * @throws RangeError for amounts that are negative or not finite
 * @example klToUniform([5, 3, 2]).value // .069
 */
export function klToUniform(amounts: readonly number[]): { readonly value: number | null; readonly reason?: string } {
  let total = 0;
  for (const amount of amounts) {
    if (!(amount >= 0 && amount < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`expected amounts of at least 0, but got ${amount}`);
    }
    total += amount;
  }
  if (amounts.length === 0) return { value: null, reason: 'there is no group' };
  if (total === 0) return { value: null, reason: 'every group is empty' };
  let value = 0;
  for (const amount of amounts) {
    const share = amount / total;
    if (share > 0) value += share * Math.log(share * amounts.length);
  }
  // Equal shares may leave a last digit below 0.
  return { value: Math.max(0, value) };
}
