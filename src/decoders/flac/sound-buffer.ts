import type { Samples } from '../../audio/flac/samples.ts';

/** Samples that one file may have: a gigabyte, 4.6 hours at 16 kHz. */
export const mostSamples = 2 ** 28;

/** Mixes frames to one channel as they come. Grows, since headers promise what they like. */
export class SoundBuffer {
  length = 0;
  readonly #scale: number;
  #samples: Float32Array;

  constructor(bitsPerSample: number, expectedSamples: number) {
    this.#scale = 2 ** (1 - bitsPerSample);
    this.#samples = new Float32Array(expectedSamples);
  }

  /** @throws RangeError where the file has more than `mostSamples` */
  add(channels: readonly Samples[], blockSize: number): void {
    const length = this.length + blockSize;
    if (length > mostSamples) throw new RangeError(`expected at most ${mostSamples} samples`);
    if (length > this.#samples.length) {
      const larger = new Float32Array(Math.min(mostSamples, Math.max(length, 2 * this.#samples.length)));
      larger.set(this.#samples.subarray(0, this.length));
      this.#samples = larger;
    }
    const into = this.#samples.subarray(this.length, length);
    const scale = this.#scale;
    const [first] = channels;
    for (let n = 0; n < blockSize; n++) {
      let sum = first![n]!;
      for (let channel = 1; channel < channels.length; channel++) sum += channels[channel]![n]!;
      into[n] = (sum * scale) / channels.length;
    }
    this.length = length;
  }

  /** What was added; the buffer must not be used any more. */
  samples(): Float32Array {
    return this.length === this.#samples.length ? this.#samples : this.#samples.slice(0, this.length);
  }
}
