import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { CorpusKind } from '../contract.ts';
import { createIdRegister } from '../shared/id-register.ts';
import { languageTag } from '../shared/language-tag.ts';
import { readRows, rowFormatOf } from '../shared/read-rows.ts';
import type { Row } from '../shared/row.ts';
import { soundFileCorpus } from '../shared/sound-file-corpus.ts';
import { type ColumnOfRole, checkColumns, findColumns, type Role, roles } from './columns.ts';
import { type ManifestOptions, manifestOptions } from './options.ts';
import { findSoundFolder } from './sound-folder.ts';
import { type RowContext, utteranceFromRow, withoutPrefix } from './utterance-from-row.ts';

const usuallyMissing = ['', 'NA', 'N/A', 'NaN', 'nan', 'null'];

/** Rows looked at when the list is opened, to see where its sounds are. */
const rowsAtOpening = 20;

/**
 * A list of recordings in a TSV, CSV or JSONL file. Understands Common Voice, NeMo and Hugging Face audiofolder lists
 * as they are. Read from the disk each time it is opened, never held in memory.
 *
 * @example { type: 'manifest', file: 'cv-corpus/en/test.tsv', language: 'en' }
 */
export const manifest: CorpusKind<ManifestOptions> = {
  name: 'manifest',
  about: 'Recordings listed in a TSV, CSV or JSONL file (Common Voice, NeMo and Hugging Face lists as they are)',
  options: manifestOptions,
  async open(options, services) {
    const file = resolve(services.baseFolder, options.file);
    const format = options.format ?? rowFormatOf(options.file, 'set `format` to say what it is');
    const rows = () =>
      readRows(file, options.file, format, {
        ...(options.delimiter !== undefined && { delimiter: options.delimiter }),
        ...(options.quotes !== undefined && { quotes: options.quotes }),
        ...(options.header !== undefined && { names: options.header }),
      });
    const columnsFor = columnFinder(options, format === 'jsonl');

    const firstPaths: string[] = [];
    let first: Row | undefined;
    for await (const row of rows()) {
      first ??= row;
      const { path } = columnsFor(row).columns;
      const written = path === undefined ? undefined : withoutPrefix(row.text(path), options.soundPrefix);
      firstPaths.push(written ? `${written}${options.soundEnding ?? ''}` : '');
      if (firstPaths.length === rowsAtOpening) break;
    }
    if (first === undefined) {
      throw new EarwitnessError(
        'bad-input',
        `${options.file}: expected at least one utterance, but the list is empty; add a row for each recording`,
      );
    }
    const opened = await fileVersion(file);

    const soundFolder =
      options.soundFolder === undefined
        ? findSoundFolder(file, firstPaths)
        : resolve(services.baseFolder, options.soundFolder);
    const boundary = {
      folder: options.soundFolder === undefined ? dirname(file) : soundFolder,
      shownName: options.soundFolder ?? `the folder of ${options.file}`,
      allowOutside: options.allowOutside ?? false,
    };
    const shared: Omit<RowContext, keyof RowColumns> = {
      missing: new Set(options.missing ?? usuallyMissing),
      language: options.language === undefined ? undefined : languageTag(options.language, () => 'language'),
      soundFolder,
      soundPrefix: options.soundPrefix,
      soundEnding: options.soundEnding ?? '',
      boundary,
    };

    const utteranceOf = (row: Row) => utteranceFromRow(row, { ...shared, ...columnsFor(row) });
    utteranceOf(first);

    let idsChecked = false;
    async function* utterances(): AsyncGenerator<Utterance> {
      if ((await fileVersion(file)) !== opened) {
        throw new EarwitnessError(
          'bad-input',
          `${options.file}: expected the list to stay as it was, but it has changed since it was opened; start again`,
        );
      }
      const ids = idsChecked ? null : createIdRegister();
      let absent = 0;
      for await (const row of rows()) {
        const utterance = utteranceOf(row);
        if (options.absentSounds === 'left out' && !hasSound(utterance)) {
          absent++;
          continue;
        }
        const before = ids?.add(utterance.id, row.line) ?? null;
        if (before !== null) throw doubled(utterance.id, row, before, columnsFor(row).columns, options.file);
        yield utterance;
      }
      if (!idsChecked && absent > 0)
        services.warn(`${options.file}: left out ${absent}: rows whose sounds are not there`);
      idsChecked = true;
    }
    return soundFileCorpus(utterances, boundary, services);
  },
};

function hasSound({ sound }: Utterance): boolean {
  return sound === undefined || !('file' in sound) || existsSync(sound.file);
}

function doubled(id: string, row: Row, before: number, columns: ColumnOfRole, file: string): EarwitnessError {
  return new EarwitnessError(
    'bad-input',
    `${row.place(columns.id ?? columns.path)}: expected an id of its own for each utterance, but "${id.slice(0, 100)}" stands at ${file}:${before} too; change one, or name another column in columns.id`,
  );
}

/** Where what stands in a row. */
type RowColumns = Pick<RowContext, 'columns' | 'attributes'>;

/** Columns by the names that are there: the same for each row of a table, while JSON objects may differ. */
function columnFinder({ columns = {}, attributes, file }: ManifestOptions, json: boolean): (row: Row) => RowColumns {
  let last: (RowColumns & { readonly names: readonly string[] }) | null = null;
  return (row) => {
    if (last !== null && sameNames(row.names, last.names)) return last;
    const needed: readonly Role[] = !json
      ? roles
      : last === null
        ? ['id', 'path', 'reference', 'speaker']
        : ['id', 'path'];
    const place = `${file}:${json ? row.line : 1}`;
    const found = findColumns(row.names, columns, place, needed);
    if (attributes !== undefined && !json) checkColumns(attributes, row.names, place);
    const withRole = new Set(Object.values(found));
    last = {
      names: row.names,
      columns: found,
      attributes: attributes ?? row.names.filter((name) => !withRole.has(name)),
    };
    return last;
  };
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((name, index) => name === b[index]));
}

async function fileVersion(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return found === null ? 'gone' : `${found.size} ${found.mtimeMs}`;
}
