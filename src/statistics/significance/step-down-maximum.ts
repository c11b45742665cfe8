/** P values of tests made together, from the same arrangements of the data. */
export interface StepDownMaximum {
  /** The statistics of one arrangement, in the order of the observed ones; larger is more extreme. */
  add(statistics: Float64Array): void;
  /** Raw and adjusted, in the order of the observed ones; null where the observed one is null. */
  pValues(): readonly { readonly pValue: number | null; readonly adjustedPValue: number | null }[];
}

/**
 * The step-down maxT method: adjusted p values that keep the chance of even one false finding at the level and know how the
 * tests depend on each other, which Holm's correction cannot (P. Westfall and S. Young, "Resampling-based multiple
 * testing", 1993, algorithm 2.8; as Y. Ge, S. Dudoit and T. Speed, Test 12, 2003, box 2). The observed arrangement counts
 * as one more: no p value is 0.
 *
 * @param observed larger is more extreme, may be infinite; null where there is no test
 * @param takesPart whether a test is corrected with the others; one that is not has a raw p value alone. All are if absent
 * @example
 * const tests = stepDownMaximum([3.1, null, .4]);
 * for (const statistics of arrangements) tests.add(statistics);
 * tests.pValues()[0].adjustedPValue
 */
export function stepDownMaximum(
  observed: ArrayLike<number | null>,
  takesPart: (place: number) => boolean = () => true,
): StepDownMaximum {
  // By rank in arrays: this goes through millions of statistics.
  const order = Uint32Array.from(
    Array.from({ length: observed.length }, (_, place) => place)
      .filter((place) => observed[place] !== null)
      .sort((a, b) => observed[b]! - observed[a]! || a - b),
  );
  const isCorrected = Uint8Array.from(order, (place) => (takesPart(place) ? 1 : 0));
  // Sums in another order may differ in the last digits.
  const thresholds = Float64Array.from(order, (place) => {
    const statistic = observed[place]!;
    return Number.isFinite(statistic) ? statistic - 1e-9 * (1 + Math.abs(statistic)) : statistic;
  });
  const raw = new Float64Array(order.length);
  const together = new Float64Array(order.length);
  let arrangements = 0;
  return {
    add(statistics) {
      arrangements++;
      let largest = Number.NEGATIVE_INFINITY;
      for (let rank = order.length - 1; rank >= 0; rank--) {
        const statistic = statistics[order[rank]!]!;
        if (isCorrected[rank] === 1 && statistic > largest) largest = statistic;
        if (statistic >= thresholds[rank]!) raw[rank]!++;
        if (largest >= thresholds[rank]!) together[rank]!++;
      }
    },
    pValues() {
      const found = Array.from(
        { length: observed.length },
        (): { pValue: number | null; adjustedPValue: number | null } => ({ pValue: null, adjustedPValue: null }),
      );
      let highest = 0;
      order.forEach((place, rank) => {
        const pValue = (raw[rank]! + 1) / (arrangements + 1);
        if (isCorrected[rank] === 1) highest = Math.max(highest, (together[rank]! + 1) / (arrangements + 1));
        found[place] = { pValue, adjustedPValue: isCorrected[rank] === 1 ? highest : null };
      });
      return found;
    },
  };
}
