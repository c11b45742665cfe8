import { z } from 'zod';

/**
 * Options of recognizers that can hear a sound while it is spoken. They stand beside the recognizer's own.
 *
 * @param chunkSeconds how much sound it is given at a time unless told otherwise
 */
export function streamingOptions(chunkSeconds: number) {
  return {
    mode: z
      .enum(['batch', 'streaming'])
      .default('batch')
      .describe(
        'batch: hears the whole clip at once. streaming: is fed chunk by chunk, and its partials are measured.',
      ),
    pace: z
      .enum(['fast', 'real-time'])
      .default('fast')
      .describe('With mode streaming: each chunk as soon as the last is done with, or not before it would be spoken.'),
    chunkSeconds: z
      .number()
      .min(0.01)
      .max(10)
      .default(chunkSeconds)
      .describe('With mode streaming: how much sound it is given at a time.'),
  };
}

/** How a clip is fed. */
export interface Feeding {
  readonly mode: 'batch' | 'streaming';
  readonly pace: 'fast' | 'real-time';
  readonly chunkSeconds: number;
}

/** What the options add to an identity: nothing in batch mode, so that answers from before there was another one stay good. */
export function streamingIdentity({ mode, pace, chunkSeconds }: Feeding): {
  streaming?: { pace: Feeding['pace']; chunkSeconds: number };
} {
  return mode === 'batch' ? {} : { streaming: { pace, chunkSeconds } };
}
