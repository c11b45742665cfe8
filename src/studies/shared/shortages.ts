import { grouped } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import { neededForVerdict, unlessUsual } from './open-verdict.ts';
import type { Part } from './sliced-counts.ts';
import type { SpeakerClusters } from './speaker-clusters.ts';
import { listed, named } from './wording.ts';

/** Who speaks, and in which groups. */
export interface MetSpeakers {
  readonly clusters: Pick<SpeakerClusters, 'count' | 'merged' | 'isSpeaker'>;
  readonly manyValued: ReadonlySet<string>;
  readonly attributesLeftOut: boolean;
  groups(): readonly Pick<Part, 'group' | 'units'>[];
}

/** What clusters are called: utterances where nobody says who speaks. */
export function unitOf({ count, isSpeaker }: MetSpeakers['clusters']): 'speaker' | 'utterance' {
  for (let cluster = 0; cluster < count; cluster++) if (isSpeaker(cluster)) return 'speaker';
  return count === 0 ? 'speaker' : 'utterance';
}

/**
 * What a design cannot show, whatever the answers: with so few speakers neither an interval nor a paired test can tell. Known before
 * anything is asked.
 *
 * @example shortages(slices, 10, 0.95) // ['Recognizers cannot be compared within age teens (5 speakers): an interval needs 10.']
 */
export function shortages(
  slices: Pick<MetSpeakers, 'clusters' | 'groups'>,
  minimumSpeakers: number,
  level: number,
): string[] {
  const needed = neededForVerdict(minimumSpeakers, level);
  const { count } = slices.clusters;
  if (count === 0) return [];
  if (count < needed.speakers) {
    return [`${counted(count, unitOf(slices.clusters))} are too few to compare recognizers: ${needed.words}.`];
  }
  const few = fewOf(groupSizes(slices), needed.speakers, unitOf(slices.clusters));
  return few === null ? [] : [`Recognizers cannot be compared within ${few.named}: ${needed.words}${few.inEach}.`];
}

/** A group of speakers, or of utterances where nobody says who speaks, as it is called in a sentence. */
export interface GroupSize {
  /** Null where its value says more than one. */
  readonly attribute: string | null;
  readonly value: string;
  readonly speakers: number;
}

/** Each group of an attribute, with its speakers. */
export function groupSizes(slices: Pick<MetSpeakers, 'groups'>): GroupSize[] {
  return slices.groups().map(({ group, units }) => ({
    ...group!,
    speakers: units.length,
  }));
}

/** The same of groups that are compared with each other or with everybody: of none of fewer than so many speakers anything can be said. */
export function groupShortages(
  groups: readonly GroupSize[],
  minimumSpeakers: number,
  clusters: MetSpeakers['clusters'],
): string[] {
  const few = fewOf(groups, minimumSpeakers, unitOf(clusters));
  const needed = `an interval needs ${minimumSpeakers}${unlessUsual(minimumSpeakers)}`;
  return few === null ? [] : [`No verdict for ${few.named}: ${needed}${few.inEach}.`];
}

function fewOf(groups: readonly GroupSize[], enough: number, unit: 'speaker' | 'utterance') {
  const few = groups
    .filter(({ speakers }) => speakers > 0 && speakers < enough)
    // `age old (1 speaker) and teens (5)`: an attribute stands before its first group.
    .map(
      ({ attribute, value, speakers }, at, all) =>
        `${attribute === null || attribute === all[at - 1]?.attribute ? '' : `${named(attribute)} `}${named(value)} (${at === 0 ? counted(speakers, unit) : grouped(speakers)})`,
    );
  return few.length === 0 ? null : { named: listed(few, 4), inEach: few.length === 1 ? '' : ' in each' };
}
