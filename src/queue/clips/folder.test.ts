import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderPlace } from './folder.ts';

test('a folder that is not there is not made, and a file is none', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-clips-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const absent of [join(folder, 'absent'), file]) {
    const place = folderPlace(absent);
    const refused = {
      code: 'bad-config',
      message: /expected a folder that all machines share at .*, but there is none; mount it/,
    };
    await assert.rejects(place.put('one', Uint8Array.of(1)), refused);
    await assert.rejects(place.get('one'), refused);
  }
  assert.deepEqual(readdirSync(folder), ['file']);
});
