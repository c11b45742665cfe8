/** Samples as integers of 16 bits. */
export interface Pcm16 {
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
