import { fade } from './fade.ts';
import type { Gap } from './gaps.ts';

/**
 * Fills a gap with what was heard last, one packet of it again and again, softer and softer; nothing is smoothed where the
 * pieces meet, as in plain receivers.
 *
 * @param samples changed in the gap alone
 */
export function concealByRepetition(samples: Float32Array, gap: Gap, packetSamples: number, sampleRate: number): void {
  const period = Math.max(1, Math.round(packetSamples));
  for (let n = gap.start; n < gap.end; n++) {
    const source = gap.start - period + ((n - gap.start) % period);
    samples[n] = source < 0 ? 0 : samples[source]! * fade((n - gap.start) / sampleRate);
  }
}
