import type { Column } from '../../../model/finding.ts';

export const groupColumn: Column = { key: 'group', label: 'Group', kind: 'text' };
export const recognizerColumn: Column = { key: 'recognizer', label: 'Recognizer', kind: 'text' };
export const speakersColumn: Column = {
  key: 'speakers',
  label: 'Speakers',
  kind: 'count',
  help: 'People who speak, and utterances whose speaker nobody knows. They decide how sure one can be.',
};
export const adjustedColumn: Column = {
  key: 'adjustedPValue',
  label: 'Adjusted p',
  kind: 'pvalue',
  help: 'How often chance alone does as much, corrected for all comparisons made together.',
};
export const verdictColumn: Column = { key: 'verdict', label: 'Verdict', kind: 'verdict' };
