import type { Section } from '../../../model/finding.ts';
import {
  comparedWithColumn,
  conditionColumn,
  recognizerColumn,
  verdictCells,
  verdictColumns,
} from '../../shared/columns.ts';
import { familiesInWords } from '../../shared/comparisons.ts';
import type { Design } from '../design.ts';
import { comparisonFamilies } from '../level-comparisons.ts';
import type { RobustnessOptions } from '../options.ts';
import type { Results } from '../results.ts';

/** Every pair of recognizers; null where there is one alone. */
export function comparisonsSection(results: Results, design: Design, options: RobustnessOptions): Section | null {
  if (results.comparisons.length === 0) return null;
  const rows = results.comparisons.map(({ condition, group, recognizer, comparedWith, comparison }) => ({
    condition: design.conditions[condition]!.name,
    group:
      group === null
        ? 'everybody'
        : `${group.attribute}: ${group.value}${group.dataset === undefined ? '' : ` (${group.dataset})`}`,
    recognizer: design.recognizers[recognizer]!.name,
    comparedWith: design.recognizers[comparedWith]!.name,
    difference: comparison,
    ...verdictCells(comparison),
    pairs: comparison.difference.n.pairs ?? null,
  }));
  return {
    id: 'robustness-comparisons',
    title: 'Recognizers compared',
    text: [familiesInWords(comparisonFamilies, options.level, options.familyError)],
    tables: [
      {
        id: 'robustness-comparisons',
        title: 'Difference in word error rate on the trials that both answered',
        columns: [
          conditionColumn,
          { key: 'group', label: 'Who', kind: 'text' },
          recognizerColumn,
          comparedWithColumn,
          { key: 'difference', label: 'Difference', kind: 'difference', help: 'Below zero: fewer errors.' },
          ...verdictColumns('From swapping the two recognizers speaker by speaker'),
          { key: 'pairs', label: 'Trials', kind: 'count' },
        ],
        rows,
        note: 'A verdict is given only where interval and corrected test agree.',
      },
    ],
  };
}
