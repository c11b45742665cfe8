import type { Random } from '../../base/random.ts';

const firstSeconds = 1;
const longestSeconds = 60;

/**
 * How long to wait before asking again: doubling from 1 s to 60 s, each by chance between half of it and all of it, so
 * that many who failed together do not come back together ("equal jitter": M. Brooker, Exponential Backoff And Jitter,
 * 2015). What the service asked for is waited for in full.
 *
 * @param failures how many times the call has failed, from 1
 */
export function backoffSeconds(failures: number, random: Random, retryAfterSeconds?: number): number {
  const whole = Math.min(longestSeconds, firstSeconds * 2 ** (failures - 1));
  const jittered = whole * (0.5 + random.next() / 2);
  return Math.max(jittered, retryAfterSeconds ?? 0);
}
