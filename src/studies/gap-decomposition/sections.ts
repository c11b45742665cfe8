import { capitalized } from '../../base/wording.ts';
import { shownDifference } from '../../model/comparison.ts';
import type { Chart, Comparison, Section } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import type { ScoreColumn, Scores } from '../../model/scores.ts';
import { quantileSorted } from '../../statistics/quantile.ts';
import { pairLabel } from '../shared/group-pairs.ts';
import {
  column,
  comparisonColumns,
  groupColumn,
  judgedColumns,
  recognizerIn,
  speakersColumn,
  tableOf,
  utterancesColumn,
} from '../shared/tables.ts';
import { type ClipFacts, causeFacts } from './causes.ts';
import type { SurveyedUtterance } from './design.ts';
import { claimedGap, foundIn, type GapFinding, remainderName } from './report.ts';
import type { CounterfactualResult, PairResult, PartResult } from './results.ts';

/** Charts beyond this nobody looks at; the table has all. */
const maxCharts = 8;

const pairColumn = column('pair', 'Groups', 'text', ({ pair }: Pick<PairResult, 'pair'>) => pairLabel(pair));

/** Every gap with its parts. */
export function partsSection({ design, results }: GapFinding): Section | null {
  if (results.length === 0) return null;
  // What the answer begins with stands first, and is ranked.
  const claimed = claimedGap(results);
  const isClaimed = ({ pair }: PairResult) => pair === claimed?.pair;
  const ordered = [...results.filter(isClaimed), ...results.filter((result) => !isClaimed(result))];
  const pairs = new Set(ordered.map(({ pair }) => pairLabel(pair)));
  const rows = ordered.flatMap((result) => {
    const { gap, kinds, parts, remainder, inRemainder } = result;
    const row = (part: string, of: string, difference: Comparison, tested = true): PartRow => {
      return { ...result, part, of, difference, tested, note: difference.reason && reasonText(difference.reason) };
    };
    // Where nothing can be told of any part, one row says why.
    if (remainder.part.difference.value === null) {
      return [{ ...row('the whole gap', '', gap), note: remainder.part.reason && reasonText(remainder.part.reason) }];
    }
    return [
      row('the whole gap', '', gap),
      ...kinds.map(({ name, part }) => row(`all of ${name}`, name, part, false)),
      ...parts.map(({ name, kind, part }) => row(name, kind, part)),
      row(remainderName(inRemainder), remains, remainder.part),
    ];
  });
  return {
    id: 'gap-decomposition-parts',
    title: 'Gap decomposition',
    text: [
      'The whole gap is the word error rate of the first group minus that of the second. The parts of single causes and what remains add up to it (if all can be estimated), and may be larger than it or of opposite sign; the sums of recording, delivery and text are those of their causes.',
      'A cause that a part is associated with need not produce the errors: people who were recorded in noise may differ in other ways too. What remains is the recognizer, or what was not measured, or measured with error.',
    ],
    charts: chartsOf(ordered, (recognizer) => design.recognizers[recognizer]!.name),
    tables: [
      {
        ...tableOf('gap-decomposition-parts', 'Parts of gaps in word error rate', rows, [
          recognizerIn(design.recognizers),
          pairColumn,
          { key: 'part', label: 'Part', kind: 'text' },
          { key: 'of', label: 'Belongs to', kind: 'text' },
          {
            key: 'difference',
            // Of several pairs the rows say which.
            label: pairs.size > 1 ? 'Difference in WER' : `Difference in WER, ${[...pairs][0]!}`,
            kind: 'difference',
            ranks: 'size',
            help: 'Above zero: more for the first group.',
          },
          ...judgedColumns(
            'Corrected for all gaps, and for all parts, that were tested together.',
            ({ tested, difference }: PartRow) => (tested ? difference : null),
          ),
          { ...utterancesColumn, of: ({ n }) => n.utterances },
          { ...speakersColumn, of: ({ n }) => n.speakers },
          column('groupRate', 'WER, first group', 'rate', ({ rates }) => rates.group),
          column('othersRate', 'WER, second group', 'rate', ({ rates }) => rates.others),
          column('note', 'Why no number', 'text', ({ note }) => note ?? null),
        ]),
        note: 'Oaxaca-Blinder decomposition by Poisson regression with an indicator of the group, Shapley values over the causes, logarithmic mean of the rates. Intervals: t, jackknife over speakers. Sums are not tested again.',
      },
    ],
  };
}

const remains = 'what remains';

