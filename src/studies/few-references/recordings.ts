import type { Table } from '../../model/finding.ts';
import { column, groupColumn, speakersColumn, tableOf } from '../shared/tables.ts';
import { named, percent } from '../shared/wording.ts';
import type { FewReferencesOptions, Group, SampleDesign } from './design.ts';

interface Whole {
  readonly design: SampleDesign;
  readonly options: FewReferencesOptions;
}

/** Groups whose transcribed shares differ by more than this factor were hardly drawn alike. */
const unequalShares = 2;

/** `everybody`, `accent Scottish` */
export const labelOf = ({ group }: { readonly group: Group | null }) =>
  group === null ? 'everybody' : `${group.attribute} ${group.value}`;

/** Recordings of everybody or of a group, and how many have a reference. */
interface RecordingCounts {
  /** Null: everybody. */
  readonly group: Group | null;
  readonly recordings: number;
  readonly speakers: number;
  readonly references: number;
}

/** Everybody first. */
function recordingCounts({ survey, groups }: SampleDesign): RecordingCounts[] {
  const { profiles, rows, recordings, references, clusters } = survey;
  const everybody = {
    ...{ group: null, recordings: survey.utterances, speakers: clusters.count, references: survey.transcribed },
  };
  const ofGroups = groups.map((group): RecordingCounts => {
    const isIn = (profile: number) => profiles[profile]![group.place] === group.value;
    const own = [...profiles.keys()].filter(isIn);
    const sum = (of: readonly number[]) => own.reduce((total, profile) => total + of[profile]!, 0);
    const people = new Set(rows.clusters.filter((_, row) => isIn(rows.profiles[row]!)));
    return { group, recordings: sum(recordings), speakers: people.size, references: sum(references) };
  });
  return [everybody, ...ofGroups];
}

/** How many recordings there are, and how many have a reference. */
export function recordingsTable({ design }: Whole): Table {
  return tableOf('few-references-recordings', 'Recordings and references', recordingCounts(design), [
    { ...groupColumn, of: labelOf },
    { key: 'recordings', label: 'Recordings', kind: 'count' },
    speakersColumn,
    { key: 'references', label: 'With a reference', kind: 'count' },
    column('share', 'Share', 'rate', ({ recordings, references }) =>
      recordings === 0 ? null : references / recordings,
    ),
  ]);
}

/** Groups of which far more was transcribed than of others, and which no stratum accounts for. */
export function unequal({ design, options }: Whole): string[] {
  const counts = recordingCounts(design);
  return design.survey.groupBy.flatMap((attribute) => {
    if (options.strata.includes(attribute)) return [];
    const shares = counts
      // Of few recordings an unequal share is chance.
      .filter(({ group, recordings }) => group?.attribute === attribute && recordings >= 50)
      .map((one) => ({ ...one, value: named(one.group!.value), share: one.references / one.recordings }))
      .sort((a, b) => a.share - b.share);
    const [least, most] = [shares[0], shares.at(-1)];
    if (least === undefined || most === undefined || !(most.share > unequalShares * least.share)) return [];
    return [
      `Of ${named(attribute)} ${most.value} ${percent(most.references, most.recordings)} is transcribed. Of ${least.value} it is ${percent(least.references, least.recordings)}: rates over everybody are wrong if that was intended. In that case name the attribute, as in strata: [${named(attribute)}].`,
    ];
  });
}
