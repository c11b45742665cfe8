import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { exitCodes } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { openQueue } from '../../queue/open-queue.ts';
import { openDatabase } from '../../store/open-database.ts';
import { openStore } from '../../store/open-store.ts';
import { noServer, testServer } from '../../store/testing/postgres-server.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

const tones = `import { z } from 'zod';
export default {
  name: 'tones', about: 'tones', options: z.strictObject({}),
  open: async () => ({
    identity: { engine: 'tones' }, close: async () => {},
    voices: async () => ['anna', 'ben'].map((name) => ({ name, language: 'en', attributes: {} })),
    speak: async (text, voice) => ({ samples: new Float32Array(1600).fill(voice.length / 10), sampleRate: 16000 }),
  }),
};`;

/** Recordings in folders that are called like their speakers, and texts spoken by voices of the same names. */
async function project(folder: { readonly path: string; file(name: string): string }): Promise<string> {
  await mkdir(folder.file('node_modules'));
  await symlink(join(process.cwd(), 'node_modules', 'zod'), folder.file('node_modules/zod'));
  await writeFile(folder.file('tones.mjs'), tones);
  const rows = ['id\tpath\tsentence\tspeaker\taccent'];
  const answers: Record<string, string> = {};
  let recording = '';
  for (const [place, name] of ['anna', 'ben', 'cleo', 'dora'].entries()) {
    await mkdir(folder.file(`clips/${name}`), { recursive: true });
    for (let take = 0; take < 3; take++) {
      const wav = sineWav(200 + 10 * (3 * place + take), 8000, 0.1);
      if (name === 'anna' && take === 0) recording = sha256(wav);
      await writeFile(folder.file(`clips/${name}/${take}.wav`), wav);
      rows.push(`${name}-${take}\tclips/${name}/${take}.wav\t${name} saw zebra ${take} there\t${name}\t${name}ish`);
      answers[`${name}-${take}`] = `${name} saw sabre ${take} here`;
    }
  }
  await writeFile(folder.file('clips.tsv'), `${rows.join('\n')}\n`);
  const config = {
    corpus: [
      { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' } },
      { type: 'sentences', texts: ['good morning all'], synthesizer: 'tones', voices: ['anna', 'ben'], language: 'en' },
    ],
    synthesizers: { tones: { type: './tones.mjs' } },
    recognizers: {
      one: { type: 'scripted', needsAudio: true, answers, default: 'good morning {hash}' },
      two: {
        ...{ type: 'scripted', needsAudio: true, default: 'zebra there', limits: { attempts: 1 } },
        failures: [{ match: { utterance: 'anna-1' }, kind: 'unavailable' }],
      },
    },
    studies: [
      { type: 'robustness', conditions: ['aequevox/noise:1'], resamples: 200, groupBy: ['accent'], minimumSpeakers: 2 },
    ],
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  return recording;
}

test('who is forgotten leaves no trace in the store, its log and the cache; the findings stay readable, marked as before', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const recording = await project(folder);
  const ran = await runCommand(['run'], { cwd });
  assert.equal(ran.code, 0, ran.stderr);
  assert.equal((await runCommand(['bundle'], { cwd })).code, 0);
  const bytes = () =>
    readdirSync(folder.file('.earwitness'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'latin1')}`)
      .join('\n');
  // What took long to make of a sound, and what is half made.
  const modes = ['.earwitness', 'earwitness-report'].flatMap((top) =>
    readdirSync(folder.file(top), { recursive: true, withFileTypes: true }).map(
      (entry) =>
        `${entry.isFile() ? 'file' : 'folder'} ${(statSync(join(entry.parentPath, entry.name)).mode & 0o777).toString(8)}`,
    ),
  );
  assert.deepEqual([...new Set(modes)].toSorted(), ['file 600', 'folder 700']);
  const { database, close } = openDatabase(folder.file('.earwitness/store.sqlite'));
  const sound = database.prepare("SELECT lower(hex(hash)) FROM sounds WHERE speaker = 'anna'").pluck().get() as string;
  // What only who has the recording could have made: it is a hash of it.
  const keys = database
    .prepare(
      "SELECT key FROM attempts JOIN observations USING (key) WHERE speaker = 'anna' UNION SELECT hash FROM sounds WHERE speaker = 'anna'",
    )
    .pluck()
    .all() as Uint8Array[];
  assert.ok(keys.length > 3);
  const hashesLeft = () => keys.filter((key) => bytes().includes(Buffer.from(key).toString('latin1'))).length;
  assert.equal(hashesLeft(), keys.length);
  // A condition that names whom something is fitted on.
  database
    .prepare(
      `INSERT INTO run_conditions (run, position, condition) SELECT number, 99, '{"name":"fitted","steps":[{"perturbation":"universal","parameters":{"fitSpeakers":["anna","ben"]}}]}' FROM runs`,
    )
    .run();
  close();
  const fits = folder.file('.earwitness/made/fits');
  mkdirSync(fits, { recursive: true });
  for (const name of ['anna', 'ben'])
    writeFileSync(
      join(fits, `${name[0]!.repeat(64)}.fit`),
      `${JSON.stringify({ speakers: [name], sounds: [] })}\nfitted`,
    );
  const made = folder.file(`.earwitness/made/${sound.slice(0, 2)}/${sound}`);
  mkdirSync(made, { recursive: true });
  for (const ending of ['.sound', '-0.part']) writeFileSync(join(made, `${'c'.repeat(64)}${ending}`), 'of Anna');
  const traces = [/anna/i, /annaish/, /zebra 1 there.*annaish/, new RegExp(recording)];
  for (const trace of traces) assert.match(bytes(), trace);
  const spoken = () =>
    readdirSync(folder.file('.earwitness/spoken'), { recursive: true }).filter((name) => /wav$/.test(String(name)));
  assert.equal(spoken().length, 2);

  const asked = await runCommand(['forget', '--speaker', 'anna'], { cwd });
  assert.equal(asked.code, exitCodes['bad-usage']);
  assert.match(asked.stdout, /^would be removed: 3 utterances, 12 transcripts, 3 clips, 3 files beside the store\n/);
  assert.match(asked.stderr, /nothing was removed: stdin is no terminal; confirm with --yes/);
  const dry = JSON.parse((await runCommand(['forget', '--speaker', 'anna', '--dry-run', '--json'], { cwd })).stdout);
  assert.match(bytes(), /anna/i, 'nothing was removed');

  const forgotten = await runCommand(['forget', '--speaker', 'anna', '--yes', '--json'], { cwd });
  assert.equal(forgotten.code, 0, forgotten.stderr);
  const told = JSON.parse(forgotten.stdout);
  assert.deepEqual(told, dry, 'what was shown is what went');
  assert.deepEqual(told.outputs.map(({ kind }: { kind: string }) => kind).sort(), ['bundle', 'report']);
  for (const { path } of told.outputs) assert.ok(existsSync(path));
  const voice = await runCommand(['forget', '--speaker', 'tones:anna', '--yes'], { cwd });
  assert.match(voice.stdout, /^removed: 1 utterance, 4 transcripts, 1 clip, 1 file beside the store\n/);
  // Whatever stands around a trace says which place was left out.
  const left = traces.flatMap((trace) => new RegExp(`.{0,80}${trace.source}.{0,40}`, 'i').exec(bytes())?.[0] ?? []);
  assert.deepEqual(left, []);
  assert.equal(hashesLeft(), 0);
  assert.match(bytes(), /ben saw sabre 1 here/);
  assert.match(bytes(), /"fitSpeakers":\["forgotten","ben"\]/);
  assert.deepEqual(readdirSync(fits), [`${'b'.repeat(64)}.fit`]);
  assert.equal(spoken().length, 1);

  // The config of the run names whom it forgot no more, that of the folder does.
  const store = ['--store', '.earwitness/store.sqlite'];
  const report = await runCommand(['report', '--json', ...store], { cwd });
  assert.equal(report.code, 0, report.stderr);
  const { findings } = JSON.parse(report.stdout);
  assert.ok(findings.length > 0 && told.findings.kept === findings.length);
  for (const { warnings } of findings) assert.match(warnings[0], /^A person was forgotten on 20\d\d-\d\d-\d\d: /);
  assert.doesNotMatch(report.stdout, /anna/i);
  assert.match(report.stdout, /ben-1/);
  const bundle = await runCommand(['bundle', '--out', 'again.gz', ...store], { cwd });
  assert.equal(bundle.code, exitCodes['bad-usage']);
  assert.match(bundle.stderr, /a speaker was removed from/);
});

test('an utterance of several runs counts once', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await writeFile(
    folder.file('said.tsv'),
    'id\tspeaker\treference\ttext\na1\tanna\tgood day\tgood day\nb1\tben\tgood night\tnight\n',
  );
  const config = {
    corpus: { type: 'manifest', file: 'said.tsv', language: 'en' },
    recognizers: { one: { type: 'recorded', file: 'said.tsv' } },
    studies: [{ type: 'robustness', conditions: [] }],
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  for (const args of [['run'], ['run', '--new']]) assert.equal((await runCommand(args, { cwd })).code, 0);
  const { stdout } = await runCommand(['forget', '--speaker', 'anna', '--dry-run'], { cwd });
  assert.match(stdout, /^would be removed: 1 utterance, 1 transcript, 0 clips\n/);
  assert.match(stdout, /in the runs \S+, \S+\n/);
});

test('whoever forgets or prunes on a server removes the audio that a killed run left in a folder', {
  skip: noServer,
}, async (context) => {
  await using folder = await temporaryFolder();
  const address = testServer().newDatabase();
  {
    using store = openStore(address);
    const config = { config: { recognizers: {} } };
    const run = { name: 'n', purpose: 'p', config, seed: 1, fresh: false, parent: null, recognizers: [] };
    const { id } = store.createRun({ ...run, startedAtMs: 0 });
    store.addUtterances(id, 0, [{ id: 'u', language: 'en', speaker: 's', attributes: {}, tags: [] }]);
  }
  const queue = await openQueue(address);
  context.after(() => queue.close());
  const hash = `${'a'.repeat(64)}-16000`;
  for (const command of [
    ['forget', '--speaker', 's', '--yes'],
    ['store', 'prune', '--keep', '1'],
  ]) {
    writeFileSync(folder.file(`${hash}-7`), 'a voice');
    await queue.pool.query(
      'INSERT INTO earwitness_calls.clips (owner, hash, sample_rate, place) VALUES (7, $1, 16000, $2)',
      [hash, folder.path],
    );
    const { code, stderr } = await runCommand([...command, '--store', address], { cwd: folder.path });
    assert.equal(code, 0, stderr);
    assert.ok(!existsSync(folder.file(`${hash}-7`)), command[0]);
  }
});

test('whoever forgets or prunes in a folder without a store is told so, and none is made', async () => {
  await using folder = await temporaryFolder();
  for (const args of [
    ['forget', '--speaker', 'anna'],
    ['store', 'prune', '--keep', '1'],
  ]) {
    const { code, stderr } = await runCommand(args, { cwd: folder.path });
    assert.equal(code, exitCodes.store, stderr);
    assert.match(stderr, /store\.sqlite: expected a store, but there is none/);
    assert.deepEqual(readdirSync(folder.path), []);
  }
});
