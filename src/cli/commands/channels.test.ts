import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { wavOfChannels } from '../../decoders/testing/wav-of-channels.ts';
import { channelsExpected } from '../../session/config/frame.ts';
import { readRows } from '../../system/read-rows.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const sampleRate = 16_000;
const tone = (hz: number) =>
  Array.from({ length: sampleRate }, (_, n) => Math.round(6000 * Math.sin((2 * Math.PI * hz * n) / sampleRate)));
const [left, right] = [tone(400), tone(700)];
const silent = left.map(() => 0);
const opposite = left.map((sample) => -sample);

/** Says "low" of the left side, "high" of the right one, and "mixed" of both: by how often the sign changes in a second. */
const hears = `
import { readFileSync } from 'node:fs';
const bytes = readFileSync(process.argv[2]);
const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44, bytes.byteOffset + bytes.length - bytes.length % 2));
let changes = 0;
for (let n = 1; n < samples.length; n++) if (samples[n] > 0 !== samples[n - 1] > 0) changes++;
const hz = changes * 16000 / (2 * samples.length);
const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
console.log(peak === 0 ? 'silence' : (Math.abs(hz - 400) < 20 ? 'low' : Math.abs(hz - 700) < 20 ? 'high' : 'mixed') + ' ' + (peak > 4000 ? 'loud' : 'soft'));
`;

async function calls() {
  const folder = await temporaryFolder();
  const write = (name: string, content: string | Uint8Array) => writeFile(join(folder.path, name), content);
  const wav = (name: string, ...channels: number[][]) => write(name, wavOfChannels(channels, sampleRate));
  await write('hears.mjs', hears);
  return Object.assign(folder, { write, wav });
}

const recognizer = (folder: string) =>
  `command:${JSON.stringify({ program: [process.execPath, join(folder, 'hears.mjs'), '{wav}'] })}`;

test('Two people on two channels are two rows of a list, each heard by itself and as loud as it is.', async () => {
  await using folder = await calls();
  await folder.wav('call.wav', left, right);
  await folder.write(
    'list.csv',
    'path,channel,text,speaker\ncall.wav,0,low loud,agent\ncall.wav,1,high loud,customer\n',
  );
  const cwd = folder.path;
  const init = await runCommand(['init', 'list.csv', '--yes', '-l', 'en', '-r', `a=${recognizer(cwd)}`], { cwd });
  assert.match(init.stderr, /2 recordings, 2 s, all with references, 2 speakers/);
  assert.equal(init.code, 0, init.stderr);
  const run = await runCommand(['run', '--no-sound'], { cwd });
  assert.match(run.stdout, /^a +0\.0 .*^2 utterances, 2 speakers/ms, run.stderr);
});

test('Opposite phases are no digital silence: the run says what cancels, and a chosen channel is heard.', async () => {
  await using folder = await calls();
  await folder.wav('opposite.wav', left, opposite);
  await folder.wav('plain.wav', left);
  await folder.write('list.csv', 'path,text\nopposite.wav,low loud\nplain.wav,low loud\n');
  const config = (more: object) =>
    folder.write(
      'earwitness.config.json',
      JSON.stringify({
        seed: 1,
        corpus: { type: 'manifest', file: 'list.csv', language: 'en', ...more },
        recognizers: { a: { type: 'command', program: [process.execPath, './hears.mjs', '{wav}'] } },
        studies: [{ type: 'robustness', conditions: ['earwitness/gnoise:1'] }],
      }),
    );
  await config({});
  const cwd = folder.path;
  const refused = await runCommand(['run', '--no-sound'], { cwd });
  const said = refused.stdout.replace(/\s+/g, ' ');
  assert.match(
    said,
    /opposite\.wav: expected one sound, but it has 2 channels, unlike from second 0\.0 on \(-1.* dBFS, correlation -1\.00\), that cancel each other/,
  );
  assert.match(said, /choose with --channels, or channels: in the config: 1, each \(one by one\) or mean \(mixed\)/);
  assert.doesNotMatch(said, /digital silence/);
  await config({ channels: 1 });
  const chosen = await runCommand(['run', '--no-sound'], { cwd });
  assert.equal(chosen.code, 0, chosen.stderr);
  assert.match(chosen.stdout, /^a +0\.0 .*^2 utterances/ms);
  await config({ channels: 'each' });
  const each = await runCommand(['run', '--no-sound'], { cwd });
  assert.match(each.stdout, /3 utterances/);
});

