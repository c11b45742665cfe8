import type { Condition } from '../../model/condition.ts';
import type { Cell, Column, Section } from '../../model/finding.ts';
import { failuresSection, namedTrials, type TrialRow } from '../shared/failures.ts';
import { attributeColumn, comparedWithColumn, groupColumn, recognizerColumn } from '../shared/tables.ts';
import { counted, named } from '../shared/wording.ts';
import type { Known } from './known.ts';
import type { HallucinationOptions } from './options.ts';
import type { HallucinationResults, PartResult } from './results.ts';
import { durationClasses, type Part } from './sound-parts.ts';
import type { Tally } from './tally.ts';

/** Every part of the finding, in the order in which a reader wants it. */
export function sectionsOf(known: Known): Section[] {
  const { results, tally, recognizers, options } = known;
  return [
    conditionsSection(known),
    durationsSection(known),
    groupsSection(known),
    textsSection(tally, recognizers, options),
    comparisonsSection(results, recognizers),
    failuresSection('hallucination', 'A failed trial is no empty transcript: it is left out.', trialsOf(known)),
    tally.examples.length === 0
      ? null
      : { id: 'hallucination-examples', title: 'The longest inventions', examples: tally.examples },
  ].filter((section) => section !== null);
}

/** Of one kind of sound, or class of duration, all recognizers. */
function partsOf({ results }: Known, kind: Part['kind'], name: string): PartResult[] {
  return results.parts.filter(({ part }) => part.kind === kind && part.name === name);
}

const labelOf = ({ name, rung }: Condition) => rung?.label ?? name;

function conditionsSection(known: Known): Section {
  const { conditions, recognizers } = known;
  const distinct = new Set(conditions.map(labelOf)).size === conditions.length;
  const id = 'hallucination-conditions';
  return {
    id,
    title: 'What is heard, and how much is written',
    text: ['Nobody speaks in any of these sounds: every word is made up.'],
    ...(conditions.length < 2 ? {} : { charts: [shareChart(known)] }),
    tables: [
      {
        id,
        title: 'By kind of sound',
        columns: [{ key: 'condition', label: 'Sound', kind: 'text' }, recognizerColumn, ...countColumns],
        rows: conditions.flatMap((condition) =>
          partsOf(known, 'condition', condition.name).map((row) => ({
            condition: distinct ? labelOf(condition) : condition.name,
            ...cells(row, recognizers),
          })),
        ),
      },
    ],
  };
}

function shareChart(known: Known): NonNullable<Section['charts']>[number] {
  const { conditions, recognizers } = known;
  return {
    title: 'Sounds for which something is written',
    xLabel: 'sound',
    xTicks: conditions.map(labelOf),
    yLabel: 'Sounds with words',
    yKind: 'rate',
    series: recognizers.map((name, recognizer) => ({
      name,
      points: conditions.flatMap((condition, x) =>
        partsOf(known, 'condition', condition.name)
          .filter(({ part }) => part.recognizer === recognizer)
          .map(({ shareWithWords }) => ({ x, estimate: shareWithWords })),
      ),
    })),
  };
}

function durationsSection(known: Known): Section | null {
  const rows = durationClasses.flatMap((name) => partsOf(known, 'duration', name));
  const columns: readonly Column[] = [{ key: 'duration', label: 'Duration', kind: 'text' }];
  const id = 'hallucination-durations';
  return partsSection({ id, title: 'Short and long sounds', table: 'By duration of the sound' }, columns, rows, known);
}

function groupsSection(known: Known): Section | null {
  const rows = known.results.parts
    .filter(({ part }) => part.kind === 'group')
    .toSorted((a, b) => byText(a.part.attribute!, b.part.attribute!) || byText(a.part.name, b.part.name));
  const id = 'hallucination-groups';
  return partsSection(
    { id, title: 'Groups of sounds', table: 'By attribute' },
    [attributeColumn, groupColumn],
    rows,
    known,
  );
}

