import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { exitCodes } from '../../base/errors.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

const list = 'id\tpath\ttext\tspeaker\tsex\tlicence\n';
const rows = ['007\ta.wav\tone\tNA2\tF\tCC BY 4.0\n', 'x/ä\tb.wav\ttwo, "three"\t\t\tCC BY 4.0\n'];

async function corpus(more = '') {
  const folder = await temporaryFolder();
  await writeFile(folder.file('list.tsv'), list + rows.join('') + more);
  await writeFile(folder.file('a.wav'), sineWav());
  await writeFile(folder.file('b.wav'), sineWav(220));
  const perturb = (...args: string[]) => runCommand(['perturb', ...args], { cwd: folder.path });
  return { ...folder, perturb, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

async function contents(folder: string): Promise<[string, string][]> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
  return Promise.all(
    names.map(
      async (name) => [name.slice(folder.length), (await readFile(name)).toString('base64')] as [string, string],
    ),
  );
}

test('an audio folder is the same for one worker and two, and is gone on with where a sound is missing', async () => {
  await using folder = await corpus();
  const args = ['list.tsv', '--scenario', 'clean,aequevox/noise:3', '--export', 'audiofolder'];
  const one = await folder.perturb(...args, '-o', 'one', '--workers', '1');
  assert.equal(one.code, 0, one.stderr);
  const all = await contents(folder.file('one'));
  assert.equal((await folder.perturb(...args, '-o', 'two', '--workers', '2')).code, 0);
  assert.deepEqual(await contents(folder.file('two')), all);

  const lines = (await readFile(folder.file('one/noise.3/metadata.jsonl'), 'utf8')).trimEnd().split('\n');
  assert.match(lines[0]!, /"duration_seconds":1\.0,/, 'a whole number of seconds is still a float to datasets');
  const [first, second] = lines.map((line) => JSON.parse(line));
  assert.deepEqual([first.id, first.file_name, first.severity, first.licence], ['007', '007.wav', 3, 'CC BY 4.0']);
  assert.deepEqual(
    [second.file_name, second.text, second.speaker_id, second.sex],
    ['x/%C3%A4.wav', 'two, "three"', '', ''],
  );
  assert.match(await readFile(folder.file('one/ATTRIBUTION'), 'utf8'), /speech: 2 items, CC BY 4\.0/);

  const kept = folder.file('one/noise.3/007.wav');
  await utimes(kept, 1, 1);
  await rm(folder.file('one/noise.3/x/%C3%A4.wav'));
  const again = await folder.perturb(...args, '-o', 'one', '--skip-existing', '--json');
  assert.equal(again.code, 0, again.stderr);
  assert.equal((await stat(kept)).mtimeMs, 1000, 'what is there and the same is left alone');
  assert.equal(JSON.parse(again.stdout).files.filter(({ skipped }: { skipped: boolean }) => skipped).length, 3);
  const without = (files: [string, string][]) => files.filter(([name]) => !name.includes('.earwitness-perturb'));
  assert.deepEqual(without(await contents(folder.file('one'))), without(all));
});

test('a Parquet data set begins and ends as Parquet does and tells datasets its features', async () => {
  await using folder = await corpus();
  const made = await folder.perturb('list.tsv', '--scenario', 'aequevox/noise:3', '--export', 'parquet', '-o', 'out');
  assert.equal(made.code, 0, made.stderr);
  const file = await readFile(folder.file('out/data/noise.3-00000-of-00001.parquet'));
  assert.equal(file.subarray(0, 4).toString('latin1') + file.subarray(-4).toString('latin1'), 'PAR1PAR1');
  const text = file.toString('latin1');
  assert.match(text, /\{"info":\{"features":\{"audio":\{"_type":"Audio"\},"id":\{"dtype":"string"/);
  assert.equal(text.split('WAVEfmt ').length - 1, 2, 'the two sounds are in it as WAV files');
  assert.match(
    await readFile(folder.file('out/README.md'), 'utf8'),
    /split: "noise\.3"\n +path: "data\/noise\.3-\*\.parquet"/,
  );
});

test('copies of what forbids derivatives are refused, unless they are accepted or discarded', async () => {
  await using folder = await corpus('n\ta.wav\tno\t\t\tCC BY-NC-ND 3.0\n');
  const args = ['list.tsv', '--scenario', 'aequevox/noise:1'];
  const refused = await folder.perturb(...args, '-o', 'out');
  assert.equal(refused.code, exitCodes['bad-input']);
  assert.match(refused.stderr, /licence that allows changed copies, but 1 of them have "CC BY-NC-ND 3\.0"/);
  assert.equal((await folder.perturb(...args, '-o', 'out', '--accept-no-derivatives')).code, 0);
  assert.equal((await folder.perturb(...args, '--discard')).code, 0);
});

test('an output inside of its input, and a file that is there and another sound, are refused', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.file('in'));
  await writeFile(folder.file('in/a.wav'), sineWav());
  const inside = await runCommand(['perturb', 'in', '--steps', '[]', '-o', 'in/deep/out'], { cwd: folder.path });
  assert.equal(inside.code, exitCodes['bad-usage']);
  assert.match(inside.stderr, /in\/deep\/out lies in it/);
  await mkdir(folder.file('out'));
  await writeFile(folder.file('out/a.wav'), 'precious');
  const args = ['perturb', 'in', '--steps', '[]', '-o', 'out', '--skip-existing'];
  const other = await runCommand(args, { cwd: folder.path });
  assert.match(other.stderr, /out\/a\.wav already exists and differs/);
  assert.equal(await readFile(folder.file('out/a.wav'), 'utf8'), 'precious');
});

test('the corpus of a config is changed whatever its recognizers and studies are, and a store is read without their keys', async () => {
  await using folder = await corpus();
  const sounds = 'corpus: { type: manifest, file: list.tsv }\n';
  await writeFile(folder.file('sounds.yaml'), sounds);
  await writeFile(
    folder.file('earwitness.config.yaml'),
    `${sounds}recognizers: { hosted: { type: openai-compatible, url: "\${NO_SUCH_URL}" } }\nstudies: [{ type: no-such }]\n`,
  );
  for (const config of ['sounds.yaml', 'earwitness.config.yaml']) {
    const { code, stderr } = await folder.perturb('-c', config, '--scenario', 'aequevox/noise:3', '--discard');
    assert.equal(code, 0, stderr);
  }
  const run = await runCommand(['run', '-c', 'sounds.yaml'], { cwd: folder.path });
  assert.equal(run.code, exitCodes['bad-config']);
  assert.match(run.stderr, /recognizers: expected/);
  await writeFile(folder.file('wrong.yaml'), 'corpus: { type: manifst }\nrecognizers: {}\n');
  const wrong = await folder.perturb('-c', 'wrong.yaml', '--scenario', 'clean', '--discard');
  assert.equal(wrong.code, exitCodes['bad-config']);
  assert.match(wrong.stderr, /corpus\.type: .*did you mean "manifest"/);
  const { stderr } = await runCommand(['store', 'list'], { cwd: folder.path });
  assert.doesNotMatch(stderr, /NO_SUCH_URL|no-such/);
});

test('measures of quality may be named in one list, with and without options', async () => {
  await using folder = await corpus();
  const measured = async (quality: string) => {
    const args = ['a.wav', '--scenario', 'aequevox/noise:3', '--discard', '--json', '--quality', quality];
    return folder.perturb(...args);
  };
  const { stdout, stderr } = await measured('snr,stoi:{}');
  assert.match(stdout, /"quality":/, stderr);
  for (const dnsmos of ['dnsmos:models=/no/such', 'dnsmos:{"models": "/no/such"}']) {
    const missing = await measured(`snr,${dnsmos},stoi`);
    assert.notEqual(missing.code, 0);
    assert.match(missing.stderr, /dnsmos: expected sig_bak_ovr\.onnx in \/no\/such/);
  }
});
