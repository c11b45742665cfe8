import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { rms } from '../audio/levels.ts';
import { resample } from '../audio/resample.ts';
import { EarwitnessError } from '../base/errors.ts';
import { createRandom } from '../base/random.ts';
import { aiff } from './aiff/aiff.ts';
import type { Decoder } from './contract.ts';
import { ffmpeg } from './ffmpeg/ffmpeg.ts';
import { flac } from './flac/flac.ts';
import { mp3 } from './mp3/mp3.ts';
import { oggOpus } from './ogg-opus/ogg-opus.ts';
import { oggVorbis } from './ogg-vorbis/ogg-vorbis.ts';
import { libraryDecoder } from './shared/library-decoder.ts';
import { sphere } from './sphere/sphere.ts';
import { wav } from './wav/wav.ts';

const own = [wav, sphere, aiff, flac, mp3, oggVorbis, oggOpus];
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const hasSox = spawnSync('sox', ['--version']).status === 0;
const needsFfmpeg = { skip: !hasFfmpeg && 'the program ffmpeg is not installed' };
const needsBoth = { skip: !(hasFfmpeg && hasSox) && 'the programs sox and ffmpeg are not both installed' };
const folder = mkdtempSync(join(tmpdir(), 'earwitness-test-'));
after(() => rmSync(folder, { recursive: true }));

/** Two different channels of tones and noise at 44.1 kHz, by ffmpeg. */
function encode(name: string, ...options: string[]): Uint8Array {
  const path = join(folder, name);
  const sources = '0.4*sin(440*2*PI*t)+0.1*sin(5000*2*PI*t)|0.3*sin(700*2*PI*t)+0.2*sin(90*2*PI*t)';
  const input = ['-f', 'lavfi', '-i', `aevalsrc='${sources}':s=44100:d=1.37`];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...input, ...options, path]);
  return readFileSync(path);
}

/** What ffmpeg hears in a file: the mean of its channels. */
function heardByFfmpeg(path: string, channels: number, input: readonly string[] = []): Float32Array {
  const bytes = execFileSync('ffmpeg', ['-v', 'error', ...input, '-i', path, '-f', 'f32le', '-'], {
    maxBuffer: 1 << 28,
  });
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return Float32Array.from({ length: all.length / channels }, (_, n) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += all[n * channels + channel]!;
    return sum / channels;
  });
}

function largestDifference(one: Float32Array, other: Float32Array): number {
  assert.equal(one.length, other.length);
  let largest = 0;
  for (let n = 0; n < one.length; n++) largest = Math.max(largest, Math.abs(one[n]! - other[n]!));
  return largest;
}

async function refused(work: Promise<unknown>, code: EarwitnessError['code'] = 'bad-input'): Promise<string> {
  try {
    await work;
  } catch (thrown) {
    assert.ok(thrown instanceof EarwitnessError && thrown.code === code, `${thrown}`);
    return thrown.message;
  }
  return assert.fail('expected a refusal');
}

