import { existsSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput, badUsage, fileProblem } from '../../base/errors.ts';
import { isSqlite } from '../../base/first-bytes.ts';
import { temporaryFolder } from '../../base/on-disk.ts';
import type { RunReader, RunRecord, Store } from '../../store/contract.ts';
import { mergeStore } from '../../store/merge.ts';
import { openStore } from '../../store/open-store.ts';
import { findRun } from '../stored/which-run.ts';
import { importBundle } from './import-bundle.ts';

/** Finds the run of a store that somebody names. */
export type FindRun = (store: RunReader, wanted: string) => Promise<RunRecord>;

/** A store that has the runs which somebody named, and how they are named in it. */
export interface OpenedSides extends Disposable {
  readonly store: Store;
  /** `RUN` or `RUN:RECOGNIZER` each. */
  readonly sides: readonly string[];
}

/**
 * Opens what runs are to be read from: `RUN` or `RUN:RECOGNIZER` of a store, or a file in place of the run: a bundle, or another store
 * (its newest run, or `FILE#RUN`). Where there is a file, all that are named are copied to a store of their own, which is gone at the end.
 *
 * @param storeFile where runs that are named by their ids lie
 * @param find which of its runs is named
 * @throws EarwitnessError `bad-usage` for runs that are not there; `bad-input` and `store` for files that cannot be read
 * @example using opened = await openSides(['evidence.jsonl.gz', 'last'], '.earwitness/store.sqlite');
 */
export async function openSides(
  named: readonly string[],
  storeFile: string,
  find: FindRun = async (store, wanted) => findRun(store, wanted),
): Promise<OpenedSides> {
  const sides = named.map(parseSide);
  if (sides.every(({ file }) => file === null)) {
    const store = openStore(storeFile, { readonly: true });
    try {
      const found: string[] = [];
      for (const { run, recognizer } of sides) found.push(sideOf((await find(store, run)).id, recognizer));
      return { store, sides: found, [Symbol.dispose]: () => store.close() };
    } catch (error) {
      store.close();
      throw error;
    }
  }
  const folder = temporaryFolder('sides');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const together = join(folder, 'store.sqlite');
  try {
    const found: string[] = [];
    for (const { file, run, recognizer } of sides) {
      const id =
        file !== null && (await isBundle(file))
          ? await fromBundle(together, file)
          : await fromStore(together, file ?? storeFile, run, file === null ? find : undefined);
      found.push(sideOf(id, recognizer));
    }
    const store = openStore(together, { readonly: true });
    return {
      store,
      sides: found,
      [Symbol.dispose]() {
        store.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

const sideOf = (id: string, recognizer: string | null) => (recognizer === null ? id : `${id}:${recognizer}`);

interface ParsedSide {
  readonly file: string | null;
  readonly run: string;
  readonly recognizer: string | null;
}

/** Paths may hold colons and number signs: the longest that is there is meant. */
function parseSide(text: string): ParsedSide {
  for (const end of [text.length, text.lastIndexOf('#'), text.lastIndexOf(':'), text.indexOf('#'), text.indexOf(':')]) {
    const file = end < 0 ? '' : text.slice(0, end);
    if (file === '' || !existsSync(file) || !statSync(file).isFile()) continue;
    const [, run = 'last', recognizer = null] = /^(?:#([^:]*))?(?::(.*))?$/s.exec(text.slice(end)) ?? [];
    return { file, run, recognizer };
  }
  const [, run = text, recognizer = null] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (run.includes('/')) {
    throw badUsage(`${run}: expected a run, a store or a bundle, but there is no such file; correct the path`);
  }
  return { file: null, run, recognizer };
}

async function isBundle(file: string): Promise<boolean> {
  try {
    await using handle = await open(file);
    const start = Buffer.alloc(16);
    await handle.read(start, 0, 16, 0);
    return !isSqlite(start);
  } catch (error) {
    throw badInput(`${file}: it cannot be read (${fileProblem(error)}); correct the path`, {
      cause: error,
    });
  }
}

async function fromBundle(together: string, file: string): Promise<string> {
  using store = openStore(together);
  return await importBundle(store, file);
}

async function fromStore(together: string, file: string, wanted: string, find?: FindRun): Promise<string> {
  let id: string;
  {
    using store = openStore(file, { readonly: true });
    ({ id } = find === undefined ? findRun(store, wanted) : await find(store, wanted));
  }
  mergeStore(together, file, id);
  return id;
}
