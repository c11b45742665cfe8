import type { Cell, Column } from '../../../model/finding.ts';
import { recognizerColumn } from '../../shared/columns.ts';
import type { Design } from '../design.ts';
import type { SetResult } from '../results.ts';

const languageColumn: Column = { key: 'language', label: 'Language', kind: 'text' };
export const pairsColumn: Column = {
  key: 'pairs',
  label: 'Cases',
  kind: 'count',
  help: 'Clips whose transcripts before and after the change are both known.',
};

export const setLabels: Readonly<Record<SetResult['set']['kind'], string>> = {
  relation: 'Relation',
  family: 'Kind of change',
  severity: 'Severity',
  condition: 'Condition',
};

/** Who and what a row is about; the language where there are several. */
export function subjectColumns(kind: SetResult['set']['kind'], languages: number): Column[] {
  const set: Column = { key: 'set', label: setLabels[kind], kind: 'text' };
  return languages > 1 ? [set, languageColumn, recognizerColumn] : [set, recognizerColumn];
}

/** The cells of `subjectColumns`. */
export function subjectCells({ set, language, recognizer }: SetResult, design: Design): Record<string, Cell> {
  return { set: set.name, language, recognizer: design.recognizers[recognizer]!.name };
}
