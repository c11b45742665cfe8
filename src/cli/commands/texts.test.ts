import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '../../base/errors.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const script = fileURLToPath(new URL('../../../bin/earwitness.js', import.meta.url));

test('normalize gives one line for each, empty ones and a last one without an end too', async () => {
  const { code, stdout } = await runCommand(['normalize', '-n', 'basic'], { input: 'Hello, World!\r\n\r\nÄ b\nlast' });
  assert.equal(code, 0);
  assert.equal(stdout, 'hello world\n\nä b\nlast\n');
});

test('normalize answers each line before the next is typed', async () => {
  const child = spawn(process.execPath, [script, 'normalize'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write('First!\n');
  const [answer] = await once(child.stdout, 'data');
  assert.equal(String(answer), 'first\n');
  child.stdin.end('Second!');
  const [second] = await once(child.stdout, 'data');
  assert.equal(String(second), 'second\n');
  await once(child, 'close');
});

test('normalize --json gives one object for each line, and names the line that is no UTF-8', async () => {
  const { stdout } = await runCommand(['normalize', '--json'], { input: 'A "b"\n' });
  assert.deepEqual(JSON.parse(stdout), { text: 'A "b"', normalized: 'a b' });
  const child = spawn(process.execPath, [script, 'normalize'], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(Buffer.from([0x61, 0x0a, 0x62, 0xff, 0x0a]));
  let stderr = '';
  child.stderr.on('data', (bytes) => {
    stderr += bytes;
  });
  let stdout2 = '';
  child.stdout.on('data', (bytes) => {
    stdout2 += bytes;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, exitCodes['bad-input']);
  assert.equal(stdout2, 'a\n');
  assert.match(stderr, /stdin:2:2: expected UTF-8 text, but byte 0xff/);
});

test('normalize --explain shows the steps that changed something, harmless and within 80 columns', async () => {
  const hostile = `Mr. \u001b[2J WON’T and can't ${'go on '.repeat(30)}`;
  const { code, stdout } = await runCommand(['normalize', '-n', 'english', '--explain'], {
    input: `${hostile}\nhello\n[noise]\n`,
  });
  assert.equal(code, 0);
  assert.ok(!stdout.includes('\u001b'));
  const [first, second, third] = stdout.split('\n\n');
  for (const line of first!.split('\n').slice(1)) assert.ok(line.length <= 80, line);
  assert.match(first!, /^ {2}contractions .* can not go on/m);
  assert.match(first!, /^ {2}\d+ words +mister/m);
  assert.doesNotMatch(first!, /American spelling|fillers/);
  assert.equal(second, 'hello\n  1 word  hello');
  assert.equal(third, '[noise]\n  drop <...> and [...]  (nothing)\n  0 words               (nothing)');
});

test('normalize --explain --json gives every step, and the words', async () => {
  const { stdout } = await runCommand(['normalize', '-n', 'srb', '--explain', '--json'], { input: "Don't\n" });
  assert.deepEqual(JSON.parse(stdout), {
    text: "Don't",
    steps: [
      { step: 'lower case', text: "don't" },
      { step: 'delete ASCII punctuation', text: 'dont' },
    ],
    normalized: 'dont',
    words: ['dont'],
  });
});

test('normalize and score take a normalizer of the user’s own, and say what is wrong with a module', async () => {
  await using folder = await temporaryFolder();
  const scoring = new URL('../../scoring/scoring.ts', import.meta.url).href;
  await writeFile(
    folder.file('mine.ts'),
    `import { makeNormalizer } from ${JSON.stringify(scoring)};
export default makeNormalizer({ name: 'vowels', version: 2, about: 'Without vowels.', steps: [
  { step: 'drop vowels', apply: (text: string) => text.replace(/[aeiou]/g, '') },
] });`,
  );
  const normalized = await runCommand(['normalize', '-n', './mine.ts'], { cwd: folder.path, input: 'hello you\n' });
  assert.equal(normalized.stdout, 'hll y\n', normalized.stderr);
  const scored = await runCommand(
    ['score', '--reference', 'a hat', '--hypothesis', 'hit', '-n', './mine.ts', '--json'],
    { cwd: folder.path },
  );
  assert.equal(scored.code, 0, scored.stderr);
  const sha256 = createHash('sha256')
    .update(await readFile(folder.file('mine.ts')))
    .digest('hex');
  assert.deepEqual(JSON.parse(scored.stdout).normalizer, { name: 'vowels', version: 2, module: sha256 });

  await writeFile(folder.file('wrong.ts'), `export default { name: 'x', version: 1, about: '' };`);
  await writeFile(folder.file('fails.ts'), `export default { name: 'x', version: 1, about: '', words: (t) => t };`);
  for (const [name, said] of [
    ['./wrong.ts', /wrong\.ts: expected a module with a normalizer, but what it exports lacks words/],
    ['./none.ts', /none\.ts: expected a module with a normalizer, but it cannot be read/],
    ['./fails.ts', /fails\.ts: expected a normalizer, but its "words" gave something else than a list/],
    ['mine.ts', /did you mean "\.\/mine\.ts"\?/],
    ['englsh', /did you mean "english"\?/],
  ] as const) {
    const { code, stdout, stderr } = await runCommand(['normalize', '-n', name], { cwd: folder.path, input: 'a\n' });
    assert.equal(code, exitCodes['bad-config'], stderr);
    assert.equal(stdout, '');
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }
});
