/** The value at `x` of a polynomial whose coefficients are given from the constant upwards (Horner's rule). */
export function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (let power = coefficients.length - 1; power >= 0; power--) value = value * x + coefficients[power]!;
  return value;
}
