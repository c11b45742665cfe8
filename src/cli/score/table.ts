import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { limitText } from '../../base/printable.ts';
import { type Row, readDelimitedRows } from '../../system/delimited-rows.ts';
import { readJsonArray, readJsonRows } from '../../system/read-rows.ts';
import type { TextLine } from '../../system/text-lines.ts';
import type { ScoringText } from './scoring-pair.ts';
import { linesOf, type TextFile } from './text-file.ts';

/** What columns are called, the house's own name first. */
const columnNames = {
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
    ...['transcript', 'transcription', 'normalized_text'],
  ],
  hypothesis: [
    ...['hypothesis', 'hyp', 'hypotheses', 'hyps', 'prediction', 'predictions', 'predicted', 'pred', 'pred_text'],
    ...['recognized', 'asr', 'output'],
  ],
} as const;
/** Who spoke, whatever the letter case, with blanks or hyphens for underscores. */
const speakerNames = ['speaker', 'speaker_id', 'client_id', 'spk', 'spk_id'];
/** In a file of hypotheses alone. */
const hypothesesAlone = [...columnNames.hypothesis, 'text', 'transcript', 'transcription', 'sentence'];

export type TextColumn = 'reference' | 'hypothesis';

/** Columns that the options name. */
export type WantedColumns = Readonly<Partial<Record<TextColumn, string | undefined>>>;

/** Which columns of a table hold what. */
export interface Columns {
  /** Null where none is known to name utterances. */
  readonly id: string | null;
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
  return { id: id.find((name) => name !== undefined && name !== own) ?? null, text: own };
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

/** Values of an attribute in a row; `speaker` is also found in the columns that usually name speakers. */
export function valuesOfRow(row: Row, attribute: string): readonly string[] {
  const text = row.text(attribute);
  if (text !== undefined) return text === '' ? [] : [text];
  const list = row.list(attribute);
  if (list !== undefined || attribute !== 'speaker') return list ?? [];
  const column = speakerNames.map((name) => row.names.find((other) => usualForm(other) === name));
  const named = column.find((name) => name !== undefined && name !== 'speaker');
  return named === undefined ? [] : valuesOfRow(row, named);
}

/** Whether a column of this name says who spoke. */
export function namesSpeakers(attribute: string): boolean {
  return speakerNames.includes(usualForm(attribute));
}

function usualForm(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
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

function noSuchColumn(row: Row, side: TextColumn, wanted: string): EarwitnessError {
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
