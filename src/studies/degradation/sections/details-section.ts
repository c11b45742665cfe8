import type { Section } from '../../../model/finding.ts';
import { attributeColumn, groupColumn } from '../../shared/columns.ts';
import type { Known } from '../known.ts';
import { scopeInWords } from '../wording.ts';
import { comparisonTable, kindColumn, scopeColumn } from './columns.ts';

/** By family of conditions and by pair of recognizers; null where there is one of each. */
export function detailsSection({ results, design }: Known): Section | null {
  const own = results.degradations.filter(({ measure, family }) => measure !== null || family !== null);
  if (own.length === 0) return null;
  return {
    id: 'degradation-details',
    title: 'By kind of disturbance and by recognizer',
    text: [
      'Speakers are dealt anew among the groups, once for all of these comparisons, so that the chance of even one false verdict is kept (step-down maximum): four fifths of it are for what is lost over all conditions, one fifth for these and for where groups stand before. Where speakers are in several groups, p values are corrected after Holm.',
    ],
    tables: [
      {
        id: 'degradation-details',
        title: 'Degradation in parts',
        columns: [
          attributeColumn,
          groupColumn,
          kindColumn,
          scopeColumn,
          { key: 'baseline', label: 'Before', kind: 'rate' },
          { key: 'degradation', label: 'Degradation', kind: 'difference' },
        ],
        rows: own.map((one) => ({
          attribute: one.attribute,
          group: one.group,
          kind: one.kind,
          scope: scopeInWords(one, design),
          baseline: one.baseline,
          degradation: one.degradation,
        })),
      },
      comparisonTable('degradation-detail-comparisons', 'Differences in parts', results.details, design),
    ],
  };
}
