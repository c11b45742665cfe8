import type { ClipMeasurement, Condition } from '../../model/trial.ts';
import { quantileSorted } from '../../statistics/quantile.ts';
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
    about: 'Highest frequency with energy, in kHz',
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
    needs: 'a recognizer that reports its vocabulary',
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

/** In what clips can be made alike by perturbations there are. */
export const equalizations = ['level', 'noise', 'rate'] as const;

/** One of `equalizations`. */
export type Equalization = (typeof equalizations)[number];

/** What all clips are brought to; null where too few were measured. */
export type Targets = Readonly<Record<Equalization, number | null>>;

/**
 * Targets that most clips can be brought to. Level: the first quartile, so that most clips get softer and none is cut off.
 * Noise: the ratio that nine tenths of the clips exceed; noise can be added and not taken away. Rate: the median.
 */
export function targetsOf(clips: readonly ClipFacts[]): Targets {
  const at = (read: (clip: ClipFacts) => number | null, share: number) => {
    const values = Float64Array.from(clips.flatMap((clip) => read(clip) ?? [])).sort();
    return values.length === 0 ? null : quantileSorted(values, share);
  };
  return {
    level: at(({ levelDbfs }) => levelDbfs, 0.25),
    noise: at(({ snrDb }) => snrDb, 0.1),
    rate: at(({ lettersPerSecond }) => lettersPerSecond, 0.5),
  };
}

/** What is asked of one clip: a condition, its sound as it is, or nothing, because it cannot be brought there. */
export type Equalized = Condition | 'as it is' | null;

/** Steps of tempo, so that clips share conditions. */
const tempoStep = 0.05;

/** Beyond these a stretched voice is no voice, and a gain is no change of level. */
const [slowest, fastest, maxGainDb] = [0.5, 2, 40];

/**
 * The condition that brings a clip to the target, in steps (1 dB, 5 % of tempo) so that there are few conditions. A clip that is
 * noisier than the target stays as it is.
 */
export function equalizedClip(wanted: Equalization, clip: ClipFacts, targets: Targets): Equalized {
  const target = targets[wanted];
  if (target === null) return null;
  if (wanted === 'level') {
    if (clip.levelDbfs === null) return null;
    const gainDb = Math.round(target - clip.levelDbfs);
    if (gainDb === 0) return 'as it is';
    if (Math.abs(gainDb) > maxGainDb) return null;
    return condition(`one level: ${gainDb} dB`, 'gain', { factor: 10 ** (gainDb / 20) });
  }
  if (wanted === 'rate') {
    if (clip.lettersPerSecond === null) return null;
    const factor = Math.round(target / clip.lettersPerSecond / tempoStep) * tempoStep;
    if (Math.abs(factor - 1) < tempoStep / 2) return 'as it is';
    if (factor < slowest || factor > fastest) return null;
    return condition(`one rate: tempo ${factor.toFixed(2)}`, 'tempo', { factor: Number(factor.toFixed(2)) });
  }
  const { snrDb, noiseDbfs, speechDbfs, wholeDbfs } = clip;
  if (snrDb === null || noiseDbfs === null || speechDbfs === null || wholeDbfs === null) return null;
  const missing = 10 ** ((speechDbfs - target) / 10) - 10 ** (noiseDbfs / 10);
  if (missing <= 0) return 'as it is';
  // The perturbation sets noise against the whole clip, pauses and its own noise included.
  const ratio = Math.round(wholeDbfs - 10 * Math.log10(missing));
  if (ratio > 60) return 'as it is';
  return ratio < -30 ? null : condition(`one noise: ${ratio} dB`, 'white-noise', { snrDb: ratio });
}

function condition(name: string, perturbation: string, parameters: Record<string, number>): Condition {
  return { name, steps: [{ perturbation, parameters }] };
}
