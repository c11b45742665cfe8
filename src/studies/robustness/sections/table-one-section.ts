import type { Column, Section, Table } from '../../../model/finding.ts';
import { tableOneCategories } from '../categories.ts';
import type { Design } from '../design.ts';
import type { Levels } from '../levels.ts';
import type { RobustnessOptions } from '../options.ts';

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
