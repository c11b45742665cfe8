import type { Word } from '../../model/observation.ts';

/** What one piece of sound gave. */
export interface Heard {
  readonly text: string;
  /** With times from the start of the piece; absent where they were not asked for. */
  readonly words?: readonly Word[];
}

/** What a piece is heard with. */
export interface HearingRequest {
  /** At the model's rate, no longer than one piece may be, and not empty. */
  readonly samples: Float32Array;
  /** BCP 47. */
  readonly language: string;
  /** Decides the draws where tokens are drawn. */
  readonly seed: number;
  readonly signal: AbortSignal;
}

/** A model, loaded. Hears one piece at a time. */
export interface Hearing {
  /** Hz. */
  readonly sampleRate: number;
  hear(request: HearingRequest): Promise<Heard>;
  close(): Promise<void>;
}

/** Shortest sound that every model takes; shorter is filled up with silence. Convolutions of wav2vec 2.0 need 25 ms. */
const minSeconds = 0.1;

/** The samples with silence after them where they are too few for a model's first layers. */
export function longEnough(samples: Float32Array, sampleRate: number): Float32Array {
  const least = Math.ceil(minSeconds * sampleRate);
  if (samples.length >= least) return samples;
  const filled = new Float32Array(least);
  filled.set(samples);
  return filled;
}