test('Files are recognized by the channel that is chosen, or each by itself, and not mixed in silence.', async () => {
  await using folder = await calls();
  await folder.wav('call.wav', left, right);
  await folder.wav('dual.wav', right, right);
  await folder.wav('eight.wav', silent, silent, left, silent, silent, silent, silent, silent);
  const cwd = folder.path;
  const recognize = (...args: string[]) => runCommand(['recognize', ...args, '-r', recognizer(cwd)], { cwd });
  const refused = await recognize('call.wav', 'dual.wav', 'eight.wav');
  assert.match(
    refused.stderr,
    /call\.wav: expected one sound, but it has 2 channels, unlike from second 0\.0 on .*choose with --channels, or/,
  );
  assert.equal(refused.stdout, 'dual.wav\thigh loud\neight.wav\tlow loud\n');
  const each = await recognize('call.wav', 'dual.wav', '--channels', 'each');
  assert.equal(each.stdout, 'call.wav#1\tlow loud\ncall.wav#2\thigh loud\ndual.wav\thigh loud\n', each.stderr);
  assert.equal((await recognize('call.wav', '--channels', '2')).stdout, 'high loud\n');
  const written = await recognize('call.wav', '--channels', 'each', '-o', 'out');
  assert.equal(written.code, 0, written.stderr);
  assert.equal(readFileSync(join(cwd, 'out/call#2.txt'), 'utf8'), 'high loud\n');
  for (const [channels, inConfig] of [
    [0, 'expected a number of at least 1'],
    [257, 'expected a number of at most 256'],
    ['both', channelsExpected],
  ]) {
    const { stderr } = await recognize('call.wav', '--channels', `${channels}`);
    assert.ok(stderr.includes(channelsExpected), stderr);
    const corpus = { type: 'folder', folder: '.', channels };
    await folder.write('wrong.json', JSON.stringify({ corpus, recognizers: {}, studies: [] }));
    const run = await runCommand(['run', '-c', 'wrong.json'], { cwd });
    assert.ok(run.stderr.includes(`corpus.channels: ${inConfig}, but got ${JSON.stringify(channels)}`), run.stderr);
  }
});

