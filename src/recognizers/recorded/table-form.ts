import { closeSync, openSync, readSync } from 'node:fs';
import { extname } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { RecordedOptions } from './options.ts';
import { delimitedReader, jsonReader, type RecordedRow, type RowReader } from './row-reader.ts';

/** What a row answers. */
type Asked = Pick<RecordedRow, 'utterance' | 'condition' | 'repeat'> & Partial<Pick<RecordedRow, 'channel'>>;

function exactKey({ utterance, channel = null, condition, repeat }: Asked): string {
  // With its length, so that no id can pretend to be another row's condition.
  return `${repeat} ${condition.length} ${condition}${utterance}${channel === null ? '' : `#${channel}`}`;
}

/** The same for `clip.wav` and `clip.mp3`. */
function stemKey({ utterance, ...rest }: Asked): string {
  return exactKey({ ...rest, utterance: utterance.replace(/(?<=[^/])\.[A-Za-z0-9]{1,5}$/, '') });
}

/** How rows and what is asked are matched. */
export function keyReader({ fileEndings }: RecordedOptions): (asked: Asked) => string {
  return fileEndings === 'ignored' ? stemKey : exactKey;
}

/** Longer first lines name no columns that anybody reads. */
const maxHeaderBytes = 65_536;

/** Whether the table has a column for listeners; false where its head cannot be read, which opening it tells. */
export function namesListeners(path: string, options: RecordedOptions): boolean {
  const bytes = Buffer.alloc(maxHeaderBytes);
  const file = openSync(path, 'r');
  try {
    const length = readSync(file, bytes, 0, maxHeaderBytes, 0);
    const [line = ''] = bytes
      .toString('utf8', 0, length)
      .replace(/^\ufeff/, '')
      .split(/\r?\n/, 1);
    return readerOf(options).namesListeners({ line: 1, text: line });
  } catch {
    return false;
  } finally {
    closeSync(file);
  }
}

export function formatOf(options: RecordedOptions): { format: 'tsv' | 'csv' | 'jsonl'; delimiter: string | null } {
  const byExtension = { '.tsv': 'tsv', '.tab': 'tsv', '.csv': 'csv', '.jsonl': 'jsonl', '.ndjson': 'jsonl' } as const;
  const extension = extname(options.file).toLowerCase();
  const format = options.format ?? byExtension[extension as keyof typeof byExtension];
  if (format === undefined) {
    throw new EarwitnessError(
      'bad-config',
      `file: expected a name ending in .tsv, .csv or .jsonl, got ${JSON.stringify(printable(extension, 20))}; set format`,
    );
  }
  if (format === 'jsonl' && options.delimiter !== undefined) {
    throw new EarwitnessError('bad-config', 'delimiter: JSON lines have none; leave it out');
  }
  if (format !== 'jsonl' && options.columns.words !== undefined) {
    throw new EarwitnessError('bad-config', 'columns.words: only JSON lines can hold word times; leave it out');
  }
  return { format, delimiter: format === 'jsonl' ? null : (options.delimiter ?? (format === 'tsv' ? '\t' : ',')) };
}

export function quotesOf(options: RecordedOptions): boolean {
  return formatOf(options).format === 'csv';
}

export function readerOf(options: RecordedOptions): RowReader {
  const { delimiter } = formatOf(options);
  return delimiter === null
    ? jsonReader(options.file, options.columns)
    : delimitedReader(options.file, options.columns, delimiter, quotesOf(options));
}
