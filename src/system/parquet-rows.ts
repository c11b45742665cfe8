import { isUtf8 } from 'node:buffer';
import { open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type * as Hyparquet from 'hyparquet';
import { badInput, EarwitnessError, messageOf } from '../base/errors.ts';
import { counted } from '../base/wording.ts';
import { isAbsent, missingPackage } from '../packages/installed-package.ts';
import type { Row } from './delimited-rows.ts';
import { jsonRow } from './json-rows.ts';

const purpose = 'which reads Parquet';

/** A part of a set as Hugging Face writes it: `train-00000-of-00002.parquet`, also with a hash of its own behind that. */
const partName = /^(.*)-(\d+)-of-(\d+)(?:-[\da-f]{8,})?\.parquet$/is;

/** What all parts of a set are called; the name itself where it is no part. */
export function setOf(name: string): string {
  return name.replace(partName, '$1-*-of-$3.parquet');
}

/** Of paths, in their order, those that stand for themselves, and of the parts of each set the first. */
export function firstOfSets(paths: readonly string[]): readonly string[] {
  const firsts = new Map<string, string>();
  for (const path of paths) if (path <= (firsts.get(setOf(path)) ?? path)) firsts.set(setOf(path), path);
  return paths.filter((path) => path === setOf(path) || path === firsts.get(setOf(path)));
}

/**
 * The files that are read where one is named: all parts of its set in their order, or itself.
 *
 * @throws EarwitnessError `bad-input`: a part is missing, or there twice
 */
export async function partsOf(path: string): Promise<readonly string[]> {
  const [name, set] = [basename(path), setOf(basename(path))];
  if (set === name) return [path];
  const parts = (await readdir(dirname(path))).filter((other) => setOf(other) === set);
  const placeOf = (part: string) => Number(partName.exec(part)![2]);
  const [, , digits = '', count = ''] = partName.exec(name)!;
  for (let place = 0; place < Number(count); place++) {
    const there = parts.filter((part) => placeOf(part) === place).length;
    if (there === 1) continue;
    const number = String(place).padStart(digits.length, '0');
    throw badInput(
      `${path}: expected all ${Number(count)} parts of ${set} in one folder, but ${there === 0 ? `number ${number} is missing; copy it there` : `number ${number} is there ${there} times; take the others out`}, or give a part that is meant alone another name`,
    );
  }
  return parts.sort((a, b) => placeOf(a) - placeOf(b)).map((part) => join(dirname(path), part));
}

/**
 * The rows of a Parquet file, or of all parts of its set, group by group. Bytes (of sounds that lie in it) have no text.
 *
 * @throws EarwitnessError `missing-program` without the package hyparquet, or hyparquet-compressors where the file is packed otherwise than by Snappy;
 * `bad-input` where it cannot be read
 */
export async function* readParquetRows(path: string, shownName: string): AsyncGenerator<Row> {
  let before = 0;
  for (const part of await partsOf(path)) {
    for await (const row of rowsOfFile(part, join(dirname(shownName), basename(part)))) {
      yield jsonRow(row, { number: ++before, text: '' }, setOf(shownName));
    }
  }
}

async function* rowsOfFile(path: string, shownName: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await load<typeof Hyparquet>('hyparquet');
  let compressors: Hyparquet.Compressors | undefined;
  const broken = async (place: string, cause: unknown) => {
    const came = (await problemAt(path)) ?? `${place} cannot be read: its bytes are not those that were written`;
    return badInput(`${shownName}: expected a Parquet file, but ${came}; copy or write it again`, {
      cause,
    });
  };
  const reading = async <T>(place: string, read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (/compression codec/.test(messageOf(error)) && compressors === undefined) {
        const packed = `which reads Parquet packed as ${shownName} is`;
        ({ compressors } = await load<{ compressors: Hyparquet.Compressors }>('hyparquet-compressors', packed));
        return await reading(place, read);
      }
      throw error instanceof EarwitnessError ? error : await broken(place, error);
    }
  };
  const contents = 'its table of contents';
  const file = await reading(contents, () => asyncBufferFromFile(path));
  const metadata = await reading(contents, () => parquetMetadataAsync(file));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const rows = await reading(`what holds its rows ${rowStart + 1} to ${rowEnd}`, () =>
      parquetReadObjects({ file, metadata, ...(compressors && { compressors }), rowStart, rowEnd, utf8: false }),
    );
    for (const row of rows) yield withoutBytes(row);
    rowStart = rowEnd;
  }
}

const mark = 'PAR1';

/** What is wrong with a file from outside: it is not there, is none, or is cut off. Null where it looks whole. */
async function problemAt(path: string): Promise<string | null> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const textAt = async (at: number) =>
      (await file.read(Buffer.alloc(mark.length), 0, mark.length, at)).buffer.toString('latin1');
    if ((await textAt(0)) !== mark) return `it is none (it has ${counted(size, 'byte')} and begins otherwise)`;
    return size > 2 * mark.length && (await textAt(size - mark.length)) === mark
      ? null
      : `it is cut off after ${counted(size, 'byte')}`;
  } catch (error) {
    return `reading it failed: ${messageOf(error)}`;
  }
}

async function load<T>(name: string, why = purpose): Promise<T> {
  return await import(name).catch((error: unknown) => {
    throw isAbsent(error, name) ? missingPackage(name, why, undefined, error) : error;
  });
}

function withoutBytes(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));
}

function plain(value: unknown): unknown {
  // Texts are often written without a word that they are texts; a sound in them has zeros.
  if (value instanceof Uint8Array)
    return isUtf8(value) && !value.includes(0) ? Buffer.from(value).toString('utf8') : null;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object' && value !== null ? withoutBytes(value as Readonly<Record<string, unknown>>) : value;
}
