import type { Clip } from '../../audio/clip.ts';
import { addScaled, energiesOf } from '../../audio/energies.ts';
import { resample } from '../../audio/resample.ts';
import type { SoundCollection } from '../../audio/sound-collection.ts';
import { InapplicableStep } from '../../base/errors.ts';
import type { Random } from '../../base/random.ts';

/**
 * Refuses what has no signal-to-noise ratio.
 *
 * @param energy of a clip that is not empty
 * @param silent what has no energy
 * @throws EarwitnessError `bad-input` where that is 0
 */
export function refuseSilence(perturbation: string, energy: number, snrDb: number, silent = 'it'): void {
  if (energy > 0) return;
  throw new InapplicableStep(
    `${perturbation}: expected a clip to change at ${snrDb} dB SNR, but ${silent} is digital silence, which has no signal-to-noise ratio; leave this clip out`,
  );
}

/** The sum of squares. */
export function squares(values: Float32Array | Float64Array): number {
  let sum = 0;
  for (let n = 0; n < values.length; n++) sum += values[n]! ** 2;
  return sum;
}

/** A sound with something added, cut at full scale. */
export function withAdded(sound: Float32Array, added: Float64Array): Float32Array {
  return sound.map((sample, n) => Math.max(-1, Math.min(1, sample + added[n]!)));
}

/**
 * Cuts a sound at full scale by what is added to it, and brings that within a radius (its L2 norm); in place.
 *
 * @param sound within [-1, 1]
 */
export function bringWithin(added: Float64Array, sound: Float32Array, radius: number): void {
  for (let n = 0; n < added.length; n++) {
    const sample = sound[n]!;
    added[n] = Math.max(-1, Math.min(1, sample + added[n]!)) - sample;
  }
  const norm = Math.sqrt(squares(added));
  if (norm <= radius) return;
  const scale = radius / norm;
  for (let n = 0; n < added.length; n++) added[n]! *= scale;
}

/** Ratio of the energies of a sound and of what it became by an addition, in decibels; null where nothing was added. */
export function achievedSnrDb(sound: Float32Array, heard: Float32Array): number | null {
  let energy = 0;
  for (let n = 0; n < heard.length; n++) energy += (heard[n]! - sound[n]!) ** 2;
  return energy === 0 ? null : 10 * Math.log10(squares(sound) / energy);
}

/** Where a noise begins: at any place in it, at its beginning, or so many seconds from there. */
export type NoiseStart = 'random' | 'beginning' | number;

interface NoiseRequest {
  readonly collection: SoundCollection;
  readonly index: number;
  readonly channel: 'mean' | 'first';
  readonly start: NoiseStart;
  /** Whether it sounds as it was recorded; otherwise its samples are taken for samples of the clip, slower or faster. */
  readonly resampled: boolean;
  /** Of the clip. */
  readonly sampleRate: number;
  /** Samples wanted, at least one. */
  readonly length: number;
}

interface NoiseStretch {
  readonly samples: Float32Array;
  /** Where it begins in the file, in seconds of the file. */
  readonly startSeconds: number;
  /** Whether the file is too short, or too near to its end, so that it goes on from its beginning. */
  readonly repeated: boolean;
}

/** Seconds read beyond the end for the filter of a change of rate. */
const marginSeconds = 0.02;

/**
 * So many samples of a noise. A random start is drawn so that the noise reaches to the end of the clip, where it is long
 * enough; a shorter one begins anywhere and is repeated (from its beginning: what doubling it as often as needed gives).
 */
export async function readNoise(request: NoiseRequest, random: Random): Promise<NoiseStretch> {
  const { collection, index, channel, start, resampled, sampleRate, length } = request;
  const fileSeconds = await collection.durationSeconds(index);
  // The rate at which the file's own seconds pass in the clip.
  const rate = resampled ? sampleRate : await fileRate(request, fileSeconds);
  const available = Math.max(1, Math.round(fileSeconds * rate));
  const first = firstSample(start, available, length, rate, random);
  const repeated = first + length > available;
  if (!repeated) {
    const startSeconds = first / rate;
    const endSeconds = Math.min(fileSeconds, (first + length) / rate + (resampled ? marginSeconds : 0));
    const clip = await collection.read(index, { startSeconds, endSeconds }, channel);
    const samples = atRate(clip, resampled, sampleRate);
    if (samples.length >= length) return { samples: samples.subarray(0, length), startSeconds, repeated };
    // A file whose length its header tells wrongly by a sample or two is repeated there.
  }
  const needed = Math.min(available, length + first) / rate;
  const stretch = needed < fileSeconds ? { startSeconds: 0, endSeconds: needed } : undefined;
  const whole = atRate(await collection.read(index, stretch, channel), resampled, sampleRate);
  const samples = new Float32Array(length);
  for (let done = 0, from = first % whole.length; done < length; from = 0) {
    const count = Math.min(length - done, whole.length - from);
    samples.set(whole.subarray(from, from + count), done);
    done += count;
  }
  return { samples, startSeconds: (first % whole.length) / rate, repeated: true };
}

function firstSample(start: NoiseStart, available: number, length: number, rate: number, random: Random): number {
  if (start === 'beginning') return 0;
  if (start !== 'random') return Math.round(start * rate) % available;
  return random.integer(available > length ? available - length + 1 : available);
}

async function fileRate({ collection, index, channel }: NoiseRequest, fileSeconds: number): Promise<number> {
  const beginning = { startSeconds: 0, endSeconds: Math.min(0.01, fileSeconds) };
  const { sampleRate } = await collection.read(index, beginning, channel);
  return sampleRate;
}

function atRate(clip: Clip, resampled: boolean, sampleRate: number): Float32Array {
  return resampled ? resample(clip, sampleRate).samples : clip.samples;
}

/** A sound with noise in it, and what was done. */
interface MixedSound {
  readonly samples: Float32Array;
  /** By which the noise was multiplied. */
  readonly noiseGain: number;
  /** Of what was added to the sound, before anything is cut off or rounded to 16 bits; null where nothing was. */
  readonly achievedSnrDb: number | null;
  readonly samplesBeyondFullScale: number;
  /** Whether every sample is known to be a number and not infinite. */
  readonly finite: boolean;
}

/** One step of 16 bits. */
const step = 2 ** -15;

/**
 * Whether so much energy in so many samples is what rounding to 16 bits leaves of silence, with or without dither: made
 * louder until it is noise, it would be another noise than the file was meant to be.
 */
export function isSilence(energy: number, length: number): boolean {
  return energy <= length * step * step;
}

/**
 * Adds noise so that the ratio of the energies over the whole sound is the one asked for, pauses included; nothing is cut
 * off or made softer (torchaudio's `add_noise`).
 *
 * @param samples not silent
 * @param noise as many samples, not silent
 * @param energies of both, where they are known
 */
export function mixAtSnr(
  samples: Float32Array,
  noise: Float32Array,
  snrDb: number,
  energies = energiesOf(samples, noise),
): MixedSound {
  const noiseGain = Math.sqrt(energies.signal / energies.noise) * 10 ** (-snrDb / 20);
  const { samples: mixed, addedEnergy, samplesBeyondFullScale } = addScaled(samples, noise, noiseGain);
  return {
    samples: mixed,
    noiseGain,
    achievedSnrDb: addedEnergy > 0 ? 10 * Math.log10(energies.signal / addedEnergy) : null,
    samplesBeyondFullScale,
    // What is none, or infinite, would be so in what was added, too.
    finite: Number.isFinite(addedEnergy),
  };
}
