// What the package's users see of gradients: it names no type of the runtime's, whose declarations need a browser's.

/** How a loss changes with each sample of a waveform, for one recognizer. Calls take turns. */
export interface WaveformGradient {
  /** Hz, of every waveform that goes in. */
  readonly sampleRateHz: number;
  /** Sound beyond it is refused; null where memory alone sets a limit. */
  readonly longestSeconds: number | null;
  /** Whether the model is quantized or in 16-bit floats, so that everything here is of its surrogate (`agreement` says how near that is). */
  readonly surrogate: boolean;
  /**
   * The loss of a text, which is the negative logarithm of its probability in nats, and its gradient with respect to the
   * samples. The first call for a waveform on which central differences
   * can measure the gradient checks it against them; where they do not confirm it for that text, it is checked for the model's transcript and for an empty text.
   *
   * @param samples mono, full scale 1; never changed
   * @param text as the model would write it
   * @throws EarwitnessError `bad-input`: too long, a text that the model cannot write or that is too long for the sound, a
   *   gradient that is no number, or one that central differences do not confirm
   */
  lossAndGradient(samples: Float32Array, text: string): Promise<LossAndGradient>;
  /** The loss alone. */
  lossOf(samples: Float32Array, text: string): Promise<number>;
  /** What central differences along the gradient measure; see `GradientCheck`. */
  check(samples: Float32Array, text: string): Promise<GradientCheck>;
  /** The model's transcript, decoded greedily. Of a quantized model: its surrogate's. */
  transcribe(samples: Float32Array): Promise<string>;
  /** How near the surrogate is to the original on a sound and its text; null where the model is no surrogate. */
  agreement(samples: Float32Array, text: string): Promise<SurrogateAgreement | null>;
  /** Bytes that this process holds at most while it computes a gradient of a clip, as estimated from the graphs. */
  memoryBytes(durationSeconds: number): Promise<number>;
  dispose(): Promise<void>;
}

export interface LossAndGradient {
  readonly loss: number;
  /** One number for each sample. */
  readonly gradient: Float32Array;
}

/**
 * A gradient beside central differences along itself. Both are slopes of the loss for a step of length 1 in the direction of the
 * gradient. What comparisons decided (the least number of Whisper's features) is held.
 */
export interface GradientCheck {
  /** Length of the gradient. */
  readonly expected: number;
  /** Steps (L2 norm of what is added) and the slopes measured by them, until one confirms the gradient. */
  readonly measured: readonly { readonly step: number; readonly slope: number }[];
  /** The least deviation among the steps, as a share; null where the loss is too flat at this clip for any step to measure it. */
  readonly deviation: number | null;
  /** Whether it is at most `largestDeviation`; null with it. */
  readonly passed: boolean | null;
}

/** How near a float surrogate is to its quantized original. */
export interface SurrogateAgreement {
  /** Positions (frames, or tokens of the text) at which both were asked. */
  readonly positions: number;
  /** Positions at which both choose the same token. */
  readonly sameTokens: number;
  /** Mean over positions of the divergence of the surrogate's probabilities from the original's (Kullback-Leibler), in nats. */
  readonly divergence: number;
  /** Root mean square of the difference between their log probabilities, weighted by the original's probabilities, in nats. */
  readonly rootMeanSquare: number;
  /** Decoded greedily. */
  readonly transcripts: { readonly original: string; readonly surrogate: string };
}
