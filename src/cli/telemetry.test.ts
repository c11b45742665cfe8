// ONNX Runtime tells its maker about machines and models unless it is told not to: it then keeps an id of the machine and what is yet to
// be sent in the user's cache, and a log among temporary files. Nothing of the kind may be there afterwards. Under CI it is silent of itself.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { writeTinyCtc } from '../recognizers/transformers/testing/tiny-ctc.ts';
import { sineWav, temporaryFolder } from './testing/run-command.ts';

const src = join(import.meta.dirname, '..');

/** Runs Node as a user does who has said nothing about telemetry, and gives what it printed; leaves no trace, or fails. */
async function withoutTrace(folder: { readonly path: string; file(name: string): string }, ...args: string[]) {
  const [home, temporary] = [folder.file('home'), folder.file('temporary')];
  for (const path of [home, temporary]) mkdirSync(path, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: temporary };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder.path, env });
  const left = [...readdirSync(home, { recursive: true }), ...readdirSync(temporary)].map(String);
  assert.deepEqual(
    left.filter((name) => /onnxruntime|^mat-debug/i.test(name)),
    [],
  );
  return stdout;
}

test('models that hear and that are attacked leave no trace of telemetry, and programs are told to send none', async () => {
  await using folder = await temporaryFolder();
  writeTinyCtc(folder.file('model'));
  writeFileSync(folder.file('a.wav'), sineWav(500, 16_000, 0.2));
  writeFileSync(folder.file('list.tsv'), 'id\treference\tspeaker\taudio\na\ta\ts\ta.wav\n');
  writeFileSync(folder.file('hear.sh'), 'env > environment\necho a\n');
  const pgd = { perturbation: 'pgd', parameters: { source: 'model', snrDb: 20, steps: 1 } };
  const config = {
    corpus: { type: 'manifest', file: 'list.tsv' },
    recognizers: {
      model: { type: 'transformers', model: 'model', threads: 1 },
      program: { type: 'command', program: ['sh', 'hear.sh'] },
    },
    studies: [{ type: 'robustness', conditions: [{ name: 'attacked', steps: [pgd] }], resamples: 200 }],
  };
  writeFileSync(folder.file('earwitness.config.json'), JSON.stringify(config));
  await withoutTrace(folder, join(src, '../bin/earwitness.js'), 'run');
  const environment = readFileSync(folder.file('environment'), 'utf8').split('\n');
  for (const variable of ['ORT_DISABLE_TELEMETRY=1', 'DO_NOT_TRACK=1']) assert.ok(environment.includes(variable));
});

test('of the library, neither a gradient nor a run leaves one', async () => {
  await using folder = await temporaryFolder();
  const model = writeTinyCtc(folder.file('model'));
  const script = (name: string, text: string) => {
    writeFileSync(folder.file(name), text);
    return folder.file(name);
  };
  const from = (path: string) => JSON.stringify(join(src, path));
  const opened = script(
    'open.mjs',
    `import { openWaveformGradient } from ${from('index.ts')};
     const gradient = await openWaveformGradient({ folder: ${JSON.stringify(model)} });
     console.log(await gradient.transcribe(new Float32Array(3200)));`,
  );
  await withoutTrace(folder, opened);
  // Threads of a run measure quality: what they load sees what stood in the environment when they began.
  const ran = script(
    'run.mjs',
    `import { run } from ${from('index.ts')};
     await run({ corpus: 'none', recognizers: {}, studies: [] }).catch(() => console.log(process.env.ORT_DISABLE_TELEMETRY));`,
  );
  assert.equal(await withoutTrace(folder, ran), '1\n');
});
