import type { Clip } from '../../audio/clip.ts';
import { resample } from '../../audio/resample.ts';
import type { MeasuredQuality } from '../contract.ts';

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
export function undefinedValues(values: Readonly<Record<string, string>>, reason: string): MeasuredQuality {
  return { values: Object.fromEntries(Object.keys(values).map((name) => [name, null])), reason };
}
