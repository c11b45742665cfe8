import { multiplyRounded, saturate16 } from '../fixed-point.ts';
import { subframeLength } from './state.ts';

const pulseCount = 13;

/** Weighting filter (GSM 06.10, table 4.4). */
const weighting = Int32Array.of(-134, -374, 0, 2054, 5741, 8192, 5741, 2054, 0, -374, -134);
/** Inverse and plain mantissas of the block maximum (tables 4.5 and 4.6). */
const inverseMantissas = Int32Array.of(29128, 26215, 23832, 21846, 20165, 18725, 17476, 16384);
const mantissas = Int32Array.of(18431, 20479, 22527, 24575, 26623, 28671, 30719, 32767);

const margin = 5;
const padded = new Int32Array(subframeLength + 2 * margin);
const weighted = new Int32Array(subframeLength);

/**
 * What is left of a stretch after 13 pulses on one of four grids were coded with 3 bits each and decoded (GSM 06.10, 5.2.13
 * to 5.2.17).
 *
 * @param values 40 values; replaced by the pulses, zeros between them
 */
export function codePulses(values: Int32Array): void {
  padded.set(values, margin);
  for (let n = 0; n < subframeLength; n++) {
    let sum = 4096;
    for (let tap = 0; tap < weighting.length; tap++) sum = (sum + Math.imul(padded[n + tap]!, weighting[tap]!)) | 0;
    weighted[n] = saturate16(sum >> 13);
  }
  const grid = strongestGrid();

  let largest = 0;
  for (let n = 0; n < pulseCount; n++) largest = Math.max(largest, Math.abs(weighted[grid + 3 * n]!));
  largest = saturate16(largest);
  let coarse = 0;
  for (let rest = largest >> 9; rest > 0 && coarse < 6; rest >>= 1) coarse++;
  const maximumCode = (largest >> (coarse + 5)) + (coarse << 3);
  let exponent = maximumCode > 15 ? (maximumCode >> 3) - 1 : 0;
  let mantissa = maximumCode - (exponent << 3);
  if (mantissa === 0) {
    exponent = -4;
    mantissa = 7;
  } else {
    while (mantissa <= 7) {
      mantissa = (mantissa << 1) | 1;
      exponent--;
    }
    mantissa -= 8;
  }

  const shift = 6 - exponent;
  const rounding = shift > 0 ? 1 << (shift - 1) : 0;
  values.fill(0);
  for (let n = 0; n < pulseCount; n++) {
    const place = grid + 3 * n;
    const normalized = (weighted[place]! << (shift + 16)) >> 16;
    const code = ((normalized * inverseMantissas[mantissa]!) >> 27) + 4;
    const decoded = multiplyRounded(mantissas[mantissa]!, ((code << 1) - 7) << 12);
    values[place] = saturate16(decoded + rounding) >> shift;
  }
}

/** Of the four sets of every third value, the one with most energy; of equals, the first. */
function strongestGrid(): number {
  let strongest = 0;
  let most = -1;
  for (let grid = 0; grid < 4; grid++) {
    let energy = 0;
    for (let n = 0; n < pulseCount; n++) {
      const value = weighted[grid + 3 * n]! >> 2;
      energy += value * value;
    }
    if (energy <= most) continue;
    most = energy;
    strongest = grid;
  }
  return strongest;
}
