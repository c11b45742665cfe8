import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { exitCodes } from '../../base/errors.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

/** Steps at the rate of `sineWav`. */
const at8 = { perturbation: 'sample-rate', parameters: { rateHz: 8000 } };

test('no steps give back the same samples, in a file of the same bytes', async () => {
  await using folder = await temporaryFolder();
  const wav = sineWav();
  await writeFile(folder.file('a.wav'), wav);
  const { code, stdout, stderr } = await runCommand(['perturb', 'a.wav', '--steps', '[]', '-o', 'b.wav'], {
    cwd: folder.path,
  });
  assert.equal(code, 0, stderr);
  assert.equal(stdout, '', 'what was done is for people');
  assert.match(stderr, /^b\.wav: 1\.00 s, -11\.7 dBFS$/m, '12000/32768/sqrt 2 is -11.73 dBFS');
  assert.deepEqual(await readFile(folder.file('b.wav')), wav);
});

test('what was done to a sound is told in words', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.wav'), sineWav());
  const told = async (...how: string[]) => {
    const args = ['perturb', 'a.wav', ...how, '-o', 'b.wav', '--force'];
    const { stderr } = await runCommand(args, { cwd: folder.path });
    return stderr.split('\n')[1];
  };
  const noise =
    '    sample rate, from 8000 Hz, to 16000 Hz; white noise, 6.0 dB SNR; gain, factor 0.707; quantize, 16 bits';
  assert.equal(await told('--scenario', 'aequevox/noise:3'), noise);
  const step = (perturbation: string, parameters: object) =>
    told('--steps', JSON.stringify([at8, { perturbation, parameters }]));
  assert.equal(await step('low-pass', { cutoffHz: 3000 }), '    low pass, cutoff 3000 Hz');
  assert.equal(await step('echo', { delaySeconds: 0.25, decay: 0.5 }), '    echo, added 0.25 s');
  assert.equal(
    await step('drop-chunks-at', { startsSeconds: [0.1, 0.5], chunkSeconds: 0.1 }),
    '    drop chunks at, 2 chunks dropped, 20 % of the sound',
  );
  assert.equal(
    await step('clip-share', { share: 0.1 }), // 12000/32768 sin(0.45 pi) is -8.83 dBFS; some samples stand at the limit itself.
    '    clip share, limit -8.83 dBFS, 9 % clipped',
  );
});

test('the same seed and draw give the same file, another draw or seed another', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.wav'), sineWav());
  const noisy = async (output: string, ...more: string[]) => {
    const args = ['perturb', 'a.wav', '--scenario', 'aequevox/noise:3', '-o', output, ...more];
    const { code, stderr } = await runCommand(args, { cwd: folder.path });
    assert.equal(code, 0, stderr);
    return readFile(folder.file(output));
  };
  const first = await noisy('1.wav', '--seed', '7');
  assert.deepEqual(await noisy('2.wav', '--seed', '7'), first);
  assert.notDeepEqual(await noisy('3.wav', '--seed', '8'), first);
  assert.notDeepEqual(await noisy('4.wav', '--seed', '7', '--draw', '1'), first);
});

test('a file that was made to be misheard says so, for programs and in words, and is the sound all the same', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.wav'), sineWav());
  const made = async (perturbation: string, parameters: object) => {
    const steps = JSON.stringify([{ perturbation, parameters }]);
    const args = ['perturb', 'a.wav', '--steps', steps, '-o', 'b.wav', '--force', '--float'];
    const { code, stderr } = await runCommand(args, { cwd: folder.path });
    assert.equal(code, 0, stderr);
    const bytes = await readFile(folder.file('b.wav'));
    return { bytes, said: /LIST(....)INFOICMT(....)(adversarial: [^\0]*)\0/s.exec(bytes.toString('latin1')) };
  };
  const { bytes, said } = await made('kenansville', { snrDb: 30 });
  assert.ok(said, 'no comment');
  assert.match(said[3]!, /^adversarial: .*kenansville/);
  assert.equal(said[2], String.fromCharCode(said[3]!.length + 2 - (said[3]!.length % 2), 0, 0, 0));
  assert.equal(bytes.readUInt32LE(4), bytes.length - 8);
  // It is read as if nothing were said: the same steps over it are those over the sound.
  const { stderr } = await runCommand(['perturb', 'b.wav', '--steps', '[]', '-o', 'c.wav'], { cwd: folder.path });
  assert.match(stderr, /^c\.wav: 1\.00 s, -11\.7 dBFS$/m);
  assert.equal((await made('gain', { factor: 0.5 })).said, null);
});

