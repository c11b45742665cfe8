import { saturate16 } from '../fixed-point.ts';
import { adapt, createPredictor } from './predictor.ts';
import { nextLogStep, stepSize } from './step-size.ts';

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
  6: Int32Array.of(
    -136,
    -136,
    -136,
    -136,
    -24808,
    -21904,
    -19008,
    -16704,
    -14984,
    -13512,
    -12280,
    -11192,
    -10232,
    -9360,
    -8576,
    -7856,
    -7192,
    -6576,
    -6000,
    -5456,
    -4944,
    -4464,
    -4008,
    -3576,
    -3168,
    -2776,
    -2400,
    -2032,
    -1688,
    -1360,
    -1040,
    -728,
    24808,
    21904,
    19008,
    16704,
    14984,
    13512,
    12280,
    11192,
    10232,
    9360,
    8576,
    7856,
    7192,
    6576,
    6000,
    5456,
    4944,
    4464,
    4008,
    3576,
    3168,
    2776,
    2400,
    2032,
    1688,
    1360,
    1040,
    728,
    432,
    136,
    -432,
    -136,
  ),
  5: Int32Array.of(
    -280,
    -280,
    -23352,
    -17560,
    -14120,
    -11664,
    -9752,
    -8184,
    -6864,
    -5712,
    -4696,
    -3784,
    -2960,
    -2208,
    -1520,
    -880,
    23352,
    17560,
    14120,
    11664,
    9752,
    8184,
    6864,
    5712,
    4696,
    3784,
    2960,
    2208,
    1520,
    880,
    280,
    -280,
  ),
  4: Int32Array.of(0, -20456, -12896, -8968, -6288, -4240, -2584, -1200, 20456, 12896, 8968, 6288, 4240, 2584, 1200, 0),
} as const;

/** What the upper 4 bits of a code do to the logarithm of the step size (tables WL and RL42). */
const worths = Int32Array.of(-60, 3042, 1198, 538, 334, 172, 58, -30, 3042, 1198, 538, 334, 172, 58, -30, -60);
// biome-ignore-end format: tables of the recommendation, in its order

/** Bits of a code of the lower band that reach the decoder. */
export type LowerBits = keyof typeof values;

/**
 * The lower band there and back, one value every 1/8000 s. Encoder and decoder adapt by the upper 4 bits of a code, so that
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