// Exact where the coding is; the lossy ones within what two decoders' arithmetic differs.
const files: readonly { name: string; decoder: Decoder; options: string[]; tolerance: number; input?: string[] }[] = [
  { name: '8.wav', decoder: wav, options: ['-c:a', 'pcm_u8'], tolerance: 0 },
  { name: '16.wav', decoder: wav, options: ['-c:a', 'pcm_s16le'], tolerance: 0 },
  { name: '24.wav', decoder: wav, options: ['-c:a', 'pcm_s24le'], tolerance: 0 },
  { name: '32.wav', decoder: wav, options: ['-c:a', 'pcm_s32le'], tolerance: 6e-8 },
  { name: 'f32.wav', decoder: wav, options: ['-c:a', 'pcm_f32le'], tolerance: 0 },
  { name: 'f64.wav', decoder: wav, options: ['-c:a', 'pcm_f64le'], tolerance: 6e-8 },
  { name: 'alaw.wav', decoder: wav, options: ['-c:a', 'pcm_alaw'], tolerance: 0 },
  { name: 'mulaw.wav', decoder: wav, options: ['-c:a', 'pcm_mulaw'], tolerance: 0 },
  { name: 'rf64.wav', decoder: wav, options: ['-rf64', 'always'], tolerance: 0 },
  { name: 'a.aiff', decoder: aiff, options: ['-c:a', 'pcm_s24be'], tolerance: 0 },
  { name: 'f.aifc', decoder: aiff, options: ['-c:a', 'pcm_f32be', '-f', 'aiff'], tolerance: 0 },
  { name: '16.flac', decoder: flac, options: ['-sample_fmt', 's16'], tolerance: 0 },
  { name: '24.flac', decoder: flac, options: ['-sample_fmt', 's32'], tolerance: 6e-8 },
  { name: 'ogg.oga', decoder: flac, options: ['-c:a', 'flac', '-sample_fmt', 's16', '-f', 'ogg'], tolerance: 0 },
  { name: 'a.mp3', decoder: mp3, options: ['-c:a', 'libmp3lame', '-b:a', '128k'], tolerance: 2e-6 },
  { name: 'mono.mp3', decoder: mp3, options: ['-c:a', 'libmp3lame', '-ac', '1', '-ar', '22050'], tolerance: 2e-6 },
  { name: 'a.ogg', decoder: oggVorbis, options: ['-c:a', 'libvorbis'], tolerance: 2e-6 },
  { name: 'a.opus', decoder: oggOpus, options: ['-c:a', 'libopus'], tolerance: 2e-4, input: ['-c:a', 'libopus'] },
  { name: 'a.m4a', decoder: ffmpeg, options: ['-c:a', 'aac'], tolerance: 1e-7 },
  { name: 'a.au', decoder: ffmpeg, options: ['-c:a', 'pcm_s16be'], tolerance: 1e-7 },
  { name: 'adpcm.wav', decoder: ffmpeg, options: ['-c:a', 'adpcm_ms'], tolerance: 1e-7 },
];

for (const { name, decoder, options, tolerance, input } of files) {
  test(`${name} is recognized by ${decoder.name} and sounds as in ffmpeg`, needsFfmpeg, async () => {
    const bytes = encode(name, ...options);
    const first = [...own, ffmpeg].find((candidate) => candidate.recognizes(bytes.subarray(0, 4096)));
    assert.equal(first?.name, decoder.name);
    assert.ok(decoder.recognizes(bytes.subarray(0, 64)), 'by 64 bytes');
    const clip = await decoder.decode(bytes, name);
    const heard = heardByFfmpeg(join(folder, name), options.includes('-ac') ? 1 : 2, input);
    // It plays what fills the last block of AAC, too.
    const difference = largestDifference(clip.samples, name === 'a.m4a' ? heard.subarray(0, 1.37 * 44_100) : heard);
    assert.ok(difference <= tolerance, `largest difference ${difference}`);
    assert.ok(rms(clip.samples) > 0.1);
  });

  test(`${name} cut off or damaged is refused in a sentence, or read, and never crashes`, needsFfmpeg, async () => {
    const bytes = existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : encode(name, ...options);
    const random = createRandom(name);
    for (const share of [0.01, 0.3, 0.7, 0.97]) {
      // What comes through a pipe has no promised length: ffmpeg reads as far as it goes.
      if (decoder === ffmpeg) continue;
      const message = await refused(decoder.decode(bytes.subarray(0, Math.floor(bytes.length * share)), name));
      assert.ok(message.startsWith(`${name}: expected `), message);
    }
    for (let round = 0; round < (decoder === ffmpeg ? 2 : 10); round++) {
      const changed = Uint8Array.from(bytes);
      for (let k = 0; k < 20; k++) changed[random.integer(changed.length)] = random.integer(256);
      await decoder.decode(changed, name).catch((thrown) => assert.ok(thrown instanceof EarwitnessError, `${thrown}`));
    }
  });
}

