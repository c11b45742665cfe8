import { tieSlack } from './tie-slack.ts';

/**
 * P values of comparisons made together, adjusted so that the chance of even one false finding stays at the level:
 * S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian J. Statistics 6 (1979). Holds under any
 * dependence. Comparisons without a test (null) stay null and do not count. Of ten comparisons without a difference any was
 * found in 4.8 % of 10,000 simulations (bench/calibration/tests.ts), in 3.7 % where they were correlated.
 *
 * @example holm([.01, .04, null, .03]) // [.03, .06, null, .06]
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const tested = pValues.flatMap((pValue, index) => (pValue === null ? [] : [{ pValue, index }]));
  tested.sort((a, b) => a.pValue - b.pValue);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let largest = 0;
  tested.forEach(({ pValue, index }, rank) => {
    largest = Math.max(largest, Math.min(1, pValue * (tested.length - rank)));
    adjusted[index] = largest;
  });
  return adjusted;
}

/**
 * P values of comparisons made together, adjusted so that the expected share of false findings among the findings stays at
 * the level: Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. Royal Statistical Society B 57
 * (1995). Holds for independent and positively dependent comparisons. Comparisons without a test (null) stay null and do
 * not count. Of ten comparisons, the share of false findings was 2.5 % in 10,000 simulations (bench/calibration/tests.ts)
 * where five were real, 5.0 % where none was, 4.1 % where none was and they were correlated.
 *
 * @example benjaminiHochberg([.01, .04, .03, .005]) // [.02, .04, .04, .02]
 */
export function benjaminiHochberg(pValues: readonly (number | null)[]): (number | null)[] {
  const tested = pValues.flatMap((pValue, index) => (pValue === null ? [] : [{ pValue, index }]));
  tested.sort((a, b) => b.pValue - a.pValue);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let smallest = 1;
  tested.forEach(({ pValue, index }, place) => {
    smallest = Math.min(smallest, (pValue * tested.length) / (tested.length - place));
    adjusted[index] = smallest;
  });
  return adjusted;
}

/** P values of tests made together, from the same arrangements of the data. */
interface StepDownMaximum {
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
  const thresholds = Float64Array.from(order, (place) => observed[place]! - tieSlack(observed[place]!));
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
