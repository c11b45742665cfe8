import type { Section } from '../../../model/finding.ts';
import type { Design } from '../design.ts';
import type { LevelComparison } from '../level-comparisons.ts';
import { recognizerColumn } from './columns.ts';

/** Recognizers compared over many scenarios; null where there is one alone. */
export function levelComparisonsSection(compared: readonly LevelComparison[], design: Design): Section | null {
  if (compared.length === 0) return null;
  return {
    id: 'robustness-level-comparisons',
    title: 'Recognizers compared over all scenarios',
    tables: [
      {
        id: 'robustness-level-comparisons',
        title: 'Difference of means on the trials that both answered',
        columns: [
          { key: 'category', label: 'Scenarios', kind: 'text' },
          { key: 'measure', label: 'Mean of', kind: 'text' },
          recognizerColumn,
          { key: 'comparedWith', label: 'Compared with', kind: 'text' },
          {
            key: 'difference',
            label: 'Difference',
            kind: 'difference',
            help: 'Below zero: fewer errors, or less lost.',
          },
          {
            key: 'adjustedPValue',
            label: 'Adjusted p',
            kind: 'pvalue',
            help: 'From swapping the two recognizers speaker by speaker; corrected for all comparisons here (Holm).',
          },
          { key: 'verdict', label: 'Verdict', kind: 'verdict' },
        ],
        rows: compared.map(({ category, measure, recognizer, comparedWith, comparison }) => ({
          category: category ?? 'all scenarios',
          measure,
          recognizer: design.recognizers[recognizer]!.name,
          comparedWith: design.recognizers[comparedWith]!.name,
          difference: comparison,
          adjustedPValue: comparison.adjustedPValue,
          verdict: comparison.verdict,
        })),
        note: 'A verdict is given only where interval and corrected test agree.',
      },
    ],
  };
}
