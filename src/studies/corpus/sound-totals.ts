import type { ClipMeasurement } from '../../model/measurement.ts';

/** What is known of the sounds that could be read. */
export interface SoundTotals {
  readonly clips: number;
  readonly seconds: number;
  readonly shortest: { readonly utteranceId: string; readonly seconds: number } | null;
  readonly longest: { readonly utteranceId: string; readonly seconds: number } | null;
  readonly sampleRates: readonly { readonly sampleRate: number; readonly clips: number }[];
  /** Null where no sound has a level. */
  readonly quietestDbfs: number | null;
  readonly medianDbfs: number | null;
  readonly loudestDbfs: number | null;
  /** Share of all samples that are at full scale; null without sound. */
  readonly clippedShare: number | null;
}

/** Adds up sounds as they come; memory follows the sample rates alone. */
interface SoundCount {
  add(utteranceId: string, measurement: ClipMeasurement): void;
  totals(): SoundTotals;
}

/** A count of no sounds yet. */
export function createSoundCount(): SoundCount {
  const levels = createLevels();
  const sampleRates = new Map<number, number>();
  const sound = { clips: 0, seconds: 0, samples: 0, clippedSamples: 0 };
  let shortest: SoundTotals['shortest'] = null;
  let longest: SoundTotals['longest'] = null;
  return {
    add(utteranceId, { durationSeconds: seconds, sampleRate, levelDbfs, clippedShare }) {
      sound.clips++;
      sound.seconds += seconds;
      sound.samples += seconds * sampleRate;
      sound.clippedSamples += clippedShare * seconds * sampleRate;
      sampleRates.set(sampleRate, (sampleRates.get(sampleRate) ?? 0) + 1);
      if (levelDbfs !== null) levels.add(levelDbfs);
      if (shortest === null || seconds < shortest.seconds) shortest = { utteranceId, seconds };
      if (longest === null || seconds > longest.seconds) longest = { utteranceId, seconds };
    },
    totals: () => ({
      clips: sound.clips,
      seconds: sound.seconds,
      shortest,
      longest,
      sampleRates: [...sampleRates].sort(([a], [b]) => a - b).map(([sampleRate, clips]) => ({ sampleRate, clips })),
      quietestDbfs: levels.quantile(0),
      medianDbfs: levels.quantile(0.5),
      loudestDbfs: levels.quantile(1),
      clippedShare: sound.samples === 0 ? null : sound.clippedSamples / sound.samples,
    }),
  };
}

/** Levels of clips, kept as counts in steps of a tenth of a decibel, so that memory stays flat. */
interface Levels {
  add(dbfs: number): void;
  /**
   * The level at or below which this share of the clips lies (the smallest such; type 1 of Hyndman and Fan, 1996), to a
   * tenth of a decibel; null without clips.
   */
  quantile(share: number): number | null;
}

/** A decibel has so many steps. */
const steps = 10;

/** Levels for one corpus. */
function createLevels(): Levels {
  const counts = new Map<number, number>();
  let total = 0;
  return {
    add(dbfs) {
      const step = Math.round(Math.max(dbfs, -400) * steps);
      counts.set(step, (counts.get(step) ?? 0) + 1);
      total++;
    },
    quantile(share) {
      let below = 0;
      for (const [step, count] of [...counts].sort(([a], [b]) => a - b)) {
        below += count;
        if (below >= share * total) return step / steps;
      }
      return null;
    },
  };
}
