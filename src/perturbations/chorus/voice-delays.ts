import { type ModulationShape, modulationTable } from '../shared/modulation-table.ts';

/** One copy of the sound. */
export type Voice = {
  readonly delaySeconds: number;
  readonly decay: number;
  readonly frequencyHz: number;
  readonly depthSeconds: number;
  readonly modulation: ModulationShape | 'sox-sine';
};

/** How late a voice is, over one period of its modulation. */
export interface VoiceDelays {
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
export function voiceDelays(voice: Omit<Voice, 'decay'>, sampleRate: number, atZero: number): VoiceDelays {
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
export function ringSamples({ delaySeconds, depthSeconds }: Omit<Voice, 'decay'>, sampleRate: number): number {
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
