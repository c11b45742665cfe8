import type { Clip } from '../../audio/clip.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Word } from '../../model/observation.ts';
import { type PartialTranscript, type Recognition, RecognitionError, type Recognizer } from '../contract.ts';
import type { Feeding } from './model-options.ts';
import { abortable, givenUp } from './requests.ts';

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
      const { text, words, final, details }: PartialTranscript = value;
      follow.add(text);
      if (final) {
        return {
          text,
          ...(words && words.length > 0 ? { words } : {}),
          details: { ...details, streaming: { ...follow.instability() } },
          timing: {
            stream: {
              firstPartialSeconds: firstPartialMs === null ? null : (firstPartialMs - fed.startedMs()) / 1000,
              finalLatencySeconds: Math.max(0, now - fed.endedMs()) / 1000,
              waitedSeconds: fed.waitedMs() / 1000,
            },
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

/** How much a reader saw change before the transcript was final. */
export interface Instability {
  /** How many partial transcripts differed from the one before. */
  readonly partials: number;
  /** Words that were shown, each time that they were new or came in place of others. */
  readonly wordsShown: number;
  /** Words that were shown and then taken back or changed. */
  readonly wordsTakenBack: number;
}

/**
 * Follows partial transcripts. From one to the next, everything after the words that both begin with is taken back, and
 * what stands there now is shown: the operations "revoke" and "add" of T. Baumann, M. Atterer and D. Schlangen,
 * Assessing and Improving the Performance of Speech Recognition for Incremental Systems (NAACL 2009). Words taken back
 * over words of the final transcript are the unstable partial word ratio of Y. Shangguan et al., Analyzing the Quality and
 * Stability of a Streaming End-to-End On-Device Speech Recognizer (Interspeech 2020).
 *
 * @example
 * const follow = followPartials();
 * follow.add('the');
 * follow.add('there was');
 * follow.instability(); // { partials: 2, wordsShown: 3, wordsTakenBack: 1 }
 */
export function followPartials(): { add(text: string): void; instability(): Instability } {
  let before: readonly string[] = [];
  let partials = 0;
  let wordsShown = 0;
  let wordsTakenBack = 0;
  return {
    add(text) {
      const words = text.split(/\s+/).filter(Boolean);
      let common = 0;
      while (common < before.length && common < words.length && words[common] === before[common]) common++;
      if (common < before.length || common < words.length) partials++;
      wordsTakenBack += before.length - common;
      wordsShown += words.length - common;
      before = words;
    },
    instability: () => ({ partials, wordsShown, wordsTakenBack }),
  };
}

/** Words of a piece with times from the start of the whole. */
export function laterBy(seconds: number, words: readonly Word[]): Word[] {
  if (seconds === 0) return [...words];
  return words.map((word) => ({
    ...word,
    ...(word.startSeconds === undefined ? {} : { startSeconds: word.startSeconds + seconds }),
    ...(word.endSeconds === undefined ? {} : { endSeconds: word.endSeconds + seconds }),
  }));
}
