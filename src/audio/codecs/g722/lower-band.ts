import { saturate16 } from '../integers.ts';

/** 2048 x 2^(i / 32): the fine part of the logarithmic step size (ITU-T G.722, table ILB). */
const powers = Int32Array.from({ length: 32 }, (_, i) => Math.floor(2048 * 2 ** (i / 32) + 0.5));

// biome-ignore-start format: tables of the recommendation, in its order
/** Decision levels of the quantizer of 60 steps (ITU-T G.722, table Q6). */
const levels = Int32Array.of(
  0,
  35,
  72,
  110,
  150,
  190,
  233,
  276,
  323,
  370,
  422,
  473,
  530,
  587,
  650,
  714,
  786,
  858,
  940,
  1023,
  1121,
  1219,
  1339,
  1458,
  1612,
  1765,
  1980,
  2195,
  2557,
  2919,
);

/** Output values of the inverse quantizers by the code that is left of 6, 5 or 4 bits (tables QM6, QM5, QM4). */
const values = {
  6: signed(
    [-136, -136, -136, -136],
    [
      24808, 21904, 19008, 16704, 14984, 13512, 12280, 11192, 10232, 9360, 8576, 7856, 7192, 6576, 6000, 5456, 4944,
      4464, 4008, 3576, 3168, 2776, 2400, 2032, 1688, 1360, 1040, 728,
    ],
    [432, 136, -432, -136],
  ),
  5: signed(
    [-280, -280],
    [23352, 17560, 14120, 11664, 9752, 8184, 6864, 5712, 4696, 3784, 2960, 2208, 1520, 880],
    [280, -280],
  ),
  4: signed([0], [20456, 12896, 8968, 6288, 4240, 2584, 1200], [0]),
} as const;

/** Codes that stand for the negatives of sizes come first, then those of the sizes. */
function signed(first: readonly number[], sizes: readonly number[], last: readonly number[]): Int32Array {
  return Int32Array.of(...first, ...sizes.map((size) => -size), ...sizes, ...last);
}

/** What the upper 4 bits of a code do to the logarithm of the step size (tables WL and RL42). */
const worths = Int32Array.of(-60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60);
// biome-ignore-end format: tables of the recommendation, in its order

/** Bits of a code of the lower band that reach the decoder. */
export type LowerBits = keyof typeof values;

/**
 * Encodes and decodes the lower band of G.722, one value every 1/8000 s. Encoder and decoder adapt by the upper 4 bits of a code, so that
 * the lower ones may be lost on the way.
 *
 * @param bits that the decoder is given
 * @returns takes a value of 15 bits and gives the decoded one
 */
export function createLowerBand(bits: LowerBits): (value: number) => number {
  const predictor = createPredictor();
  const decodedValues = values[bits];
  const lost = 6 - bits;
  let logStep = 0;
  let step = 32;
  return (value) => {
    const { estimate } = predictor;
    const difference = saturate16(value - estimate);
    const negative = difference < 0;
    const size = negative ? -difference - 1 : difference;
    let interval = 1;
    while (interval < 30 && size >= (levels[interval]! * step) >> 12) interval++;
    const code = negative ? (interval <= 2 ? 64 : 34) - interval : 62 - interval;

    const decoded = estimate + ((step * decodedValues[code >> lost]!) >> 15);
    const adapted = (step * values[4][code >> 2]!) >> 15;
    logStep = nextLogStep(logStep, worths[code >> 2]!, 18432);
    step = stepSize(logStep, 8);
    adapt(predictor, adapted);
    return decoded > 16383 ? 16383 : decoded < -16384 ? -16384 : decoded;
  };
}

/** Adaptive prediction of one band: two poles, six zeros (ITU-T G.722, section 3.6 and 6.2.1.4). */
interface Predictor {
  /** The next value, as expected. */
  estimate: number;
  /** The part of the estimate that comes from the zeros. */
  zeroPart: number;
  readonly poles: Int32Array;
  readonly zeros: Int32Array;
  /** Quantized differences of the past, the latest first. */
  readonly differences: Int32Array;
  /** Reconstructed values of the past, the latest first. */
  readonly reconstructed: Int32Array;
  /** Partly reconstructed values of the past (without the poles' part). */
  readonly partial: Int32Array;
}

export function createPredictor(): Predictor {
  return {
    estimate: 0,
    zeroPart: 0,
    poles: new Int32Array(2),
    zeros: new Int32Array(6),
    differences: new Int32Array(6),
    reconstructed: new Int32Array(2),
    partial: new Int32Array(2),
  };
}

/**
 * Learns from the difference that was sent and expects the next value. In the recommendation's words: RECONS, PARREC,
 * UPPOL2, UPPOL1, UPZERO, FILTEP, FILTEZ, PREDIC.
 *
 * @param difference quantized, 16 bits
 */
export function adapt(predictor: Predictor, difference: number): void {
  const { poles, zeros, differences, reconstructed, partial } = predictor;
  const value = saturate16(predictor.estimate + difference);
  const part = saturate16(predictor.zeroPart + difference);

  const sameAsLast = (part ^ partial[0]!) >= 0;
  const sameAsBefore = (part ^ partial[1]!) >= 0;
  const pole = poles[0]!;
  const quadrupled = saturate16(pole << 2);
  const towards = sameAsLast ? Math.min(32767, -quadrupled) : quadrupled;
  const second = limit((sameAsBefore ? 128 : -128) + (towards >> 7) + ((poles[1]! * 32512) >> 15), 12288);
  const first = limit(saturate16((sameAsLast ? 192 : -192) + ((pole * 32640) >> 15)), saturate16(15360 - second));
  poles[0] = first;
  poles[1] = second;

  const step = difference === 0 ? 0 : 128;
  let zeroPart = 0;
  let newer = difference;
  for (let i = 0; i < 6; i++) {
    const older = differences[i]!;
    const drawn = (Math.imul(zeros[i]!, 32640) >> 15) + ((older ^ difference) >= 0 ? step : -step);
    const zero = saturate16(drawn);
    zeros[i] = zero;
    differences[i] = newer;
    zeroPart += Math.imul(zero, saturate16(newer + newer)) >> 15;
    newer = older;
  }
  predictor.zeroPart = saturate16(zeroPart);

  const before = reconstructed[0]!;
  reconstructed[0] = value;
  reconstructed[1] = before;
  partial[1] = partial[0]!;
  partial[0] = part;
  const firstPart = Math.imul(first, saturate16(value + value)) >> 15;
  const secondPart = Math.imul(second, saturate16(before + before)) >> 15;
  predictor.estimate = saturate16(saturate16(firstPart + secondPart) + predictor.zeroPart);
}

function limit(value: number, most: number): number {
  return value > most ? most : value < -most ? -most : value;
}

/**
 * The logarithm of the step size, after a code: it leaks towards 0 and moves by what the code is worth (LOGSCL, LOGSCH).
 *
 * @param most upper limit, 18432 for the lower band and 22528 for the higher
 */
export function nextLogStep(logStep: number, worth: number, most: number): number {
  const next = ((logStep * 127) >> 7) + worth;
  return next < 0 ? 0 : next > most ? most : next;
}

/**
 * Step size of a logarithm (SCALEL, SCALEH).
 *
 * @param shift 8 for the lower band, 10 for the higher
 */
export function stepSize(logStep: number, shift: number): number {
  const power = powers[(logStep >> 6) & 31]!;
  const down = shift - (logStep >> 11);
  return (down < 0 ? power << -down : power >> down) << 2;
}
