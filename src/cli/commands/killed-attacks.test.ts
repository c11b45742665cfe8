// kill -9 in the middle of what takes long: what is made afterwards has the bytes that it would have had.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { encodeWav } from '../../audio/encode-wav.ts';
import { removeAbandoned } from '../../base/on-disk.ts';
import { readWav } from '../../perturbations/perturbations.ts';
import { writeTinyCtc } from '../../recognizers/transformers/testing/tiny-ctc.ts';
import { toneCorpus } from '../../session/testing/tone-speakers.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const script = join(import.meta.dirname, '../../../bin/earwitness.js');
const pgdSteps = 100;

/**
 * Three speakers; a sound is fitted on two of them, whose clips are as long (a gradient of another length is derived anew), and one made for the
 * clip of the third. No clip is ever fooled at 60 dB.
 */
async function project(folder: string): Promise<void> {
  writeTinyCtc(join(folder, 'x'));
  const rows = ['id\treference\tspeaker\taudio'];
  const corpus = toneCorpus();
  for await (const utterance of corpus.utterances()) {
    const { id, reference, speaker } = utterance;
    if (Number(id.slice(1)) >= 3) continue;
    writeFileSync(join(folder, `${id}.wav`), encodeWav(await corpus.clip(utterance), { format: 's16' }));
    rows.push(`${id}\t${reference}\t${speaker}\t${id}.wav`);
  }
  writeFileSync(join(folder, 'list.tsv'), `${rows.join('\n')}\n`);
  const speakers = { source: 'x', fitSpeakers: ['s1', 's2'] };
  const fitted = { ...speakers, snrDb: 20, fitSnrDb: 60, epochs: 20, stepsPerClip: 4, lengthSeconds: 0.2 };
  const config = {
    corpus: { type: 'manifest', file: 'list.tsv' },
    recognizers: { x: { type: 'transformers', model: 'x', threads: 1 } },
    studies: [
      {
        type: 'robustness',
        conditions: [
          { name: 'for all', steps: [{ perturbation: 'universal', parameters: fitted }] },
          {
            name: 'for each',
            steps: [{ perturbation: 'pgd', parameters: { source: 'x', snrDb: 20, steps: pgdSteps } }],
          },
        ],
        resamples: 200,
      },
    ],
    failures: { maxShare: 1 },
    report: { sound: false },
  };
  writeFileSync(join(folder, 'earwitness.config.json'), JSON.stringify(config));
}

/** What is kept beside the store, by its name. */
const made = (folder: string) => {
  const place = join(folder, '.earwitness', 'made');
  return existsSync(place) ? readdirSync(place, { recursive: true }).map(String) : [];
};
const endingIn = (folder: string, ending: string) => made(folder).filter((name) => name.endsWith(ending));
const fitsIn = (folder: string, ending: string) => endingIn(folder, ending).filter((name) => name.startsWith('fits'));
const soundParts = (folder: string) => endingIn(folder, '.part').filter((name) => !name.startsWith('fits'));

/** Runs until something is there, and kills it with SIGKILL; what it leaves among temporary files is known for abandoned. */
async function killOnce(folder: string, there: () => boolean): Promise<void> {
  await using temporary = await temporaryFolder();
  // Not there: the processes of recognizers, which end a moment later, write into it.
  const NODE_COMPILE_CACHE = join(tmpdir(), 'node-compile-cache');
  const env = { NODE_COMPILE_CACHE, ...process.env, TMPDIR: temporary.path };
  const child = spawn(process.execPath, [script, 'run'], { cwd: folder, stdio: 'ignore', env });
  const ended = new Promise((resolve) => child.on('close', (_, signal) => resolve(signal)));
  const graphs = () => readdirSync(temporary.path).filter((name) => name.startsWith('earwitness-'));
  while (child.exitCode === null && !(there() && graphs().length > 0)) await setTimeout(2);
  child.kill('SIGKILL');
  assert.equal(await ended, 'SIGKILL', 'it was done before it was killed');
  removeAbandoned(temporary.path, 'earwitness-');
  assert.deepEqual(graphs(), []);
}

