/**
 * How a report names the correction: over how many comparisons it was made, which those without a test are none of.
 *
 * @example holmName([0.01, null, 0.3]) // 'Holm correction over 2'
 */
export function holmName(pValues: readonly (number | null)[]): string {
  return `Holm correction over ${pValues.filter((pValue) => pValue !== null).length}`;
}
