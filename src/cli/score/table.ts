import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { limitText } from '../../base/printable.ts';
import { writtenChannel } from '../../corpora/manifest/channel-column.ts';
import { usualColumn } from '../../corpora/manifest/columns.ts';
import { type Row, readDelimitedRows } from '../../system/delimited-rows.ts';
import { readJsonArray, readJsonRows } from '../../system/read-rows.ts';
import type { TextLine } from '../../system/text-lines.ts';
import { speakerName } from '../survey/sniff-list.ts';
import type { ScoringText } from './scoring-pair.ts';
import { linesOf, type TextFile } from './text-file.ts';

/** What columns are called, the house's own name first. */
export const columnNames = {
  id: ['id', 'utterance', 'utterance_id', 'utt_id', 'utt', 'audio_filepath', 'file', 'file_name', 'filename', 'path'],
  reference: [
    ...[
      'reference',
      'ref',
      'references',
      'refs',
      'truth',
      'ground_truth',
      'gold',
      'target',
      'label',
      'text',
      'sentence',
    ],
    ...['transcript', 'transcription', 'normalized_text', 'referenz'],
  ],
  hypothesis: [
    ...['hypothesis', 'hyp', 'hypotheses', 'hyps', 'prediction', 'predictions', 'predicted', 'pred', 'pred_text'],
    ...['recognized', 'asr', 'output', 'hypothese', 'hypothesen'],
  ],
} as const;
/** In a file of hypotheses alone. */
const hypothesesAlone = [...columnNames.hypothesis, 'text', 'transcript', 'transcription', 'sentence'];

export type TextColumn = 'reference' | 'hypothesis';

/** Columns that the options name. */
export type WantedColumns = Readonly<Partial<Record<TextColumn | 'speaker', string | undefined>>>;

/** Which columns of a table hold what. */
export interface Columns {
  /** Null where none is known to name utterances. */
  readonly id: string | null;
  /** Which channel of a recording the id means; null where none says. */
  readonly channel: string | null;
  readonly text: string;
}

/**
 * The rows of a table: JSON (an object on each line, or one list of them), TSV, or CSV with commas or semicolons. What comes on
 * stdin tells its format by its first line.
 */
