import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { idAndText } from '../../corpora/shared/lines.ts';
import { foldCase, readTrn } from '../../scoring/transcript-files/read-trn.ts';
import type { ScoringText } from './scoring-pair.ts';
import {
  attributesOfRow,
  type Columns,
  columnsOf,
  type TextColumn,
  tableRows,
  textOfRow,
  valuesOfRow,
} from './table.ts';
import { linesOf, type TextFile } from './text-file.ts';

/** One text of a file that holds references, or hypotheses. */
export interface SideText {
  /** Null where the file names none: texts are then known by their order. */
  readonly id: string | null;
  readonly text: ScoringText;
  readonly line: number;
  values(attribute: string): readonly string[];
  attributes(): { readonly [name: string]: Json };
}

/** A file that holds references, or hypotheses. */
export interface Side {
  readonly name: string;
  /** What is counted in it. */
  readonly unit: 'lines' | 'rows' | 'utterances';
  texts(): AsyncGenerator<SideText>;
  /** Ids that are the same to people. */
  key(id: string): string;
}

/** A trn file, a table, lines of ids and texts, or lines of text. */
export function sideOf(
  file: TextFile,
  side: TextColumn,
  { column, alternatives }: { readonly column?: string | undefined; readonly alternatives: boolean },
): Side {
  const { name, format } = file;
  const key = (id: string) => id;
  if (format === 'table') return { name, unit: 'rows', texts: () => tableTexts(file, side, column, alternatives), key };
  if (format === 'lines') return { name, unit: 'lines', texts: () => lineTexts(file, alternatives), key };
  if (format === 'ids') return { name, unit: 'utterances', texts: () => idTexts(file, alternatives), key };
  // Without regard to letter case, as NIST's sclite does.
  return { name, unit: 'utterances', texts: () => trnTexts(file), key: foldCase };
}

const nothing = { values: () => [], attributes: () => ({}) };

async function* trnTexts(file: TextFile): AsyncGenerator<SideText> {
  for await (const { id, speaker, text, line, column } of readTrn(linesOf(file), file.name)) {
    yield {
      id,
      text: { text, alternatives: true, place: () => ({ where: `${file.name}:${line}`, column }) },
      line,
      values: (attribute) => (attribute === 'speaker' && speaker !== null ? [speaker] : []),
      attributes: () => (speaker === null ? {} : { speaker }),
    };
  }
}

async function* lineTexts(file: TextFile, alternatives: boolean): AsyncGenerator<SideText> {
  for await (const { number, text } of linesOf(file)) {
    const lineEnd = text.indexOf('\r');
    if (lineEnd !== -1) {
      throw new EarwitnessError(
        'bad-input',
        `${file.name}:${number}:${lineEnd + 1}: expected lines that end with a line feed, but they end with a carriage return alone; save the file with Unix or Windows line ends`,
      );
    }
    const place = () => ({ where: `${file.name}:${number}`, column: 1 });
    yield { id: null, text: { text, alternatives, place }, line: number, ...nothing };
  }
}

/** After an id a tab or a blank; with a tab the id may have blanks. */
async function* idTexts(file: TextFile, alternatives: boolean): AsyncGenerator<SideText> {
  for await (const { number, text: line } of linesOf(file)) {
    const tab = line.indexOf('\t');
    const entry = tab > 0 ? { id: line.slice(0, tab).trim(), text: line.slice(tab + 1).trim() } : idAndText(line);
    if (entry === null) continue;
    const column = line.length - entry.text.length + 1;
    const place = () => ({ where: `${file.name}:${number}`, column });
    yield { id: entry.id, text: { text: entry.text, alternatives, place }, line: number, ...nothing };
  }
}

async function* tableTexts(
  file: TextFile,
  side: TextColumn,
  column: string | undefined,
  alternatives: boolean,
): AsyncGenerator<SideText> {
  let columns: Columns | null = null;
  for await (const row of tableRows(file)) {
    columns ??= columnsOf(row, side, column, true);
    const { id: idColumn, text } = columns;
    const id = idColumn === null ? null : (row.text(idColumn)?.trim() ?? '');
    if (id === '') {
      throw new EarwitnessError(
        'bad-input',
        `${row.place(idColumn!)}: expected an id, by which the two files are put together, but there is none; fill it in, or take the column ${idColumn} out`,
      );
    }
    yield {
      id,
      text: textOfRow(row, text, file, side === 'reference' && alternatives),
      line: row.line,
      values: (attribute) => valuesOfRow(row, attribute),
      attributes: () => attributesOfRow(row, [idColumn, text]),
    };
  }
}
