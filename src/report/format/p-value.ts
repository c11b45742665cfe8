/**
 * A p-value without its leading zero, three decimals, never `.000`.
 *
 * @throws RangeError outside [0, 1]
 * @example formatPValue(0.0341) // '.034'
 * @example formatPValue(1e-9) // '< .001'
 */
export function formatPValue(value: number): string {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`expected a p-value from 0 to 1, got ${value}`);
  if (value < 0.001) return '< .001';
  if (value > 0.9995) return '> .999';
  return value.toFixed(3).slice(1);
}

/** The same as part of a sentence: `p = .034`, `p < .001`. */
export function pValuePhrase(value: number, name = 'p'): string {
  const text = formatPValue(value);
  return text.startsWith('.') ? `${name} = ${text}` : `${name} ${text}`;
}
