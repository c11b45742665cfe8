import type { Clip } from '../../audio/clip.ts';
import type { Clock } from '../../base/clock.ts';
import type { Feeding } from './streaming-options.ts';

/** A clip as it is spoken, and the moments that matter. */
export interface FedClip {
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
export function feedClip(
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
