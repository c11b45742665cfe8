// C. Lanczos, "A precision approximation of the gamma function", SIAM J. Numer. Anal. B 1 (1964), with g = 607/128 and the
// 15 coefficients of P. Godfrey (2001); relative error below 1e-14.
const shift = 607 / 128;
const coefficients = [
  0.9999999999999971, 57.15623566586292, -59.59796035547549, 14.136097974741746, -0.4919138160976202,
  3.399464998481189e-5, 4.652362892704858e-5, -9.837447530487956e-5, 0.0001580887032249125, -0.00021026444172410488,
  0.00021743961811521265, -0.0001643181065367639, 8.441822398385275e-5, -2.6190838401581408e-5, 3.6899182659531625e-6,
];

/**
 * The natural logarithm of the gamma function for x > 0; NaN elsewhere.
 *
 * @example Math.exp(logGamma(5)) // 24
 */
export function logGamma(x: number): number {
  if (!(x > 0)) return Number.NaN;
  if (x < 0.5) return logGamma(x + 1) - Math.log(x);
  let sum = coefficients[0]!;
  for (let index = 1; index < coefficients.length; index++) sum += coefficients[index]! / (x - 1 + index);
  const base = x - 0.5 + shift;
  return (x - 0.5) * Math.log(base) - base + Math.log(Math.sqrt(2 * Math.PI) * sum);
}
