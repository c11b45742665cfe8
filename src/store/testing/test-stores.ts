import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { noServer, testServer } from './postgres-server.ts';

/**
 * A test of what every store does, once of files and once of a server.
 *
 * @param body is given what makes the address of a new store, and what makes the path of a new file
 */
export function testStores(name: string, body: (newStore: () => string, newFile: () => string) => void): void {
  for (const server of [false, true]) {
    test(server ? `${name}: on a server` : name, { skip: server && noServer }, (context) => {
      const folder = mkdtempSync(join(tmpdir(), 'earwitness-store-'));
      context.after(() => rmSync(folder, { recursive: true, force: true }));
      let files = 0;
      const newFile = () => join(folder, `${++files}.sqlite`);
      body(server ? () => testServer().newDatabase() : newFile, newFile);
    });
  }
}
