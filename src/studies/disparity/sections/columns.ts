import type { Column } from '../../../model/finding.ts';
import { adjustedColumn } from '../../shared/columns.ts';

export const speakersColumn: Column = {
  key: 'speakers',
  label: 'Speakers',
  kind: 'count',
  help: 'People who speak, and utterances whose speaker nobody knows. They decide how sure one can be.',
};
export const chanceColumn: Column = adjustedColumn(
  'How often chance alone does as much, corrected for all comparisons made together.',
);
