import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { exitCodes } from '../../base/errors.ts';
import { loadConfig } from '../../session/config/load-config.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

for (const format of ['yaml', 'ts'] as const) {
  test(`init --yes writes a commented config in ${format} that is accepted as it stands`, async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.file('recordings'));
    const { code, stdout, stderr } = await runCommand(['init', '--yes', '--format', format, '--json'], {
      cwd: folder.path,
    });
    assert.equal(code, 0, stderr);
    const answer = JSON.parse(stdout);
    assert.deepEqual(answer.corpus, { kind: 'folder', path: 'recordings' });
    const { config } = await loadConfig(folder.file(`earwitness.config.${format}`));
    assert.equal(config.corpora[0]?.options.folder, 'recordings');
    assert.deepEqual(Object.keys(config.recognizers), answer.recognizers);
    assert.equal(config.studies[0]?.type, 'robustness');
    const text = await readFile(folder.file(`earwitness.config.${format}`), 'utf8');
    assert.match(text, format === 'yaml' ? /^\s+# language/m : /^\s+\/\/ speaker/m);
  });
}

test('init proposes the list of recordings that lies there, and texts to speak where nothing does', async () => {
  await using folder = await temporaryFolder();
  const texts = JSON.parse((await runCommand(['init', '--yes', '--json'], { cwd: folder.path })).stdout);
  assert.equal(texts.corpus.kind, 'texts');
  const { config } = await loadConfig(folder.file('earwitness.config.yaml'));
  assert.ok(config.synthesizers[texts.corpus.synthesizer]);

  await using other = await temporaryFolder();
  await writeFile(other.file('metadata.csv'), 'file_name,transcription\n');
  const list = JSON.parse((await runCommand(['init', '--yes', '--json'], { cwd: other.path })).stdout);
  assert.deepEqual(list.corpus, { kind: 'manifest', path: 'metadata.csv' });
});

test('init knows a published data set by its files, and proposes its own corpus', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.file('LibriSpeech/test-clean'), { recursive: true });
  const found = JSON.parse((await runCommand(['init', '--yes', '--json'], { cwd: folder.path })).stdout);
  assert.deepEqual(found.corpus.dataSet, { type: 'librispeech', options: { split: 'test-clean' } });
  const { config } = await loadConfig(folder.file('earwitness.config.yaml'));
  assert.deepEqual(config.corpora[0]?.options, { folder: '.', split: 'test-clean' });
});

test('init overwrites nothing, and does not ask where nobody can answer', async () => {
  await using folder = await temporaryFolder();
  const asked = await runCommand(['init'], { cwd: folder.path });
  assert.equal(asked.code, exitCodes['bad-usage']);
  assert.match(asked.stderr, /--yes/);
  await writeFile(folder.file('earwitness.config.json'), '{}');
  const there = await runCommand(['init', '--yes'], { cwd: folder.path });
  assert.equal(there.code, exitCodes['bad-input']);
  assert.match(there.stderr, /earwitness\.config\.json is there already/);
});

test('doctor says of each member whether it is there, and lists licences with conditions', async () => {
  const { code, stdout } = await runCommand(['doctor', '--json']);
  assert.equal(code, 0);
  const machine = JSON.parse(stdout);
  for (const member of [...machine.recognizers, ...machine.synthesizers, ...machine.decoders, ...machine.quality]) {
    assert.equal(typeof member.ready, 'boolean', member.name);
    assert.ok(member.found.length > 0, member.name);
  }
  const [pesq] = machine.quality.filter(({ name }: { name: string }) => name === 'pesq');
  assert.match(pesq.found, /it needs program \(/);
  assert.ok(machine.cores >= 1);
  assert.match((await runCommand(['doctor'])).stdout, /codec-parser +LGPL-3\.0-or-later/);
});
