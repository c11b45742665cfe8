import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { noServer, testServer } from './postgres-server.ts';

/** A test as `test` takes it. */
type StoreTest = readonly [
  name: string,
  options: { readonly skip: string | false },
  body: (context: TestContext) => void,
];

/**
 * A test of what every store does, once of files and once of a server. The file that it is of calls `test` itself, so that it is known by it.
 *
 * @param body is given what makes the address of a new store, and what makes the path of a new file
 * @example for (const one of onEachStore('is empty at first', (newStore) => ...)) test(...one);
 */
export function onEachStore(
  name: string,
  body: (newStore: () => string, newFile: () => string) => void,
): readonly StoreTest[] {
  return [false, true].map((server) => [
    server ? `${name}: on a server` : name,
    { skip: server && noServer },
    (context) => {
      const folder = mkdtempSync(join(tmpdir(), 'earwitness-store-'));
      context.after(() => rmSync(folder, { recursive: true, force: true }));
      let files = 0;
      const newFile = () => join(folder, `${++files}.sqlite`);
      body(server ? () => testServer().newDatabase() : newFile, newFile);
    },
  ]);
}
