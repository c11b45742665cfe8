import { grouped, significantDecimals } from '../../base/number-format.ts';
import type { About, Section, Statement, Table } from '../../model/finding.ts';
import type { Condition } from '../../model/trial.ts';
import { failuresSection, failureWarnings, namedTrials } from '../shared/failures.ts';
import { whyOpen } from '../shared/open-verdict.ts';
import {
  attributeColumn,
  type ColumnOf,
  column,
  comparedWithColumn,
  groupColumn,
  recognizerColumn,
  tableOf,
} from '../shared/tables.ts';
import { counted, differenceInWords, listed, named, numberInWords, rateInWords } from '../shared/wording.ts';
import type { HallucinationOptions } from './options.ts';
import type { HallucinationResults, PartResult } from './results.ts';
import { durationClasses, type Part } from './sound-parts.ts';
import type { Tally } from './tally.ts';

/** What the parts of a finding are made from. */
export interface Known {
  readonly results: HallucinationResults;
  readonly tally: Tally;
  readonly design: {
    readonly conditions: readonly Condition[];
    readonly recognizers: readonly { readonly name: string }[];
  };
  readonly options: HallucinationOptions;
}

/** Every part of the finding, in the order in which a reader wants it. */
export function sectionsOf(known: Known): Section[] {
  const { examples } = known.tally;
  return [
    conditionsSection(known),
    durationsSection(known),
    groupsSection(known),
    textsSection(known),
    comparisonsSection(known),
    failuresSection('hallucination', 'A failed trial is no empty transcript: it is left out.', namedTrials(known)),
    examples.length === 0 ? null : { id: 'hallucination-examples', title: 'Longest hallucinations', examples },
  ].filter((section) => section !== null);
}

/** Of one kind of sound, or class of duration, all recognizers. */
function partsOf({ results }: Known, kind: Part['kind'], name: string): PartResult[] {
  return results.parts.filter(({ part }) => part.kind === kind && part.name === name);
}

const labelOf = ({ name, rung }: Condition) => rung?.label ?? name;

function conditionsSection(known: Known): Section {
  const { conditions } = known.design;
  const labels = new Map(conditions.map((condition) => [condition.name, labelOf(condition)]));
  const distinct = new Set(labels.values()).size === conditions.length;
  const id = 'hallucination-conditions';
  return {
    id,
    title: 'Hallucinations by kind of sound',
    text: ['Nobody speaks in any of these clips: every recognized word is hallucinated.'],
    ...(conditions.length < 2 ? {} : { charts: [shareChart(known)] }),
    tables: [
      ...(conditions.length < 2 ? [] : [wholeTable(known)]),
      tableOf(
        id,
        'By kind of sound',
        conditions.flatMap(({ name }) => partsOf(known, 'condition', name)),
        [
          column('condition', 'Sound', 'text', ({ part }) => (distinct ? labels.get(part.name)! : part.name)),
          ...countColumns(known),
        ],
      ),
    ],
  };
}

/** Of each recognizer all kinds of sound together, which the answer is about. */
function wholeTable(known: Known): Table {
  const rows = known.results.parts.filter(({ part }) => part.kind === 'all');
  const columns = countColumns(known).map((one) =>
    one.key === 'share' ? { ...one, label: `Clips with words, ${allKinds}`, ranks: true as const } : one,
  );
  return tableOf('hallucination-recognizers', 'All kinds of sound together', rows, columns);
}

const allKinds = 'all kinds of sound';

function shareChart(known: Known): NonNullable<Section['charts']>[number] {
  const { conditions, recognizers } = known.design;
  return {
    title: 'Clips with hallucinated words',
    xLabel: 'sound',
    xTicks: [allKinds, ...conditions.map(labelOf)],
    yLabel: 'Clips with words',
    yKind: 'rate',
    unordered: true,
    series: recognizers.map(({ name }, recognizer) => ({
      name,
      points: [
        known.results.parts.filter(({ part }) => part.kind === 'all'),
        ...conditions.map((condition) => partsOf(known, 'condition', condition.name)),
      ].flatMap((parts, x) =>
        parts
          .filter(({ part }) => part.recognizer === recognizer)
          .map(({ shareWithWords }) => ({ x, estimate: shareWithWords })),
      ),
    })),
  };
}

function durationsSection(known: Known): Section | null {
  const rows = durationClasses.flatMap((name) => partsOf(known, 'duration', name));
  if (rows.length === 0) return null;
  const id = 'hallucination-durations';
  const columns = [column('duration', 'Duration', 'text', ({ part }: PartResult) => part.name), ...countColumns(known)];
  return { id, title: 'Short and long clips', tables: [tableOf(id, 'By duration of the clip', rows, columns)] };
}

