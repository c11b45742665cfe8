import { readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { nonEmpty } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import type { DelimitedFormat, Row } from '../../system/delimited-rows.ts';
import { type RowFormat, readRows } from '../../system/read-rows.ts';
import { readTextLines, type TextLine } from '../../system/text-lines.ts';
import { type Boundary, checkLinks, type FolderNames, listFolder, type WalkedFolder, walkFolder } from './folders.ts';

/** A path inside of a folder that tells a data set, and options that read it beside `folder`. */
interface Sign {
  readonly path: string;
  readonly options: JsonObject;
}

/**
 * The signs of a data set that may be a folder itself or lie in it under its usual names.
 *
 * @param roots '' for the folder itself, `LibriSpeech/` for one inside
 * @example dataSetSigns(['', 'TIMIT/'], [{ path: 'TEST/DR1', options: {} }])
 */
export function dataSetSigns(roots: readonly string[], signs: readonly Sign[]): readonly Sign[] {
  return roots.flatMap((root) => signs.map(({ path, options }) => ({ path: `${root}${path}`, options })));
}

/** Options that every published data set has. */
export const dataSetOptions = {
  folder: nonEmpty().describe('Where it was unpacked.'),
  allowOutside: z
    .boolean()
    .optional()
    .describe('Whether files may lie outside of the folder by way of symbolic links. Default: false.'),
};

/** What the options of every published data set hold. */
export interface DataSetFolderOptions {
  readonly folder: string;
  readonly allowOutside?: boolean | undefined;
}

/** A data set as it lies on the disk. Paths are meant from its root, with `/`. */
export interface DataSetFolder {
  readonly root: string;
  /** The root as the user knows it. */
  readonly shownName: string;
  readonly boundary: Boundary;
  /** A path for errors. */
  shown(path: string): string;
  has(path: string): Promise<boolean>;
  /** Empty where there is no such folder. */
  list(path: string): Promise<FolderNames>;
  walk(path: string): AsyncGenerator<WalkedFolder>;
  /** @throws EarwitnessError `bad-input`: missing, not UTF-8, or a link out of the folder */
  lines(path: string): AsyncGenerator<TextLine>;
  /** @throws EarwitnessError `bad-input`, as `lines` */
  rows(path: string, format: RowFormat, changes?: Partial<DelimitedFormat>): AsyncGenerator<Row>;
  /**
   * The entries of a JSON file that is one list of objects.
   *
   * @throws EarwitnessError `bad-input`, as `lines`, or another form
   */
  entries(path: string): AsyncGenerator<Row>;
  /**
   * The bytes of a file that is small in every copy of the data set.
   *
   * @throws EarwitnessError `bad-input`: missing, larger than `maxBytes`, or a link out of the folder
   */
  bytes(path: string, maxBytes: number): Promise<Buffer>;
}

/** Where the root of a data set is found. */
export interface Landmark {
  /** Its name for people: LibriSpeech. */
  readonly title: string;
  /** Folders inside of the given one that may be the root, '' for itself; the first that holds the landmark. */
  readonly roots: readonly string[];
  /** A path that the root must hold, or several of which it must hold one. */
  readonly holds: string | readonly string[];
}

/**
 * Finds the root of a data set and gives what is needed to read it.
 *
 * @throws EarwitnessError `bad-input`: no folder, or not this data set
 */
export async function openDataSetFolder(
  options: DataSetFolderOptions,
  baseFolder: string,
  { title, roots, holds }: Landmark,
): Promise<DataSetFolder> {
  const given = resolve(baseFolder, options.folder);
  const found = await stat(given).catch(() => null);
  if (found?.isDirectory() !== true) {
    throw badInput(
      `${options.folder}: expected the folder of ${title}, but ${found === null ? 'there is none' : 'it is a file'}; check the path`,
    );
  }
  const wanted = typeof holds === 'string' ? [holds] : holds;
  for (const inside of roots) {
    for (const landmark of wanted) {
      if (!(await exists(join(given, inside, landmark)))) continue;
      const shownName = inside === '' ? options.folder : `${options.folder.replace(/\/+$/, '')}/${inside}`;
      return dataSetFolder(join(given, inside), shownName, options.allowOutside ?? false);
    }
  }
  const { files, folders } = await listFolder(given, given, options.folder, true);
  const there = [...folders.map((name) => `${name}/`), ...files].slice(0, 8).map((name) => printable(name, 60));
  const places = roots.filter((inside) => inside !== '').map((inside) => ` or in ${inside} there`);
  throw badInput(
    `${options.folder}: expected ${wanted.join(' or ')} of ${title} in it${places.join('')}, but found ${there.length === 0 ? 'nothing' : there.join(', ')}; name the folder that holds it`,
  );
}

async function dataSetFolder(root: string, shownName: string, allowOutside: boolean): Promise<DataSetFolder> {
  const realRoot = await realpath(root);
  const boundary: Boundary = { folder: root, shownName, allowOutside };
  const shown = (path: string) => (path === '' ? shownName : `${shownName}/${path}`);
  return {
    root,
    shownName,
    boundary,
    shown,
    has: (path) => exists(join(root, path)),
    async list(path) {
      const folder = join(root, path);
      if (!(await exists(folder))) return { files: [], folders: [], links: 0 };
      return listFolder(folder, realRoot, shown(path), allowOutside);
    },
    async *walk(path) {
      for await (const folder of walkFolder(join(root, path), shown(path), allowOutside, { links: 0 })) {
        yield { path: [path, folder.path].filter((part) => part !== '').join('/'), files: folder.files };
      }
    },
    async *lines(path) {
      await checkLinks(join(root, path), boundary);
      yield* readTextLines(join(root, path), shown(path));
    },
    async *rows(path, format, changes) {
      await checkLinks(join(root, path), boundary);
      yield* readRows(join(root, path), shown(path), { format, ...changes });
    },
    async *entries(path) {
      await checkLinks(join(root, path), boundary);
      yield* readRows(join(root, path), shown(path));
    },
    async bytes(path, maxBytes) {
      const file = join(root, path);
      await checkLinks(file, boundary);
      const about = await stat(file).catch(() => null);
      if (about?.isFile() !== true || about.size > maxBytes) {
        const problem =
          about?.isFile() === true
            ? `it has ${about.size} bytes; is it another file?`
            : 'there is none; check that the data set is complete';
        throw badInput(`${shown(path)}: expected a file of at most ${maxBytes} bytes, but ${problem}`);
      }
      return readFile(file);
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
