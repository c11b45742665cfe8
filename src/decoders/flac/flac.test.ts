import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { flac } from './flac.ts';

const hasBoth = spawnSync('ffmpeg', ['-version']).status === 0 && spawnSync('sox', ['--version']).status === 0;
const needsBoth = { skip: !hasBoth && 'the programs sox and ffmpeg are not both installed' };
const folder = mkdtempSync(join(tmpdir(), 'earwitness-flac-'));
after(() => rmSync(folder, { recursive: true }));

/** Mean of the channels, as another program reads the file's whole numbers. */
function heardBy(program: 'ffmpeg' | 'sox', path: string, channels: number): Float32Array {
  const byFfmpeg = ['-v', 'error', '-i', path, '-map', '0:a:0', '-f', 's32le', '-'];
  const bySox = ['-D', path, '-t', 's32', '-L', '-'];
  const bytes = execFileSync(program, program === 'sox' ? bySox : byFfmpeg, { maxBuffer: 1 << 28 });
  const all = new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return Float32Array.from({ length: all.length / channels }, (_, n) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += all[n * channels + channel]!;
    return sum / 2 ** 31 / channels;
  });
}

/** Not by `deepEqual`, which takes minutes to say how long arrays differ. */
function assertEqualSamples(actual: Float32Array, expected: Float32Array, name: string): void {
  assert.equal(actual.length, expected.length, name);
  assert.equal(
    actual.findIndex((sample, n) => sample !== expected[n]),
    -1,
    `${name}: the first sample that differs`,
  );
}

async function assertAs(program: 'ffmpeg' | 'sox', path: string, channels: number): Promise<void> {
  const { samples } = await flac.decode(readFileSync(path), path);
  assertEqualSamples(samples, heardBy(program, path, channels), path);
}

for (const [b, bits] of [8, 16, 24].entries()) {
  for (const [c, channels] of [1, 2, 6].entries()) {
    for (const [n, count] of [1, 2, 5, 17, 4096, 4097, 30_000].entries()) {
      // Every two of the three meet, as each is written in a place of its own: a third of all files.
      if ((b + c + n) % 3 !== 0) continue;
      test(`${count} samples of ${bits} bits in ${channels} channels by SoX are read exactly`, needsBoth, async () => {
        const path = join(folder, `${bits}-${channels}-${count}.flac`);
        const tones = ['sine', '440', 'pinknoise'].slice(0, channels === 1 ? 2 : 3);
        const synth = ['synth', `${count}s`, ...tones, 'vol', '0.5'];
        execFileSync('sox', ['-R', '-r', '16000', '-n', '-b', `${bits}`, '-c', `${channels}`, path, ...synth]);
        await assertAs('ffmpeg', path, channels);
      });
    }
  }
}

const stereo = '0.4*sin(440*2*PI*t)+0.1*random(0)|0.35*sin(440*2*PI*t)+0.2*random(1)';
for (const mode of ['indep', 'left_side', 'right_side', 'mid_side']) {
  for (const format of ['s16', 's32']) {
    for (const ending of ['flac', 'oga']) {
      test(`${mode} of ${format} in .${ending} by ffmpeg is read exactly`, needsBoth, async () => {
        const path = join(folder, `${mode}-${format}.${ending}`);
        const source = ['-f', 'lavfi', '-i', `aevalsrc='${stereo}':s=44100:d=0.7`, '-c:a', 'flac'];
        const coding = ['-ch_mode', mode, '-sample_fmt', format, '-compression_level', '12', '-lpc_type', 'cholesky'];
        execFileSync('ffmpeg', ['-v', 'error', ...source, ...coding, path]);
        await assertAs('ffmpeg', path, 2);
      });
    }
  }
}

