import type { Clip } from '../audio/clip.ts';
import { resample } from '../audio/resample.ts';
import type { JsonObject } from '../base/json.ts';
import type { Schema } from '../base/schema.ts';
import type { ClipQuality } from '../model/trial.ts';
import type { ModelFileServices } from '../packages/model-files.ts';

/** A measure that was opened: models are loaded, settings are fixed. */
export interface QualityMeter {
  /** Everything that can change a value: measure, version, settings, content hashes of models. Never names, paths, secrets. */
  readonly identity: JsonObject;
  /**
   * Depends on the two clips and on nothing that was measured before. Clips may have any sample rate: they are converted to
   * the measure's own. Neither is changed.
   *
   * @param clean what the clip was made from, before anything was done to it; null where it is not known, and read only by
   *   measures that need it
   */
  measure(clip: Clip, clean: Clip | null): Promise<ClipQuality>;
  /** Gives back everything it opened. */
  close(): Promise<void>;
}

/** What members are given from outside. */
export type QualityServices = ModelFileServices;

/** One way of telling how good a sound is: what a member's folder exports. */
export interface QualityMeasure<Options = unknown> {
  /** Kebab-case, the name of its folder. */
  readonly name: string;
  /** Raised whenever a value changes for some clip. */
  readonly version: number;
  /** What it tells, and by which publication. */
  readonly about: string;
  /** Names of its values, with their units in them, and what each means and ranges over. */
  readonly values: Readonly<Record<string, string>>;
  /** Whether it compares with the clean clip; without one its values are then null. */
  readonly needsClean: boolean;
  /** Samples per second that it works at; null where it takes each clip as it is. */
  readonly sampleRate: number | null;
  /** A strict zod object; every option described. */
  readonly options: Schema<Options>;
  /** @throws EarwitnessError `bad-config` for models that cannot be used, `missing-program` where the engine is not installed */
  open(options: Options, services: QualityServices): Promise<QualityMeter>;
  /** Whether its engine is there; absent where it needs none. */
  readiness?(): Promise<{ readonly ready: boolean; readonly found: string; readonly install?: string }>;
}

/** Samples of a clip and of what it was made from, at one rate and side by side; or why they cannot be. */
type SideBySide = { readonly clip: Clip; readonly clean: Clip } | { readonly reason: string };

/**
 * Puts a clip beside its clean one for a comparison sample by sample: nothing is aligned, since a shift is a difference. Clips
 * of different lengths have none.
 * A clip of another sample rate is converted to that of the clean one.
 */
export function pairWithReference(clip: Clip, clean: Clip | null): SideBySide {
  if (clean === null) return { reason: 'there is no clean clip to compare with' };
  const { samples, sampleRate } = resample(clip, clean.sampleRate);
  if (samples.length === 0 && clean.samples.length === 0) return { reason: 'the clip is empty' };
  if (samples.length !== clean.samples.length) {
    return {
      reason: `the clip has ${samples.length} samples at ${sampleRate} Hz and the clean one ${clean.samples.length}`,
    };
  }
  return { clip: { samples, sampleRate }, clean };
}

/** Whether every sample is 0. */
export function isSilent(samples: Float32Array): boolean {
  for (let n = 0; n < samples.length; n++) if (samples[n] !== 0) return false;
  return true;
}

/**
 * The answer where none of a measure's values exists.
 *
 * @param values the measure's declared values
 * @example return undefinedValues(stoi.values, 'the clip is digital silence');
 */
export function undefinedValues(values: Readonly<Record<string, string>>, reason: string): ClipQuality {
  return { values: Object.fromEntries(Object.keys(values).map((name) => [name, null])), reason };
}
