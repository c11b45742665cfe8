/** The value within 16 bits that is nearest: what codecs call saturation. */
export function saturate16(value: number): number {
  return value > 32767 ? 32767 : value < -32768 ? -32768 : value;
}

/** Product of two 15-bit fractions, rounded: `mult_r` of the ETSI and ITU basic operators, 16 bits each. */
export function multiplyRounded(a: number, b: number): number {
  const product = (Math.imul(a, b) + 16384) >> 15;
  return product === 32768 ? 32767 : product;
}

/** Left shifts until a value other than 0 fills its 32 bits: `norm` of the basic operators. */
export function normalizingShift(value: number): number {
  return Math.clz32(value < 0 ? ~value : value) - 1;
}

/** Samples as integers of 16 bits. */
interface Pcm16 {
  readonly integers: Int16Array;
  /** Samples that did not fit and ended at the largest or smallest integer. */
  readonly saturatedSamples: number;
}

/**
 * Samples rounded to integers of 16 bits (halves upwards), 1 being 32768. What does not fit saturates.
 *
 * @example toPcm16(new Float32Array([0.5, 2])) // { integers: [16384, 32767], saturatedSamples: 1 }
 */
export function toPcm16(samples: Float32Array): Pcm16 {
  const integers = new Int16Array(samples.length);
  let saturatedSamples = 0;
  for (let n = 0; n < integers.length; n++) {
    const shifted = samples[n]! * 32768 + 32768.5;
    if (shifted >= 65536) {
      integers[n] = 32767;
      saturatedSamples++;
    } else if (shifted < 0) {
      integers[n] = -32768;
      saturatedSamples++;
    } else {
      // Above 0 cutting off rounds down, and is several times as quick as Math.floor.
      integers[n] = (shifted | 0) - 32768;
    }
  }
  return { integers, saturatedSamples };
}

/** Integers of 16 bits as samples, 32768 being 1. */
export function fromPcm16(integers: Int16Array): Float32Array {
  const samples = new Float32Array(integers.length);
  for (let n = 0; n < samples.length; n++) samples[n] = integers[n]! / 32768;
  return samples;
}
