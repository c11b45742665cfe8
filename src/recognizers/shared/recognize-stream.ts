import type { Clip } from '../../audio/clip.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type PartialTranscript, type Recognition, RecognitionError, type Recognizer } from '../contract.ts';
import { abortable, givenUp } from './abortable.ts';
import { feedClip } from './feed-clip.ts';
import type { Feeding } from './streaming-options.ts';
import { followPartials } from './taken-back.ts';

/**
 * Feeds a whole clip to a recognizer that hears while it is spoken: what `recognize` does in streaming mode. The final
 * transcript is the answer. How much its partials changed stands in `details.streaming`, since it belongs to the answer
 * as its words do; how long things took stands in `timing`.
 *
 * @throws RecognitionError what the stream throws; `error` when given up, or where the stream ends without a final transcript
 * @example await recognizeStream(stream, clip, { pace: 'real-time', chunkSeconds: 0.1 }, signal)
 */
export async function recognizeStream(
  stream: NonNullable<Recognizer['stream']>,
  clip: Clip,
  feeding: Pick<Feeding, 'pace' | 'chunkSeconds'>,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<Recognition> {
  const fed = feedClip(clip, feeding, clock, signal);
  const follow = followPartials();
  let firstPartialMs: number | null = null;
  const partials = stream(fed.chunks, signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await abortable(partials.next(), signal);
      if (done) throw new RecognitionError('error', 'the stream ended without a final transcript');
      const now = clock.monotonicMs();
      const { text, words, final }: PartialTranscript = value;
      follow.add(text);
      if (final) {
        return {
          text,
          ...(words && words.length > 0 ? { words } : {}),
          details: { streaming: { ...follow.instability() } },
          timing: {
            firstPartialSeconds: firstPartialMs === null ? null : (firstPartialMs - fed.startedMs()) / 1000,
            finalLatencySeconds: Math.max(0, now - fed.endedMs()) / 1000,
            waitedSeconds: fed.waitedMs() / 1000,
          },
        };
      }
      if (firstPartialMs === null && text.trim() !== '') firstPartialMs = now;
    }
  } catch (error) {
    if (signal.aborted) throw givenUp(signal);
    throw error;
  } finally {
    // A stream that was given up is told so, and not waited for.
    void partials.return?.().catch(() => {});
  }
}
