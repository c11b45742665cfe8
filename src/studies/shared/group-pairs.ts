import { badConfig, type EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { SampleSize } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { tooFewClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import { type ClusteredCounts, clusterTable } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import type { Interval } from '../../statistics/interval.ts';
import { pairedPermutationTest } from '../../statistics/significance/paired-permutation-test.ts';
import { defaultPermutations } from '../../statistics/significance/permutation-result.ts';
import { permutationTestOfRates } from '../../statistics/significance/permutation-test.ts';
import { named } from './wording.ts';

/** Two groups that are compared: a value of an attribute, and the one that others are set against. */
export interface GroupPair {
  readonly attribute: string;
  /** Its place among the study's attributes. */
  readonly place: number;
  readonly value: string;
  readonly comparedWith: string;
  readonly speakers: { readonly group: number; readonly others: number };
}

/** More comparisons than this nobody can read. */
const maxPairs = 60;

/**
 * Every value of an attribute beside the reference: the one that the options name, or that of most speakers (of equally many
 * the first in the order of code units).
 *
 * @param speakersOf for each attribute that makes groups how many speakers have each value
 * @throws EarwitnessError `bad-config` for a reference that does not occur, or more than 60 comparisons
 */
export function groupPairs(
  speakersOf: ReadonlyMap<string, ReadonlyMap<string, number>>,
  reference: Readonly<Record<string, string>>,
): GroupPair[] {
  const pairs = [...speakersOf].flatMap(([attribute, speakers], place): GroupPair[] => {
    const ordered = [...speakers].sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1));
    const [most] = ordered;
    if (most === undefined) return [];
    const wanted = Object.hasOwn(reference, attribute) ? reference[attribute]! : most[0];
    const others = speakers.get(wanted);
    if (others === undefined) throw noSuchValue(attribute, wanted, ordered);
    return ordered
      .filter(([value]) => value !== wanted)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([value, group]) => ({ attribute, place, value, comparedWith: wanted, speakers: { group, others } }));
  });
  for (const name of Object.keys(reference)) {
    if (speakersOf.has(name) || [...speakersOf.values()].every(({ size }) => size === 0)) continue;
    throw badConfig(
      `reference: expected attributes that make groups (${[...speakersOf.keys()].map((one) => printable(one, 40)).join(', ')}), but got ${printable(JSON.stringify(name))}`,
    );
  }
  if (pairs.length > maxPairs) {
    throw badConfig(
      `groupBy: expected at most ${maxPairs} groups to compare, but these attributes make ${pairs.length}; name fewer, or divide numbers with bins`,
    );
  }
  return pairs;
}

function noSuchValue(
  attribute: string,
  wanted: string,
  known: readonly (readonly [string, number])[],
): EarwitnessError {
  const there = known.slice(0, 8).map(([value]) => printable(JSON.stringify(value), 40));
  return badConfig(
    `reference: expected a value of ${printable(JSON.stringify(attribute))} (${there.join(', ')}), but got ${printable(JSON.stringify(wanted))}`,
  );
}

/** A comparison in a cell: `sex female – male`. */
export function pairLabel({ attribute, value, comparedWith }: GroupPair): string {
  return `${attribute} ${value} – ${comparedWith}`;
}

/** A comparison in a sentence: `sex female beside male`. */
export function pairWords({ attribute, value, comparedWith }: GroupPair): string {
  return `${named(attribute)} ${named(value)} beside ${named(comparedWith)}`;
}

/** One side of a comparison between groups: what was counted of it, by speaker. */
export interface GroupSide {
  readonly counts: ClusteredCounts;
  /** The speaker of each place in the counts. */
  readonly clusters: readonly number[];
  readonly n: SampleSize;
}

/** Whether some speakers are in both groups (moods, rooms), which are compared within themselves then. */
function shareSpeakers(one: GroupSide, other: GroupSide): boolean {
  const own = new Set(one.clusters);
  return other.clusters.some((cluster) => own.has(cluster));
}

