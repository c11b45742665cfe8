import type { Clip } from './clip.ts';
import { countFrom } from './samplewise.ts';

/** Root mean square of samples, 1 at full scale. 0 for none at all, as for silence. */
export function rms(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  let energy = 0;
  for (let n = 0; n < samples.length; n++) energy += samples[n]! * samples[n]!;
  return Math.sqrt(energy / samples.length);
}

/**
 * Level in decibels relative to full scale: 0 for a square wave that fills the range, -3.01 for such a sine. Null for
 * digital silence, which has none.
 *
 * @example levelDbfs(new Float32Array([0.1, -0.1])) // -20
 */
export function levelDbfs(samples: Float32Array): number | null {
  const level = rms(samples);
  return level > 0 ? 20 * Math.log10(level) : null;
}

/** From here on a sample is at full scale: the largest value that 16 bits can hold. */
export const fullScale = 32767 / 32768;

/** Share of samples at full scale or beyond, 0 to 1; 0 for no samples. */
export function clippedShare(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  return countFrom(samples, fullScale) / samples.length;
}

/** What a microphone gave, and what is wrong with it. */
interface RecordingCheck {
  readonly durationSeconds: number;
  /** Of all samples; null for digital silence. */
  readonly levelDbfs: number | null;
  /** Share of samples at full scale, 0 to 1. */
  readonly clippedShare: number;
  /** Level of the speech over that of the noise between the words, in dB; null where there is no such difference. */
  readonly snrDb: number | null;
  /** Worst first; empty where it can be used as it is. */
  readonly problems: readonly ('silent' | 'clipped' | 'quiet' | 'noisy' | 'short')[];
}

/** The largest value that 16 bits hold. This module runs in browsers that compile no WebAssembly, so it counts on its own. */
const frameSeconds = 0.02;
const minSeconds = 0.5;
/** Speech below it is lost in the noise of most microphones. */
const quietDbfs = -42;
const noisyDb = 15;
const clippedTooOften = 0.001;
/** Frames of speech are at least as much above those of the noise. */
const heardDb = 6;

/**
 * Judges a recording as soon as it was made, so that it can be made again: level, full scale, silence, noise.
 *
 * Frames of 20 ms: the tenth of them with least energy is the noise, the tenth with most the speech. It is a rule for whoever stands at the
 * microphone, and no measurement of a corpus: `--quality` has those.
 *
 * @example checkRecording({ samples, sampleRate: 48_000 }).problems // ['quiet']
 */
export function checkRecording({ samples, sampleRate }: Clip): RecordingCheck {
  const durationSeconds = samples.length / sampleRate;
  const energies = frameEnergies(samples, Math.max(1, Math.round(frameSeconds * sampleRate)));
  const [noise, speech] = [quantile(energies, 0.1), quantile(energies, 0.9)];
  let [energy, full] = [0, 0];
  for (const sample of samples) {
    energy += sample * sample;
    if (sample >= fullScale || sample <= -fullScale) full++;
  }
  const clipped = samples.length === 0 ? 0 : full / samples.length;
  const levelDbfs = energy > 0 ? decibels(energy / samples.length) : null;
  const isSilent = !(speech > 0) || (noise > 0 && decibels(speech / noise) < heardDb && decibels(speech) < quietDbfs);
  const snrDb = !isSilent && noise > 0 && speech > noise ? decibels((speech - noise) / noise) : null;
  const problems: RecordingCheck['problems'][number][] = [];
  if (isSilent) problems.push('silent');
  if (clipped > clippedTooOften) problems.push('clipped');
  if (!isSilent && decibels(speech) < quietDbfs) problems.push('quiet');
  if (snrDb !== null && snrDb < noisyDb) problems.push('noisy');
  if (durationSeconds < minSeconds) problems.push('short');
  return { durationSeconds, levelDbfs, clippedShare: clipped, snrDb, problems };
}

function frameEnergies(samples: Float32Array, length: number): Float64Array {
  const energies = new Float64Array(Math.max(1, Math.floor(samples.length / length)));
  for (let frame = 0; frame < energies.length; frame++) {
    let energy = 0;
    const end = Math.min(samples.length, (frame + 1) * length);
    for (let n = frame * length; n < end; n++) energy += samples[n]! * samples[n]!;
    energies[frame] = energy / length;
  }
  return energies.sort();
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

function decibels(ratio: number): number {
  return ratio > 0 ? 10 * Math.log10(ratio) : Number.NEGATIVE_INFINITY;
}
