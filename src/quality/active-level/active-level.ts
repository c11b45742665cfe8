import { isSilent } from '../contract.ts';
import { plainMeasure } from '../shared/plain-measure.ts';

/** Time constant of both smoothings, and for how long a pause still counts as speech (ITU-T P.56, table 1). */
const smoothingSeconds = 0.03;
const hangoverSeconds = 0.2;
/** By how much the active level lies above the threshold that decides what is speech. */
const marginDb = 15.9;
/** From half of full scale down, each half of the one above. */
const thresholds = 15;

/** Loudness of speech as telephony measures it: pauses do not count. */
export const activeLevel = plainMeasure({
  name: 'active-level',
  version: 1,
  about: 'Active speech level and activity factor by the speech voltmeter of ITU-T P.56 (12/2011), method B.',
  values: {
    activeLevelDbfs: 'Mean power while somebody speaks, in decibels relative to full scale (dBov)',
    activityFactor: 'Share of the time in which somebody speaks, 0 to 1',
  },
  needsClean: false,
  sampleRate: null,
  of({ samples, sampleRate }) {
    const level = measureSpeechLevel(samples, sampleRate);
    if (level !== null) return { ...level };
    if (samples.length === 0) return 'the clip is empty';
    if (isSilent(samples)) return 'the clip is digital silence';
    return 'the clip is quieter than any speech that the method tells from noise, or too short';
  },
});

/** What a speech voltmeter reads. */
interface SpeechLevel {
  /** Mean power while somebody speaks, in decibels relative to full scale (a square wave that fills the range has 0). */
  readonly activeLevelDbfs: number;
  /** Share of the time in which somebody speaks, 0 to 1. */
  readonly activityFactor: number;
}

/**
 * Active speech level by method B of ITU-T P.56 (12/2011): an envelope is compared with thresholds, and the level is that over
 * the time in which it exceeds the one that lies 15.9 dB below the level. Between thresholds it is interpolated on decibels to
 * the very place; the program of the Recommendation's software library (G.191, sv56) stops within 0.5 dB of the margin.
 *
 * @returns null where no threshold fits: digital silence, or too quiet
 * @example measureSpeechLevel(clip.samples, clip.sampleRate)?.activeLevelDbfs
 */
export function measureSpeechLevel(samples: Float32Array, sampleRate: number): SpeechLevel | null {
  const { energy, active } = countActivity(samples, sampleRate);
  let level = Number.NaN;
  let before = Number.NaN;
  for (let place = 0; place < thresholds && active[place]! > 0; place++) {
    const activeDb = 10 * Math.log10(energy / active[place]!);
    const above = activeDb - 20 * Math.log10(thresholdAt(place)) - marginDb;
    if (above <= 0) {
      if (place === 0 && above < 0) return null;
      level = place === 0 ? activeDb : activeDb + ((level - activeDb) * -above) / (before - above);
      return {
        activeLevelDbfs: level,
        activityFactor: Math.min(1, energy / samples.length / 10 ** (level / 10)),
      };
    }
    level = activeDb;
    before = above;
  }
  return null;
}

function thresholdAt(place: number): number {
  return 2 ** (place - thresholds);
}

/**
 * Energy of all samples, and for each threshold how many of them are active: where the envelope reaches it, and for the
 * hangover afterwards. Only crossings are counted, since there are few.
 */
function countActivity(samples: Float32Array, sampleRate: number): { energy: number; active: Float64Array } {
  const hangover = Math.floor(hangoverSeconds * sampleRate + 0.5);
  const keep = Math.exp(-1 / (sampleRate * smoothingSeconds));
  const take = 1 - keep;
  const active = new Float64Array(thresholds);
  /** Where each threshold was crossed last. Before the first sample nothing has been heard, so nothing hangs over. */
  const crossedAt = new Float64Array(thresholds).fill(-Infinity);
  let energy = 0;
  let smoothed = 0;
  let envelope = 0;
  /** Thresholds at or below the envelope; between these bounds there are as many. */
  let reached = 0;
  let lower = Number.NEGATIVE_INFINITY;
  let upper = thresholdAt(0);
  for (let n = 0; n < samples.length; n++) {
    const sample = samples[n]!;
    energy += sample * sample;
    smoothed = keep * smoothed + take * Math.abs(sample);
    envelope = keep * envelope + take * smoothed;
    if (envelope >= lower && envelope < upper) continue;
    while (reached < thresholds && envelope >= thresholdAt(reached)) {
      // Never crossed: the pause before has no hangover.
      if (crossedAt[reached]! >= 0) active[reached]! += Math.min(hangover, n - crossedAt[reached]!);
      crossedAt[reached++] = n;
    }
    while (reached > 0 && envelope < thresholdAt(reached - 1)) {
      active[--reached]! += n - crossedAt[reached]!;
      crossedAt[reached] = n;
    }
    lower = reached === 0 ? Number.NEGATIVE_INFINITY : thresholdAt(reached - 1);
    upper = reached === thresholds ? Number.POSITIVE_INFINITY : thresholdAt(reached);
  }
  for (let place = 0; place < thresholds; place++) {
    if (crossedAt[place]! < 0) continue;
    const rest = samples.length - crossedAt[place]!;
    active[place]! += place < reached ? rest : Math.min(hangover, rest);
  }
  return { energy, active };
}
