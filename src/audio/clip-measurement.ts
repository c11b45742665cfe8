import { sha256OfParts } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import { type Clip, durationSeconds } from './clip.ts';
import { clippedShare, levelDbfs } from './levels.ts';

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
