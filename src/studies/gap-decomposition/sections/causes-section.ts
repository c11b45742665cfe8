import type { Section } from '../../../model/finding.ts';
import { quantileSorted } from '../../../statistics/quantile.ts';
import { causeFacts } from '../causes.ts';
import type { ClipFacts } from '../clip-facts.ts';
import type { GapFinding } from '../finding.ts';
import type { SurveyedUtterance } from '../survey.ts';

type Read = (clip: ClipFacts, utterance: SurveyedUtterance) => number | null;

const units: readonly { readonly name: keyof typeof causeFacts; readonly unit: string; readonly read: Read }[] = [
  { name: 'noise', unit: 'dB', read: ({ snrDb }) => snrDb },
  { name: 'level', unit: 'dB', read: ({ levelDbfs }) => levelDbfs },
  { name: 'bandwidth', unit: 'Hz', read: ({ bandwidthHz }) => bandwidthHz },
  { name: 'speech-rate', unit: 'letters/s', read: ({ lettersPerSecond }) => lettersPerSecond },
  { name: 'pitch', unit: 'Hz', read: ({ pitchHz }) => pitchHz },
  { name: 'length', unit: 'words', read: (_, { words }) => words },
  { name: 'rarity', unit: '', read: (_, { rarity }) => rarity },
];

/** By how much groups differ in what was measured: quartiles, whoever recognizes. */
export function causeQuartiles({ design, clips }: Pick<GapFinding, 'design' | 'clips'>) {
  const { survey, pairs } = design;
  const groups = new Map<string, { readonly place: number; readonly value: string }>();
  for (const { attribute, place, value, comparedWith } of pairs) {
    for (const one of [comparedWith, value]) groups.set(`${attribute} ${one}`, { place, value: one });
  }
  return units.flatMap(({ name, unit, read }) =>
    [...groups].flatMap(([group, { place, value }]) => {
      const own = survey.utterances.flatMap((utterance, row) =>
        utterance.values[place] === value ? (read(clips[row]!, utterance) ?? []) : [],
      );
      if (own.length === 0) return [];
      const sorted = Float64Array.from(own).sort();
      const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantileSorted(sorted, share));
      const { kind, about } = causeFacts[name];
      return { cause: name, kind, group, low: low!, median: median!, high: high!, unit, clips: own.length, about };
    }),
  );
}

/** The quartiles as a table. */
export function causesSection(known: GapFinding): Section | null {
  const rows = causeQuartiles(known);
  if (rows.length === 0) return null;
  return {
    id: 'gap-decomposition-causes',
    title: 'How the groups differ',
    tables: [
      {
        id: 'gap-decomposition-causes',
        title: 'Quartiles of what was measured',
        columns: [
          { key: 'cause', label: 'Cause', kind: 'text' },
          { key: 'kind', label: 'Belongs to', kind: 'text' },
          { key: 'group', label: 'Group', kind: 'text' },
          { key: 'low', label: 'First quartile', kind: 'number' },
          { key: 'median', label: 'Median', kind: 'number' },
          { key: 'high', label: 'Third quartile', kind: 'number' },
          { key: 'unit', label: 'Unit', kind: 'text' },
          { key: 'clips', label: 'Clips', kind: 'count' },
          { key: 'about', label: 'What it is', kind: 'text' },
        ],
        rows,
        note: 'Described, not tested: a cause has a part in a gap only where groups differ in it and errors go with it.',
      },
    ],
  };
}
