import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import { neededForVerdict, unlessUsual } from './open-verdict.ts';
import type { SlicedCounts } from './sliced-counts.ts';
import type { SpeakerClusters } from './speaker-clusters.ts';
import { counted, listed, named } from './wording.ts';

/** What a reader must know of speakers and groups before believing intervals. */
export function speakerWarnings(
  slices: SlicedCounts,
  seen: { readonly utterances: number; readonly withoutSpeaker: number; readonly minimumSpeakers: number },
): string[] {
  const warnings: string[] = [];
  const { utterances, withoutSpeaker, minimumSpeakers } = seen;
  if (withoutSpeaker > 0) {
    const which =
      withoutSpeaker === utterances
        ? 'The speakers are unknown'
        : `The speakers of ${counted(withoutSpeaker, 'utterance')} are unknown`;
    warnings.push(
      `${which}: such utterances are taken to be independent of each other, and intervals are too narrow where one person spoke several. The corpus can name them: folder by pattern or speaker, manifest by columns.speaker.`,
    );
  }
  const { count, merged } = slices.clusters;
  if (utterances > 0) warnings.push(...fewUnits(slices.clusters, minimumSpeakers));
  const sizes = [count, ...groupSizes(slices).map(({ speakers }) => speakers)];
  if (sizes.some((size) => size >= minimumSpeakers && size < defaultMinimumClusters)) {
    warnings.push(
      `Intervals are given from ${counted(minimumSpeakers, unitOf(slices.clusters))} on (minimumSpeakers), by default from ${defaultMinimumClusters}: those of fewer hold the truth less often than they say.`,
    );
  }
  if (merged) {
    warnings.push(
      `There are more than ${count} speakers (or utterances of unknown speakers): they were merged at random into ${count} groups, which are counted as speakers and resampled instead.`,
    );
  }
  if (slices.manyValued.size > 0) {
    warnings.push(`Not looked at by group, because of too many values: ${listed([...slices.manyValued].sort())}.`);
  }
  if (slices.attributesLeftOut) {
    warnings.push('There are more attributes than are looked at by group; name those that matter in groupBy.');
  }
  return warnings;
}

/** That no interval is given, where there are too few to make one over. Of those in the study fewer may have been answered, which estimates say. */
export function fewUnits(clusters: SpeakerClusters, minimum: number): string[] {
  const { count } = clusters;
  if (count >= minimum) return [];
  return [
    `An interval needs ${counted(minimum, unitOf(clusters))}${unlessUsual(minimum)}, and the study has ${count}: no interval is given and nothing is claimed.`,
  ];
}

/** What clusters are called: utterances where nobody says who speaks. */
function unitOf({ count, isSpeaker }: SpeakerClusters): 'speaker' | 'utterance' {
  for (let cluster = 0; cluster < count; cluster++) if (isSpeaker(cluster)) return 'speaker';
  return count === 0 ? 'speaker' : 'utterance';
}

/**
 * What a design cannot show, whatever the answers: with so few speakers neither an interval nor a paired test can tell. Known before
 * anything is asked.
 *
 * @example shortages(slices, 10, 0.95) // ['Recognizers cannot be told apart within age teens (5 speakers): an interval needs 10.']
 */
export function shortages(slices: SlicedCounts, minimumSpeakers: number, level: number): string[] {
  const needed = neededForVerdict(minimumSpeakers, level);
  const { count } = slices.clusters;
  if (count === 0) return [];
  if (count < needed.speakers) {
    return [`${counted(count, unitOf(slices.clusters))} cannot tell recognizers apart: ${needed.words}.`];
  }
  const few = fewOf(groupSizes(slices), needed.speakers);
  return few === null ? [] : [`Recognizers cannot be told apart within ${few.named}: ${needed.words}${few.inEach}.`];
}

/** A group of speakers, as it is called in a sentence. */
export interface GroupSize {
  /** `age teens` */
  readonly name: string;
  readonly speakers: number;
}

/** Each group of an attribute, with its speakers. */
export function groupSizes(slices: SlicedCounts): GroupSize[] {
  return slices.groups().map(({ group, rows }) => ({
    name: `${named(group!.attribute)} ${named(group!.value)}`,
    speakers: rows.length,
  }));
}

/** The same of groups that are compared with each other or with everybody: of none of fewer than so many speakers anything can be said. */
export function groupShortages(groups: readonly GroupSize[], minimumSpeakers: number): string[] {
  const few = fewOf(groups, minimumSpeakers);
  const needed = `an interval needs ${minimumSpeakers}${unlessUsual(minimumSpeakers)}`;
  return few === null ? [] : [`Nothing can be claimed of ${few.named}: ${needed}${few.inEach}.`];
}

function fewOf(groups: readonly GroupSize[], enough: number) {
  const few = groups
    .filter(({ speakers }) => speakers > 0 && speakers < enough)
    .map(({ name, speakers }) => `${name} (${counted(speakers, 'speaker')})`);
  return few.length === 0 ? null : { named: listed(few, 4), inEach: few.length === 1 ? '' : ' in each' };
}