test('a run that is killed in the middle of a fit, and of a sound, goes on from there and makes the same bytes', async () => {
  await using whole = await temporaryFolder();
  await using folder = await temporaryFolder();
  await Promise.all([project(whole.path), project(folder.path)]);
  const run = (cwd: string) => runCommand(['run'], { cwd });
  const dry = async () => {
    const { stdout } = await runCommand(['run', '--dry-run', '--json'], { cwd: folder.path });
    const { fits, sounds } = JSON.parse(stdout);
    return { fits, sounds };
  };
  await run(whole.path);

  // Two clips, twenty times four steps and what is heard then.
  const fit = { perturbation: 'universal', source: 'x', clips: 2, maxPasses: 200 };
  const { measured: _, ...before } = (await dry()).fits[0];
  assert.deepEqual(before, { ...fit, state: 'none' });

  await killOnce(folder.path, () => fitsIn(folder.path, '.part').length > 0);
  assert.deepEqual([fitsIn(folder.path, '.fit'), fitsIn(folder.path, '.part').length], [[], 1]);
  const { measured, ...begun } = (await dry()).fits[0];
  assert.deepEqual(begun, { ...fit, state: 'begun' });
  assert.ok(measured.elapsedSeconds > 0 && measured.processorSeconds > 0 && measured.clipSeconds > 0.3);

  await killOnce(folder.path, () => soundParts(folder.path).length > 0);
  assert.deepEqual([fitsIn(folder.path, '.fit').length, fitsIn(folder.path, '.part')], [1, []]);
  const { fits, sounds } = await dry();
  assert.deepEqual(fits, [{ ...fit, state: 'kept', measured: null, reason: 'nothing is left to fit' }]);
  assert.equal(
    sounds.find(({ perturbation }: { perturbation: string }) => perturbation === 'pgd').begun,
    soundParts(folder.path).length,
  );

  await run(folder.path);
  assert.deepEqual(endingIn(folder.path, '.part'), []);
  const files = endingIn(whole.path, '.fit').concat(endingIn(whole.path, '.sound'));
  assert.deepEqual(endingIn(folder.path, '.fit').concat(endingIn(folder.path, '.sound')).sort(), files.toSorted());
  assert.ok(files.length >= 4, files.join());
  for (const name of files) {
    const bytes = ({ path }: { path: string }) => readFileSync(join(path, '.earwitness', 'made', name));
    assert.ok(bytes(whole).equals(bytes(folder)), name);
  }

  // What a run made is what perturb writes: nothing is made anew.
  const keptSamples = endingIn(whole.path, '.sound').map((name) => {
    const bytes = readFileSync(join(whole.path, '.earwitness', 'made', name));
    return bytes.subarray(bytes.indexOf(10) + 1).toString('base64');
  });
  for (const { name, steps } of JSON.parse(readFileSync(whole.file('earwitness.config.json'), 'utf8')).studies[0]
    .conditions) {
    const asked = ['-c', 'earwitness.config.json', '--steps', JSON.stringify(steps), '--float', '-o', name];
    const { code, stderr } = await runCommand(['perturb', ...asked], { cwd: whole.path });
    const wav = readFileSync(whole.file(`${name}/u0.wav`));
    assert.match(wav.toString('latin1'), new RegExp(`adversarial: ${steps[0].perturbation}`));
    if (name === 'for all') {
      assert.match(stderr, /2 of 3 files were not changed/);
      // Of a refused clip one must know which it is.
      assert.match(stderr, /^u1: universal: expected a clip of a speaker whom the sound was not fitted on/m);
      continue;
    }
    assert.equal(code, 0, stderr);
    const { samples } = readWav(wav);
    assert.ok(
      keptSamples.includes(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64')),
    );
  }
  assert.deepEqual(endingIn(whole.path, '.fit').concat(endingIn(whole.path, '.sound')), files);
});
