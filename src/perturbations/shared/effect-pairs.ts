import { z } from 'zod';
import { type Clip, durationSeconds } from '../../audio/clip.ts';
import { butterworth, filterBothWays } from '../../audio/filters/biquad.ts';
import { limiting } from '../../audio/samplewise.ts';
import { InapplicableStep } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { between, oneOf } from '../../base/option-kinds.ts';
import type { Perturbed, TimeMap } from '../contract.ts';
import type { SamplewiseStep } from './samplewise.ts';

/** The map of a change that is even from the start to the end of a clip. */
export function linearTimeMap(before: Clip, after: Clip): TimeMap {
  if (after.samples.length === 0) return [[0, 0]];
  return [
    [0, 0],
    [durationSeconds(after), durationSeconds(before)],
  ];
}

/** Times where a sound was left as it was and rings on: what is heard behind its end belongs to the end. */
export function tailTimeMap(before: Clip, after: Clip): TimeMap {
  const end = durationSeconds(before);
  if (end === 0) return [[0, 0]];
  return [
    [0, 0],
    [end, end],
    [durationSeconds(after), end],
  ];
}

export type PassFilterParameters = { readonly cutoffHz: number };

/** What high-pass and low-pass are asked for. */
export const passFilterParameters = z.strictObject({
  cutoffHz: between(1, 200_000).describe(
    'Where the level has fallen by 6 dB, in Hz; below half the sample rate of the clip',
  ),
});

/**
 * Butterworth of order 2 run forward and backward: no delay, -6.02 dB at the cutoff, 24 dB per octave beyond.
 *
 * @throws EarwitnessError `bad-input` where the sound has no such frequencies
 */
export function passFilter(kind: 'high-pass' | 'low-pass', { samples, sampleRate }: Clip, cutoffHz: number): Perturbed {
  if (cutoffHz >= sampleRate / 2) {
    throw new InapplicableStep(
      `${kind}: expected a cutoff below half the sample rate of the clip (${sampleRate / 2} Hz), but it is ${cutoffHz} Hz; choose a lower one, or leave out clips of such a low rate`,
    );
  }
  const filtered = filterBothWays(butterworth(kind, cutoffHz, sampleRate), samples);
  return { clip: { samples: filtered, sampleRate }, facts: {} };
}

/**
 * Cuts off what lies beyond a limit, on both sides, and says how much that was.
 *
 * @param limit 0 or more, 1 at full scale
 */
export function cutPeaks(limit: number): SamplewiseStep {
  // As a sample holds it, so that a limit that is a sample's own value leaves this sample alone.
  const bound = Math.fround(limit);
  return {
    change: limiting(limit),
    facts: (clippedSamples, samples) => ({
      limitDbfs: bound > 0 ? 20 * Math.log10(bound) : null,
      clippedSamples,
      clippedShare: samples === 0 ? null : clippedSamples / samples,
    }),
  };
}

/** Places listed in the facts; of longer lists the beginning. */
const maxListed = 500;

/**
 * A copy of a clip in which chunks are silent, with what was done: how many chunks begin within the sound, where
 * (seconds; the first 500), and which share of the samples they cover.
 *
 * @param starts first samples of the chunks, in any order; those beyond the end change nothing
 * @param chunkSamples how long each is; the end of the sound may cut it short
 */
export function zeroChunks(
  { samples, sampleRate }: Clip,
  starts: readonly number[],
  chunkSamples: number,
): { readonly clip: Clip; readonly facts: JsonObject } {
  const inside = starts.filter((start) => start < samples.length).sort((first, second) => first - second);
  const changed = samples.slice();
  let zeroedSamples = 0;
  let end = 0;
  for (const start of inside) {
    const chunkEnd = Math.min(start + chunkSamples, samples.length);
    changed.fill(0, start, chunkEnd);
    zeroedSamples += Math.max(0, chunkEnd - Math.max(start, end));
    end = Math.max(end, chunkEnd);
  }
  const facts = {
    droppedChunks: inside.length,
    droppedShare: samples.length === 0 ? null : zeroedSamples / samples.length,
    startsSeconds: inside.slice(0, maxListed).map((start) => Number((start / sampleRate).toFixed(6))),
  };
  return { clip: { samples: changed, sampleRate }, facts };
}

/** How a delay goes up and down: a sine, or straight there and straight back. */
export type ModulationShape = 'sine' | 'triangle';

/**
 * One period of whole numbers that swing between two bounds, as SoX makes them for its modulated delays (14.4.2): rounded,
 * the phase too.
 *
 * @param length of the period in samples, at least 1
 * @param phaseShare where in the period to begin: 0 in the middle, rising; .25 at the most
 */
export function modulationTable(
  shape: ModulationShape,
  length: number,
  least: number,
  most: number,
  phaseShare: number,
): Int32Array {
  const begin = Math.floor(phaseShare * length + 0.5);
  return Int32Array.from({ length }, (_, n) => {
    const place = ((n + begin) % length) / length;
    const height = shape === 'sine' ? (Math.sin(2 * Math.PI * place) + 1) / 2 : triangle(place);
    const value = least + height * (most - least);
    return value < 0 ? Math.ceil(value - 0.5) : Math.floor(value + 0.5);
  });
}

/** 0 to 1, in the middle at place 0 and rising. */
function triangle(place: number): number {
  if (place < 0.25) return 2 * place + 0.5;
  return place < 0.75 ? 1.5 - 2 * place : 2 * place - 1.5;
}

/** Which filter a change of rate is done with. */
export const resamplingMethod = oneOf(['kaiser', 'hann'])
  .default('kaiser')
  .describe(
    'kaiser: a long filter without audible traces. hann: the short one that torchaudio uses, which leaves some',
  );
