import type { Column } from '../../../model/finding.ts';

// Columns that several tables have.

export const recognizerColumn: Column = { key: 'recognizer', label: 'Recognizer', kind: 'text' };
export const conditionColumn: Column = { key: 'condition', label: 'Condition', kind: 'text' };
export const rateColumn: Column = {
  key: 'wordErrorRate',
  label: 'Word error rate',
  kind: 'rate',
  help: 'Words replaced, left out and added, as a share of the words that were said; above 100 % where more is added than was said.',
};
export const wordsColumn: Column = { key: 'words', label: 'Words said', kind: 'count' };
export const speakersColumn: Column = { key: 'speakers', label: 'Speakers', kind: 'count' };
