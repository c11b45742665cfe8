import type { Cell, Chart, Section } from '../../../model/finding.ts';
import { pairLabel } from '../../shared/group-pairs.ts';
import type { GapFinding } from '../finding.ts';
import { remainderName } from '../wording.ts';

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
