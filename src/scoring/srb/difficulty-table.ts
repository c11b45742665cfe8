import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { RobustnessValue } from './degradation.ts';

/** Difficulties by scenario, fixed once and for all. */
export interface DifficultyTable {
  /** How many scenarios it knows. */
  readonly scenarios: number;
  /** The difficulty of a scenario; null with a reason where the table has none. */
  difficulty(dataset: string, perturbation: string, severity: number): RobustnessValue;
}

/**
 * A frozen table of difficulties, so that normalized rates stay comparable when data sets are added. Made from the rows of
 * a CSV file with the columns `dataset`, `perturbation`, `severity` and the one that holds the difficulty, as the published
 * table of Speech Robust Bench has them (`difficulty_published`, `difficulty_recentred`). An empty cell is a scenario
 * without difficulty.
 *
 * @param rows cells by column name; the first row stands in line 2 of its file
 * @param column name of the column to take; `difficulty_published` by default
 * @throws EarwitnessError for a missing column, a cell that is no number, and a scenario that comes twice
 * @example
 * const table = createDifficultyTable([{ dataset: 'TEDLIUM', perturbation: 'gnoise', severity: '4', difficulty_published: '103.5357' }]);
 * table.difficulty('TEDLIUM', 'gnoise', 4).value // 103.5357
 */
export function createDifficultyTable(
  rows: Iterable<Readonly<Record<string, string>>>,
  column = 'difficulty_published',
): DifficultyTable {
  const difficulties = new Map<string, number | null>();
  let line = 1;
  for (const row of rows) {
    line++;
    const cell = (name: string) => {
      if (Object.hasOwn(row, name)) return row[name]!.trim();
      throw new EarwitnessError(
        'bad-input',
        `table of difficulties, line ${line}: expected a column "${printable(name)}", but there are ${printable(Object.keys(row).join(', '))}; add it or name another`,
      );
    };
    const severity = numberIn(cell('severity'), 'severity', line);
    const key = keyOf(cell('dataset'), cell('perturbation'), severity);
    const text = cell(column);
    if (difficulties.has(key)) {
      throw new EarwitnessError(
        'bad-input',
        `table of difficulties, line ${line}: expected each scenario once, but ${printable(cell('dataset'))}, ${printable(cell('perturbation'))}, severity ${severity} came before; take one of them out`,
      );
    }
    difficulties.set(key, text === '' ? null : numberIn(text, column, line));
  }
  return {
    scenarios: difficulties.size,
    difficulty(dataset, perturbation, severity) {
      const value = difficulties.get(keyOf(dataset, perturbation, severity));
      if (value === undefined) {
        const scenario = `${printable(dataset)}, ${printable(perturbation)}, severity ${severity}`;
        return { value: null, reason: `the table of difficulties lacks ${scenario}` };
      }
      return value === null ? { value, reason: 'the table gives this scenario no difficulty' } : { value };
    },
  };
}

function keyOf(dataset: string, perturbation: string, severity: number): string {
  return JSON.stringify([dataset, perturbation, severity]);
}

function numberIn(text: string, column: string, line: number): number {
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return Number(text);
  throw new EarwitnessError(
    'bad-input',
    `table of difficulties, line ${line}: expected a number as ${printable(column)}, but got "${printable(text)}"; mend the cell or leave it empty`,
  );
}
