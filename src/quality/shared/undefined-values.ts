import type { MeasuredQuality } from '../contract.ts';

/**
 * The answer where none of a measure's values exists.
 *
 * @param values the measure's declared values
 * @example return undefinedValues(stoi.values, 'the clip is digital silence');
 */
export function undefinedValues(values: Readonly<Record<string, string>>, reason: string): MeasuredQuality {
  return { values: Object.fromEntries(Object.keys(values).map((name) => [name, null])), reason };
}
