import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

test('a run is bundled, verified in an empty folder, and not verified once a digit was changed', async () => {
  await using folder = await temporaryFolder();
  const speakers = Array.from({ length: 24 }, (_, place) => place);
  const rows = speakers.map((place) => `u${place}\tone two three four\ts${place}\t${place % 2 ? 'F' : 'M'}`);
  await writeFile(folder.file('texts.tsv'), `id\tsentence\tspeaker\tsex\n${rows.join('\n')}\n`);
  const heard = speakers.map((place) => `u${place}\t${place % 2 ? 'one two three' : 'one two three four'}`);
  await writeFile(folder.file('heard.tsv'), `id\ttranscript\n${heard.join('\n')}\n`);
  await writeFile(
    folder.file('earwitness.config.json'),
    JSON.stringify({
      corpus: { type: 'manifest', file: 'texts.tsv', columns: { reference: 'sentence' } },
      recognizers: { one: { type: 'recorded', file: 'heard.tsv' } },
      studies: [{ type: 'disparity', attributes: ['sex'], resamples: 200, permutations: 1000, model: false }],
    }),
  );
  const at = { cwd: folder.path };
  const ran = await runCommand(['run', '--verbose'], at);
  assert.equal(ran.code, 0, ran.stderr);
  const planned = /plan fixed \S+, SHA-256 ([0-9a-f]{64})/.exec(ran.stderr)?.[1];
  assert.ok(planned, ran.stderr);

  const bundled = await runCommand(['bundle', '--json'], at);
  assert.equal(bundled.code, 0, bundled.stderr);
  const { seal, plan, lines } = JSON.parse(bundled.stdout) as { seal: string; plan: string; lines: { answer: number } };
  assert.equal(plan, planned);
  assert.equal(lines.answer, 24);
  assert.equal((await runCommand(['bundle'], at)).code, 2, 'a bundle is never overwritten');

  await mkdir(folder.file('empty'));
  await copyFile(folder.file('evidence.jsonl.gz'), folder.file('empty/evidence.jsonl.gz'));
  const empty = { cwd: folder.file('empty') };
  const verified = await runCommand(
    ['verify', 'evidence.jsonl.gz', '--plan', planned, '--seal', seal, '--out', 'report'],
    empty,
  );
  assert.equal(verified.code, 0, verified.stderr);
  assert.match(
    verified.stdout,
    /^right {4}Answers: each of 24 answers of recognizers \(0 failures\) belongs to its trial, clip and recognizer$/m,
  );
  assert.match(verified.stdout, /\nVERIFIED: everything is as it was sealed, planned and reported\.\n$/);
  assert.ok((await readdir(folder.file('empty/report'))).includes('report.html'));

  const text = gunzipSync(await readFile(folder.file('empty/evidence.jsonl.gz'))).toString('utf8');
  await writeFile(folder.file('empty/changed.gz'), gzipSync(text.replace('one two three four"', 'one two three for"')));
  const changed = await runCommand(['verify', 'changed.gz', '--json'], empty);
  assert.equal(changed.code, 10);
  const { verdict } = JSON.parse(changed.stdout) as { verdict: string };
  assert.equal(verdict, 'not verified');
  assert.match(changed.stderr, /changed\.gz: not everything is as it was sealed, planned and reported/);
});

test('what cannot be bundled or verified is told in one sentence', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('note.txt'), 'no bundle\n');
  const at = { cwd: folder.path };
  const foreign = await runCommand(['verify', 'note.txt'], at);
  assert.equal(foreign.code, 4);
  assert.match(foreign.stderr, /note\.txt: expected an evidence bundle, but this is none/);
  const hash = await runCommand(['verify', 'note.txt', '--plan', 'abc'], at);
  assert.equal(hash.code, 2);
  assert.match(hash.stderr, /expected a SHA-256: 64 hexadecimal digits/);
  assert.equal((await runCommand(['bundle'], at)).code, 6);
});
