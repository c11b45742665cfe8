import type { Condition } from '../../model/condition.ts';
import { quantileSorted } from '../../statistics/quantile.ts';
import type { ClipFacts } from './causes.ts';

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
const [slowest, fastest, mostGainDb] = [0.5, 2, 40];

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
    if (Math.abs(gainDb) > mostGainDb) return null;
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