test('a file that is there is kept, unless --force says otherwise', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.wav'), sineWav());
  await writeFile(folder.file('b.wav'), 'precious');
  const args = ['perturb', 'a.wav', '--steps', '[]', '-o', 'b.wav'];
  const refused = await runCommand(args, { cwd: folder.path });
  assert.equal(refused.code, exitCodes['bad-input']);
  assert.match(refused.stderr, /^earwitness: b\.wav already exists; .*--force\n$/);
  assert.equal(await readFile(folder.file('b.wav'), 'utf8'), 'precious');
  assert.equal((await runCommand([...args, '--force'], { cwd: folder.path })).code, 0);
  assert.deepEqual(await readFile(folder.file('b.wav')), sineWav());
});

test('a folder becomes a folder: a bad file and hostile names do not stop the others, and JSON is all of stdout', async () => {
  await using folder = await temporaryFolder();
  const hostile = 'a\u001b[2J\u202e$(touch owned).wav';
  await mkdir(folder.file('in/deep'), { recursive: true });
  await writeFile(folder.file(`in/${hostile}`), sineWav());
  await writeFile(folder.file('in/deep/--force.wav'), sineWav(220));
  await writeFile(folder.file('in/empty.wav'), '');
  await writeFile(folder.file('in/notes.txt'), 'no audio');
  const steps = JSON.stringify([at8, { perturbation: 'gain', parameters: { factor: 100 } }]);
  const { code, stdout, stderr } = await runCommand(['perturb', 'in', '--steps', steps, '-o', 'out', '--json'], {
    cwd: folder.path,
  });
  assert.equal(code, exitCodes['bad-input'], 'one of three files is empty');
  const answer = JSON.parse(stdout);
  assert.deepEqual(
    answer.files.map(({ input, output }: { input: string; output: string | null }) => [input, output]),
    [
      [`in/${hostile}`, `out/${hostile}`],
      ['in/deep/--force.wav', 'out/deep/--force.wav'],
      ['in/empty.wav', null],
    ],
  );
  // 440 Hz at 8 kHz has 200 phases; all but 0 and 180 degrees go beyond full scale when 100 times as high.
  assert.ok(Math.abs(answer.files[0].measurement.clippedShare - 0.99) < 1e-9);
  assert.ok(!stderr.includes('\u001b') && !stderr.includes('\u202e'), JSON.stringify(stderr));
  assert.match(stderr, /1 of 3 files were not changed/);
});

test('two files that would become one are refused before anything is written', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.file('in'));
  await writeFile(folder.file('in/a.wav'), sineWav());
  await writeFile(folder.file('in/a.flac'), 'x');
  const { code, stderr } = await runCommand(['perturb', 'in', '--steps', '[]', '-o', 'out'], { cwd: folder.path });
  assert.equal(code, exitCodes['bad-input']);
  assert.match(stderr, /would both become out\/a\.wav/);
});

test('wrong steps and scenarios get a sentence with the nearest name', async () => {
  const steps = '[{"perturbation":"gian"},{"perturbation":"gain","parameters":{"factr":1}}]';
  const wrong = await runCommand(['perturb', 'a.wav', '-o', 'b.wav', '--steps', steps]);
  assert.equal(wrong.code, exitCodes['bad-usage']);
  assert.match(wrong.stderr, /unknown perturbation "gian"; did you mean "gain"\?/);
  assert.match(wrong.stderr, /unknown key "factr"; did you mean "factor"\?/);
  const endless = '[{"perturbation":"white-noise","parameters":{"snrDb":1e999}}]';
  const infinite = await runCommand(['perturb', 'a.wav', '-o', 'b.wav', '--steps', endless]);
  assert.equal(infinite.code, exitCodes['bad-usage']);
  assert.match(infinite.stderr, /parameters\.snrDb: expected .*, but got Infinity\n$/);
  const scenario = await runCommand(['perturb', 'a.wav', '-o', 'b.wav', '--scenario', 'aequevox/nois:3']);
  assert.match(scenario.stderr, /did you mean "aequevox\/noise/);
  await using folder = await temporaryFolder();
  await writeFile(folder.file('a.wav'), sineWav());
  const many = await runCommand(['perturb', 'a.wav', '-o', 'b.wav', '--scenario', 'aequevox/noise'], {
    cwd: folder.path,
  });
  assert.equal(many.code, exitCodes['bad-usage']);
  assert.match(many.stderr, /stands for 5, and b\.wav is named like a file; expected a folder/);
});
