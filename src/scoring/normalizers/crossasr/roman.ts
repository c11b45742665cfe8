const canonical = /^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;
const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

/**
 * The value of a Roman numeral in its one proper form, 1 to 3999; undefined for anything else.
 *
 * @example romanValue('XIV') // 14
 */
export function romanValue(written: string): number | undefined {
  if (written === '' || !canonical.test(written)) return undefined;
  let total = 0;
  for (let index = 0; index < written.length; index++) {
    const value = values[written[index]!]!;
    const next = values[written[index + 1] ?? ''] ?? 0;
    total += value < next ? -value : value;
  }
  return total;
}