for (const options of [['-e', 'mu-law'], ['-B'], ['-L']]) {
  test(`SPHERE by SoX ${options.join(' ')} sounds as in ffmpeg`, needsBoth, async () => {
    encode('for-sphere.wav', '-ac', '1');
    const path = join(folder, 'a.sph');
    execFileSync('sox', ['-D', join(folder, 'for-sphere.wav'), '-t', 'sph', ...options, path]);
    const bytes = readFileSync(path);
    const reference = join(folder, 'sphere.wav');
    execFileSync('sox', ['-D', path, '-e', 'floating-point', '-b', '32', reference]);
    assert.ok(sphere.recognizes(bytes.subarray(0, 64)));
    assert.equal(largestDifference((await sphere.decode(bytes, 'a.sph')).samples, heardByFfmpeg(reference, 1)), 0);
  });
}

test('a WAV file from a pipe is read to its end', needsFfmpeg, async () => {
  encode('whole.wav');
  const command = ['-v', 'error', '-i', join(folder, 'whole.wav'), '-f', 'wav', '-'];
  const piped = execFileSync('ffmpeg', command, { maxBuffer: 1 << 28 });
  const clip = await wav.decode(piped, 'piped.wav');
  assert.equal(largestDifference(clip.samples, heardByFfmpeg(join(folder, 'whole.wav'), 2)), 0);
});

test('text, play lists among it, never reaches ffmpeg', () => {
  for (const text of ['#EXTM3U\nfile:///etc/passwd\n', 'ffconcat version 1.0\nfile /etc/passwd\n', 'hello']) {
    assert.equal(ffmpeg.recognizes(Buffer.from(text)), false);
  }
});

test('what is no sound is refused by ffmpeg in a sentence', needsFfmpeg, async () => {
  const message = await refused(ffmpeg.decode(new Uint8Array(5000).fill(0xa7), 'noise.bin'));
  assert.match(message, /^noise\.bin: expected an audio file, but ffmpeg cannot read it/);
  encode('whole.m4a', '-c:a', 'aac');
  const cut = await refused(ffmpeg.decode(readFileSync(join(folder, 'whole.m4a')).subarray(0, 5000), 'cut.m4a'));
  assert.match(cut, /expected [\d,]+ bytes as its header says, but there are only 5,000; it is cut off/);
});

test('library decoders have the version of their package', () => {
  for (const decoder of [mp3, oggVorbis, oggOpus]) assert.match(decoder.version, /^\d+\.\d+\.\d+/);
});

test('a package that is not installed is named with the line that installs it', async () => {
  const absent = libraryDecoder({
    name: 'absent',
    library: 'earwitness-absent-decoder',
    kind: 'a file',
    recognizes: () => true,
    open: () => import('earwitness-absent-decoder' as string),
  });
  assert.match(
    await refused(absent.decode(new Uint8Array(4), 'a'), 'missing-program'),
    /npm install .* earwitness-absent-decoder/,
  );
  assert.throws(() => absent.version, /npm install .* earwitness-absent-decoder/);
});

const shared = fileURLToPath(new URL('../../../shared/', import.meta.url));
/** Speech of Debian's package pocketsphinx-testdata, where the recordings beside the repository are not. */
const [recordings, perPart, parts] = existsSync(shared)
  ? [join(shared, 'data'), 3, ['speech/vctk', 'speech/misc', 'acoustics/noise', 'acoustics/rir', 'acoustics/babble']]
  : ['/usr/share/pocketsphinx/test/data', 2, ['cards', 'librivox']];
