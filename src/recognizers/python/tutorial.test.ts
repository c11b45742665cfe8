// docs/python.md, done as it says: from an empty folder to a finding.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { blocksOf } from '../../../scripts/documents.ts';
import { runCommand, sineWav, temporaryFolder } from '../../cli/testing/run-command.ts';
import { noPython } from '../../system/testing/no-python.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const shared = join(root, '..', 'shared', 'data');
const model = join(shared, 'models', 'whisper-base');
const blocks = blocksOf('docs/python.md');
const saved = (name: string) => blocks.find(({ remark }) => remark?.key === 'saved as' && remark.value === name)!.text;
const [firstCommand, secondCommand] = blocks
  .filter(({ language, remark }) => language === 'sh' && remark === null)
  .map(({ text }) => text.trim().split(' ').slice(1));
const [firstAnswer, secondAnswer] = blocks.filter(({ language }) => language === 'text').map(({ text }) => text.trim());

/** A Python with onnxruntime, transformers, numpy, pandas and pyarrow; the setup of this repository installs none. */
const venv = process.env.EARWITNESS_TEST_VENV ?? '';
const noModel = existsSync(join(venv, 'bin', 'python'))
  ? existsSync(model)
    ? false
    : 'shared/data/models/whisper-base is not beside the repository'
  : 'EARWITNESS_TEST_VENV names no virtual environment with onnxruntime, transformers, numpy, pandas and pyarrow';

test('five lines are a recognizer', { skip: noPython }, async () => {
  await using folder = await temporaryFolder();
  writeFileSync(folder.file('my_model.py'), saved('my_model.py'));
  writeFileSync(folder.file('a.wav'), sineWav());
  const { code, stdout, stderr } = await runCommand(firstCommand!, { cwd: folder.path });
  assert.equal(code, 0, stderr);
  assert.equal(stdout.trim(), firstAnswer);
});

test('an empty folder, a model and recordings become a finding, and that a table in pandas', {
  skip: noModel,
}, async () => {
  await using folder = await temporaryFolder();
  symlinkSync(resolve(venv), folder.file('.venv'));
  symlinkSync(model, folder.file('whisper-base'));
  copyFileSync(join(root, 'examples', 'python', 'whisper_onnx.py'), folder.file('whisper_onnx.py'));
  writeFileSync(
    folder.file('earwitness.config.yaml'),
    `${saved('earwitness.config.yaml')}report: { folder: earwitness-report, trials: [parquet] }\n`,
  );
  const rows = readFileSync(join(shared, 'speech', 'manifest.tsv'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, corpus, utterance]) => corpus === 'timit' && /-sx(?:116|206)$|-sx3\d\d$/.test(utterance!))
    .slice(0, 4);
  assert.equal(rows.length, 4);
  mkdirSync(folder.file('audio'));
  const lines = rows.map(([path, , utterance, speaker, , , , , , text]) => {
    copyFileSync(join(shared, path!), folder.file(`audio/${utterance}.wav`));
    return `${utterance}\taudio/${utterance}.wav\t${speaker}\t${text}`;
  });
  writeFileSync(folder.file('utterances.tsv'), `id\taudio\tspeaker\treference\n${lines.join('\n')}\n`);
  const { code, stdout, stderr } = await runCommand(secondCommand!, { cwd: folder.path });
  assert.equal(code, 0, stdout + stderr);
  for (const shown of secondAnswer!.split('\n')) assert.ok(stdout.includes(shown), `${shown}\n${stdout}`);
  // Every trial is stored: nothing is asked again from Python.
  const read = spawnSync(folder.file('.venv/bin/python'), [join(root, 'examples', 'python', 'read_run.py')], {
    cwd: folder.path,
    encoding: 'utf8',
    env: {
      ...process.env,
      PYTHONPATH: join(root, 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
      EARWITNESS_NODE: process.execPath,
    },
  });
  assert.equal(read.status, 0, read.stderr);
  assert.match(read.stdout, /whisper\s+aequevox\/noise:5\s+4\n\s+clean\s+4/);
});