function groupsSection(known: Known): Section | null {
  const rows = known.results.parts
    .filter(({ part }) => part.kind === 'group')
    .toSorted((a, b) => byText(a.part.attribute!, b.part.attribute!) || byText(a.part.name, b.part.name));
  if (rows.length === 0) return null;
  const id = 'hallucination-groups';
  const table = tableOf(id, 'By attribute', rows, [
    { ...attributeColumn, of: ({ part }) => part.attribute! },
    { ...groupColumn, of: ({ part }) => part.name },
    ...countColumns(known),
  ]);
  return { id, title: 'Groups of clips', tables: [table] };
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Every pair of recognizers; null where there is one alone. */
function comparisonsSection({ results: { comparisons }, design: { recognizers } }: Known): Section | null {
  if (comparisons.length === 0) return null;
  const id = 'hallucination-comparisons';
  const title = 'Share of clips with words, on the clips that both answered';
  const table = tableOf(id, title, comparisons, [
    { ...recognizerColumn, of: ({ second }) => recognizers[second]!.name },
    { ...comparedWithColumn, of: ({ first }) => recognizers[first]!.name },
    column('difference', 'Difference', 'difference', ({ comparison }) => comparison),
  ]);
  return { id, title: 'Comparisons', tables: [table] };
}

/** The commonest invented texts. */
function textsSection({ tally: { texts }, design: { recognizers }, options }: Known): Section {
  const rows = texts.flatMap((own, recognizer) =>
    own.commonest(options.texts).map((one) => ({ ...one, recognizer: recognizers[recognizer]!.name })),
  );
  const id = 'hallucination-texts';
  const text = texts.map((own, recognizer) => {
    const rest = own.uncounted > 0 ? `, and ${own.uncounted} more that were not distinguished` : '';
    return `${named(recognizers[recognizer]!.name)} wrote ${counted(own.different, 'different text')}${rest}.`;
  });
  const table = tableOf(id, 'Most frequent hallucinated texts', rows, [
    recognizerColumn,
    { key: 'text', label: 'Text', kind: 'text', transcript: true },
    { key: 'sounds', label: 'Sounds', kind: 'count' },
  ]);
  const tables = [{ ...table, note: 'After normalization; long texts are cut.' }];
  return { id, title: 'Text', text, ...(rows.length === 0 ? {} : { tables }) };
}

/** What every table of parts tells. */
function countColumns({ design: { recognizers } }: Known): readonly ColumnOf<PartResult>[] {
  return [
    { ...recognizerColumn, of: ({ part }) => recognizers[part.recognizer]!.name },
    column('share', 'Clips with words', 'rate', ({ shareWithWords }) => shareWithWords),
    {
      ...column('pace', 'Words per minute', 'number', ({ wordsPerMinute }) => wordsPerMinute),
      help: 'Words recognized per minute of audio without speech.',
    },
    column('sounds', 'Sounds', 'count', ({ part }) => part.sums.sounds),
    column('withWords', 'With words', 'count', ({ part }) => part.sums.withWords),
    column('words', 'Words', 'count', ({ part }) => part.sums.words),
    {
      ...column('withLoops', 'With loops', 'count', ({ part }) => part.sums.withLoops),
      help: 'Clips for which the same 1 to 20 words are recognized at least three times in a row.',
    },
  ];
}

/** Who makes up more, the surest and largest difference first, and how much each recognizer makes up. */
export function answerOf({ results, design }: Known): Statement[] {
  const { recognizers } = design;
  const conditions = design.conditions.map(({ name }) => name);
  const own = results.parts.filter(({ part }) => part.kind === 'all');
  const rates = own.flatMap(({ part, shareWithWords, wordsPerMinute }): Statement[] => {
    const name = named(recognizers[part.recognizer]!.name);
    const share = {
      text: `${name} recognizes words in ${rateInWords(shareWithWords, 'of the clips', 'in which nobody speaks')}.`,
      estimate: shareWithWords,
      about: { recognizer: recognizers[part.recognizer]!.name, conditions, by: 'words' as const },
    };
    if (wordsPerMinute.value === null) return [share];
    // As it is printed in tables.
    const decimals = Number.isInteger(wordsPerMinute.value) ? 0 : significantDecimals(wordsPerMinute.value, 6);
    const text = `${name} hallucinates ${numberInWords(wordsPerMinute, decimals, ' words per minute without speech')}.`;
    return [share, { text, estimate: wordsPerMinute, kind: 'number', about: share.about }];
  });
  const size = ({ comparison: { verdict, difference } }: (typeof results.comparisons)[number]) =>
    (verdict === 'cannot tell' ? 0 : 1) + Math.abs(difference.value ?? 0);
  const sorted = results.comparisons.toSorted((a, b) => size(b) - size(a));
  const [leading, ...others] = sorted.map(({ first, second, comparison }): Statement => {
    const [one, other] = [named(recognizers[first]!.name), named(recognizers[second]!.name)];
    const apart = differenceInWords(comparison.difference, `with ${other}`);
    const text =
      comparison.verdict === 'cannot tell'
        ? `${one} and ${other} do not differ significantly in the share of clips with hallucinated words: ${apart}.${whyOpen(comparison)}`
        : `${other} hallucinates in ${comparison.verdict === 'better' ? 'fewer' : 'more'} of the clips than ${one}: ${apart}.`;
    const about: About = {
      ...{ recognizer: recognizers[second]!.name, conditions, by: 'words' },
      than: { recognizer: recognizers[first]!.name },
    };
    return { text, verdict: comparison.verdict, comparison, kind: 'difference', about };
  });
  if (rates.length === 0) return [{ text: 'No trial was answered, so there is no result.' }];
  return [...(leading === undefined ? [] : [leading]), ...rates, ...others];
}

/** What a reader must know before believing the numbers. */
export function warningsOf(known: Known): string[] {
  const { tally, options } = known;
  const warnings = failureWarnings(namedTrials(known), 'they are left out, which may flatter it');
  if (tally.recordings < options.minimumClips) {
    warnings.push(
      `An interval needs ${options.minimumClips} recordings, and there ${tally.recordings === 1 ? 'is' : 'are'} ${grouped(tally.recordings)}: there is no interval and no verdict.`,
    );
  }
  if (tally.merged) {
    warnings.push(
      `There are more than ${grouped(tally.recordings)} recordings: they were merged at random into that many units.`,
    );
  }
  if (tally.manyValued.length > 0)
    warnings.push(`Not reported by group, because of too many values: ${listed(tally.manyValued)}.`);
  if (options.corpus === 'speech') {
    warnings.push(
      'Earwitness trusts that these conditions leave no speech; if some is left, words found there are not hallucinated.',
    );
  }
  return warnings;
}
