import { z } from 'zod';
import { keepRecent } from '../../audio/kept-samples.ts';
import { badInput, type EarwitnessError } from '../../base/errors.ts';
import { between, list, oneOf } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { type ModulationShape, modulationTable, tailTimeMap } from '../shared/effect-pairs.ts';

/**
 * The sound together with softer copies whose delays go up and down. As SoX's `chorus GAIN-IN GAIN-OUT <DELAY DECAY SPEED
 * DEPTH -s|-t>…`, with its end, but not cut to 24 bits; values beyond full scale, which that cuts off,
 * stay. SoX's `-s` is `sox-sine` here: it does not do what its manual says.
 */
export const chorus = plainPerturbation({
  name: 'chorus',
  version: 1,
  about: 'Makes one voice sound like several that are not quite together.',
  parameters: z.strictObject({
    gainIn: between(0, 1).describe('Amplitude of the sound itself'),
    gainOut: between(0, 10).describe('Amplitude of the whole'),
    voices: list(
      z.strictObject({
        delaySeconds: between(0.001, 1).describe('Middle of the delay, in seconds'),
        decay: between(0, 1).describe('Amplitude of the copy'),
        frequencyHz: between(0.01, 20).describe('How often per second the delay goes up and down'),
        depthSeconds: between(0, 0.1).describe('How far, to either side, in seconds'),
        modulation: oneOf(['sine', 'triangle', 'sox-sine']).describe(
          'How it goes up and down; sox-sine: from none to depthSeconds, whatever the delay, as SoX does',
        ),
      }),
      1,
      7,
    ).describe('The copies, one to seven'),
  }),
  random: false,
  identity: {
    gainIn: 1,
    gainOut: 1,
    voices: [{ delaySeconds: 0.05, decay: 0, frequencyHz: 0.25, depthSeconds: 0.002, modulation: 'triangle' }],
  },
  example: {
    gainIn: 0.9,
    gainOut: 0.9,
    voices: [
      { delaySeconds: 0.05, decay: 0.4, frequencyHz: 0.25, depthSeconds: 0.002, modulation: 'triangle' },
      { delaySeconds: 0.06, decay: 0.3, frequencyHz: 0.4, depthSeconds: 0.002, modulation: 'sine' },
    ],
  },
  apply(clip, { gainIn, gainOut, voices }) {
    const { samples, sampleRate } = clip;
    const heard = samples.length === 0 ? [] : voices.filter(({ decay }) => decay > 0);
    const added = Math.max(0, ...heard.map((voice) => ringSamples(voice, sampleRate)));
    const copies = heard.map(({ decay, ...voice }): MixedVoice => {
      const { runs, shortest } = delaysOf({ voice, sampleRate, added });
      if (shortest < 0) throw tooDeep(voice);
      return { amplitude: gainOut * decay, runs };
    });
    const mixed = new Float32Array(samples.length + added);
    mixVoices(samples, gainOut * gainIn, samples, [copies[0] ?? noVoice, copies[1] ?? noVoice], mixed);
    for (let index = 2; index < copies.length; index += 2) {
      mixVoices(mixed, 1, samples, [copies[index]!, copies[index + 1] ?? noVoice], mixed);
    }
    const changed = { samples: mixed, sampleRate };
    return { clip: changed, facts: { addedSeconds: added / sampleRate }, timeMap: tailTimeMap(clip, changed) };
  },
});

const noVoice: MixedVoice = { amplitude: 0, runs: Int32Array.of(0, 2 ** 30) };

const delaysOf = keepRecent(
  16,
  JSON.stringify,
  ({ voice, sampleRate, added }: { voice: Omit<Voice, 'decay'>; sampleRate: number; added: number }) =>
    voiceDelays(voice, sampleRate, added),
);

function tooDeep({ delaySeconds, depthSeconds }: Omit<Voice, 'decay'>): EarwitnessError {
  return badInput(
    `chorus: expected a depth that is less than the delay (${delaySeconds} s), but it is ${depthSeconds} s; choose a smaller one`,
  );
}

/** One delayed copy, as it is mixed in. */
interface MixedVoice {
  readonly amplitude: number;
  /** Pairs, as `VoiceDelays` has them: a delay, and for how many samples it stays so; repeated without end. */
  readonly runs: Int32Array;
}

/** Where a voice is in its runs. */
interface Cursor {
  run: number;
  left: number;
}

/**
 * Writes a sound together with two delayed copies of another (mostly of itself). Stretches in which no delay changes are
 * one loop: that is what makes it fast.
 *
 * @param base mixed in as it is, times `baseGain`; may be `mixed` itself
 * @param samples what the copies are of
 * @param mixed what is written; `base` and the copies are silent where they have ended
 */