/** The gap that the answer begins with, by kind of cause, for every recognizer. */
export function scoresOf(known: GapFinding): Scores | null {
  const { results, design } = known;
  const claimed = claimedGap(results);
  if (claimed === undefined) return null;
  const pair = pairLabel(claimed.pair);
  const own = results.filter((result) => pairLabel(result.pair) === pair);
  const column = (words: string, head: ScoreColumn['head'], where: Readonly<Record<string, string>>): ScoreColumn => ({
    ...{ words, head, kind: 'difference', best: null },
    rates: { table: 'gap-decomposition-parts', column: 'difference', where: { pair, ...where } },
  });
  const isKnown = ({ part }: PartResult) => part.difference.value !== null;
  const kinds = new Set(own.flatMap((result) => result.kinds.filter(isKnown).map(({ name }) => name)));
  const others = design.pairs.length - 1;
  return {
    measure: 'Gap in WER',
    found: foundIn(known, claimed),
    columns: [
      column('in all', ['gap'], { part: 'the whole gap' }),
      ...[...kinds].map((name) => column(`by ${name}`, ['by', name], { part: `all of ${name}` })),
      ...(own.some(({ remainder }) => isKnown(remainder))
        ? [column(remains, ['what', 'remains'], { of: remains })]
        : []),
    ],
    ranks: 0,
    left: `${pair}${others > 0 ? `, 1 of ${others + 1} pairs of groups, with the largest gap` : ''}`,
  };
}

/** A gap, or a part of it. */
interface PartRow extends Pick<PairResult, 'recognizer' | 'pair' | 'rates' | 'n'> {
  readonly part: string;
  readonly of: string;
  readonly difference: Comparison;
  readonly tested: boolean;
  /** Why nothing can be told. */
  readonly note: string | undefined;
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
          { x: 0, estimate: shownDifference(gap) },
          ...parts.map(({ name, part }) => ({ x: names.indexOf(name) + 1, estimate: part.difference })),
          { x: names.length + 1, estimate: remainder.part.difference },
        ]
          .filter(({ estimate }) => estimate.value !== null)
          .sort((a, b) => a.x - b.x),
      }))
      .filter(({ points }) => points.length > 1);
    if (series.length === 0) return [];
    const axes = { xLabel: 'Part', xTicks: ticks, yLabel: 'Difference in WER', yKind: 'difference' } as const;
    return [{ title: label, ...axes, unordered: true, series }];
  });
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
function causeQuartiles({ design, clips }: Pick<GapFinding, 'design' | 'clips'>) {
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
        ...tableOf('gap-decomposition-causes', 'Quartiles of what was measured', rows, [
          { key: 'cause', label: 'Cause', kind: 'text' },
          { key: 'kind', label: 'Belongs to', kind: 'text' },
          groupColumn,
          { key: 'low', label: 'First quartile', kind: 'number' },
          { key: 'median', label: 'Median', kind: 'number' },
          { key: 'high', label: 'Third quartile', kind: 'number' },
          { key: 'unit', label: 'Unit', kind: 'text' },
          { key: 'clips', label: 'Clips', kind: 'count' },
          { key: 'about', label: 'What it is', kind: 'text' },
        ]),
        note: 'Described, not tested: a cause contributes to a gap only if groups differ in it and errors are associated with it.',
      },
    ],
  };
}

/** Gaps in sound as it is, and in sound that was made alike. */
export function counterfactualsSection({ design, counterfactuals, targets }: GapFinding): Section | null {
  if (counterfactuals.length === 0) return null;
  const aims = [
    targets.level === null
      ? null
      : `one level: ${targets.level.toFixed(0)} dB relative to full scale, in steps of 1 dB`,
    targets.noise === null
      ? null
      : `one noise: white noise was added up to a signal-to-noise ratio of ${targets.noise.toFixed(0)} dB; the tenth of the clips that are noisier stay as they are`,
    targets.rate === null ? null : `one rate: ${targets.rate.toFixed(1)} letters a second, in steps of 5 % of tempo`,
  ];
  const made = design.variants.map(({ equalization }) => equalization);
  const order = ['level', 'noise', 'rate'] as const;
  return {
    id: 'gap-decomposition-counterfactuals',
    title: 'Counterfactual clips',
    text: [
      'If a gap is associated with a cause, it should change when the cause is the same for everybody. Noise and fast speech cause errors for all, so gaps may grow with the rates: look at both groups.',
      ...order.flatMap((name, place) => {
        const aim = aims[place];
        return made.includes(name) && aim != null ? [`${capitalized(aim)}.`] : [];
      }),
    ],
    tables: [
      {
        ...tableOf('gap-decomposition-counterfactuals', 'Gaps before and after equalization', counterfactuals, [
          recognizerIn(design.recognizers),
          pairColumn,
          column('variant', 'Equalized', 'text', ({ variant }) => design.variants[variant]!.name),
          column('before', 'Gap before', 'difference', ({ before }) => before.gap),
          column('after', 'Gap after', 'difference', ({ after }) => after.gap),
          {
            key: 'change',
            label: 'Change',
            kind: 'difference',
            help: 'Below zero: the gap became smaller for the first group.',
          },
          ...comparisonColumns('t test over speakers', ({ change }: CounterfactualResult) => change),
          column('group', 'First group, after', 'rate', ({ after }) => after.group),
          column('others', 'Second group, after', 'rate', ({ after }) => after.others),
          { key: 'changed', label: 'Clips changed', kind: 'count' },
          column('utterances', 'Clips', 'count', ({ n }) => n.utterances),
          { ...speakersColumn, of: ({ n }) => n.speakers },
        ]),
        note: 'On the clips that could be brought there and have transcripts in both; speakers are the same in both. Holm over all changes.',
      },
    ],
  };
}
