import { grouped } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import type { Utterance } from '../../model/utterance.ts';
import { mixesUnits } from '../../scoring/normalizers/by-language.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { studentUpperTail } from '../../statistics/distributions.ts';
import { quantileSorted } from '../../statistics/quantile.ts';
import { rankValues } from '../../statistics/significance/rank-correlation.ts';
import type { StudyContext } from '../contract.ts';
import { unlessUsual } from './open-verdict.ts';
import { withoutLoops } from './share-watch.ts';
import { groupSizes, type MetSpeakers, unitOf } from './shortages.ts';
import { gather, type Part, type SlicedCounts } from './sliced-counts.ts';
import { listed, named } from './wording.ts';

/** What says who spoke. */
export type SpeakersFrom = NonNullable<StudyContext['speakersFrom']>;

const namedBy: Readonly<Record<SpeakersFrom, string>> = {
  corpus: 'The corpus can name them: folder by pattern or speaker, manifest by columns.speaker.',
  files: 'A table can name them: in a column speaker, or the one of --speaker-column.',
  python: 'Name them: pass speakers=.',
};

/** What a reader must know of speakers and groups before believing intervals. */
export function speakerWarnings(
  slices: MetSpeakers,
  seen: {
    readonly utterances: number;
    readonly withoutSpeaker: number;
    readonly minimumSpeakers: number;
    readonly from?: SpeakersFrom;
  },
): string[] {
  const warnings: string[] = [];
  const { utterances, withoutSpeaker, minimumSpeakers, from = 'corpus' } = seen;
  if (withoutSpeaker > 0) {
    const which =
      withoutSpeaker === utterances
        ? 'The speakers are unknown'
        : `The speakers of ${counted(withoutSpeaker, 'utterance')} are unknown`;
    warnings.push(
      `${which}: such utterances are taken to be independent of each other, and intervals are too narrow where one person spoke several. ${namedBy[from]}`,
    );
  }
  const { count, merged } = slices.clusters;
  if (utterances > 0) warnings.push(...fewUnits(slices.clusters, minimumSpeakers));
  const sizes = [count, ...groupSizes(slices).map(({ speakers }) => speakers)];
  if (sizes.some((size) => size >= minimumSpeakers && size < defaultMinimumClusters)) {
    warnings.push(
      `Intervals are given from ${counted(minimumSpeakers, unitOf(slices.clusters))} on (minimumSpeakers), by default from ${defaultMinimumClusters}: with fewer, they contain the true value less often than stated.`,
    );
  }
  if (merged) {
    warnings.push(
      `There are more than ${grouped(count)} speakers (or utterances of unknown speakers): they were merged at random into ${grouped(count)} groups, which are counted as speakers and resampled instead.`,
    );
  }
  if (slices.manyValued.size > 0) {
    warnings.push(`Not reported by group, because of too many values: ${listed([...slices.manyValued].sort())}.`);
  }
  if (slices.attributesLeftOut) {
    warnings.push('There are more attributes than are reported by group; name those that matter in groupBy.');
  }
  return warnings;
}

/** That machines spoke: nobody is of the group that a voice is said to be. */
export async function machineVoices({ utterances }: Pick<StudyContext, 'utterances'>): Promise<string[]> {
  const voices = watchVoices();
  for await (const utterance of utterances()) voices.see(utterance);
  return voices.told();
}

/** The same of utterances as they come, of which those that follow each other may be one. */
export function watchVoices() {
  let [all, machine, last] = [0, 0, ''];
  return {
    see({ id, sound, attributes }: Pick<Utterance, 'id' | 'sound' | 'attributes'>): void {
      if (id === last) return;
      [all, last] = [all + 1, id];
      if ((sound !== undefined && 'synthesizer' in sound) || isSynthesized(attributes)) machine++;
    },
    told: () =>
      machine === 0
        ? []
        : [
            `${grouped(machine)} of ${counted(all, 'utterance')} ${machine === 1 ? 'is' : 'are'} spoken by synthesizers: their groups say nothing about people.`,
          ],
  };
}

/** Whether attributes say that a machine speaks: which synthesizer, or that speech is synthetic. */
function isSynthesized(attributes: Utterance['attributes']): boolean {
  return Object.entries(attributes).some(
    ([name, value]) =>
      (/^(?:synthesi[sz]er|tts|tts_?(?:engine|model|voice))$/i.test(name) &&
        !/^(?:|no(?:ne)?|human|false|0)$/i.test(value)) ||
      /^(?:synthetic|synthesi[sz]ed|tts)(?: (?:speech|voice))?$/i.test(value),
  );
}

/** That no interval is given, where there are too few to make one over. Of those in the study fewer may have been answered, which estimates say. */
export function fewUnits(clusters: MetSpeakers['clusters'], minimum: number): string[] {
  const { count } = clusters;
  if (count >= minimum) return [];
  return [
    `An interval needs ${counted(minimum, unitOf(clusters))}${unlessUsual(minimum)}, and the study has ${grouped(count)}: there is no interval and no verdict.`,
  ];
}

/** Errors and words by speaker of what is warned of, without those of loops: one loop says nothing of how a speaker is understood. */
export interface SampledCounts {
  readonly name: string;
  readonly counts: ClusteredCounts;
}

const level = 0.05;
/** Of fewer words a rate says little about a speaker. */
const minWords = 10;
/** The WER of all words is at least so many times the mean of the speakers' own. */
const movesRate = 1.1;
/** A speaker of whom so much is wrong is not understood at all, unless half of the others are hardly better. */
const wholly = 0.9;
/** A group's speakers differ much more than others' where their mean distance from the median is so many times as much. */
const unlike = 1.5;

