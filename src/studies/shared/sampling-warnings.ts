import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { studentUpperTail } from '../../statistics/distributions.ts';
import { quantileSorted } from '../../statistics/quantile.ts';
import { rankValues } from '../../statistics/significance/rank-correlation.ts';
import { gather, type Part, type SlicedCounts } from './sliced-counts.ts';
import { counted, listed, named } from './wording.ts';

/** Errors and words by speaker of what is warned of. */
export interface SampledCounts {
  readonly name: string;
  readonly counts: ClusteredCounts;
}

const level = 0.05;
/** Of fewer words a rate says little about a speaker. */
const minWords = 10;
/** A speaker of whom so much is wrong is not understood at all, unless half of the others are hardly better. */
const wholly = 0.9;
/** A group's speakers differ much more than others' where their mean distance from the median is so many times as much. */
const unlike = 1.5;

/**
 * What the data show of worlds in which intervals hold the truth less often than they say, or fair groups are called unfair more often
 * (`bench/calibration/odd-speakers.ts`; the figures are in docs/guarantees.md): speakers who say more and are misheard more, few who are not
 * understood at all, and groups within which speakers differ much more than within the others. A sign may be chance, and its absence proves
 * nothing: of a kind of speaker that was not met no sample knows.
 *
 * @param recognizers counts of each by speaker, on clean audio; speakers without words are left out
 * @param attributes the groups of each attribute, with the counts of all recognizers together
 * @example samplingWarnings([{ name: 'a', counts }], [], 10)
 */
export function samplingWarnings(
  recognizers: readonly SampledCounts[],
  attributes: readonly { readonly name: string; readonly groups: readonly SampledCounts[] }[],
  minimumSpeakers: number,
): string[] {
  const seen = recognizers.map(({ name, counts }) => ({ name, speakers: speakersOf(counts) }));
  const enough = seen.filter(({ speakers }) => speakers.length >= minimumSpeakers);
  const warnings: string[] = [];

  const talkers = enough.filter(({ speakers }) => saysMoreIsMisheardMore(speakers));
  if (talkers.length > 0) {
    const [most, least] = ends(talkers.map(({ speakers }) => speakers.length));
    warnings.push(
      `Speakers who say more are misheard more by ${listed(talkers.map(({ name }) => name))}: a few talkative speakers decide the WER, and with ${most === least ? most : `${least} to ${most}`} speakers its interval is too narrow (docs/guarantees.md).`,
    );
  }
  for (const { name, speakers } of enough) {
    const lost = whollyMisheard(speakers);
    if (lost > 0) {
      warnings.push(
        `${named(name)} gets at least 90 % of the words of ${counted(lost, 'speaker')} out of ${speakers.length} wrong: how many such speakers there are decides its WER, and a sample tells that poorly; its intervals are too narrow (docs/guarantees.md).`,
      );
    }
  }
  for (const { name, groups } of attributes) {
    const odd = oddGroups(groups, minimumSpeakers);
    if (odd.length > 0) {
      warnings.push(
        `Speakers of ${named(name)} ${listed(odd)} differ from each other much more than those of other groups: gaps between such groups are called somewhat too easily (docs/guarantees.md).`,
      );
    }
  }
  return warnings;
}

/**
 * The same of counts that are kept by speaker and group.
 *
 * @param recognizers with the series of their clean audio
 */
export function slicedSamplingWarnings(
  slices: SlicedCounts,
  recognizers: readonly { readonly name: string; readonly series: number }[],
  minimumSpeakers: number,
): string[] {
  const whole = slices.whole();
  const attributes = [...Map.groupBy(slices.groups(), ({ group }) => group!.attribute)];
  return samplingWarnings(
    recognizers.map(({ name, series }) => ({ name, counts: gather(whole, series).counts })),
    attributes.map(([name, parts]) => ({
      name,
      groups: parts.map((part) => ({ name: part.group!.value, counts: pooled(part, recognizers) })),
    })),
    minimumSpeakers,
  );
}

