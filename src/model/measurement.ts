import type { JsonObject } from '../base/json.ts';

/** What is true of a sound, whoever hears it. Stored once per clip. */
export interface ClipMeasurement {
  readonly durationSeconds: number;
  readonly sampleRate: number;
  /** Root mean square relative to full scale; null for digital silence, which has no level in decibels. */
  readonly levelDbfs: number | null;
  /** Share of samples at full scale, 0 to 1. */
  readonly clippedShare: number;
  /** What the perturbations say of what they did: asked and achieved SNR, which chunks were dropped, … by step. */
  readonly facts: readonly JsonObject[];
  /** SHA-256 of the samples (32-bit floats, little-endian) and the rate: sound made again can be checked. */
  readonly sampleHash: string;
}
