/** A number of Speech Robust Bench that may not exist: null always comes with a reason. */
export interface RobustnessValue {
  readonly value: number | null;
  readonly reason?: string;
}

/**
 * WERD, word error rate degradation (M. A. Shah et al., "Speech Robust Bench", arXiv 2403.07937v3, appendix B): the word
 * error rate under a perturbation less that of the clean sound of the same data set. Negative where the perturbation
 * helped. The paper's program takes 0 for every negative value, so that gains never show: `clipped` is that variant.
 *
 * @param perturbed word error rate as a share (2.05 is 205 %), of counts pooled over the utterances
 * @param clean the same; for recordings that have no clean version the paper takes the least clean rate that the
 * recognizer has in any data set
 * @throws RangeError for a rate below 0 or not finite
 * @example wordErrorRateDegradation(.3, .1).value // .2
 */
export function wordErrorRateDegradation(
  perturbed: number | null,
  clean: number | null,
  options: { readonly clipped?: boolean } = {},
): RobustnessValue {
  checkRate(perturbed);
  checkRate(clean);
  if (perturbed === null) return { value: null, reason: 'there is no word error rate under the perturbation' };
  if (clean === null) return { value: null, reason: 'there is no word error rate of the clean sound' };
  const difference = perturbed - clean;
  return { value: options.clipped ? Math.max(0, difference) : difference };
}

/**
 * NWER and NWERD, the word error rate or its degradation divided by how hard the scenario is (Speech Robust Bench, appendix
 * B), so that errors on easy scenarios weigh more. 1 is a rate of as many per cent as the difficulty has points; the paper
 * prints it times 100: 205 % over 29.29 points is 7, printed 700.
 *
 * Difficulty is a shifted z-score, so for the mildest scenarios it comes near 0 and the quotient explodes. It is null for a
 * difficulty of 0 or less. Compare recognizers by WERD with an interval first, and keep the table of difficulties fixed.
 *
 * @param rate WER or WERD as a share
 * @param difficulty points, 5 to 100 and a little more in use: `qualityDifficulty` or `createDifficultyTable`
 * @throws RangeError for numbers that are not finite
 * @example normalizeByDifficulty(2.05, 29.29).value // 7.0
 */
export function normalizeByDifficulty(rate: number | null, difficulty: number | null): RobustnessValue {
  for (const value of [rate, difficulty]) {
    if (value !== null && !Number.isFinite(value))
      throw new RangeError(`expected numbers that are finite, but got ${value}`);
  }
  if (rate === null) return { value: null, reason: 'there is no rate to be normalized' };
  if (difficulty === null) return { value: null, reason: 'the difficulty of the scenario is not known' };
  if (difficulty <= 0) return { value: null, reason: `the difficulty of the scenario is ${difficulty}, not above 0` };
  return { value: (100 * rate) / difficulty };
}

/**
 * LWERR, the logarithm to base 2 of the ratio of two groups' word error rates (Speech Robust Bench, section 3.3: women over
 * men; positive is worse for the first group, 1 is twice as many errors). For a category of scenarios the paper averages
 * each group's rates, unweighted, and takes the ratio then.
 *
 * A rate of 0 in either group leaves it undefined. The paper gives no interval; `statistics` has one.
 *
 * @throws RangeError for a rate below 0 or not finite
 * @example logErrorRateRatio(.2, .1).value // 1
 */
export function logErrorRateRatio(first: number | null, second: number | null): RobustnessValue {
  checkRate(first);
  checkRate(second);
  if (first === null || second === null) return { value: null, reason: 'a group has no word error rate' };
  if (first === 0 || second === 0) return { value: null, reason: 'a group has no errors' };
  return { value: Math.log2(first / second) };
}

function checkRate(rate: number | null): void {
  if (rate !== null && !(rate >= 0 && Number.isFinite(rate))) {
    throw new RangeError(`expected a rate of 0 or more, but got ${rate}`);
  }
}

/** A value of one scenario with the category it belongs to. */
export interface ScenarioValue {
  readonly category: string;
  readonly value: number | null;
}

/** Unweighted means over scenarios and then over categories. */
export interface CategoryMeans {
  readonly categories: readonly (RobustnessValue & {
    readonly category: string;
    readonly scenarios: number;
    /** Left out because they have no value. */
    readonly missing: number;
  })[];
  /** Mean of the categories that have a value: `AVG` of the paper's Table 1. */
  readonly overall: RobustnessValue;
}

/**
 * Averages as Speech Robust Bench prints them (Table 1): the value of a category is the unweighted mean over its data sets,
 * perturbations and severities; the overall value the unweighted mean of the categories, however many scenarios each has.
 * Scenarios without a value are left out and counted.
 *
 * @throws RangeError for a value that is not finite
 * @example categoryMeans([{ category: 'noise', value: 1 }, { category: 'noise', value: 3 }, { category: 'rooms', value: 8 }])
 *   .overall.value // 5
 */
export function categoryMeans(values: Iterable<ScenarioValue>): CategoryMeans {
  const byCategory = new Map<string, { sum: number; count: number; missing: number }>();
  for (const { category, value } of values) {
    if (value !== null && !Number.isFinite(value))
      throw new RangeError(`expected values that are finite, but got ${value}`);
    const entry = byCategory.get(category) ?? { sum: 0, count: 0, missing: 0 };
    if (value === null) entry.missing++;
    else {
      entry.sum += value;
      entry.count++;
    }
    byCategory.set(category, entry);
  }
  const categories = [...byCategory].map(([category, { sum, count, missing }]) => ({
    category,
    scenarios: count,
    missing,
    ...(count === 0 ? { value: null, reason: 'no scenario has a value' } : { value: sum / count }),
  }));
  const known = categories.flatMap(({ value }) => value ?? []);
  return {
    categories,
    overall:
      known.length === 0
        ? { value: null, reason: 'no category has a value' }
        : { value: known.reduce((sum, value) => sum + value, 0) / known.length },
  };
}