test('recordings of other people sound as in ffmpeg', {
  skip: (!existsSync(join(recordings, parts[0]!)) || !hasFfmpeg) && 'recordings or the program ffmpeg are not there',
}, async () => {
  for (const part of parts) {
    const names = readdirSync(join(recordings, part)).filter((name) => /\.(wav|flac|ogg|mp3|opus|sph)$/.test(name));
    assert.ok(names.length > 0);
    for (const name of names.slice(0, perPart)) {
      const path = join(recordings, part, name);
      const bytes = readFileSync(path);
      const decoder = [...own, ffmpeg].find((candidate) => candidate.recognizes(bytes.subarray(0, 4096)))!;
      const clip = await decoder.decode(bytes, name);
      const stream = ['-select_streams', 'a:0', '-show_entries', 'stream=channels', '-of', 'csv=p=0'];
      const channels = Number.parseInt(
        execFileSync('ffprobe', ['-v', 'error', ...stream, path], { encoding: 'utf8' }),
        10,
      );
      const difference = largestDifference(clip.samples, heardByFfmpeg(path, channels));
      assert.ok(difference <= 2e-6, `${name} by ${decoder.name}: ${difference}`);
    }
  }
});

test("audio resampled has soxr's length, level and samples", needsFfmpeg, async () => {
  // Sines up to .85 of half the lower rate, as they differ in the steepness above.
  for (const [from, to] of [
    [16_000, 8000],
    [16_000, 11_025],
    [16_000, 44_100],
    [44_100, 16_000],
  ] as const) {
    const samples = Float32Array.from({ length: from }, (_, n) => {
      let sum = 0;
      for (let hertz = 70; hertz < 0.425 * Math.min(from, to); hertz *= 1.3)
        sum += Math.sin((2 * Math.PI * hertz * n) / from);
      return 0.02 * sum;
    });
    const raw = ['-f', 'f32le', '-ac', '1'];
    const filter = `aresample=${to}:resampler=soxr:precision=28`;
    const bytes = execFileSync(
      'ffmpeg',
      ['-v', 'error', ...raw, '-ar', `${from}`, '-i', '-', '-af', filter, ...raw, '-'],
      {
        input: samples,
      },
    );
    const theirs = new Float32Array(Uint8Array.from(bytes).buffer);
    const ours = resample({ samples, sampleRate: from }, to).samples;
    assert.ok(Math.abs(ours.length - theirs.length) <= 1, `${from} to ${to}: ${ours.length}, theirs ${theirs.length}`);
    const inside = [theirs.length >> 2, 3 * (theirs.length >> 2)] as const;
    const difference = largestDifference(ours.subarray(...inside), theirs.subarray(...inside));
    assert.ok(difference < 1e-4, `${from} to ${to}: ${difference}`);
  }
  if (!existsSync(shared)) return;
  const golden = JSON.parse(readFileSync(join(shared, 'golden/acoustics/acoustics.json'), 'utf8'));
  for (const entry of golden.resample) {
    const bytes = readFileSync(join(shared, 'data', golden.speech[entry.speech].file));
    const { samples } = resample(await flac.decode(bytes, entry.speech), entry.to);
    const theirs = entry.soxr_VHQ;
    assert.equal(samples.length, theirs.samples);
    assert.ok(Math.abs(20 * Math.log10(rms(samples)) - theirs.rms_db) < 0.02, `level to ${entry.to}`);
    const middle = Math.floor(samples.length / 2);
    const energy = { speech: 0, difference: 0 };
    for (const [n, step] of theirs['64_from_middle_floor(n/2)_x32768'].entries()) {
      energy.speech += step ** 2;
      energy.difference += (step - samples[middle + n]! * 32768) ** 2;
    }
    const ratioDb = 10 * Math.log10(energy.speech / energy.difference);
    // They differ in the steepness above .91 of half the lower rate, and the golden samples are rounded to 16 bits.
    assert.ok(ratioDb > 35, `${entry.from} to ${entry.to}: ${ratioDb.toFixed(1)} dB`);
  }
});
