import { accessSync, constants, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { badInput, type EarwitnessError } from '../base/errors.ts';
import { sha256 } from '../base/hash.ts';
import type { Json } from '../base/json.ts';
import {
  makeFolder,
  personal,
  putInPlace,
  removeUnfinished,
  temporaryFolder,
  unfinishedName,
} from '../base/on-disk.ts';
import { folderBeside } from '../store/store-place.ts';
import type { IndexOf } from './index-columns.ts';

/** What is kept of a run beside its store, as it takes long to make: the columns of its trials, its counts, its page, what it was compared with. */
export type ViewFileKind = 'index' | 'summary' | 'page' | 'comparison';

const ownFile = /\.(index|summary|page|comparison)$/;
/** Of every two sides there may be one: the oldest go. */
const keptComparisons = 50;

/** They hold what was said, and can be made again at any time. */
function folderOf(store: string): string {
  return join(folderBeside(store), 'view');
}

/** A folder of such files. What is in one of its own goes with whoever asked. */
export interface ViewFolder extends Disposable {
  readonly folder: string;
}

/** The folder beside a store; where nothing may be written there, a temporary one. */
export function openViewFolder(store: string): ViewFolder {
  const folder = folderOf(store);
  try {
    accessSync(existsSync(folder) ? folder : folderBeside(store), constants.W_OK);
    return { folder, [Symbol.dispose]() {} };
  } catch {
    const own = temporaryFolder('view');
    return { folder: own, [Symbol.dispose]: () => rmSync(own, { recursive: true, force: true }) };
  }
}

/** Where one is. */
export function viewFile(folder: string, run: string, kind: ViewFileKind): string {
  return join(folder, `${run.replace(/[^\w-]/g, '_').slice(0, 100)}-${sha256(run).slice(0, 8)}.${kind}`);
}

/** Where one is written until it is whole; the folder is made, and what processes that were ended left in it is removed. */
export function unfinishedViewFile(file: string): string {
  makeFolder(dirname(file), personal.folder);
  removeUnfinished(dirname(file));
  return unfinishedName(file);
}

/** Removes all of a store: for whoever takes something out of it. */
export function removeViewFiles(store: string): void {
  removeViewFilesIn(folderOf(store));
}

/** Removes all of a folder. */
export function removeViewFilesIn(folder: string): void {
  if (!existsSync(folder)) return;
  removeUnfinished(folder);
  for (const name of readdirSync(folder)) if (ownFile.test(name)) rmSync(join(folder, name), { force: true });
}

/** Removes those comparisons that are older than the newest ones. */
export function removeOldComparisons(folder: string): void {
  const files = readdirSync(folder).filter((name) => name.endsWith('.comparison'));
  const byAge = files
    .map((name) => join(folder, name))
    .map((file) => ({ file, ms: statSync(file).mtimeMs }))
    .sort((a, b) => b.ms - a.ms);
  for (const { file } of byAge.slice(keptComparisons)) rmSync(file, { force: true });
}

/** Keeps a value with what it was made of; for its owner's eyes alone. */
export function keepValue(file: string, of: IndexOf, value: Json): void {
  const half = unfinishedViewFile(file);
  writeFileSync(half, JSON.stringify({ of, value }), { mode: personal.file });
  putInPlace(half, file);
}

/** Null where there is none, it is damaged, or it was made of something else. */
export function keptValue(file: string, of: IndexOf): Json {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { readonly of: IndexOf; readonly value: Json };
    return JSON.stringify(kept.of) === JSON.stringify(of) ? kept.value : null;
  } catch {
    return null;
  }
}

/** Numbers of one kind, close together. */
export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array;
type Kind<Column extends NumberArray> = { new (length: number): Column };

function tooLarge(value: number): EarwitnessError {
  return badInput(
    `expected a run whose trials pages can number (4 GiB of transcripts, 65,536 conditions and draws at most), but it needs ${value}; \`earwitness report --out FOLDER --trials parquet\` writes all of them`,
  );
}

/** A typed array that grows. */
export class Growing<Column extends NumberArray> {
  #values: Column;
  readonly #kind: Kind<Column>;
  length = 0;

  constructor(kind: Kind<Column>, length = 4096) {
    this.#kind = kind;
    this.#values = new kind(length);
  }

  /** @throws EarwitnessError `bad-input` where it does not fit: it would be taken for another */
  push(value: number): void {
    this.#room(1);
    this.#values[this.length] = value;
    if (this.#values[this.length] !== value && !(this.#values instanceof Float32Array)) throw tooLarge(value);
    this.length++;
  }

  append(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#values.set(bytes, this.length);
    this.length += bytes.length;
  }

  done(): Column {
    return this.#values.subarray(0, this.length) as Column;
  }

  #room(more: number): void {
    if (this.length + more <= this.#values.length) return;
    const grown = new this.#kind(Math.max(2 * this.#values.length, this.length + more));
    grown.set(this.#values);
    this.#values = grown;
  }
}