export async function* tableRows(file: TextFile): AsyncGenerator<Row> {
  const ending = file.path === null ? '' : /\.([^.]*)$/.exec(file.name)![1]!.toLowerCase();
  const lines = linesOf(file);
  try {
    const before: TextLine[] = [];
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      before.push(next.value);
      if (next.value.text.trim() !== '') break;
    }
    const head = before.at(-1)?.text ?? '';
    async function* all(): AsyncGenerator<TextLine> {
      yield* before;
      yield* lines;
    }
    const json = ending === '' ? /^\s*[{[]/.test(head) : ending.includes('json');
    if (json && file.path !== null && head.trimStart().startsWith('[')) {
      await lines.return(undefined);
      yield* readJsonRows(readJsonArray(file.path, file.name), file.name);
    } else if (json) {
      yield* readJsonRows(all(), file.name);
    } else if (ending === 'tsv' || ending === 'tab' || (ending === '' && head.includes('\t'))) {
      yield* readDelimitedRows(all(), file.name, { delimiter: '\t', quotes: 'literal' });
    } else {
      const delimiter = head.includes(',') ? ',' : head.includes(';') ? ';' : head.includes('\t') ? '\t' : ',';
      yield* readDelimitedRows(all(), file.name, { delimiter, quotes: 'csv' });
    }
  } finally {
    // Where the first line is wrong, nobody has come to the others.
    await lines.return(undefined);
  }
}

/**
 * The column that holds the texts, and the one that names utterances.
 *
 * @param wanted what the options call the column of the texts; undefined: it is known by its name
 * @param alone whether the file holds one side only, where `text` may be what was recognized
 * @throws EarwitnessError `bad-input` where no column, or more than one, may be meant
 */
export function columnsOf(row: Row, side: TextColumn, wanted: string | undefined, alone: boolean): Columns {
  const known: readonly string[] = alone && side === 'hypothesis' ? hypothesesAlone : columnNames[side];
  if (wanted !== undefined && !row.names.includes(wanted)) throw noSuchColumn(row, side, wanted);
  const found = wanted !== undefined ? [wanted] : row.names.filter((name) => known.includes(name.toLowerCase()));
  const own = found.find((name) => name === side) ?? (found.length === 1 ? found[0] : undefined);
  if (own === undefined) throw noColumn(row, side, found, alone);
  const id = columnNames.id.map((name) => row.names.find((other) => other.toLowerCase() === name));
  return {
    id: id.find((name) => name !== undefined && name !== own) ?? null,
    channel: usualColumn(row.names, 'channel') ?? null,
    text: own,
  };
}

/** The channel that a row means, as it is written; null where it says none, or something else stands there. */
export function channelOfRow(row: Row, { channel }: Columns): string | null {
  const text = channel === null ? '' : (row.text(channel)?.trim() ?? '');
  return writtenChannel(text) === null ? null : text;
}

/** The text of a column, and where it stands. */
export function textOfRow(row: Row, column: string, file: TextFile, alternatives: boolean): ScoringText {
  const text = row.text(column);
  if (text === undefined) {
    throw new EarwitnessError(
      'bad-input',
      `${row.place()}: expected a text under ${JSON.stringify(limitText(column, 100))}, but there is none; write it, empty if nothing was said`,
    );
  }
  return {
    text,
    alternatives,
    place() {
      const [, where, place] = /^(.*):(\d+)$/s.exec(row.place(column))!;
      // In JSON characters may be escaped: columns then count from the text's beginning.
      return {
        where: where!,
        column: file.path === null || /\.(jsonl|ndjson|json)$/i.test(file.name) ? 1 : Number(place),
      };
    },
  };
}

/**
 * The column that says who spoke, by its name; null where none does.
 *
 * @param wanted what the options call it
 */
export function speakerColumnOf(names: readonly string[], wanted: string | undefined): string | null {
  return wanted ?? usualColumn(names, 'speaker') ?? names.find((name) => speakerName.test(name.trim())) ?? null;
}

/** Who spoke in the rows of a table, and what else they say. */
export interface RowValues {
  /** Values of an attribute; `speaker` is whatever column says who spoke. */
  of(row: Row, attribute: string): readonly string[];
  /** The column that said who spoke; null while none has. */
  speakerColumn(): string | null;
}

/**
 * @param wanted what the options call the column of the speakers
 * @param without columns with another meaning
 * @throws EarwitnessError `bad-input` where the first row that is asked has no such column
 */
export function createRowValues(wanted: string | undefined, without: () => readonly (string | null)[]): RowValues {
  // All rows of a delimited table have one list of names.
  let names: readonly string[] | null = null;
  let column: string | null = null;
  const speakersIn = (row: Row) => {
    if (row.names === names) return column;
    if (names === null && wanted !== undefined && !row.names.includes(wanted))
      throw noSuchColumn(row, 'speaker', wanted);
    names = row.names;
    const others = names.filter((name) => !without().includes(name));
    column = speakerColumnOf(others, wanted) ?? column;
    return column;
  };
  return {
    of(row, attribute) {
      const name = attribute === 'speaker' ? (speakersIn(row) ?? attribute) : attribute;
      const text = row.text(name);
      return text === undefined ? (row.list(name) ?? []) : text === '' ? [] : [text];
    },
    speakerColumn: () => column,
  };
}

/** Said where the column of the speakers has another name. */
export function speakersIn(column: string | null): string {
  return column === null || column === 'speaker' ? '' : `; speakers in ${column}`;
}

/** All that stands in a row, but for the columns told. */
export function attributesOfRow(row: Row, without: readonly (string | null)[]): { readonly [name: string]: Json } {
  const names = row.names.filter((name) => !without.includes(name));
  return Object.fromEntries(names.map((name) => [name, row.text(name) ?? row.list(name) ?? null]));
}

const quoted = (names: readonly string[]) =>
  `${names
    .slice(0, 8)
    .map((name) => JSON.stringify(limitText(name, 40)))
    .join(', ')}${names.length > 8 ? ', …' : ''}`;

function noSuchColumn(row: Row, side: keyof WantedColumns, wanted: string): EarwitnessError {
  const nearest = nearestName(wanted, row.names);
  const hint = nearest === null ? `there is ${quoted(row.names)}` : `did you mean ${quoted([nearest])}?`;
  return new EarwitnessError(
    'bad-input',
    `${row.namesPlace()}: expected a column ${quoted([wanted])} (from --${side}-column), but there is none; ${hint}`,
  );
}

function noColumn(row: Row, side: TextColumn, found: readonly string[], alone: boolean): EarwitnessError {
  if (found.length > 1) {
    return new EarwitnessError(
      'bad-input',
      `${row.namesPlace()}: expected one column that may hold the ${side}, but there are ${quoted(found)}; name the right one with --${side}-column`,
    );
  }
  const nearest = nearestName(side, row.names);
  const hint =
    nearest === null
      ? `there is ${quoted(row.names)}; name the right one with --${side}-column, or add it${alone ? ' (without names of columns, and an id and a text on each line: --ids)' : ''}`
      : `is it ${quoted([nearest])}? --${side}-column names it`;
  return new EarwitnessError(
    'bad-input',
    `${row.namesPlace()}: expected a column "${side}", but there is none; ${hint}`,
  );
}