test('block sizes from 16 to 65535 are read exactly', needsBoth, async () => {
  for (const size of [16, 192, 255, 256, 257, 576, 1000, 4608, 16_384, 65_535]) {
    const path = join(folder, `block-${size}.flac`);
    const source = ['-f', 'lavfi', '-i', `aevalsrc='${stereo}':s=44100:d=1.7`, '-c:a', 'flac'];
    execFileSync('ffmpeg', ['-v', 'error', ...source, '-frame_size', `${size}`, path]);
    // ffmpeg 5.1 writes blocks of 65535 samples, but reads no sound from them.
    await assertAs('sox', path, 2);
  }
});

test('silence, noise and samples with wasted bits are read exactly', needsBoth, async () => {
  for (const [name, ...effects] of [
    ['silence', 'trim', '0', '1'],
    ['noise', 'synth', '1', 'whitenoise'],
  ]) {
    const path = join(folder, `${name}.flac`);
    execFileSync('sox', ['-R', '-r', '16000', '-n', '-b', '16', path, ...effects]);
    await assertAs('ffmpeg', path, 1);
  }
  const eight = join(folder, 'eight.wav');
  execFileSync('sox', ['-R', '-r', '16000', '-n', '-b', '8', eight, 'synth', '1', 'sine', '300', 'vol', '0.5']);
  execFileSync('sox', ['-D', eight, '-b', '24', join(folder, 'wasted.flac')]);
  await assertAs('ffmpeg', join(folder, 'wasted.flac'), 1);
});

test('200 files in a row are read as the first was, and memory stays flat', needsBoth, async () => {
  const path = join(folder, 'again.flac');
  execFileSync('sox', ['-R', '-r', '16000', '-n', '-b', '16', path, 'synth', '2', 'pinknoise']);
  const bytes = readFileSync(path);
  const first = await flac.decode(bytes, path);
  for (let warm = 0; warm < 50; warm++) await flac.decode(bytes, path);
  const before = process.memoryUsage().rss;
  for (let round = 0; round < 200; round++) {
    assertEqualSamples((await flac.decode(bytes, path)).samples, first.samples, `round ${round}`);
    await assert.rejects(flac.decode(bytes.subarray(0, bytes.length - 1 - round), path), /again\.flac: expected/);
  }
  assert.ok(process.memoryUsage().rss - before < 48 * 2 ** 20, 'it grew by 48 MiB');
});

test('sound that is not that of its MD5 is refused', needsBoth, async () => {
  const path = join(folder, 'digest.flac');
  execFileSync('sox', ['-R', '-r', '16000', '-n', '-b', '16', path, 'synth', '1', 'sine', '300']);
  const bytes = Uint8Array.from(readFileSync(path));
  bytes[30]! ^= 1;
  await assert.rejects(flac.decode(bytes, 'a.flac'), /^EarwitnessError: a\.flac: expected .*MD5/);
});

const speech = fileURLToPath(new URL('../../../../shared/data/speech/picovoice-multilingual/', import.meta.url));
/** Of Debian's package pocketsphinx-testdata, as WAV. */
const others = '/usr/share/pocketsphinx/test/data/librivox';

test('the last block of every clip of speech is read', {
  skip: (!(existsSync(speech) || existsSync(others)) || !hasBoth) && 'recordings or the programs are not there',
}, async () => {
  if (existsSync(speech)) {
    const names = readdirSync(speech).filter((name) => name.endsWith('.flac'));
    for (const name of names) await assertAs('ffmpeg', join(speech, name), 1);
    assert.equal((await flac.decode(readFileSync(join(speech, 'test_en.flac')), 'test_en')).samples.length, 71_424);
    return;
  }
  const names = readdirSync(others)
    .filter((name) => name.endsWith('.wav'))
    .slice(0, 3);
  assert.equal(names.length, 3);
  for (const name of names) {
    const path = join(folder, name.replace('.wav', '.flac'));
    execFileSync('sox', ['-D', join(others, name), '-C', '8', path]);
    await assertAs('ffmpeg', path, 1);
    const count = Number(execFileSync('sox', ['--i', '-s', path], { encoding: 'utf8' }));
    assert.equal((await flac.decode(readFileSync(path), name)).samples.length, count);
  }
});
