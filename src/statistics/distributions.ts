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

/** What Stirling's formula leaves out of log gamma, for x of at least 10: NIST Handbook 5.11.1. */
function stirlingRest(x: number): number {
  const inverseSquare = 1 / (x * x);
  return (
    (1 / 12 -
      inverseSquare *
        (1 / 360 - inverseSquare * (1 / 1260 - inverseSquare * (1 / 1680 - (inverseSquare * 1) / 1188)))) /
    x
  );
}

/**
 * The natural logarithm of the beta function for positive arguments. The three log gammas are not simply added up, since
 * for large arguments their digits would cancel (A. DiDonato and A. Morris, "Algorithm 708", ACM TOMS 18, 1992).
 *
 * @example Math.exp(logBeta(2, 3)) // 1/12
 */
export function logBeta(a: number, b: number): number {
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  if (large < 10) return logGamma(small) + logGamma(large) - logGamma(small + large);
  const rest = stirlingRest(large) - stirlingRest(small + large);
  const share = small / (small + large);
  if (small < 10) {
    return logGamma(small) + rest + small - small * Math.log(small + large) + (large - 0.5) * Math.log1p(-share);
  }
  const corrections = stirlingRest(small) + rest + Math.log(2 * Math.PI) / 2 - Math.log(large) / 2;
  return corrections + (small - 0.5) * Math.log(share) + large * Math.log1p(-share);
}

/**
 * The regularized incomplete beta function: the probability that a beta variable with parameters `a` and `b` is at most
 * `x`. By the continued fraction of the NIST Handbook (8.17.22) in the evaluation of Lentz (Applied Optics 15, 1976), on the
 * side where it converges fast.
 *
 * @param x from 0 to 1
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (!(x >= 0 && x <= 1 && a > 0 && b > 0)) return Number.NaN;
  if (x === 0 || x === 1) return x;
  // Not by asking again from the other side: where x is the border itself, rounding may put both beyond it.
  return x > (a + 1) / (a + b + 2) ? 1 - betaFraction(1 - x, b, a) : betaFraction(x, a, b);
}

function betaFraction(x: number, a: number, b: number): number {
  const front = Math.exp(-logBeta(a, b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  const tiny = 1e-300;
  const away = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let over = 1;
  let under = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = under;
  for (let step = 1; step < 10_000; step++) {
    const even = (step * (b - step) * x) / ((a + 2 * step - 1) * (a + 2 * step));
    under = 1 / away(1 + even * under);
    over = away(1 + even / over);
    fraction *= under * over;
    const odd = (-(a + step) * (a + b + step) * x) / ((a + 2 * step) * (a + 2 * step + 1));
    under = 1 / away(1 + odd * under);
    over = away(1 + odd / over);
    const change = under * over;
    fraction *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return front * fraction;
}

/**
 * The probability that a chi-square variable with a whole number of degrees of freedom exceeds `x`: the finite sums of the
 * NIST Handbook 8.4.10 and 8.4.11, in which nothing cancels.
 *
 * @param x at least 0
 * @param degreesOfFreedom whole, at least 1
 * @example chiSquareUpperTail(3.841458820694124, 1) // .05
 */
export function chiSquareUpperTail(x: number, degreesOfFreedom: number): number {
  if (!(x >= 0) || !Number.isInteger(degreesOfFreedom) || degreesOfFreedom < 1) return Number.NaN;
  if (x === 0) return 1;
  if (x === Number.POSITIVE_INFINITY) return 0;
  const odd = degreesOfFreedom % 2 === 1;
  // Terms x^(k/2) exp(-x/2) over their gamma function, by their logarithms: exp(-x/2) alone may be 0.
  let logTerm = odd ? Math.log((2 * x) / Math.PI) / 2 - x / 2 : -x / 2;
  let sum = odd ? 2 * normalUpperTail(Math.sqrt(x)) : 0;
  for (let order = odd ? 3 : 2; order <= degreesOfFreedom; order += 2) {
    sum += Math.exp(logTerm);
    logTerm += Math.log(x / order);
  }
  return Math.min(1, sum);
}

/** The probability that a Student t variable exceeds `x`. `degreesOfFreedom` > 0, need not be whole. */
export function studentUpperTail(x: number, degreesOfFreedom: number): number {
  const outside = incompleteBeta(degreesOfFreedom / (degreesOfFreedom + x * x), degreesOfFreedom / 2, 0.5);
  return x > 0 ? outside / 2 : 1 - outside / 2;
}

/**
 * The value that a Student t variable stays below with a probability.
 * Newton steps on the logarithm of the tail (convex there, so that they cannot overshoot for long), from the normal value
 * widened by its first correction (E. A. Cornish and R. A. Fisher, 1938).
 *
 * @example studentQuantile(.975, 10) // 2.228138851964939
 */
export function studentQuantile(probability: number, degreesOfFreedom: number): number {
  if (!(probability >= 0 && probability <= 1) || !(degreesOfFreedom > 0)) return Number.NaN;
  if (probability === 0.5) return 0;
  if (probability === 0 || probability === 1) return probability === 0 ? -Infinity : Infinity;
  const upper = Math.min(probability, 1 - probability);
  const sign = probability < 0.5 ? -1 : 1;
  if (degreesOfFreedom === 1) return sign / Math.tan(Math.PI * upper);
  const logDensityFactor = -logBeta(degreesOfFreedom / 2, 0.5) - Math.log(degreesOfFreedom) / 2;
  const normal = -normalQuantile(upper);
  let x = Math.max(1e-6, normal + (normal ** 3 + normal) / (4 * degreesOfFreedom));
  for (let step = 0; step < 200; step++) {
    const above = studentUpperTail(x, degreesOfFreedom);
    const density = Math.exp(logDensityFactor - ((degreesOfFreedom + 1) / 2) * Math.log1p((x * x) / degreesOfFreedom));
    const change = (Math.log(above / upper) * above) / density;
    const next = x + change > 0 ? Math.min(x + change, 2 * x + 1) : x / 2;
    if (Math.abs(next - x) <= 1e-15 * next) return sign * next;
    x = next;
  }
  return sign * x;
}
