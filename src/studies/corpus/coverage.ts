import type { ClipMeasurement } from '../../model/measurement.ts';
import type { Utterance } from '../../model/utterance.ts';
import {
  attributeCombinations,
  type Coverage,
  type CoverageItem,
  type CoverageOptions,
  intersectionalCoverage,
} from '../../statistics/intersectional-coverage.ts';
import { attributeReader } from '../shared/attributes.ts';
import type { CoverageStudyOptions } from './options.ts';

/** How one combination of attributes is covered, counted in all three ways. */
export interface CombinationCoverage {
  /** Counted as asked, with its minimum. */
  readonly asked: Coverage;
  /** Divergence from uniform in nats; null with a reason where nothing was counted. */
  readonly kl: Readonly<Record<CoverageOptions['by'], { readonly value: number | null; readonly reason?: string }>>;
}

/** Adds up what the corpus has of each combination. Memory grows with speakers and combinations that occur. */
export interface CoverageCount {
  addUtterance(utterance: Utterance): void;
  addSound(utterance: Utterance, measurement: ClipMeasurement): void;
  /** @throws RangeError more than a million combinations */
  combinations(): readonly CombinationCoverage[];
  /** Clips whose speaker nobody knows: they are not counted where speakers are. */
  readonly withoutSpeaker: number;
}

interface Added {
  readonly attributes: Readonly<Record<string, string>>;
  readonly speaker: string | null;
  clips: number;
  seconds: number;
}

/** Counts for one corpus. */
export function createCoverageCount(options: CoverageStudyOptions): CoverageCount {
  const { attributes, ways = Math.min(2, attributes.length), by, minimum, bins = {}, values } = options;
  const read = attributeReader(bins);
  const added = new Map<string, Added>();
  let withoutSpeaker = 0;

  const placeOf = (utterance: Utterance): Added => {
    const own = attributes.flatMap((name): [string, string][] => {
      const value = read(utterance, name);
      return value === null ? [] : [[name, value]];
    });
    const speaker = utterance.speaker ?? null;
    const key = JSON.stringify([own, speaker]);
    let place = added.get(key);
    if (place === undefined) {
      place = { attributes: Object.fromEntries(own), speaker, clips: 0, seconds: 0 };
      added.set(key, place);
    }
    return place;
  };

  const coverageOf = (combination: readonly string[], counted: CoverageOptions['by']): Coverage => {
    const items: CoverageItem[] = [];
    for (const { seconds, ...item } of added.values()) {
      if (counted !== 'speakers' || item.speaker !== null) items.push({ ...item, durationSeconds: seconds });
    }
    return intersectionalCoverage(items, {
      attributes: combination,
      by: counted,
      minimum,
      ...(values !== undefined && { values }),
    });
  };

  return {
    addUtterance(utterance) {
      if (utterance.speaker === undefined) withoutSpeaker++;
      placeOf(utterance).clips++;
    },
    addSound(utterance, { durationSeconds }) {
      placeOf(utterance).seconds += durationSeconds;
    },
    combinations: () =>
      attributeCombinations(attributes, ways).map((combination) => {
        const counted = {
          clips: coverageOf(combination, 'clips'),
          speakers: coverageOf(combination, 'speakers'),
          hours: coverageOf(combination, 'hours'),
        };
        const klOf = ({ klToUniform, reason }: Coverage) => ({
          value: klToUniform,
          ...(reason !== undefined && { reason }),
        });
        return {
          asked: counted[by],
          kl: { clips: klOf(counted.clips), speakers: klOf(counted.speakers), hours: klOf(counted.hours) },
        };
      }),
    get withoutSpeaker() {
      return withoutSpeaker;
    },
  };
}
