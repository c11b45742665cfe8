import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encodeWav } from '../../audio/encode-wav.ts';
import { exitCodes } from '../../base/errors.ts';
import { createRandom } from '../../base/random.ts';
import { classifyRooms, type MeasuredRoom } from '../../session/rooms/measure-rooms.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const sampleRate = 16_000;
const wav = (samples: Float32Array) => encodeWav({ samples, sampleRate }, { format: 'f32' });

/** Noise that decays by 60 dB in so many seconds: what Schroeder's integration must find (within a few percent). */
function response(rt60Seconds: number): Float32Array {
  const random = createRandom({ rt60Seconds });
  return Float32Array.from({ length: 1.2 * rt60Seconds * sampleRate }, (_, n) =>
    n === 0 ? 1 : 0.3 * 10 ** ((-3 * n) / sampleRate / rt60Seconds) * random.normal(),
  );
}

/** Noise in syllables, four a second: what a modulation ratio counts as speech. */
function syllables(seed: number): Float32Array {
  const random = createRandom({ seed });
  return Float32Array.from({ length: 2 * sampleRate }, (_, n) => {
    const envelope = Math.max(0, Math.sin((2 * Math.PI * 4 * n) / sampleRate)) ** 2;
    return 0.1 * envelope * random.normal();
  });
}

test('rooms are measured and classed, and the table is a manifest that srb/real_rir takes', async () => {
  await using folder = await temporaryFolder();
  for (const name of ['rooms', 'speech']) mkdirSync(folder.file(name));
  for (const rt60 of [0.3, 0.5, 0.9, 1.5]) writeFileSync(folder.file(`rooms/t${rt60}.wav`), wav(response(rt60)));
  for (const seed of [1, 2, 3, 4]) writeFileSync(folder.file(`speech/${seed}.wav`), wav(syllables(seed)));

  const { code, stdout, stderr } = await runCommand(['rooms', 'rooms', '--speech', 'speech', '--clips', '3'], {
    cwd: folder.path,
  });
  assert.equal(code, 0, stderr);
  const [header, ...lines] = stdout.trimEnd().split('\n');
  assert.equal(header, 'path\trt60Seconds\trt60Class\tsrmr\tsrmrClass\tsrmrLow\tsrmrHigh\tsrmrClips');
  const rows = lines.map((line) => line.split('\t'));
  for (const [index, rt60] of [0.3, 0.5, 0.9, 1.5].entries()) {
    const [path, measured, , srmr, , low, high, clips] = rows[index]!;
    assert.equal(path, `t${rt60}.wav`);
    assert.ok(Math.abs(Number(measured) / rt60 - 1) < 0.05, `${rt60}: ${measured}`);
    assert.ok(Number(low) < Number(srmr) && Number(srmr) < Number(high));
    assert.equal(clips, '3');
    // More reverberation, less modulation.
    if (index > 0) assert.ok(Number(srmr) < Number(rows[index - 1]![3]), `${rt60}`);
  }
  assert.deepEqual([rows[0]![4], rows[3]![4]], ['1', '4']);

  writeFileSync(folder.file('rooms.tsv'), stdout);
  const collection = { type: 'folder', folder: 'rooms', manifest: 'rooms.tsv' };
  const config = {
    sounds: { 'slr28-real': collection },
    corpus: { type: 'folder', folder: 'speech' },
    recognizers: { any: { type: 'scripted' } },
  };
  writeFileSync(folder.file('earwitness.config.json'), JSON.stringify(config));
  const heard = await runCommand(
    [
      'perturb',

      '--scenario',
      'srb/real_rir:4',
      '--config',
      'earwitness.config.json',
      '--discard',
      '--json',
    ],
    { cwd: folder.path },
  );
  assert.equal(heard.code, 0, heard.stderr);
  assert.match(heard.stdout, /"sound":"t1\.5\.wav"/);

  const wrong = await runCommand(['rooms', 'rooms', '--speech', 'nowhere'], { cwd: folder.path });
  assert.equal(wrong.code, exitCodes['bad-input']);
  assert.match(wrong.stderr, /nowhere: expected a folder of audio files, but there is none/);
});

test('classes are quarters of the range, SRMR from the largest down; rooms without a value have none', () => {
  const room = (rt60Seconds: number | null, srmr: number | null): MeasuredRoom => ({
    name: 'x',
    rt60Seconds,
    srmr,
    srmrLow: null,
    srmrHigh: null,
    srmrClips: 1,
  });
  // By hand: .2 to 1 in steps of .2; 9 to 1 in steps of 2.
  const classified = classifyRooms([room(0.2, 9), room(0.5, 6.5), room(null, null), room(1, 1), room(0.75, 4)]);
  assert.deepEqual(
    classified.map(({ rt60Class, srmrClass }) => [rt60Class, srmrClass]),
    [
      [1, 1],
      [2, 2],
      [null, null],
      [4, 4],
      [3, 3],
    ],
  );
});

const shared = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const measured = existsSync(join(shared, 'acoustics/rir'));
/** Speech of Debian's package pocketsphinx-testdata. */
const spoken = '/usr/share/pocketsphinx/test/data/cards';
const hasSox = spawnSync('sox', ['--version']).status === 0;

/** What SoX's reverberation makes of a click, in rooms from a cupboard to a cathedral. */
function roomsBySox(folder: string): void {
  mkdirSync(folder);
  const rooms = { Cupboard: [10, 0], DomesticLivingRoom: [25, 20], Hall: [60, 60], YorkMinster: [100, 100] };
  for (const [name, [reverberance, scale]] of Object.entries(rooms)) {
    const click = ['synth', '1s', 'square', '1', 'pad', '0', '2.5'];
    const room = ['reverb', String(reverberance), '30', String(scale), '0', '0', '-3'];
    execFileSync('sox', ['-D', '-R', '-r', '16000', '-n', '-b', '32', join(folder, `${name}.wav`), ...click, ...room]);
  }
}

test('of rooms a cathedral is worse than a living room by both measures', {
  skip:
    !measured && !(hasSox && existsSync(spoken)) && 'neither shared/data nor SoX and pocketsphinx-testdata are here',
}, async () => {
  await using folder = await temporaryFolder();
  const made = folder.file('rooms');
  if (!measured) roomsBySox(made);
  const [rooms, speech] = measured ? [join(shared, 'acoustics/rir'), join(shared, 'speech/timit')] : [made, spoken];
  const { code, stdout, stderr } = await runCommand(['rooms', rooms, '--speech', speech, '--clips', '2', '--json']);
  assert.equal(code, 0, stderr);
  const found: { name: string; rt60Class: number | null; srmr: number; srmrClass: number }[] = JSON.parse(stdout);
  assert.equal(found.length, measured ? 24 : 4);
  const [cathedral, living] = ['YorkMinster.wav', 'DomesticLivingRoom.wav'].map(
    (name) => found.find((room) => room.name === name)!,
  );
  assert.ok(cathedral!.srmr < living!.srmr && cathedral!.srmrClass > living!.srmrClass, stdout);
  if (!measured) assert.ok(living!.rt60Class, stdout);
  assert.ok(cathedral!.rt60Class! > living!.rt60Class!, stdout);
});
