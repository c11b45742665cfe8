import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { exitCodes } from '../../base/errors.ts';
import { rowsOf } from '../../model/finding-rows.ts';
import { runCommand, runProcess, temporaryFolder } from '../testing/run-command.ts';

test('grammar checks what grammars can say, as it is written in books, and lists every complaint', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('g.jsgf');
  await writeFile(file, 'public <order> = he has an apple | he have a apple;');
  const { code, stdout, stderr } = await runCommand([
    'grammar',
    file,
    'aequevox/gcp-robust',
    '--sentences',
    '5',
    '--json',
  ]);
  assert.equal(code, 0, stderr);
  const [finding] = JSON.parse(stdout).findings;
  const [own, published] = rowsOf(finding, 'grammar-check');
  assert.deepEqual([own!.checked, published!.checked, published!.sentences], ['all', 'drawn', 5]);
  assert.equal(published!.name, 'Google Cloud (GCP), robust');
  // Small letters at the beginning and missing full stops are no complaint.
  assert.deepEqual(
    rowsOf(finding, 'grammar-complaints')
      .filter(({ grammar }) => grammar === own!.name)
      .map(({ sentence, words }) => [sentence, words]),
    [
      ['he has an apple', null],
      ['he have a apple', 'have'],
      ['he have a apple', 'a'],
    ],
  );
});

test('without the checker nothing is said of a sentence, but how to get it', async () => {
  const hook = `import { registerHooks } from 'node:module';
registerHooks({ resolve(name, context, next) {
  if (name === 'harper.js') throw Object.assign(new Error('Cannot find package harper.js'), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
} });`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` };
  const { code, stdout, stderr } = await runProcess(['grammar', 'aequevox'], { env });
  assert.equal(code, exitCodes['missing-program'], stderr);
  assert.match(
    stderr,
    /expected the package harper\.js, which checks grammar, but it is not installed; type: npm install .*harper\.js/,
  );
  assert.equal(stdout, '');
});

test('what is no grammar and no number gets one sentence', async () => {
  const missing = await runCommand(['grammar', 'aequevox/gpc']);
  assert.equal(missing.code, exitCodes['bad-input']);
  assert.match(missing.stderr, /aequevox\/gpc: expected a grammar in UTF-8/);
  const none = await runCommand(['grammar', 'aequevox', '--sentences', '0']);
  assert.equal(none.code, exitCodes['bad-usage']);
  assert.match(none.stderr, /expected a whole number from 1 to 10000/);
});
