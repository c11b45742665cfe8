import type { Section } from '../../../model/finding.ts';
import type { Known } from '../known.ts';
import { comparisonTable } from './columns.ts';

/** Where the groups stand before, and who has more failures; null where nothing can be compared. */
export function beforeSection({ results, design }: Known): Section | null {
  if (results.before.length === 0) return null;
  return {
    id: 'degradation-before',
    title: 'Gaps before any disturbance, and failures',
    text: [
      `A group may be served worse in ${design.conditions[0]!.name} already (Equation 1 of AequeVox, with a test), or get no answer more often. A failed trial is no empty transcript: it is left out of rates, which hides it from them.`,
    ],
    tables: [comparisonTable('degradation-before', 'Gaps before, and shares of failed trials', results.before, design)],
  };
}