function pooled(part: Part, recognizers: readonly { readonly series: number }[]): ClusteredCounts {
  const all = recognizers.map(({ series }) => gather(part, series).counts);
  const sums = (of: (counts: ClusteredCounts) => Float64Array) =>
    Float64Array.from(part.rows, (_, place) => all.reduce((sum, counts) => sum + of(counts)[place]!, 0));
  return { numerators: sums(({ numerators }) => numerators), denominators: sums(({ denominators }) => denominators) };
}

interface Speaker {
  readonly words: number;
  readonly rate: number;
}

function speakersOf({ numerators, denominators }: ClusteredCounts): Speaker[] {
  return Array.from(denominators, (words, place) => ({ words, rate: numerators[place]! / words })).filter(
    ({ words }) => words > 0,
  );
}

/** Spearman's rank correlation of words and rates, above 0 at the 5 % level (t approximation, two-sided). */
function saysMoreIsMisheardMore(speakers: readonly Speaker[]): boolean {
  const words = rankValues(Float64Array.from(speakers, (speaker) => speaker.words)).ranks;
  const rates = rankValues(Float64Array.from(speakers, ({ rate }) => rate)).ranks;
  const middle = (speakers.length + 1) / 2;
  let [both, ofWords, ofRates] = [0, 0, 0];
  words.forEach((rank, place) => {
    const [x, y] = [rank - middle, rates[place]! - middle];
    both += x * y;
    ofWords += x * x;
    ofRates += y * y;
  });
  if (!(both > 0)) return false;
  const correlation = both / Math.sqrt(ofWords * ofRates);
  const freedom = speakers.length - 2;
  const t = correlation * Math.sqrt(freedom / Math.max(1e-300, 1 - correlation ** 2));
  return studentUpperTail(t, freedom) <= level / 2;
}

/** How many speakers are not understood at all, where they are few and most are understood. */
function whollyMisheard(speakers: readonly Speaker[]): number {
  if (medianOf(speakers.map(({ rate }) => rate)) > wholly / 2) return 0;
  const lost = speakers.filter(({ words, rate }) => words >= minWords && rate >= wholly).length;
  return lost <= Math.max(1, speakers.length / 10) ? lost : 0;
}

/** Groups whose speakers' rates differ, by ratio, much more than those of all others (M. Brown and A. Forsythe, JASA 69, 1974). */
function oddGroups(groups: readonly SampledCounts[], minimumSpeakers: number): string[] {
  const known = groups
    .map(({ name, counts }) => ({ name, away: distances(counts) }))
    .filter(({ away }) => away.length >= minimumSpeakers);
  if (known.length < 2) return [];
  return known
    .filter(({ away }) => {
      const others = known.filter((one) => one.away !== away).flatMap((one) => one.away);
      if (!(meanOf(away) > unlike * meanOf(others))) return false;
      const error = Math.hypot(errorOfMean(away), errorOfMean(others));
      const freedom = away.length + others.length - 2;
      return studentUpperTail((meanOf(away) - meanOf(others)) / error, freedom) <= level / (2 * known.length);
    })
    .map(({ name }) => name);
}

/** How far each speaker's rate is from the median of the group, as a logarithm; half an error is added, so that none has no logarithm. */
function distances({ numerators, denominators }: ClusteredCounts): number[] {
  const rates = [...denominators].flatMap((words, place) =>
    words > 0 ? [Math.log((numerators[place]! + 0.5) / (words + 0.5))] : [],
  );
  const middle = medianOf(rates);
  return rates.map((rate) => Math.abs(rate - middle));
}

function ends(values: readonly number[]): [most: number, least: number] {
  return [Math.max(...values), Math.min(...values)];
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function errorOfMean(values: readonly number[]): number {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

function medianOf(values: readonly number[]): number {
  return quantileSorted(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
