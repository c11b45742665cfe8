import { saturate16 } from '../integers.ts';
import { adapt, createLowerBand, createPredictor, nextLogStep, stepSize } from './lower-band.ts';

/** Output values of the inverse quantizer for small and large differences (ITU-T G.722, table QM2). */
const smallValue = 1616;
const largeValue = 7408;
/** What they do to the logarithm of the step size (table WH). */
const smallWorth = -214;
const largeWorth = 798;

/** Half of the 24 taps of the filters that part the bands and join them again; the others mirror them (ITU-T G.722, table 4). */
const taps = Int32Array.of(3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11);

/** Samples by which both filters together delay the sound, at 16 kHz. */
export const g722DelaySamples = 22;

/** Rates of the three modes, in kbit/s. The lower ones let one or two bits of the lower band go. */
export type G722Rate = 64 | 56 | 48;

/**
 * Sound through G.722 there and back: two bands of ADPCM, 7 kHz wide, calculated in integers as the recommendation does.
 * The delay of its filters is taken away.
 *
 * @param integers samples of 16 bits, 16,000 of them in a second
 * @returns as many samples
 * @example codeG722(new Int16Array(320), 64)
 */
export function codeG722(integers: Int16Array, kilobitsPerSecond: G722Rate): Int16Array {
  const decoded = new Int16Array(integers.length);
  const lower = createLowerBand(kilobitsPerSecond === 64 ? 6 : kilobitsPerSecond === 56 ? 5 : 4);
  const higher = createHigherBand();
  const heard = createHistory();
  const joined = createHistory();
  for (let n = 0; n < integers.length + g722DelaySamples; n += 2) {
    push(heard, integers[n] ?? 0, integers[n + 1] ?? 0);
    const odd = halfSum(heard, 0, 0, 1);
    const even = halfSum(heard, 1, 11, -1);
    const low = lower((even + odd) >> 14);
    const high = higher((even - odd) >> 14);

    push(joined, low + high, low - high);
    const place = n - g722DelaySamples;
    if (place < 0) continue;
    decoded[place] = saturate16(halfSum(joined, 1, 11, -1) >> 11);
    decoded[place + 1] = saturate16(halfSum(joined, 0, 0, 1) >> 11);
  }
  return decoded;
}

/** The last 24 values, twice one behind the other, so that they can be read in a row wherever they begin. */
interface History {
  readonly values: Int32Array;
  start: number;
}

function createHistory(): History {
  return { values: new Int32Array(48), start: 0 };
}

function push(history: History, first: number, second: number): void {
  const { values, start } = history;
  values[start] = first;
  values[start + 24] = first;
  values[start + 1] = second;
  values[start + 25] = second;
  history.start = start === 22 ? 0 : start + 2;
}

/** Every second value of the history times the taps, which are read forward or backward. */
function halfSum({ values, start }: History, offset: number, firstTap: number, direction: number): number {
  let sum = 0;
  for (let i = 0, tap = firstTap, place = start + offset; i < 12; i++, tap += direction, place += 2) {
    sum = (sum + Math.imul(values[place]!, taps[tap]!)) | 0;
  }
  return sum;
}

/**
 * The higher band there and back, 2 bits for one value every 1/8000 s.
 *
 * @returns takes a value of 15 bits and gives the decoded one
 */
function createHigherBand(): (value: number) => number {
  const predictor = createPredictor();
  let logStep = 0;
  let step = 8;
  return (value) => {
    const { estimate } = predictor;
    const difference = saturate16(value - estimate);
    const negative = difference < 0;
    const large = (negative ? -difference - 1 : difference) >= (564 * step) >> 12;
    const size = large ? largeValue : smallValue;
    const quantized = (step * (negative ? -size : size)) >> 15;
    const decoded = estimate + quantized;
    logStep = nextLogStep(logStep, large ? largeWorth : smallWorth, 22528);
    step = stepSize(logStep, 10);
    adapt(predictor, quantized);
    return decoded > 16383 ? 16383 : decoded < -16384 ? -16384 : decoded;
  };
}
