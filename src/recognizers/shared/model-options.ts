import { between, matching, oneOf, whole } from '../../base/option-kinds.ts';

// Options that engines on this machine have alike.

export const threadsOption = whole(1, 256)
  .default(1)
  .describe('Threads that compute one recognition. Runs use the other cores for other recognitions');

export const languageTagOption = matching(
  /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/,
  'expected a BCP 47 tag like "en" or "pt-BR"',
);

/** Of models that hear several languages. */
export const spokenLanguageOption = languageTagOption
  .optional()
  .describe("Language that a multilingual model is told (BCP 47). Default: the utterance's own");

/** Of models of Whisper's kind. */
export const whisperTask = oneOf(['transcribe', 'translate']);

/**
 * Options of recognizers that can hear a sound while it is spoken. They stand beside the recognizer's own.
 *
 * @param chunkSeconds how much sound it is given at a time unless told otherwise
 */
export function streamingOptions(chunkSeconds: number) {
  return {
    mode: oneOf(['batch', 'streaming'])
      .default('batch')
      .describe(
        'batch: the whole clip is given at once. streaming: audio is given chunk by chunk, and the latencies of partial and final results are measured.',
      ),
    pace: oneOf(['fast', 'real-time'])
      .default('fast')
      .describe(
        'With mode streaming: each chunk as soon as the last one is processed, or no earlier than it would be spoken.',
      ),
    chunkSeconds: between(0.01, 10)
      .default(chunkSeconds)
      .describe('With mode streaming: how much audio it is given at a time.'),
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
