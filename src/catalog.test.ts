import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as catalog from './catalog.ts';

test('the catalog and the JSON Schema are what the script would write', () => {
  const script = fileURLToPath(new URL('../scripts/generate-catalog.ts', import.meta.url));
  const answer = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  assert.equal(answer.status, 0, `${answer.stderr}${answer.stdout}`);
});

test('every member loads, and calls itself what the catalog calls it', async () => {
  for (const [family, members] of Object.entries(catalog)) {
    for (const [name, { load }] of Object.entries<{ load(): Promise<{ name: string }> }>(members)) {
      assert.equal((await load()).name, name, family);
    }
  }
});
