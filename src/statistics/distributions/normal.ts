// Rational approximations of W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23
// (1969), scaled to the normal distribution: near 0, up to the square root of 32, and beyond.
const centralOver = [
  18154.98125334356, 1067.6894854603709, 161.02823106855587, 2.2352520354606837, 0.06568233791820745,
];
const centralUnder = [45507.78933502673, 10260.932208618979, 976.0985517377767, 47.202581904688245, 1];
const middleOver = [
  9842.714838383978, 11602.65143764735, 6848.190450536283, 2494.5375852903726, 597.2702763948002, 93.50665613217785,
  8.883149794388377, 0.39894151208813466, 1.0765576773720192e-8,
];
const middleUnder = [
  19685.429676859992, 38912.00328609327, 34900.95272114598, 18615.571640885097, 6485.558298266761, 1519.3775994075547,
  235.387901782625, 22.266688044328117, 1,
];
const farOver = [
  2.9112874951168793e-5, 0.0014216191932278934, 0.022235277870649807, 0.12740116116024736, 0.215898534057957,
  0.023073441764940174,
];
const farUnder = [
  7.297515550839662e-5, 0.0037823963320275824, 0.06598813786892856, 0.4682382124808651, 1.284260096144911, 1,
];
const reciprocalRootTwoPi = 0.3989422804014327;

/** The upper tail of the standard normal distribution for x > 0, exact to the last digits far out too. */
function tail(x: number): number {
  let ratio: number;
  if (x < Math.sqrt(32)) {
    ratio = polynomial(middleOver, x) / polynomial(middleUnder, x);
  } else {
    const inverseSquare = 1 / (x * x);
    const correction = (inverseSquare * polynomial(farOver, inverseSquare)) / polynomial(farUnder, inverseSquare);
    ratio = (reciprocalRootTwoPi - correction) / x;
  }
  // The square is split, so that its rounding does not reach the exponential.
  const rounded = Math.trunc(x * 16) / 16;
  const rest = (x - rounded) * (x + rounded);
  return Math.exp((-rounded * rounded) / 2) * Math.exp(-rest / 2) * ratio;
}

/**
 * The probability that a standard normal value is at most `x`. Relative error about 1e-15, in the lower tail too.
 *
 * @example normalCdf(1.959963984540054) // .975
 */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return Number.NaN;
  if (Math.abs(x) <= 0.67448975) {
    const square = x * x;
    return 0.5 + (x * polynomial(centralOver, square)) / polynomial(centralUnder, square);
  }
  return x < 0 ? tail(-x) : 1 - tail(x);
}

/** The probability that a standard normal value exceeds `x`, without the loss of digits of 1 - normalCdf(x). */
export function normalUpperTail(x: number): number {
  return normalCdf(-x);
}

// M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37 (1988), PPND16.
const nearOver = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
  33430.57558358813, 2509.0809287301227,
];
const nearUnder = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
  5226.495278852854,
];
const outerOver = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
];
const outerUnder = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];
const tailOver = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
];
const tailUnder = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
  1.421511758316446e-7, 2.0442631033899397e-15,
];

/**
 * The value that a standard normal one stays below with a probability: the inverse of `normalCdf`. Relative error about
 * 1e-15. Minus and plus infinity at 0 and 1, NaN outside.
 *
 * @example normalQuantile(.975) // 1.959963984540054
 */
export function normalQuantile(probability: number): number {
  if (!(probability >= 0 && probability <= 1)) return Number.NaN;
  if (probability === 0) return Number.NEGATIVE_INFINITY;
  if (probability === 1) return Number.POSITIVE_INFINITY;
  const centred = probability - 0.5;
  if (Math.abs(centred) <= 0.425) {
    const place = 0.180625 - centred * centred;
    return (centred * polynomial(nearOver, place)) / polynomial(nearUnder, place);
  }
  const depth = Math.sqrt(-Math.log(Math.min(probability, 1 - probability)));
  const size =
    depth <= 5
      ? polynomial(outerOver, depth - 1.6) / polynomial(outerUnder, depth - 1.6)
      : polynomial(tailOver, depth - 5) / polynomial(tailUnder, depth - 5);
  return centred < 0 ? -size : size;
}

/** The value at `x` of a polynomial whose coefficients are given from the constant upwards (Horner's rule). */
function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (let power = coefficients.length - 1; power >= 0; power--) value = value * x + coefficients[power]!;
  return value;
}
