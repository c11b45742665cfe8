import { writtenChannel } from '../../base/columns/channels.ts';
import { usualColumn } from '../../base/columns/roles.ts';
import { badInput } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { limitText } from '../../base/printable.ts';
import type { Row } from '../../system/delimited-rows.ts';
import type { ScoringText } from './scoring-pair.ts';
import { type Columns, missingColumn } from './table.ts';
import type { TextFile } from './text-file.ts';

/** The channel that a row means, as it is written; null where it says none, or something else stands there. */
export function channelOfRow(row: Row, { channel }: Columns): string | null {
  const text = channel === null ? '' : (row.text(channel)?.trim() ?? '');
  return writtenChannel(text) === null ? null : text;
}

/** What Python writes where there is no value; `Nan` is a name. */
export const isNotKnown = (row: Row, column: string) =>
  row.isOfReport !== true && /^\s*(?:nan|NaN|NAN)\s*$/.test(row.text(column) ?? '');

/** Whether nothing was recognized: JSON says so by null, Python by NaN. */
export function hasNoText(row: Row, column: string): boolean {
  return (row.names.includes(column) && row.text(column) === undefined) || isNotKnown(row, column);
}

/** How people call the row below a table. */
const totals =
  /^(?:grand )?(?:total|sum|mean|average|avg|overall|all|summe|gesamt|mittel(?:wert)?|durchschnitt|moyenne|totale?|media)(?:[\s:(]|$)/i;

/** Whether a row has no utterance: nothing in it, sums of those above, or the names of the columns again, where tables were put one behind the other. */
export function isSummary(row: Row, id: string | null, texts: readonly string[]): boolean {
  if (row.names.every((name) => row.text(name)?.trim() === name)) return true;
  if (texts.some((text) => row.text(text)?.trim() !== '')) return false;
  const others = row.names.filter((name) => !texts.includes(name)).map((name) => row.text(name)?.trim() ?? '');
  if (others.length > 0 && others.every((value) => value === '')) return true;
  return totals.test(id === null ? (others[0] ?? '') : (row.text(id) ?? ''));
}

/** The text of a column, and where it stands. */
export function textOfRow(row: Row, column: string, file: TextFile, alternatives: boolean): ScoringText {
  const text = row.text(column);
  if (text === undefined) {
    throw badInput(
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
  return wanted ?? usualColumn(names, 'speaker') ?? null;
}

/** Who spoke in the rows of a table, and what else they say. */
export interface RowValues {
  /** Values of an attribute; `speaker` is whatever column says who spoke. */
  of(row: Row, attribute: string): readonly string[];
  /** The column that said who spoke; null while none has. */
  speakerColumn(): string | null;
}

/**
 * @param wantedColumn what the options call the column of the speakers, asked with the first row
 * @param without columns with another meaning
 * @throws EarwitnessError `bad-input` where the first row that is asked has no such column
 */
export function createRowValues(
  wantedColumn: () => string | undefined,
  without: () => readonly (string | null)[],
): RowValues {
  // All rows of a delimited table have one list of names.
  let names: readonly string[] | null = null;
  let column: string | null = null;
  const speakersIn = (row: Row) => {
    if (row.names === names) return column;
    const wanted = wantedColumn();
    if (names === null && wanted !== undefined && !row.names.includes(wanted))
      throw missingColumn(row.namesPlace(), row.names, 'speaker', wanted);
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
