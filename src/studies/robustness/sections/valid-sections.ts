import type { Column, Section, Table } from '../../../model/finding.ts';
import {
  comparedWithColumn,
  conditionColumn,
  recognizerColumn,
  verdictCells,
  verdictColumns,
  wordsSaidColumn,
} from '../../shared/tables.ts';
import { ratingsTable, validitySection } from '../../shared/validity/validity.ts';
import type { ValidResults } from '../condition-results.ts';
import type { Design } from '../design.ts';
import type { LevelComparison } from '../level-comparisons.ts';
import type { Levels } from '../levels.ts';
import type { Results } from '../results.ts';

const bothColumns: readonly Column[] = [
  { key: 'rate', label: 'Word error rate', kind: 'rate', help: 'Of all sounds.' },
  { key: 'validRate', label: 'Valid alone', kind: 'rate', help: 'Word error rate of the sounds that the gate keeps.' },
  { key: 'degradation', label: 'Change from clean', kind: 'difference' },
  { key: 'validDegradation', label: 'Valid alone', kind: 'difference' },
];

/** Results with all sounds beside those with only the sounds that the gate keeps, and what was left out; empty without a gate. */
export function validSections(
  valid: ValidResults | null,
  { levels, results }: { readonly levels: Levels; readonly results: Results },
  design: Design,
): Section[] {
  if (valid === null) return [];
  const { rule, conditions, ratings } = valid.validity;
  const tables = [levelsTable(valid, levels, design), conditionsTable(valid, results, design)];
  if (valid.comparisons.length > 0) {
    tables.push(
      levelComparisonTable(
        { id: 'robustness-valid-comparisons', title: 'Recognizers compared, valid sounds alone' },
        valid.comparisons,
        design,
      ),
    );
  }
  if (ratings !== null) {
    const labels = new Map(design.conditions.map(({ name, rung }) => [name, rung?.label]));
    tables.push(ratingsTable('robustness', ratings, (about) => labels.get(about) ?? null));
  }
  return [
    {
      id: 'robustness-valid',
      title: 'With valid sounds alone',
      text: [
        `A disturbed sound is valid by: ${rule}. Clean sound always counts; one that was not ${conditions === null ? 'rated does not count' : 'measured counts'}. Elsewhere in this report all sounds count.`,
      ],
      tables,
    },
    ...(conditions === null ? [] : [validitySection('robustness', { conditions, rule })]),
  ];
}

function levelsTable(valid: ValidResults, levels: Levels, design: Design): Table {
  const [everything] = levels.scopes;
  const rows = levels.rows.flatMap((row, index): Table['rows'][number][] => {
    if (row.scope !== everything || (row.level !== 'overall' && row.level !== 'category')) return [];
    // Both have a row for everything that was asked, answered or not.
    const kept = valid.levels.rows[index]!;
    return [
      {
        name: row.level === 'overall' ? 'all scenarios' : row.name,
        recognizer: design.recognizers[row.recognizer]!.name,
        rate: row.wordErrorRate,
        validRate: kept.wordErrorRate,
        degradation: row.degradation,
        validDegradation: kept.degradation,
        scenarios: row.scenarios,
        none: kept.unanswered,
      },
    ];
  });
  return {
    id: 'robustness-valid-levels',
    title: 'By category, with all sounds and with valid ones',
    columns: [
      { key: 'name', label: 'Scenarios', kind: 'text' },
      recognizerColumn,
      ...bothColumns,
      { key: 'scenarios', label: 'Scenarios', kind: 'count' },
      { key: 'none', label: 'Of these without a valid answer', kind: 'count' },
    ],
    rows,
  };
}

function conditionsTable(valid: ValidResults, { conditions }: Results, design: Design): Table {
  return {
    id: 'robustness-valid-conditions',
    title: 'By condition, and what was left out',
    columns: [
      conditionColumn,
      recognizerColumn,
      ...bothColumns,
      wordsSaidColumn,
      { key: 'validWords', label: 'Words said, valid alone', kind: 'count' },
      { key: 'excluded', label: 'Trials not valid', kind: 'count', help: 'Of all recognizers together.' },
      { key: 'unrated', label: 'Trials not rated', kind: 'count', help: 'Of all recognizers together; left out too.' },
    ],
    rows: conditions.map((row, index): Table['rows'][number] => {
      const kept = valid.conditions[index]!;
      return {
        condition: design.conditions[row.condition]!.name,
        recognizer: design.recognizers[row.recognizer]!.name,
        rate: row.wordErrorRate,
        validRate: kept.wordErrorRate,
        degradation: row.degradation,
        validDegradation: kept.degradation,
        words: row.wordErrorRate.n.words ?? null,
        validWords: kept.wordErrorRate.n.words ?? null,
        excluded: valid.excluded[row.condition]!,
        unrated: valid.unrated[row.condition]!,
      };
    }),
  };
}

/** Recognizers compared over many scenarios; null where there is one alone. */
export function levelComparisonsSection(compared: readonly LevelComparison[], design: Design): Section | null {
  if (compared.length === 0) return null;
  const id = 'robustness-level-comparisons';
  const title = 'Difference of means on the trials that both answered';
  return {
    id,
    title: 'Recognizers compared over all scenarios',
    text: ['Tested together with the comparisons in single conditions; how the error is kept stands there.'],
    tables: [levelComparisonTable({ id, title }, compared, design)],
  };
}

/** A row for each pair of recognizers, measure and category. */
function levelComparisonTable(
  named: Pick<Table, 'id' | 'title'>,
  compared: readonly LevelComparison[],
  design: Design,
): Table {
  return {
    ...named,
    columns: [
      { key: 'category', label: 'Scenarios', kind: 'text' },
      { key: 'measure', label: 'Mean of', kind: 'text' },
      recognizerColumn,
      comparedWithColumn,
      { key: 'difference', label: 'Difference', kind: 'difference', help: 'Below zero: fewer errors, or less lost.' },
      ...verdictColumns('From swapping the two recognizers speaker by speaker'),
    ],
    rows: compared.map(({ category, measure, recognizer, comparedWith, comparison }) => ({
      category: category ?? 'all scenarios',
      measure,
      recognizer: design.recognizers[recognizer]!.name,
      comparedWith: design.recognizers[comparedWith]!.name,
      difference: comparison,
      ...verdictCells(comparison),
    })),
    note: 'A verdict is given only where interval and corrected test agree.',
  };
}
