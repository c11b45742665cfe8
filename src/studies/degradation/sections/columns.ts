import type { Column, Table } from '../../../model/finding.ts';
import { attributeColumn, comparedWithColumn, groupColumn } from '../../shared/columns.ts';
import type { Design } from '../design.ts';
import type { GroupComparison } from '../group-comparison.ts';
import { scopeInWords } from '../wording.ts';

export const kindColumn: Column = {
  key: 'kind',
  label: 'Measured by',
  kind: 'text',
  help: 'Distance: words in which two recognizers differ, as a share of the words of the longer transcript. It needs no reference.',
};
export const scopeColumn: Column = {
  key: 'scope',
  label: 'Over',
  kind: 'text',
  help: 'A pair of recognizers (or one), or a family of conditions; all: the mean over families, all measures alike.',
};
export const differenceColumn: Column = {
  key: 'comparison',
  label: 'Difference',
  kind: 'difference',
  help: 'Of the group, less that of the one it is compared with.',
};

/** The columns and rows of some comparisons. */
export function comparisonTable(
  id: string,
  title: string,
  comparisons: readonly GroupComparison[],
  design: Design,
): Table {
  const scoped = comparisons.some(({ measure, family, recognizer }) => (measure ?? family ?? recognizer) !== null);
  return {
    id,
    title,
    columns: [
      attributeColumn,
      groupColumn,
      comparedWithColumn,
      kindColumn,
      ...(scoped ? [scopeColumn] : []),
      differenceColumn,
    ],
    rows: comparisons.map((one) => ({
      attribute: one.attribute,
      group: one.group,
      comparedWith: one.comparedWith,
      kind: one.kind ?? 'share of failed trials',
      ...(scoped
        ? { scope: one.recognizer === null ? scopeInWords(one, design) : design.recognizers[one.recognizer]!.name }
        : {}),
      comparison: one.comparison,
    })),
  };
}
