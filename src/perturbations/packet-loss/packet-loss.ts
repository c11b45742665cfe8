import { z } from 'zod';
import { durationSeconds } from '../../audio/clip.ts';
import { between, oneOf } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { losePackets, lossFacts, lossParameters } from '../shared/codecs.ts';

/** Until here a concealment keeps its level, in seconds. */
const heldSeconds = 0.01;
/** Share of the level that is taken away in each second after that: gone after 60 ms. */
const fallPerSecond = 20;

const minSeconds = 0.005;
const maxSeconds = 0.015;
const windowSeconds = 0.02;
/** After so long another period is taken into the loop, up to three, so that it does not hum. */
const periodSeconds = 0.01;
const maxPeriods = 3;
/** Overlap with the good sound behind the gap: a quarter period, and this much more for every 10 ms of it, up to 10 ms. */
const overlapSeconds = 0.004;
const maxOverlapSeconds = 0.01;

/**
 * A call of which packets never arrive, alone or in bursts, and what the receiver plays in their place. The last packet may
 * be cut short by the end of the sound. The sound is as exact as before: put a codec before it where one is meant, or see
 * `opus-packet-loss` for a codec that conceals by itself.
 */
export const packetLoss = plainPerturbation({
  name: 'packet-loss',
  version: 1,
  about: 'Loses packets of the sound, alone or in bursts, with or without something played in their place.',
  parameters: z.strictObject({
    packetSeconds: between(0.0025, 1).default(0.02).describe('Length of a packet in seconds'),
    ...lossParameters,
    concealment: oneOf(['silence', 'repeat', 'pitch'])
      .default('pitch')
      .describe('Played instead: nothing, the last packet fading away, or its pitch periods (as G.711 Appendix I)'),
  }),
  random: true,
  identity: { packetSeconds: 0.02, lossShare: 0, meanBurstPackets: null, concealment: 'pitch' },
  example: { packetSeconds: 0.02, lossShare: 0.1, meanBurstPackets: 2, concealment: 'pitch' },
  apply(clip, parameters, { random }) {
    const { packetSeconds, concealment } = parameters;
    const { sampleRate } = clip;
    // A billionth less, because 0.6 / 0.02 and its like may come out just above the whole number that is meant.
    const packets = Math.max(0, Math.ceil(durationSeconds(clip) / packetSeconds - 1e-9));
    const lost = losePackets('packet-loss', packets, parameters, random);
    const samples = clip.samples.slice();
    const packetSamples = packetSeconds * sampleRate;
    for (const gap of gapsOf(lost, packetSamples, samples.length)) {
      if (concealment === 'silence') samples.fill(0, gap.start, gap.end);
      else if (concealment === 'repeat') concealByRepetition(samples, gap, packetSamples, sampleRate);
      else concealByPitch(samples, gap, sampleRate);
    }
    return { clip: { samples, sampleRate }, facts: lossFacts(lost, packetSeconds) };
  },
});

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

/**
 * Fills a gap with the last pitch periods, in a loop that fades away, and passes smoothly from the sound into it and back:
 * the method of ITU-T G.711 Appendix I at any sample rate, in floating point (66 to 200 Hz; one period for 10 ms, two for
 * the next 10, then three; silent from 60 ms on). The receiver's wait of 3.75 ms, in which it smooths the end of what was
 * heard, needs none here.
 *
 * @param samples changed in the gap, a quarter period before it, and up to 10 ms behind
 */
export function concealByPitch(samples: Float32Array, { start, end, goodUntil }: Gap, sampleRate: number): void {
  const longest = Math.max(4, Math.round(maxSeconds * sampleRate));
  const history = new Float64Array(
    Math.max(maxPeriods * longest + (longest >> 2), longest + Math.round(windowSeconds * sampleRate)),
  );
  const known = Math.min(start, history.length);
  history.set(samples.subarray(start - known, start), history.length - known);
  const lag = findPitch(history, {
    shortest: Math.max(2, Math.round(minSeconds * sampleRate)),
    longest,
    window: Math.round(windowSeconds * sampleRate),
    stride: Math.max(1, Math.floor(sampleRate / 8000)),
  });
  const quarter = Math.max(1, lag >> 2);
  const loops = Array.from({ length: maxPeriods }, (_, index) => loopOf(history, (index + 1) * lag, quarter));
  const turn = Math.max(quarter, Math.round(periodSeconds * sampleRate));

  const looped = (time: number): number => {
    const periods = Math.min(maxPeriods - 1, Math.floor(time / turn));
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
  const overlap = Math.round(Math.min(maxOverlapSeconds * sampleRate, quarter + extra * sampleRate));
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

/**
 * The lag at which the end of a history resembles what went before most: the largest normalized correlation of its last
 * stretch. Searched coarsely at about 8 kHz, then sample by sample around the best.
 *
 * @param history at least `window + longest` values
 */
function findPitch(
  history: Float64Array,
  { shortest, longest, window, stride }: { shortest: number; longest: number; window: number; stride: number },
): number {
  let best = shortest;
  let most = Number.NEGATIVE_INFINITY;
  const look = (lag: number, step: number) => {
    const likeness = resemblance(history, lag, window, step);
    if (likeness > most) [most, best] = [likeness, lag];
  };
  for (let lag = shortest; lag <= longest; lag += stride) look(lag, stride);
  if (stride === 1) return best;
  const coarse = best;
  most = Number.NEGATIVE_INFINITY;
  for (let lag = Math.max(shortest, coarse - stride); lag <= Math.min(longest, coarse + stride); lag++) look(lag, 1);
  return best;
}

function resemblance(history: Float64Array, lag: number, window: number, step: number): number {
  let product = 0;
  let energy = 0;
  for (let n = history.length - window; n < history.length; n += step) {
    const past = history[n - lag]!;
    product += history[n]! * past;
    energy += past * past;
  }
  return energy > 0 ? product / Math.sqrt(energy) : 0;
}

/** Level of a concealment so long after the loss began (ITU-T G.711 Appendix I, section I.2.7). */
function fade(seconds: number): number {
  const level = 1 - fallPerSecond * (seconds - heldSeconds);
  return level > 1 ? 1 : level > 0 ? level : 0;
}

/** A stretch of samples that never arrived. */
export interface Gap {
  readonly start: number;
  /** Behind the last sample. */
  readonly end: number;
  /** Where the next gap begins, or the sound ends: up to there the samples are good. */
  readonly goodUntil: number;
}

/**
 * Packets lost in a row, as samples.
 *
 * @param packetSamples length of a packet, not necessarily whole; packets begin at the nearest sample
 */
function gapsOf(lost: Uint8Array, packetSamples: number, length: number): Gap[] {
  const stretches: { start: number; end: number }[] = [];
  for (let packet = 0; packet < lost.length; packet++) {
    if (lost[packet] === 0) continue;
    const start = Math.min(length, Math.round(packet * packetSamples));
    let behind = packet;
    while (behind < lost.length && lost[behind] !== 0) behind++;
    const end = behind === lost.length ? length : Math.min(length, Math.round(behind * packetSamples));
    stretches.push({ start, end });
    packet = behind;
  }
  return stretches.map(({ start, end }, index) => ({ start, end, goodUntil: stretches[index + 1]?.start ?? length }));
}
