import type { Section } from '../../model/finding.ts';
import { comparedWithColumn, recognizerColumn } from '../shared/columns.ts';
import type { HallucinationResults } from './results.ts';

/** Every pair of recognizers; null where there is one alone. */
export function comparisonsSection(
  { comparisons }: HallucinationResults,
  recognizers: readonly string[],
): Section | null {
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
