import { speakerOfRow, usualColumn } from '../../base/columns/roles.ts';
import { badInput } from '../../base/errors.ts';
import { minNan } from '../../base/language-tag.ts';
import { soundEnding } from '../../base/sound-endings.ts';
import { readRows } from '../../system/read-rows.ts';
import { usuallyMissing } from '../shared/attributes.ts';
import { checkId } from '../shared/utterance-id.ts';

/** What a table tells of each speaker, or of each sound: by the end of its path, without extension; null where two paths end so. */
export interface Told {
  readonly of: 'speakers' | 'sounds';
  readonly rows: ReadonlyMap<string, ToldRow | null>;
}

interface ToldRow {
  readonly speaker?: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const notKnown = new Set(usuallyMissing);

/**
 * Reads a table with one row for each speaker, or for each sound: one that has paths of sounds, or ids beside speakers.
 *
 * @throws EarwitnessError `bad-input` with file, line and column: no column with the speaker, a speaker or sound twice
 */
export async function readTold(file: string, shownName: string): Promise<Told> {
  const all = new Map<string, ToldRow>();
  let of: Told['of'] = 'speakers';
  for await (const row of readRows(file, shownName)) {
    const sound = soundOfRow(row.names);
    const speakerName = sound === undefined ? speakerOfRow(row.names) : usualColumn(row.names, 'speaker');
    const column = sound ?? speakerName;
    if (column === undefined) {
      throw badInput(
        `${shownName}:1: expected a column "speaker", but the columns are ${row.names.slice(0, 20).join(', ')}; name it so`,
      );
    }
    if (sound !== undefined) of = 'sounds';
    const noun = sound === undefined ? 'speaker' : 'audio file';
    const written = row.text(column)?.trim() ?? '';
    const key = sound === undefined ? checkId(written, 'speaker', () => row.place(column)) : pathOfSound(written);
    if (all.has(key)) {
      throw badInput(
        `${row.place(column)}: expected each ${noun} once, but "${key.slice(0, 100)}" stands twice; take one out`,
      );
    }
    const pairs = row.names
      .filter((name) => name !== column && name !== speakerName)
      .map((name) => [name, row.text(name)?.trim() ?? ''] as const)
      .filter(([name, value]) => !notKnown.has(value) || (name === 'language' && value === minNan));
    const speaker = sound === undefined ? '' : (row.text(speakerName ?? '')?.trim() ?? '');
    all.set(key, { ...(!notKnown.has(speaker) && { speaker }), attributes: Object.fromEntries(pairs) });
  }
  if (of === 'speakers') return { of, rows: all };
  const rows = new Map<string, ToldRow | null>();
  for (const [path, row] of all) for (const end of endsOf(path)) rows.set(end, rows.has(end) ? null : row);
  return { of, rows };
}

/** The column that names sounds, in a table with a row for each. */
export function soundOfRow(names: readonly string[]): string | undefined {
  const path = usualColumn(names, 'path');
  const people = names.filter((name) => name.toLowerCase() !== 'name');
  return path ?? (usualColumn(people, 'speaker') === undefined ? undefined : usualColumn(names, 'id'));
}

const pathOfSound = (written: string) => written.replaceAll('\\', '/').replace(soundEnding, '');

/** @example endsOf('a/b/c') // ['a/b/c', 'b/c', 'c'] */
const endsOf = (path: string) => {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.map((_, place) => parts.slice(place).join('/'));
};

export function rowOfSound(rows: Told['rows'], path: string): ToldRow | undefined {
  const found = endsOf(path).map((end) => rows.get(end));
  return found.find((row) => row !== undefined) ?? undefined;
}