/** One table of parts of a kind; null where there are none. */
function partsSection(
  { id, title, table }: { readonly id: string; readonly title: string; readonly table: string },
  columns: readonly Column[],
  rows: readonly PartResult[],
  { recognizers }: Known,
): Section | null {
  if (rows.length === 0) return null;
  return {
    id,
    title,
    tables: [
      {
        id,
        title: table,
        columns: [...columns, recognizerColumn, ...countColumns],
        rows: rows.map((row) => ({
          ...(row.part.kind === 'group'
            ? { attribute: row.part.attribute!, group: row.part.name }
            : { [row.part.kind]: row.part.name }),
          ...cells(row, recognizers),
        })),
      },
    ],
  };
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Every pair of recognizers; null where there is one alone. */
function comparisonsSection({ comparisons }: HallucinationResults, recognizers: readonly string[]): Section | null {
  if (comparisons.length === 0) return null;
  return {
    id: 'hallucination-comparisons',
    title: 'Comparisons',
    tables: [
      {
        id: 'hallucination-comparisons',
        title: 'Share of sounds with words, on the sounds that both answered',
        columns: [recognizerColumn, comparedWithColumn, { key: 'difference', label: 'Difference', kind: 'difference' }],
        rows: comparisons.map(({ first, second, comparison }) => ({
          recognizer: recognizers[second]!,
          comparedWith: recognizers[first]!,
          difference: comparison,
        })),
      },
    ],
  };
}

/** The commonest invented texts. */
function textsSection({ texts }: Tally, recognizers: readonly string[], options: HallucinationOptions): Section {
  const rows = texts.flatMap((own, recognizer) =>
    own.commonest(options.texts).map(({ text, sounds }) => ({ recognizer: recognizers[recognizer]!, text, sounds })),
  );
  const text = texts.map((own, recognizer) => {
    const rest = own.uncounted > 0 ? `, and ${own.uncounted} more that were not told apart` : '';
    return `${named(recognizers[recognizer]!)} wrote ${counted(own.different, 'different text')}${rest}.`;
  });
  return {
    id: 'hallucination-texts',
    title: 'What is made up',
    text,
    ...(rows.length === 0
      ? {}
      : {
          tables: [
            {
              id: 'hallucination-texts',
              title: 'The commonest invented texts',
              columns: [
                recognizerColumn,
                { key: 'text', label: 'Text', kind: 'text' as const, transcript: true as const },
                { key: 'sounds', label: 'Sounds', kind: 'count' as const },
              ],
              rows,
              note: 'After normalization; long texts are cut.',
            },
          ],
        }),
  };
}

/** What every table of parts tells. */
const countColumns: readonly Column[] = [
  { key: 'share', label: 'Sounds with words', kind: 'rate' },
  {
    key: 'pace',
    label: 'Words per minute',
    kind: 'number',
    help: 'Words written down in a minute of sound without speech.',
  },
  { key: 'sounds', label: 'Sounds', kind: 'count' },
  { key: 'withWords', label: 'With words', kind: 'count' },
  { key: 'words', label: 'Words', kind: 'count' },
  {
    key: 'withLoops',
    label: 'With loops',
    kind: 'count',
    help: 'Sounds for which the same 1 to 20 words are written at least three times in a row.',
  },
];

/** The cells of these columns. */
function cells(
  { part, shareWithWords, wordsPerMinute }: PartResult,
  recognizers: readonly string[],
): Record<string, Cell> {
  const { sums } = part;
  return {
    recognizer: recognizers[part.recognizer]!,
    share: shareWithWords,
    pace: wordsPerMinute,
    sounds: sums.sounds,
    withWords: sums.withWords,
    words: sums.words,
    withLoops: sums.withLoops,
  };
}

export function trialsOf({ tally, conditions, recognizers }: Known): TrialRow[] {
  return namedTrials({ tally, design: { conditions, recognizers: recognizers.map((name) => ({ name })) } });
}
