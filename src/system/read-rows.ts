import { EarwitnessError } from '../base/errors.ts';
import { type DelimitedFormat, type Row, readDelimitedRows } from './delimited-rows.ts';
import { readJsonRows } from './json-rows.ts';
import { readTextLines } from './text-lines.ts';

export type RowFormat = 'tsv' | 'csv' | 'jsonl';

/**
 * The format that a file's name tells.
 *
 * @param advice what to do where it tells none
 * @throws EarwitnessError `bad-config`: the name tells none
 */
export function rowFormatOf(file: string, advice = 'give it another name'): RowFormat {
  const extension = /\.([^./\\]*)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  if (extension === 'tsv' || extension === 'tab') return 'tsv';
  if (extension === 'csv') return 'csv';
  // NeMo writes one JSON object on each line and names the file .json.
  if (extension === 'jsonl' || extension === 'ndjson' || extension === 'json') return 'jsonl';
  throw new EarwitnessError('bad-config', `${file}: expected a name that ends in .tsv, .csv or .jsonl; ${advice}`);
}

/** The rows of a file in one of the formats. TSV has no quotes (IANA text/tab-separated-values), CSV has (RFC 4180). */
export function readRows(
  file: string,
  shownName: string,
  format: RowFormat,
  changes: Partial<DelimitedFormat> = {},
): AsyncGenerator<Row> {
  const lines = readTextLines(file, shownName);
  if (format === 'jsonl') return readJsonRows(lines, shownName);
  const usual: DelimitedFormat =
    format === 'tsv' ? { delimiter: '\t', quotes: 'literal' } : { delimiter: ',', quotes: 'csv' };
  return readDelimitedRows(lines, shownName, { ...usual, ...changes });
}
