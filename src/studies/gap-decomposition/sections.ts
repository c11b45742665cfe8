import type { Cell, Chart, Section } from '../../model/finding.ts';
import { quantileSorted } from '../../statistics/quantile.ts';
import { pairLabel } from '../shared/group-pairs.ts';
import { type ClipFacts, causeFacts } from './causes.ts';
import { type GapFinding, remainderName } from './finding.ts';
import type { SurveyedUtterance } from './survey.ts';

/** Charts beyond this nobody looks at; the table has all. */
const maxCharts = 8;

/** Every gap with its parts. */
export function partsSection({ design, results }: GapFinding): Section | null {
  if (results.length === 0) return null;
  const nameOf = (recognizer: number) => design.recognizers[recognizer]!.name;
  const rows = results.flatMap(({ recognizer, pair, rates, gap, kinds, parts, remainder, inRemainder, n }) => {
    const row = (part: string, of: string, comparison: typeof gap, tested: boolean): Record<string, Cell> => ({
      recognizer: nameOf(recognizer),
      pair: pairLabel(pair),
      part,
      of,
      difference: comparison,
      adjustedPValue: tested ? comparison.adjustedPValue : null,
      verdict: tested ? comparison.verdict : null,
      utterances: n.utterances,
      speakers: pair.speakers.group + pair.speakers.others,
      rates:
        rates.group === null || rates.others === null
          ? null
          : `${percentOf(rates.group)} and ${percentOf(rates.others)}`,
      note: comparison.reason ?? null,
    });
    // Where nothing can be told of any part, one row says why.
    if (remainder.part.difference.value === null) {
      return [{ ...row('the whole gap', '', gap, true), note: remainder.part.reason ?? null }];
    }
    return [
      row('the whole gap', '', gap, true),
      ...kinds.map(({ name, part }) => row(`all of ${name}`, name, part, false)),
      ...parts.map(({ name, kind, part }) => row(name, kind, part, true)),
      row(remainderName(inRemainder), '', remainder.part, true),
    ];
  });
  return {
    id: 'gap-decomposition-parts',
    title: 'Gaps taken apart',
    text: [
      'The whole gap is the word error rate of the first group less that of the second. The parts of single causes and what remains add up to it (where all can be told); the sums of recording, delivery and text are those of their causes.',
    ],
    charts: chartsOf(results, nameOf),
    tables: [
      {
        id: 'gap-decomposition-parts',
        title: 'Parts of gaps in word error rate',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'pair', label: 'Groups', kind: 'text' },
          { key: 'part', label: 'Part', kind: 'text' },
          { key: 'of', label: 'Belongs to', kind: 'text' },
          {
            key: 'difference',
            label: 'Errors per word',
            kind: 'difference',
            help: 'Above zero: more for the first group.',
          },
          {
            key: 'adjustedPValue',
            label: 'Adjusted p',
            kind: 'pvalue',
            help: 'Corrected for all gaps, and for all parts, that were tested together.',
          },
          { key: 'verdict', label: 'Verdict', kind: 'verdict' },
          { key: 'utterances', label: 'Utterances', kind: 'count' },
          { key: 'speakers', label: 'Speakers', kind: 'count' },
          { key: 'rates', label: 'Word error rates', kind: 'text' },
          { key: 'note', label: 'Why not', kind: 'text' },
        ],
        rows,
        note: 'Oaxaca-Blinder decomposition by Poisson regression with an indicator of the group, Shapley values over the causes, logarithmic mean of the rates. Intervals: t, jackknife over speakers. Sums are not tested again.',
      },
    ],
  };
}

function chartsOf(results: GapFinding['results'], nameOf: (recognizer: number) => string): Chart[] {
  const pairs = [...Map.groupBy(results, ({ pair }) => pairLabel(pair))].slice(0, maxCharts);
  return pairs.flatMap(([label, own]): Chart[] => {
    const names = [...new Set(own.flatMap(({ parts }) => parts.map(({ name }) => name)))];
    const ticks = ['the whole gap', ...names, 'what remains'];
    const series = own
      .map(({ recognizer, gap, parts, remainder }) => ({
        name: nameOf(recognizer),
        points: [
          { x: 0, estimate: gap.difference },
          ...parts.map(({ name, part }) => ({ x: names.indexOf(name) + 1, estimate: part.difference })),
          { x: names.length + 1, estimate: remainder.part.difference },
        ]
          .filter(({ estimate }) => estimate.value !== null)
          .sort((a, b) => a.x - b.x),
      }))
      .filter(({ points }) => points.length > 1);
    if (series.length === 0) return [];
    return [{ title: label, xLabel: 'Part', xTicks: ticks, yLabel: 'Errors per word', yKind: 'difference', series }];
  });
}

function percentOf(rate: number): string {
  return `${(100 * rate).toFixed(1)} %`;
}

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
