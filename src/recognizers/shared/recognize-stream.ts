import type { Clip } from '../../audio/clip.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type PartialTranscript, type Recognition, RecognitionError, type Recognizer } from '../contract.ts';
import { abortable, givenUp } from './abortable.ts';
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

/** A clip as it is spoken, and the moments that matter. */
interface FedClip {
  readonly chunks: AsyncIterable<Clip>;
  /** When its first sound began, in the clock's monotonic milliseconds. */
  startedMs(): number;
  /** When its last sound was there to be heard. */
  endedMs(): number;
  /** How long its hearer has waited for sound that was not there yet. */
  waitedMs(): number;
}

/**
 * Gives a clip chunk by chunk, as fast as it is taken or in real time: then a chunk is there when its last sample would
 * have been spoken, counted from when the first chunk was asked for, so that a slow hearer falls behind as it would live.
 *
 * @param signal ends the waiting
 */
function feedClip(
  { samples, sampleRate }: Clip,
  { pace, chunkSeconds }: Pick<Feeding, 'pace' | 'chunkSeconds'>,
  clock: Clock,
  signal: AbortSignal,
): FedClip {
  const chunkSamples = Math.max(1, Math.round(chunkSeconds * sampleRate));
  let started = clock.monotonicMs();
  let ended = started;
  let waited = 0;
  async function* chunks(): AsyncGenerator<Clip> {
    started = clock.monotonicMs();
    ended = started;
    for (let from = 0; from < samples.length; from += chunkSamples) {
      const chunk = samples.subarray(from, from + chunkSamples);
      const asked = clock.monotonicMs();
      ended = asked;
      if (pace === 'real-time') {
        const spoken = started + (1000 * (from + chunk.length)) / sampleRate;
        ended = spoken;
        if (spoken > asked) await clock.sleep(spoken - asked, signal);
        waited += clock.monotonicMs() - asked;
      }
      yield { samples: chunk, sampleRate };
    }
  }
  return { chunks: chunks(), startedMs: () => started, endedMs: () => ended, waitedMs: () => waited };
}
