import { fade } from './fade.ts';
import { findPitch } from './find-pitch.ts';
import type { Gap } from './gaps.ts';

const shortestSeconds = 0.005;
const longestSeconds = 0.015;
const windowSeconds = 0.02;
/** After so long another period is taken into the loop, up to three, so that it does not hum. */
const periodSeconds = 0.01;
const mostPeriods = 3;
/** Overlap with the good sound behind the gap: a quarter period, and this much more for every 10 ms of it, up to 10 ms. */
const overlapSeconds = 0.004;
const mostOverlapSeconds = 0.01;

/**
 * Fills a gap with the last pitch periods, in a loop that fades away, and passes smoothly from the sound into it and back:
 * the method of ITU-T G.711 Appendix I at any sample rate, in floating point (66 to 200 Hz; one period for 10 ms, two for
 * the next 10, then three; silent from 60 ms on). The receiver's wait of 3.75 ms, in which it smooths the end of what was
 * heard, needs none here.
 *
 * @param samples changed in the gap, a quarter period before it, and up to 10 ms behind
 */
export function concealByPitch(samples: Float32Array, { start, end, goodUntil }: Gap, sampleRate: number): void {
  const longest = Math.max(4, Math.round(longestSeconds * sampleRate));
  const history = new Float64Array(
    Math.max(mostPeriods * longest + (longest >> 2), longest + Math.round(windowSeconds * sampleRate)),
  );
  const known = Math.min(start, history.length);
  history.set(samples.subarray(start - known, start), history.length - known);
  const lag = findPitch(history, {
    shortest: Math.max(2, Math.round(shortestSeconds * sampleRate)),
    longest,
    window: Math.round(windowSeconds * sampleRate),
    stride: Math.max(1, Math.floor(sampleRate / 8000)),
  });
  const quarter = Math.max(1, lag >> 2);
  const loops = Array.from({ length: mostPeriods }, (_, index) => loopOf(history, (index + 1) * lag, quarter));
  const turn = Math.max(quarter, Math.round(periodSeconds * sampleRate));

  const looped = (time: number): number => {
    const periods = Math.min(mostPeriods - 1, Math.floor(time / turn));
    const now = loops[periods]![time % ((periods + 1) * lag)]!;
    const since = time - periods * turn;
    if (periods === 0 || since >= quarter) return now;
    const share = (since + 1) / (quarter + 1);
    return share * now + (1 - share) * loops[periods - 1]![time % (periods * lag)]!;
  };

  const tail = loops[0]!;
  for (let n = Math.max(0, start - quarter); n < start; n++) samples[n] = tail[lag + n - start]!;
  for (let n = start; n < end; n++) samples[n] = looped(n - start) * fade((n - start) / sampleRate);
  const extra = overlapSeconds * Math.max(0, Math.floor((end - start) / (periodSeconds * sampleRate)) - 1);
  const overlap = Math.round(Math.min(mostOverlapSeconds * sampleRate, quarter + extra * sampleRate));
  const joined = Math.min(overlap, goodUntil - end);
  for (let n = 0; n < joined; n++) {
    const share = (n + 1) / (joined + 1);
    const time = end - start + n;
    samples[end + n] = share * samples[end + n]! + (1 - share) * looped(time) * fade(time / sampleRate);
  }
}

/** The end of the history, its last quarter passing into what lies before the beginning, so that it repeats smoothly. */
function loopOf(history: Float64Array, length: number, quarter: number): Float64Array {
  const from = history.length - length;
  const loop = history.slice(from);
  for (let n = 0; n < quarter; n++) {
    const share = (n + 1) / (quarter + 1);
    const place = length - quarter + n;
    loop[place] = (1 - share) * loop[place]! + share * (history[from - quarter + n] ?? 0);
  }
  return loop;
}
