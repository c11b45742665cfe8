import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownGoldens, sharedGoldens } from './goldens.ts';

const folder = join(import.meta.dirname, '..', 'goldens');
const files = globSync('*/*', { cwd: folder });
/** What is made here, of signals by formula, by the script beside it. */
const ofFormulas = join('formula', '/');

test('goldens/ is small, and holds no text that is not made or free', () => {
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  assert.ok(texts.join('').length < 1_500_000);
  for (const text of texts) assert.doesNotMatch(text, /^real-(prompts|europarl)\t/m);
});

test('goldens/ is what the script takes from ../shared/golden', {
  skip: !existsSync(sharedGoldens) && '../shared/golden is not beside the repository',
}, () => {
  const own = ownGoldens();
  assert.deepEqual(files.filter((file) => !file.startsWith(ofFormulas)).sort(), [...own.keys()].sort());
  for (const [path, text] of own) assert.equal(readFileSync(join(folder, path), 'utf8'), text, path);
});
