import type { RobustnessValue } from './degradation.ts';

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
