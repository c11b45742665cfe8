import type { JsonObject } from '../base/json.ts';

/** What one measure of quality says of a clip. */
export interface ClipQuality {
  /** By the names that the measure gives them, with units in them; null where the clip has none. */
  readonly values: Readonly<Record<string, number | null>>;
  /** Why a value is null: given exactly where one is. */
  readonly reason?: string;
}

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
  /** By measure, where quality was asked for. Each is stored by itself, so that another can be asked for later. */
  readonly quality?: Readonly<Record<string, ClipQuality>>;
}
