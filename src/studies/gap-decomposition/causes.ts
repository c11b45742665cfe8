import type { ClipMeasurement } from '../../model/measurement.ts';
import type { StudyContext } from '../contract.ts';

/** What causes belong to. */
export const causeKinds = ['recording', 'delivery', 'text'] as const;

/** One of `causeKinds`. */
export type CauseKind = (typeof causeKinds)[number];

/** Causes that are measured, or counted in texts. */
export const causeNames = [
  'noise',
  'level',
  'bandwidth',
  'speech-rate',
  'pitch',
  'length',
  'rarity',
  'unknown-words',
  'same-text',
] as const;

/** One of `causeNames`. */
export type CauseName = (typeof causeNames)[number];

/** Of each cause what it belongs to, what it is, and what it needs. */
export const causeFacts: Readonly<
  Record<CauseName, { readonly kind: CauseKind; readonly about: string; readonly needs: string }>
> = {
  noise: {
    kind: 'recording',
    about: 'Signal-to-noise ratio in decibels, estimated from the clip',
    needs: 'noise-level under `quality` in the config',
  },
  level: {
    kind: 'recording',
    about: 'Level of the speech in decibels (of the whole clip where noise-level is not measured)',
    needs: 'sound',
  },
  bandwidth: {
    kind: 'recording',
    about: 'Up to which frequency there is sound, in kilohertz',
    needs: 'bandwidth under `quality` in the config',
  },
  'speech-rate': {
    kind: 'delivery',
    about: 'Letters of the reference for each second of speech (of the whole clip where active-level is not measured)',
    needs: 'sound',
  },
  pitch: {
    kind: 'delivery',
    about: 'Median fundamental frequency, in octaves',
    needs: 'pitch under `quality` in the config',
  },
  length: { kind: 'text', about: 'Logarithm of the number of words', needs: 'references of unequal length' },
  rarity: {
    kind: 'text',
    about: 'Mean of the negative logarithm of the words’ frequency, by the list or the references',
    needs: 'references',
  },
  'unknown-words': {
    kind: 'text',
    about: 'Share of the words that the recognizer cannot write',
    needs: 'a recognizer that tells its vocabulary',
  },
  'same-text': {
    kind: 'text',
    about: 'Errors that other speakers have on the same text, against what their group has on average',
    needs: 'texts that at least 3 other speakers have read',
  },
};

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
