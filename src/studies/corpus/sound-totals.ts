import type { ClipMeasurement } from '../../model/trial.ts';

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

/** How much of the corpus has one value of an attribute. */
interface GroupSize {
  readonly clips: number;
  readonly speakers: number;
  readonly seconds: number;
  /** Clips whose sound cannot be read: they are in no seconds. */
  readonly unreadable: number;
}

/** An attribute's most frequent values. */
export interface AttributeGroups {
  readonly attribute: string;
  /** Different values; null: more than 1,000, so that it does not divide the corpus into groups. */
  readonly values: number | null;
  /** Clips of which it is known. */
  readonly known: number;
  readonly largest: readonly (GroupSize & { readonly value: string })[];
}

/** Counts clips, speakers and seconds by attribute and value. */
export interface Groups {
  /** @param speaker number of the speaker, or null where nobody knows */
  addClip(attributes: Iterable<readonly [string, string]>, speaker: number | null): void;
  addSeconds(attributes: Iterable<readonly [string, string]>, seconds: number): void;
  addUnreadable(attributes: Iterable<readonly [string, string]>): void;
  /** By name of the attribute, and by number of clips. */
  largest(count: number): readonly AttributeGroups[];
  /** Attributes that came after the first 200, and were not counted. */
  readonly passedOver: number;
}

/** An attribute with more values is the name of something, not a group; counting on would cost memory without end. */
const maxValues = 1000;

const maxAttributes = 200;

/** Groups by attribute for one corpus. */
export function createGroups(): Groups {
  const groups = new Map<
    string,
    Map<string, { clips: number; speakers: Set<number>; seconds: number; unreadable: number }> | null
  >();
  const known = new Map<string, number>();
  let passedOver = 0;
  return {
    addClip(attributes, speaker) {
      for (const [attribute, value] of attributes) {
        if (!groups.has(attribute)) {
          if (groups.size >= maxAttributes) {
            passedOver++;
            continue;
          }
          groups.set(attribute, new Map());
        }
        known.set(attribute, (known.get(attribute) ?? 0) + 1);
        const values = groups.get(attribute);
        if (values === null || values === undefined) continue;
        let group = values.get(value);
        if (group === undefined) {
          if (values.size >= maxValues) {
            groups.set(attribute, null);
            continue;
          }
          group = { clips: 0, speakers: new Set(), seconds: 0, unreadable: 0 };
          values.set(value, group);
        }
        group.clips++;
        if (speaker !== null) group.speakers.add(speaker);
      }
    },
    addSeconds(attributes, seconds) {
      for (const [attribute, value] of attributes) {
        const group = groups.get(attribute)?.get(value);
        if (group !== undefined) group.seconds += seconds;
      }
    },
    addUnreadable(attributes) {
      for (const [attribute, value] of attributes) {
        const group = groups.get(attribute)?.get(value);
        if (group !== undefined) group.unreadable++;
      }
    },
    largest: (count) =>
      [...groups]
        .sort(([a], [b]) => byCodeUnit(a, b))
        .map(([attribute, values]) => ({
          attribute,
          values: values === null ? null : values.size,
          known: known.get(attribute) ?? 0,
          largest: [...(values ?? [])]
            .sort(([a, left], [b, right]) => right.clips - left.clips || byCodeUnit(a, b))
            .slice(0, count)
            .map(([value, { speakers, ...rest }]) => ({ value, ...rest, speakers: speakers.size })),
        })),
    get passedOver() {
      return passedOver;
    },
  };
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
