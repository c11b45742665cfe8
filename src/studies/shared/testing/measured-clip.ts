import type { ClipMeasurement } from '../../../model/measurement.ts';

/** For tests: a second of sound whose quality was measured. */
export function measuredClip(quality: NonNullable<ClipMeasurement['quality']>): ClipMeasurement {
  return {
    durationSeconds: 1,
    sampleRate: 16_000,
    levelDbfs: -20,
    clippedShare: 0,
    facts: [],
    sampleHash: '',
    quality,
  };
}