/**
 * What the data show of variants in which intervals hold the truth less often than they say, or fair groups are called unfair more often
 * (`bench/calibration/odd-speakers.ts`; the figures are in docs/guarantees.md): speakers who say more and are misheard more, few who are not
 * understood at all, and groups within which speakers differ much more than within the others. A sign may be chance, and its absence proves
 * nothing: of a kind of speaker that was not met no sample knows.
 *
 * @param recognizers counts of each by speaker, on clean audio; speakers without words are left out
 * @param attributes the groups of each attribute, with the counts of all recognizers together
 * @param normalizer of the counts: who is counted in characters says more than who is counted in words, and need not be talkative
 * @example samplingWarnings([{ name: 'a', counts }], [], 10)
 */
export function samplingWarnings(
  recognizers: readonly SampledCounts[],
  attributes: readonly { readonly name: string; readonly groups: readonly SampledCounts[] }[],
  minimumSpeakers: number,
  normalizer?: Pick<Normalizer, 'used'>,
): string[] {
  const seen = recognizers.map(({ name, counts }) => ({ name, speakers: speakersOf(counts) }));
  const enough = seen.filter(({ speakers }) => speakers.length >= minimumSpeakers);
  const warnings: string[] = [];

  const talkers = mixesUnits(normalizer ?? {}) ? [] : enough.filter(({ speakers }) => saysMoreIsMisheardMore(speakers));
  if (talkers.length > 0) {
    const [most, least] = ends(talkers.map(({ speakers }) => speakers.length));
    warnings.push(
      `Speakers who say more have a higher WER with ${listed(talkers.map(({ name }) => name))}: a few talkative speakers decide the WER, and with ${most === least ? most : `${least} to ${most}`} speakers its interval is too narrow (docs/guarantees.md).`,
    );
  }
  const lost = enough.flatMap(({ name, speakers }) => {
    const { count, of } = whollyMisheard(speakers);
    return count === 0 ? [] : [{ name, count, of, isPart: of < speakers.length }];
  });
  if (lost.length > 0) {
    const [most, least] = ends(lost.map(({ count }) => count));
    const [of] = ends(lost.map((one) => one.of));
    const which = lost.some(({ isPart }) => isPart) ? ` with at least ${minWords} words` : '';
    warnings.push(
      `Intervals of ${listed(
        lost.map(({ name }) => name),
        3,
      )} are too narrow: ${most === least ? most : `${least} to ${most}`} of ${counted(of, 'speaker')}${which} are hardly understood (at least 90 % of their words wrong), and how many such speakers there are decides the WER. Listen to their clips, and record more speakers (docs/guarantees.md).`,
    );
  }
  for (const { name, groups } of attributes) {
    const odd = oddGroups(groups, minimumSpeakers);
    if (odd.length > 0) {
      warnings.push(
        `Speakers of ${named(name)} ${listed(odd)} differ from each other much more than those of other groups: tests find gaps between such groups slightly too often (docs/guarantees.md).`,
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
  normalizer: Pick<Normalizer, 'used'>,
): string[] {
  const countsIn = recognizers.map(({ name, series }) => ({
    name,
    countsIn: (part: Part) =>
      withoutLoops({ counts: gather(part, series).counts, units: part.units, watch: part.watch(series) }),
  }));
  return partSamplingWarnings(slices.whole(), slices.groups(), countsIn, minimumSpeakers, normalizer);
}

/** The same of parts of the corpus. @param recognizers with how clean audio was counted in a part, by speaker */
export function partSamplingWarnings<One extends Pick<Part, 'group'>>(
  everybody: One,
  groups: readonly One[],
  recognizers: readonly { readonly name: string; readonly countsIn: (part: One) => ClusteredCounts }[],
  minimumSpeakers: number,
  normalizer: Pick<Normalizer, 'used'>,
): string[] {
  const pooled = (part: One): ClusteredCounts => {
    const all = recognizers.map(({ countsIn }) => countsIn(part));
    const sums = (of: 'numerators' | 'denominators') =>
      Float64Array.from(all[0]?.[of] ?? [], (_, place) => all.reduce((sum, counts) => sum + counts[of][place]!, 0));
    return { numerators: sums('numerators'), denominators: sums('denominators') };
  };
  return samplingWarnings(
    recognizers.map(({ name, countsIn }) => ({ name, counts: countsIn(everybody) })),
    Array.from(
      Map.groupBy(groups, ({ group }) => group!.attribute),
      ([name, parts]) => ({
        name,
        groups: parts.map((part) => ({ name: part.group!.value, counts: pooled(part) })),
      }),
    ),
    minimumSpeakers,
    normalizer,
  );
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

/**
 * Spearman's rank correlation of words and rates, above 0 at the 5 % level (t approximation, two-sided), where it makes a difference: of
 * many speakers who say nearly as much as each other a correlation may be sure and move nothing.
 */
function saysMoreIsMisheardMore(speakers: readonly Speaker[]): boolean {
  const wordsOfAll = speakers.reduce((sum, speaker) => sum + speaker.words, 0);
  const errorsOfAll = speakers.reduce((sum, speaker) => sum + speaker.words * speaker.rate, 0);
  const ofSpeakers = speakers.reduce((sum, { rate }) => sum + rate, 0) / speakers.length;
  if (errorsOfAll / wordsOfAll < movesRate * ofSpeakers) return false;
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
function whollyMisheard(all: readonly Speaker[]): { readonly count: number; readonly of: number } {
  const speakers = all.filter(({ words }) => words >= minWords);
  const none = { count: 0, of: speakers.length };
  if (medianOf(all.map(({ rate }) => rate)) > wholly / 2) return none;
  const count = speakers.filter(({ rate }) => rate >= wholly).length;
  return count <= Math.max(1, speakers.length / 10) ? { ...none, count } : none;
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
