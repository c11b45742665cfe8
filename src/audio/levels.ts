import { sha256OfParts } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import { type Clip, durationSeconds } from './clip.ts';
import { countFrom } from './ranges.ts';

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

/**
 * What is true of a clip, whoever hears it (the model's `ClipMeasurement`).
 *
 * @param facts what the perturbations said of what they did, by step
 * @example measureClip(clip, []).levelDbfs
 */
export function measureClip(clip: Clip, facts: readonly JsonObject[]) {
  return {
    durationSeconds: durationSeconds(clip),
    sampleRate: clip.sampleRate,
    levelDbfs: levelDbfs(clip.samples),
    clippedShare: clippedShare(clip.samples),
    facts,
    sampleHash: sampleHash(clip),
  };
}

/**
 * The identity of a sound: SHA-256 of the samples as little-endian 32-bit floats, followed by the sample rate as a
 * little-endian 64-bit float.
 */
export function sampleHash({ samples, sampleRate }: Clip): string {
  const rate = new DataView(new ArrayBuffer(8));
  rate.setFloat64(0, sampleRate, true);
  return sha256OfParts([littleEndian(samples), new Uint8Array(rate.buffer)]);
}

function littleEndian(samples: Float32Array): Uint8Array {
  if (littleEndianMachine) return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const view = new DataView(new ArrayBuffer(samples.byteLength));
  for (let n = 0; n < samples.length; n++) view.setFloat32(4 * n, samples[n]!, true);
  return new Uint8Array(view.buffer);
}

const littleEndianMachine = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