function mixVoices(
  base: Float32Array,
  baseGain: number,
  samples: Float32Array,
  voices: readonly [MixedVoice, MixedVoice],
  mixed: Float32Array,
): void {
  const [first, second] = voices;
  const { amplitude } = first;
  const { amplitude: otherAmplitude } = second;
  const cursor: Cursor = { run: 0, left: first.runs[1]! };
  const otherCursor: Cursor = { run: 0, left: second.runs[1]! };
  const sounding = Math.min(base.length, samples.length);
  for (let start = 0; start < mixed.length; ) {
    const end = Math.min(mixed.length, start + Math.min(cursor.left, otherCursor.left));
    const delay = first.runs[cursor.run]!;
    const otherDelay = second.runs[otherCursor.run]!;
    const loopStart = Math.min(end, Math.max(start, delay, otherDelay));
    const loopEnd = Math.max(loopStart, Math.min(end, sounding));
    const edge = (n: number) =>
      baseGain * (base[n] ?? 0) +
      amplitude * (samples[n - delay] ?? 0) +
      otherAmplitude * (samples[n - otherDelay] ?? 0);
    for (let n = start; n < loopStart; n++) mixed[n] = edge(n);
    for (let n = loopStart; n < loopEnd; n++) {
      mixed[n] = baseGain * base[n]! + amplitude * samples[n - delay]! + otherAmplitude * samples[n - otherDelay]!;
    }
    for (let n = loopEnd; n < end; n++) mixed[n] = edge(n);
    advance(cursor, first.runs, end - start);
    advance(otherCursor, second.runs, end - start);
    start = end;
  }
}

function advance(cursor: Cursor, runs: Int32Array, count: number): void {
  cursor.left -= count;
  if (cursor.left > 0) return;
  cursor.run = (cursor.run + 2) % runs.length;
  cursor.left = runs[cursor.run + 1]!;
}

/** One copy of the sound. */
export type Voice = {
  readonly delaySeconds: number;
  readonly decay: number;
  readonly frequencyHz: number;
  readonly depthSeconds: number;
  readonly modulation: ModulationShape | 'sox-sine';
};

/** How late a voice is, over one period of its modulation. */
interface VoiceDelays {
  /** Pairs: a delay in samples, and for how many samples it stays so. */
  readonly runs: Int32Array;
  /** In samples; below 0 where the depth is greater than the delay. */
  readonly shortest: number;
}

/**
 * The delays of a voice as SoX 14.4.2 has them: between delay - depth and delay + depth, less one sample, for a triangle
 * from the least on, for a sine from the middle. Its own sine goes from 0 to depth, and where it is at 0 it reads what is
 * oldest in a ring: `atZero`.
 *
 * @param atZero samples that a delay of 0 of a `sox-sine` stands for
 */
function voiceDelays(voice: Omit<Voice, 'decay'>, sampleRate: number, atZero: number): VoiceDelays {
  const depth = wholeSamples(milliseconds(voice.depthSeconds), sampleRate);
  const period = Math.max(1, Math.floor(sampleRate / Math.fround(voice.frequencyHz)));
  const longest = ringSamples(voice, sampleRate) - 1;
  const shortest = longest - 2 * depth;
  if (voice.modulation === 'sox-sine') {
    const delays = modulationTable('sine', period, 0, depth, 0).map((delay) => delay || atZero);
    return { runs: runsOf(delays), shortest: 0 };
  }
  const delays = modulationTable(voice.modulation, period, shortest, longest, voice.modulation === 'sine' ? 0 : 0.75);
  return { runs: runsOf(delays), shortest };
}

/** Samples that SoX keeps for a voice, by which the sound gets longer. */
function ringSamples({ delaySeconds, depthSeconds }: Omit<Voice, 'decay'>, sampleRate: number): number {
  return wholeSamples(Math.fround(milliseconds(delaySeconds) + milliseconds(depthSeconds)), sampleRate);
}

/** SoX keeps what it is told as 32-bit floats, which now and then decides on a sample. */
function milliseconds(seconds: number): number {
  return Math.fround(1000 * seconds);
}

function wholeSamples(duration: number, sampleRate: number): number {
  return Math.floor((duration * sampleRate) / 1000);
}

function runsOf(values: Int32Array): Int32Array {
  const runs = new Int32Array(2 * values.length);
  let count = 0;
  for (let start = 0, end = 0; start < values.length; start = end) {
    while (end < values.length && values[end] === values[start]) end++;
    runs[count++] = values[start]!;
    runs[count++] = end - start;
  }
  return runs.slice(0, count);
}
