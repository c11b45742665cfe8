import type { ClipMeasurement } from '../../model/measurement.ts';
import type { StudyContext } from '../contract.ts';

/** What was measured of a clip; null where it was not, or has no value. */
export interface ClipFacts {
  readonly snrDb: number | null;
  readonly noiseDbfs: number | null;
  readonly speechDbfs: number | null;
  /** Of the whole clip. */
  readonly wholeDbfs: number | null;
  /** Of the speech where it is measured, else of the whole clip. */
  readonly levelDbfs: number | null;
  readonly bandwidthHz: number | null;
  readonly pitchHz: number | null;
  readonly lettersPerSecond: number | null;
}

/** Measures of quality that the study reads where the config names them. */
const readMeasures = ['noise-level', 'bandwidth', 'pitch', 'active-level'] as const;

/** Those of them that the config names. */
export function measuresOf({ quality = [] }: StudyContext): string[] {
  return readMeasures.filter((name) => quality.some((measure) => measure.name === name));
}

/**
 * @param letters of the reference
 * @param measurement null: the clip could not be made, or there is none
 */
export function clipFacts(letters: number, measurement: ClipMeasurement | null): ClipFacts {
  const read = (measure: (typeof readMeasures)[number], value: string): number | null =>
    measurement?.quality?.[measure]?.values[value] ?? null;
  const wholeDbfs = measurement?.levelDbfs ?? null;
  const speechDbfs = read('noise-level', 'speechDbfs');
  const seconds = (measurement?.durationSeconds ?? 0) * (read('active-level', 'activityFactor') ?? 1);
  return {
    snrDb: read('noise-level', 'snrDb'),
    noiseDbfs: read('noise-level', 'noiseDbfs'),
    speechDbfs,
    wholeDbfs,
    levelDbfs: speechDbfs ?? wholeDbfs,
    bandwidthHz: read('bandwidth', 'bandwidthHz'),
    pitchHz: read('pitch', 'medianPitchHz'),
    lettersPerSecond: seconds > 0 && letters > 0 ? letters / seconds : null,
  };
}
