/**
 * A p-value without its leading zero, three decimals, never `.000`.
 *
 * @param least what it cannot be less than, however great the difference: a p-value that is this is only known to be at most so great
 * @throws RangeError outside [0, 1]
 * @example formatPValue(0.0341) // '.034'
 * @example formatPValue(0.015625, 0.015625) // '≤ .016'
 * @example formatPValue(1e-9) // '< .001'
 */
export function formatPValue(value: number, least?: number | null): string {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`expected a p-value from 0 to 1, got ${value}`);
  if (value < 0.001) return '< .001';
  if (value > 0.9995) return '> .999';
  const digits = value.toFixed(3).slice(1);
  return least != null && value <= least * (1 + 1e-9) ? `≤ ${digits}` : digits;
}

/** The same as part of a sentence: `p = .034`, `p ≤ .016`, `p < .001`. */
export function pValuePhrase(value: number, name = 'p', least?: number | null): string {
  const text = formatPValue(value, least);
  return text.startsWith('.') ? `${name} = ${text}` : `${name} ${text}`;
}
