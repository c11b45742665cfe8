import type { Column, Section, Table } from '../../../model/finding.ts';
import {
  column,
  conditionIn,
  recognizerIn,
  speakersColumn,
  tableOf,
  utterancesColumn,
  wordsSaidColumn,
} from '../../shared/tables.ts';
import { tableOneCategories } from '../categories.ts';
import type { Design } from '../design.ts';
import type { Levels } from '../levels.ts';
import type { RobustnessOptions } from '../options.ts';
import type { Results } from '../results.ts';
import type { Tally } from '../tally.ts';
import { rateColumn } from './rate-column.ts';

/** Every recognizer in every condition. */
export function conditionsSection(results: Results, tally: Tally, design: Design): Section {
  const rows = results.conditions.map((row) => {
    const place = tally.series.words(row.recognizer, row.condition);
    const { asked, failed } = tally.trials.at(place);
    return { ...row, ...tally.edits(place), failed: asked === 0 ? null : failed / asked, n: row.wordErrorRate.n };
  });
  return {
    id: 'robustness-conditions',
    title: 'All conditions',
    tables: [
      {
        ...tableOf('robustness-conditions', 'Errors by condition and recognizer', rows, [
          conditionIn(design.conditions),
          {
            ...column(
              'severity',
              'Severity',
              'text',
              ({ condition }) => design.conditions[condition]!.rung?.label ?? '',
            ),
            help: 'Of rooms: the mean of what was measured.',
          },
          recognizerIn(design.recognizers),
          rateColumn,
          {
            key: 'degradation',
            label: 'Change from clean',
            kind: 'difference',
            help: 'Word error rate degradation (WERD): the word error rate less that of clean sound, on the trials answered in both. Below zero: better than clean.',
          },
          {
            key: 'characterErrorRate',
            label: 'Character error rate',
            kind: 'rate',
            help: 'The same by characters, blanks included.',
          },
          { key: 'substitutions', label: 'Replaced', kind: 'count', help: 'Substitutions' },
          { key: 'deletions', label: 'Left out', kind: 'count', help: 'Deletions' },
          { key: 'insertions', label: 'Added', kind: 'count', help: 'Insertions' },
          { ...wordsSaidColumn, of: ({ n }) => n.words ?? null },
          { ...utterancesColumn, of: ({ n }) => n.utterances },
          { ...speakersColumn, of: ({ n }) => n.speakers },
          { key: 'failed', label: 'Failed', kind: 'rate', help: 'Share of trials without a transcript.' },
        ]),
        note: 'Rates are pooled: all errors over all words. Speakers are resampled whole, because the words of one speaker are not independent.',
      },
    ],
  };
}

/**
 * Table 1 of Speech Robust Bench: clean word error rate and NWERD by category, a row for each recognizer and language, least
 * clean rate first. Null where no scenario has a difficulty. Attacks need a model's gradients and are not in it.
 */
export function tableOneSection(levels: Levels, design: Design, { profile }: RobustnessOptions): Section | null {
  const languages = levels.scopes.filter(({ kind }) => kind === 'language');
  const scopes = languages.length > 0 ? languages : levels.scopes.slice(0, 1);
  const rowsIn = (scope: (typeof scopes)[number], recognizer: number) =>
    levels.rows.filter((row) => row.scope === scope && row.recognizer === recognizer);
  if (!levels.rows.some((row) => row.normalizedDegradation.value !== null)) return null;
  const extra = new Set(
    levels.rows.flatMap((row) =>
      row.level === 'category' &&
      row.normalizedDegradation.value !== null &&
      !tableOneCategories.some(([category]) => category === row.name)
        ? [row.name]
        : [],
    ),
  );
  const headings = [...tableOneCategories, ...[...extra].map((name) => [name, name] as const)];
  const columns: Column[] = [
    { key: 'language', label: 'Lang', kind: 'text' },
    { key: 'recognizer', label: 'Model', kind: 'text' },
    { key: 'clean', label: 'clean (WER)', kind: 'rate' },
    ...headings.map(([category, label]): Column => ({ key: category, label, kind: 'rate' })),
    { key: 'average', label: 'AVG (NWERD)', kind: 'rate' },
  ];
  const rows = scopes.flatMap((scope) =>
    design.recognizers
      .map(({ name }, recognizer): Table['rows'][number] => {
        const mine = rowsIn(scope, recognizer);
        const clean = levels.clean.find((row) => row.scope === scope && row.recognizer === recognizer)!;
        const language = design.survey.datasets[scope.datasets[0]!]?.language ?? '';
        return {
          language: language.toUpperCase(),
          recognizer: name,
          clean: clean.wordErrorRate,
          ...Object.fromEntries(
            headings.map(([category]) => [
              category,
              mine.find((row) => row.level === 'category' && row.name === category)?.normalizedDegradation ?? null,
            ]),
          ),
          average: mine.find((row) => row.level === 'overall')?.normalizedDegradation ?? null,
        };
      })
      .toSorted((a, b) => rate(a.clean) - rate(b.clean)),
  );
  const exact =
    profile === 'srb'
      ? 'Averages as in the program of the benchmark.'
      : 'Averages as this report makes them; the profile srb has those of the program of the benchmark.';
  return {
    id: 'robustness-table-1',
    title: 'As Table 1 of Speech Robust Bench',
    tables: [
      {
        id: 'robustness-table-1',
        title: 'Clean word error rate, and NWERD by category',
        columns,
        rows,
        note: `${exact} AVG is the mean of the categories that have a value; published averages have nine for English and seven for Spanish. Attacks are not in it.`,
      },
    ],
  };
}

function rate(cell: Table['rows'][number][string] | undefined): number {
  const value = typeof cell === 'object' && cell !== null && 'value' in cell ? cell.value : null;
  return value ?? Number.POSITIVE_INFINITY;
}
