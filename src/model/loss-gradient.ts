/** How a recognizer's loss on a text changes with every sample of a sound: what adversarial sounds are made from. */
export interface LossGradient {
  /** Hz of the samples. */
  readonly sampleRate: number;
  /**
   * The loss that the model was trained on, of writing a text for a sound, and its derivative by each sample. The greater it is, the less
   * the model would write that text.
   *
   * @param samples between -1 and 1, not to be changed
   * @param text as somebody would write it; empty: nothing was said
   * @param language BCP 47 tag
   * @throws EarwitnessError `bad-input`: a letter that the model cannot write, a sound too long or too short for the text
   */
  loss(
    samples: Float32Array,
    text: string,
    language: string,
  ): Promise<{ readonly loss: number; readonly gradient: Float32Array }>;
  /**
   * How near what is differentiated is to what recognizes, on a sound; null where they are one. A quantized network has no gradient, so that
   * its float surrogate is differentiated.
   */
  agreement(samples: Float32Array, text: string, language: string): Promise<Agreement | null>;
  /**
   * Bytes that a gradient of a clip of so many seconds takes at most, as the sizes of the graph say before anything is computed; what would
   * not fit is refused by `loss`. Absent: unknown.
   */
  memoryBytes?(durationSeconds: number): Promise<number>;
  /** Gives back memory and threads. */
  close(): Promise<void>;
}

export interface Agreement {
  /** Frames, or tokens of the text. */
  readonly positions: number;
  /** Those of them at which both think the same token the likeliest. */
  readonly sameTokens: number;
}
