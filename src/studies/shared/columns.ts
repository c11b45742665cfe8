import type { Column } from '../../model/finding.ts';

// Columns that tables of several studies have.

export const recognizerColumn: Column = { key: 'recognizer', label: 'Recognizer', kind: 'text' };
export const conditionColumn: Column = { key: 'condition', label: 'Condition', kind: 'text' };
export const comparedWithColumn: Column = { key: 'comparedWith', label: 'Compared with', kind: 'text' };
export const attributeColumn: Column = { key: 'attribute', label: 'Attribute', kind: 'text' };
export const groupColumn: Column = { key: 'group', label: 'Group', kind: 'text' };
export const wordsSaidColumn: Column = { key: 'words', label: 'Words said', kind: 'count' };
export const utterancesColumn: Column = { key: 'utterances', label: 'Utterances', kind: 'count' };
export const speakersColumn: Column = { key: 'speakers', label: 'Speakers', kind: 'count' };
export const verdictColumn: Column = { key: 'verdict', label: 'Verdict', kind: 'verdict' };

/** @param help what chance would do, and what the value is corrected for */
export function adjustedColumn(help: string): Column {
  return { key: 'adjustedPValue', label: 'Adjusted p', kind: 'pvalue', help };
}
