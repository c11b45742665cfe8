import { estimateOf, isComparison } from '../../model/comparison.ts';
import type { Cell, Column, Comparison, Estimate, SampleSize, Table } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';

export interface CsvOptions {
  /** Whether columns of words that were said are kept; true if absent. */
  readonly transcripts?: boolean;
}

/**
 * A table as CSV (RFC 4180: comma, CRLF, quotes doubled), one header line of column keys. A column of estimates becomes
 * `key`, `key_low`, `key_high`, `key_n` (utterances), `key_speakers`, `key_reason`; a comparison adds `key_p`,
 * `key_adjusted_p` and `key_verdict`. Rows that rest on words end with the `normalizer` that made them. Numbers are printed in full, rates as fractions; null is an empty field.
 *
 * A text that a spreadsheet would run as a formula gets an apostrophe before it (OWASP, CSV Injection).
 *
 * @throws TypeError on NaN and infinities
 * @example renderCsv(table) // 'condition,wer,wer_low,…\r\nclean,0.123,…\r\n'
 */
export function renderCsv(table: Table, { transcripts = true }: CsvOptions = {}): string {
  const columns = table.columns.filter((column) => transcripts || !column.transcript);
  const fields = columns.flatMap((column) => fieldsOf(column, table.rows));
  const normalizers = table.rows.map((row) => normalizerOf(row));
  const named = normalizers.some((name) => name !== null) && fields.every(({ name }) => name !== 'normalizer');
  const rows = table.rows.map((row, place) =>
    csvLine(
      [...fields.map((field) => field.read(row[field.key] ?? null)), ...(named ? [normalizers[place]!] : [])],
      () => true,
    ),
  );
  return csvLine([...fields.map(({ name }) => name), ...(named ? ['normalizer'] : [])]) + rows.join('');
}

/**
 * One line of CSV with its end; null is an empty field. Texts are exact, so that tables can be joined by them and words are read back as they
 * were, but for those in columns that are there to be read.
 *
 * @param isShown whether texts at a place are made safe as in `renderCsv`; absent: none
 * @throws TypeError on NaN and infinities
 * @example csvLine(['a, b', 1.5, null]) // '"a, b",1.5,\r\n'
 */
export function csvLine(
  values: readonly (string | number | null)[],
  isShown: (place: number) => boolean = () => false,
): string {
  return `${values.map((value, place) => csvValue(value, isShown(place))).join(',')}\r\n`;
}

interface Field {
  readonly key: string;
  readonly name: string;
  read(cell: Cell): string | number | null;
}

function fieldsOf({ key }: Column, rows: Table['rows']): readonly Field[] {
  const cells = rows.map((row) => row[key]);
  const field = (suffix: string, read: Field['read']): Field => ({ key, name: key + suffix, read });
  if (!cells.some(isStatistic)) return [field('', (cell) => (isStatistic(cell) ? null : cell))];
  const fields = [
    field('', (cell) => (isStatistic(cell) ? (estimateOf(cell)?.value ?? null) : cell)),
    field('_low', (cell) => estimateOf(cell)?.low ?? null),
    field('_high', (cell) => estimateOf(cell)?.high ?? null),
    field('_n', (cell) => sizeOf(cell)?.ratings ?? sizeOf(cell)?.utterances ?? null),
    ...(cells.some((cell) => sizeOf(cell)?.ratings !== undefined)
      ? [field('_listeners', (cell) => sizeOf(cell)?.listeners ?? null)]
      : [field('_speakers', (cell) => sizeOf(cell)?.speakers ?? null)]),
  ];
  if (cells.some(isComparison)) {
    fields.push(
      field('_p', (cell) => (isComparison(cell) ? cell.pValue : null)),
      field('_adjusted_p', (cell) => (isComparison(cell) ? cell.adjustedPValue : null)),
      field('_verdict', (cell) => (isComparison(cell) ? cell.verdict : null)),
    );
  }
  return [...fields, field('_reason', reasonOf)];
}

/** What made the words that a row rests on, where it says so, or its numbers do; null where they rest on none. */
function normalizerOf(row: Table['rows'][number]): string | null {
  if (typeof row.normalizer === 'string') return row.normalizer;
  return Object.values(row).reduce<string | null>(
    (found, cell) => found ?? estimateOf(cell)?.n.normalizer ?? null,
    null,
  );
}

function isStatistic(cell: Cell | undefined): cell is Estimate | Comparison {
  return typeof cell === 'object' && cell !== null;
}

function sizeOf(cell: Cell | undefined): SampleSize | null {
  return cell === undefined ? null : (estimateOf(cell)?.n ?? null);
}

function reasonOf(cell: Cell): string | null {
  const reason = (isComparison(cell) ? cell.reason : undefined) ?? estimateOf(cell)?.reason;
  return reason === undefined ? null : reasonText(reason);
}

function csvValue(value: string | number | null, shown: boolean): string {
  if (value === null) return '';
  if (typeof value === 'string') return csvText(shown ? withoutFormula(value) : value);
  if (!Number.isFinite(value)) throw new TypeError(`expected a number that CSV can carry, got ${value}`);
  return String(value);
}

/** Also the full-width forms, and also after blanks: spreadsheets take both for a formula. With an apostrophe of its own it gets one more, so that one can be taken away again. */
const formula = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/u;

/**
 * A text as a table may carry it: one that a spreadsheet would run as a formula gets an apostrophe before it (OWASP, CSV Injection).
 *
 * @example withoutFormula('=1+1') // "'=1+1"
 */
export function withoutFormula(text: string): string {
  const wellFormed = text.toWellFormed().replaceAll('\0', '␀');
  return formula.test(wellFormed) ? `'${wellFormed}` : wellFormed;
}

/**
 * A text of a table without the apostrophe that keeps spreadsheets from running it.
 *
 * @example withFormula("'=1+1") // '=1+1'
 */
export function withFormula(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}

function csvText(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