test('perturb and run take the channel that is chosen, and a folder of calls is told of before it is asked about.', async () => {
  await using folder = await calls();
  const cwd = folder.path;
  await mkdir(join(cwd, 'calls'));
  await folder.wav('calls/call.wav', left, right);
  const perturb = (...args: string[]) =>
    runCommand(['perturb', ...args, '--steps', '[{"perturbation":"gain","parameters":{"factor":1}}]'], { cwd });
  const refused = await perturb('calls/call.wav', '-o', 'out.wav');
  assert.match(refused.stderr, /call\.wav: expected one sound, but it has 2 channels, unlike/);
  const chosen = await perturb('calls/call.wav', '-o', 'out.wav', '--channels', '2');
  assert.equal(chosen.code, 0, chosen.stderr);
  const samples = new Int16Array(new Uint8Array(readFileSync(join(cwd, 'out.wav'))).buffer, 44);
  assert.deepEqual([...samples.subarray(0, 50)], right.slice(0, 50));
  await perturb('calls/call.wav', '-o', 'mixed.wav', '--channels', 'mean');
  const mixed = new Int16Array(new Uint8Array(readFileSync(join(cwd, 'mixed.wav'))).buffer, 44);
  assert.ok(mixed.subarray(0, 50).every((sample, n) => Math.abs(sample - (left[n]! + right[n]!) / 2) <= 0.5));
  const each = await perturb('calls', '-o', 'both', '--channels', 'each');
  assert.equal(each.code, 0, each.stderr);
  const second = new Int16Array(new Uint8Array(readFileSync(join(cwd, 'both/call#2.wav'))).buffer, 44);
  assert.deepEqual([...second.subarray(0, 50)], right.slice(0, 50));

  const init = await runCommand(['init', 'calls', '--yes', '--recognizer', `a=${recognizer(cwd)}`], { cwd });
  assert.match(
    init.stderr.replace(/\s+/g, ' '),
    /1 of 1 files have channels that are unlike, such as call\.wav \(2 channels/,
  );
  const run = await runCommand(
    [
      'run',
      'calls',
      '--channels',
      'each',
      '--no-sound',
      '-c',
      'sides.config.yaml',
      '--recognizer',
      `a=${recognizer(cwd)}`,
    ],
    { cwd },
  );
  assert.match(readFileSync(join(cwd, 'sides.config.yaml'), 'utf8'), /^ {2}channels: each$/m);
  assert.match(run.stderr + run.stdout, /2 recordings/);
  assert.equal(run.code, 0, run.stderr);

  await mkdir(join(cwd, 'mixed'));
  await folder.wav('mixed/call.wav', left, right);
  await folder.wav('mixed/mono.wav', left);
  const named = ['--channels', 'each', '-r', `a=${recognizer(cwd)}`];
  assert.match(
    (await runCommand(['init', '.', '--yes', ...named], { cwd: join(cwd, 'mixed') })).stderr,
    /3 recordings, 3 s/,
  );
});

test('Noise whose channels are unlike is not mixed without a word, and channels that cancel each other are no noise.', async () => {
  await using folder = await calls();
  const cwd = folder.path;
  await folder.wav('speech.wav', left);
  for (const [name, second] of [['unlike', right] as const, ['cancel', opposite] as const]) {
    await mkdir(join(cwd, name));
    await folder.wav(`${name}/street.wav`, left, second);
  }
  const perturb = (sounds: string, channel: 'mean' | 'first') =>
    runCommand(
      [
        ...['perturb', 'speech.wav', '-o', `${sounds}-${channel}.wav`, '--steps'],
        JSON.stringify([{ perturbation: 'sound-noise', parameters: { sounds, snrDb: 10, channel } }]),
      ],
      { cwd },
    );
  const mixed = await perturb('unlike', 'mean');
  assert.equal(mixed.code, 0, mixed.stderr);
  assert.match(
    mixed.stderr.replace(/\s+/g, ' '),
    /sounds "unlike": .*street\.wav has 2 channels, unlike .* which are mixed by their mean; .* channel: first/,
  );
  const first = await perturb('unlike', 'first');
  assert.doesNotMatch(first.stderr, /channels, unlike/);
  const cancelled = await perturb('cancel', 'mean');
  assert.match(
    cancelled.stderr.replace(/\s+/g, ' '),
    /street\.wav: expected one sound, but it has 2 channels, unlike .* cancel each other .* channel: first/,
  );
  assert.equal((await perturb('cancel', 'first')).code, 0);
});

/** What is heard of the same files, whichever way somebody says which channel. */
const doors: Readonly<Record<string, readonly number[][]>> = {
  call: [left, right],
  balance: [left, left.map((sample) => Math.round(sample / 4))],
  opposite: [left, opposite],
  eight: [silent, silent, left, silent, silent, silent, silent, silent],
  mono: [left],
};
const refusedFor = (why: string, first: string) =>
  `expected one sound, but it has 2 channels, unlike from second 0.0 on (${why}; choose with --channels, or channels: in the config: ${first}, each (one by one) or mean (mixed)`;
const noSecond = 'expected a channel 2, but the file has one channel; choose another, counted from 1';
const second = { call: 'high loud', balance: 'low soft', opposite: 'low loud', eight: 'silence', mono: noSecond };
const expectedOf: readonly [choice: string | undefined, Readonly<Record<string, string>>][] = [
  [
    undefined,
    {
      call: refusedFor('-17.8 and -17.8 dBFS, correlation -0.01)', '1'),
      balance: refusedFor('-17.8 and -29.8 dBFS, correlation 1.00)', '1 (by far the loudest)'),
      opposite: refusedFor('-17.8 and -17.8 dBFS, correlation -1.00), that cancel each other when they are mixed', '1'),
      eight: 'low loud',
      mono: 'low loud',
    },
  ],
  ['2', second],
  ['right', second],
  ['mean', { call: 'high loud', balance: 'low soft', opposite: 'silence', eight: 'low soft', mono: 'low loud' }],
  [
    'each',
    {
      ...{ 'call#1': 'low loud', 'call#2': 'high loud', 'balance#1': 'low loud', 'balance#2': 'low soft' },
      ...{ 'opposite#1': 'low loud', 'opposite#2': 'low loud', eight: 'low loud', mono: 'low loud' },
    },
  ],
];

for (const [choice, expected] of expectedOf) {
  test(`The same files are heard, named and refused alike through recognize, perturb, a config and a list: ${choice ?? 'nobody chooses'}`, async () => {
    await using folder = await calls();
    const cwd = folder.path;
    await mkdir(join(cwd, 'calls'));
    for (const [name, channels] of Object.entries(doors)) await folder.wav(`calls/${name}.wav`, ...channels);
    const words = choice === undefined ? [] : ['--channels', choice];
    const sorted = (heard: ReadonlyMap<string, string>) => Object.fromEntries([...heard].sort());
    const wanted = Object.fromEntries(Object.entries(expected).sort());
    const printed = (text: string, pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, name = '', side = '', what = '']) => [`${name}${side}`, what] as const);
    const failed = (stderr: string) => printed(stderr, /^calls\/(\w+)\.wav(#\d)?: (expected .*)$/gm);
    const recognized = (stdout: string) => printed(stdout, /^\w+\/(\w+)(?:\.wav)?(#\d)?(?:\.wav)?\t(.*)$/gm);

    const recognize = await runCommand(['recognize', 'calls', '-r', recognizer(cwd), ...words], { cwd });
    const byRecognize = new Map([...recognized(recognize.stdout), ...failed(recognize.stderr)]);
    assert.deepEqual(sorted(byRecognize), wanted, 'recognize');

    const steps = ['--steps', '[{"perturbation":"gain","parameters":{"factor":1}}]'];
    const perturb = await runCommand(['perturb', 'calls', '-o', 'changed', ...steps, ...words], { cwd });
    const changed = await runCommand(['recognize', 'changed', '-r', recognizer(cwd)], { cwd });
    const byPerturb = new Map([...recognized(changed.stdout), ...failed(perturb.stderr)]);
    assert.deepEqual(sorted(byPerturb), wanted, 'perturb');

    const run = async (name: string, rows: readonly string[], more: object) => {
      await folder.write(`${name}.csv`, `${rows.join('\n')}\n`);
      await folder.write(
        `${name}.config.json`,
        JSON.stringify({
          seed: 1,
          store: `${name}.sqlite`,
          corpus: { type: 'manifest', file: `${name}.csv`, language: 'en', ...more },
          recognizers: { a: { type: 'command', program: [process.execPath, './hears.mjs', '{wav}'] } },
          studies: [{ type: 'robustness', conditions: ['earwitness/gnoise:1'] }],
        }),
      );
      const config = ['-c', `${name}.config.json`];
      await runCommand(['run', '--no-sound', '--max-failed', '1', ...config], { cwd });
      await runCommand(['report', 'last', '--out', name, ...config], { cwd });
      const heard = new Map<string, string>();
      for await (const row of readRows(join(cwd, name, 'trials.csv'), 'trials.csv')) {
        if (row.text('condition') !== 'clean') continue;
        const failure = row.text('failure_message')?.replace(/^.*?\.wav: /, '');
        heard.set(row.text('utterance')!.replace(/^calls\//, ''), failure || row.text('transcript')!);
      }
      return sorted(heard);
    };
    const files = Object.keys(doors);
    const channels = choice !== undefined && /^\d+$/.test(choice) ? Number(choice) : choice;
    const rows = files.map((name) => `calls/${name}.wav,low loud`);
    assert.deepEqual(await run('config', ['path,text', ...rows], { channels }), wanted, 'config');

    // A row means one channel, or says nothing.
    if (choice === undefined || choice === 'mean') return;
    const sides =
      choice === 'each'
        ? Object.keys(expected).map((id) => [id.split('#')[0], id.split('#')[1] ?? ''])
        : files.map((name) => [name, choice]);
    const named = sides.map(([name, side]) => `calls/${name}.wav,${side},low loud`);
    assert.deepEqual(await run('list', ['path,channel,text', ...named], {}), wanted, 'list');
  });
}
