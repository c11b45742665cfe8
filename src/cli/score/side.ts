import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { idAndText } from '../../corpora/shared/lines.ts';
import { foldCase, readTrn } from '../../scoring/transcript-files/read-trn.ts';
import type { Row } from '../../system/delimited-rows.ts';
import type { ScoringText } from './scoring-pair.ts';
import {
  attributesOfRow,
  type Columns,
  channelOfRow,
  columnsOf,
  createRowValues,
  type RowValues,
  type TextColumn,
  tableRows,
  textOfRow,
} from './table.ts';
import { linesOf, type TextFile } from './text-file.ts';

/** One text of a file that holds references, or hypotheses. */
export interface SideText {
  /** Null where the file names none: texts are then known by their order. */
  readonly id: string | null;
  /** Which channel of what the id names; absent where nobody says. */
  readonly channel?: string;
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
  /** Of a table the column that says who spoke: known once texts were asked. */
  speakerColumn(): string | null;
  /** Ids that are the same to people. */
  key(id: string): string;
}

/** What the options say of a file. */
interface SideOptions {
  /** The columns of the texts and of the speakers, where they name any. */
  readonly column?: string | undefined;
  readonly speakerColumn?: string | undefined;
  readonly alternatives: boolean;
}

/** A trn file, a table, lines of ids and texts, or lines of text. */
export function sideOf(file: TextFile, side: TextColumn, { column, speakerColumn, alternatives }: SideOptions): Side {
  const { name, format } = file;
  const others = { name, speakerColumn: () => null, key: (id: string) => id };
  if (format === 'table') {
    let columns: Columns | null = null;
    const values = createRowValues(speakerColumn, () => [columns!.id, columns!.text]);
    const columnsIn = (row: Row) => {
      columns ??= columnsOf(row, side, column, true);
      return columns;
    };
    const texts = () => tableTexts(file, columnsIn, values, side === 'reference' && alternatives);
    return { ...others, unit: 'rows', texts, speakerColumn: values.speakerColumn };
  }
  if (format === 'lines') return { ...others, unit: 'lines', texts: () => lineTexts(file, alternatives) };
  if (format === 'ids') return { ...others, unit: 'utterances', texts: () => idTexts(file, alternatives) };
  // Without regard to letter case, as NIST's sclite does.
  return { ...others, unit: 'utterances', texts: () => trnTexts(file), key: foldCase };
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
  columnsIn: (row: Row) => Columns,
  rowValues: RowValues,
  alternatives: boolean,
): AsyncGenerator<SideText> {
  for await (const row of tableRows(file)) {
    const columns = columnsIn(row);
    const { id: idColumn, text } = columns;
    const channel = channelOfRow(row, columns);
    const id = idColumn === null ? null : (row.text(idColumn)?.trim() ?? '');
    if (id === '') {
      throw new EarwitnessError(
        'bad-input',
        `${row.place(idColumn!)}: expected an id, by which the two files are put together, but there is none; fill it in, or take the column ${idColumn} out`,
      );
    }
    yield {
      id,
      ...(channel !== null && { channel }),
      text: textOfRow(row, text, file, alternatives),
      line: row.line,
      values: (attribute) => rowValues.of(row, attribute),
      attributes: () => attributesOfRow(row, [idColumn, text]),
    };
  }
}