/** How much stands behind a comparison of two groups: who is in both (moods, rooms) is one speaker. */
export function sizeOfBoth(
  one: GroupSide,
  other: GroupSide,
): Required<Pick<SampleSize, 'utterances' | 'speakers' | 'words'>> {
  const present = ({ counts, clusters }: GroupSide) => clusters.filter((_, place) => counts.denominators[place]! > 0);
  const own = new Set(present(one));
  const shared = present(other).filter((cluster) => own.has(cluster)).length;
  return {
    utterances: one.n.utterances + other.n.utterances,
    speakers: distinctSpeakers(one.n, other.n, shared),
    words: (one.n.words ?? 0) + (other.n.words ?? 0),
  };
}

/**
 * Speakers of two groups together, each once.
 *
 * @param shared how many are in both
 */
export function distinctSpeakers(one: SampleSize, other: SampleSize, shared: number): number {
  return one.speakers + other.speakers - Math.min(shared, one.speakers, other.speakers);
}

/** The same place is the same speaker; who is absent from a group has nothing there. */
function alignedSides(one: GroupSide, other: GroupSide): [ClusteredCounts, ClusteredCounts] {
  const places = new Map([...new Set([...one.clusters, ...other.clusters])].map((cluster, place) => [cluster, place]));
  const spread = ({ counts, clusters }: GroupSide): ClusteredCounts => {
    const numerators = new Float64Array(places.size);
    const denominators = new Float64Array(places.size);
    clusters.forEach((cluster, place) => {
      numerators[places.get(cluster)!] = counts.numerators[place]!;
      denominators[places.get(cluster)!] = counts.denominators[place]!;
    });
    return { ...counts, numerators, denominators };
  };
  return [spread(one), spread(other)];
}

interface SideSettings {
  readonly level: number;
  readonly minimumSpeakers: number;
  /** Of the run. */
  readonly seed: number;
  readonly resamples?: number;
  readonly permutations?: number;
}

/** How far two groups differ, and how likely so great a difference is where none does. */
interface ComparedSides {
  /** Second less first. */
  readonly interval: Interval;
  readonly pValue: number | null;
  readonly test: string;
  readonly reason?: Reason;
}

/**
 * Compares the rates of two groups: within speakers who are in both (moods, rooms), else between the groups. What is drawn belongs to their
 * counts, so that nobody else moves it.
 */
export function compareSides(first: GroupSide, second: GroupSide, settings: SideSettings): ComparedSides {
  if (!shareSpeakers(first, second)) return compareSeparate(first.counts, second.counts, settings);
  const { level, minimumSpeakers, seed, resamples = 2000, permutations = defaultPermutations } = settings;
  const [a, b] = alignedSides(first, second);
  const options = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const random = randomOfData(seed)([clusterTable(a, b)]);
  const { pValue, reason, test } = pairedPermutationTest(a, b, { permutations, random });
  return {
    interval: differenceInterval(a, b, options),
    pValue,
    test: `${test} (some speakers are in both groups)`,
    ...(reason === undefined ? {} : { reason }),
  };
}

/**
 * Groups of different speakers: of rates the interval holds the differences that the test does not reject, so that the two agree.
 * Proportions have an interval of their own, and so has what no arrangement of speakers could reject, or has no spread.
 */
function compareSeparate(a: ClusteredCounts, b: ClusteredCounts, settings: SideSettings): ComparedSides {
  const { level, minimumSpeakers, seed, resamples = 2000, permutations = defaultPermutations } = settings;
  const proportions = a.proportion === true && b.proportion === true;
  const statistic = proportions ? 'studentized' : 'unskewed';
  const random = randomOfData(seed)([clusterTable(a), clusterTable(b)]);
  const options = { permutations, statistic, level, random } as const;
  const { difference, interval: kept, ...found } = permutationTestOfRates(b, a, options);
  if (kept === undefined || kept.low === null) {
    const options = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
    return { ...found, interval: differenceInterval(a, b, { ...options, clusters: 'separate' }) };
  }
  const reason = tooFewClusters([clusterTable(a), clusterTable(b)], 2, minimumSpeakers);
  const ends = reason === null ? kept : { low: null, high: null, reason };
  const method = `differences that the test does not reject: ${found.test}`;
  return { ...found, interval: { value: difference, level, method, ...ends } };
}
