import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { encodeWav } from '../audio/encode-wav.ts';
import { EarwitnessError } from '../base/errors.ts';
import { sha256 } from '../base/hash.ts';
import { aiff } from './aiff/aiff.ts';
import { createFileHasher, type Decoder } from './contract.ts';
import { createSoundFiles, type SoundFilesOptions } from './sound-files.ts';
import { sphere } from './sphere/sphere.ts';
import { wav } from './wav/wav.ts';

const decoders = [wav, sphere, aiff];
const ramp = Float32Array.from({ length: 1000 }, (_, n) => n / 32768);

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'earwitness-test-'));
  return {
    path,
    write(name: string, bytes: Uint8Array | string) {
      const file = join(path, name);
      writeFileSync(file, bytes);
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  };
}

function soundFiles(options: Partial<SoundFilesOptions> = {}) {
  return createSoundFiles({ decoders, fileHash: createFileHasher(), ...options });
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (thrown) {
    assert.ok(thrown instanceof EarwitnessError && thrown.code === 'bad-input', `${thrown}`);
    return thrown.message;
  }
  return assert.fail('expected a refusal');
}

test('a file is read by its content, whatever its name', async () => {
  using place = folder();
  const file = place.write('odd.mp3', encodeWav({ samples: ramp, sampleRate: 1000 }, { format: 's16' }));
  const clip = await soundFiles().read(file);
  assert.deepEqual(clip.samples, ramp);
  assert.equal(clip.sampleRate, 1000);
});

test('floats that are integers nobody divided are refused, whatever the stretch, and floats somewhat beyond full scale are not', async () => {
  using place = folder();
  const loudLast = (peak: number) => Float32Array.from({ length: 1000 }, (_, n) => (n < 900 ? 0.5 : peak));
  const file = (peak: number) =>
    place.write(`${peak}.wav`, encodeWav({ samples: loudLast(peak), sampleRate: 1000 }, { format: 'f32' }));
  const sounds = soundFiles();
  for (const stretch of [{}, { endSeconds: 0.1 }]) {
    assert.match(
      await refusal(sounds.read(file(-9831), stretch)),
      /9831\.wav: expected floating-point samples from -1 to 1, but the largest is 9,831, as if 16-bit integers had been saved as floats; make a file of the right level: ffmpeg -i FILE -af volume=1\/32768 OUT\.wav$/,
    );
    assert.match(
      await refusal(sounds.read(file(2 ** 30), stretch)),
      /is 1,073,741,824, as if 32-bit integers .* volume=1\/2147483648 /,
    );
    assert.match(await refusal(sounds.read(file(2 ** 22), stretch)), /as if 24-bit integers .* volume=1\/8388608 /);
    assert.match(await refusal(sounds.read(file(1e30), stretch)), /the file is damaged/);
    for (const peak of [1, 3.5]) assert.equal((await sounds.read(file(peak), stretch)).samples[0], 0.5);
  }
});

test('a stretch begins and ends at the nearest sample, and a rounded end is the end', async () => {
  using place = folder();
  const file = place.write('a.wav', encodeWav({ samples: ramp, sampleRate: 1000 }, { format: 's16' }));
  const sounds = soundFiles();
  assert.deepEqual(
    (await sounds.read(file, { startSeconds: 0.1, endSeconds: 0.2504 })).samples,
    ramp.subarray(100, 250),
  );
  assert.deepEqual((await sounds.read(file, { endSeconds: 0.01 })).samples, ramp.subarray(0, 10));
  assert.deepEqual((await sounds.read(file, { startSeconds: 0.9, endSeconds: 1.04 })).samples, ramp.subarray(900));
});

test('stretches that are none, or lie outside of the file, are refused', async () => {
  using place = folder();
  const file = place.write('a.wav', encodeWav({ samples: ramp, sampleRate: 1000 }, { format: 's16' }));
  const sounds = soundFiles();
  assert.match(await refusal(sounds.read(file, { endSeconds: 1.1 })), /within the 1\.000 s/);
  assert.match(await refusal(sounds.read(file, { startSeconds: 1 })), /within the 1\.000 s/);
  assert.match(await refusal(sounds.read(file, { startSeconds: -1 })), /0 s or later/);
  assert.match(await refusal(sounds.read(file, { startSeconds: 0.5, endSeconds: 0.5 })), /ends after its start/);
  assert.match(await refusal(sounds.read(file, { startSeconds: Number.NaN })), /0 s or later/);
  assert.match(await refusal(sounds.read(file, { startSeconds: 0.1, endSeconds: 0.1001 })), /at least one sample/);
});

test('clips longer than allowed are refused, their stretches are not', async () => {
  using place = folder();
  const file = place.write('a.wav', encodeWav({ samples: ramp, sampleRate: 1000 }, { format: 's16' }));
  const sounds = soundFiles({ maxClipSeconds: 0.5 });
  assert.match(await refusal(sounds.read(file)), /at most 0\.5 s, got 1\.0 s/);
  assert.equal((await sounds.read(file, { startSeconds: 0.5 })).samples.length, 500);
  assert.equal(await sounds.durationSeconds(file), 1);
  // One that has to be decoded to be measured is measured all the same.
  const { layout: _, ...compressed } = wav;
  const decoded = soundFiles({ maxClipSeconds: 0.5, decoders: [compressed] });
  assert.equal(await decoded.durationSeconds(file), 1);
  assert.match(await refusal(decoded.read(file)), /at most 0\.5 s, got 1\.0 s/);
});

test('a stretch of a huge file reads only what it needs', async () => {
  using place = folder();
  const header = encodeWav({ samples: ramp, sampleRate: 16000 }, { format: 's16' }).slice(0, 44);
  const dataBytes = 3_000_000_000;
  new DataView(header.buffer).setUint32(40, dataBytes, true);
  const file = place.write('huge.wav', header);
  execFileSync('truncate', ['-s', String(44 + dataBytes), file]);
  const before = process.memoryUsage().rss;
  const clip = await soundFiles().read(file, { startSeconds: 90_000, endSeconds: 90_001 });
  assert.equal(clip.samples.length, 16000);
  assert.ok(process.memoryUsage().rss - before < 100e6);
});

test('missing, empty, silent of samples, foreign files and folders are refused, each in its own words', async () => {
  using place = folder();
  const sounds = soundFiles();
  const missing = join(place.path, 'no\u001b[31m.wav');
  assert.match(
    await refusal(sounds.read(missing)),
    /no\?\[31m\.wav: expected an audio file, but there is no such file/,
  );
  assert.match(await refusal(sounds.read(place.write('empty.wav', ''))), /it is empty/);
  assert.match(await refusal(sounds.read(place.path)), /it is a folder/);
  assert.match(
    await refusal(sounds.read(place.write('a.txt', 'hello'))),
    /wav, sphere, aiff.*its content is none of these; correct/,
  );
  const none = encodeWav({ samples: new Float32Array(), sampleRate: 8000 }, { format: 's16' });
  assert.match(await refusal(sounds.read(place.write('none.wav', none))), /no samples/);
  mkdirSync(join(place.path, 'sub'));
  assert.match(await refusal(sounds.identity(join(place.path, 'sub'))), /it is a folder/);
  execFileSync('mkfifo', [join(place.path, 'pipe')]);
  assert.match(await refusal(sounds.read(join(place.path, 'pipe'))), /neither a file nor a folder/);
});

test('a file that is cut off is refused, or read as far as it goes where that is asked for', async () => {
  using place = folder();
  const whole = encodeWav({ samples: ramp, sampleRate: 1000 }, { format: 's16' });
  const file = place.write('cut.wav', whole.subarray(0, 44 + 501));
  assert.match(await refusal(soundFiles().read(file)), /1\.00 s of audio.*only 0\.25 s can be read/);
  const clip = await soundFiles({ acceptTruncated: true }).read(file);
  assert.deepEqual(clip.samples, ramp.subarray(0, 250));
});

test('cut off at any byte, a file is refused in a sentence', async () => {
  using place = folder();
  const whole = encodeWav({ samples: ramp.subarray(0, 8), sampleRate: 1000 }, { format: 'f32' });
  const sounds = soundFiles();
  for (let length = 1; length < whole.length; length++) {
    assert.match(await refusal(sounds.read(place.write('cut.wav', whole.subarray(0, length)))), /cut\.wav: expected/);
  }
});

test('samples that are no numbers are refused', async () => {
  using place = folder();
  for (const odd of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const bytes = encodeWav({ samples: new Float32Array([0, 0, odd]), sampleRate: 8000 }, { format: 'f32' });
    assert.match(
      await refusal(soundFiles().read(place.write('odd.wav', bytes))),
      /sample 2 of the clip, at 0\.\d\d\d s, is (NaN|Infinity)/,
    );
  }
});

test('an identity is the content, the decoder and the stretch: no names', async () => {
  using place = folder();
  const bytes = encodeWav({ samples: ramp, sampleRate: 1000 }, { format: 's16' });
  const sounds = soundFiles();
  const file = place.write('a.wav', bytes);
  const whole = { file: sha256(bytes), decoder: 'wav', version: '1' };
  assert.deepEqual(await sounds.identity(file), whole);
  assert.deepEqual(await sounds.identity(place.write('b.wav', bytes), { startSeconds: 0 }), whole);
  const stretch = { startSeconds: 0.1, endSeconds: 0.2 };
  assert.deepEqual(await sounds.identity(file, stretch), { ...whole, stretch });
  // Of a file that goes on behind what its header says, once left out, no older answer may be taken.
  const joined = Buffer.concat([bytes, bytes]);
  const twice = { file: sha256(joined), decoder: 'wav', version: '1', frames: 2 * ramp.length };
  assert.deepEqual(await sounds.identity(place.write('joined.wav', joined)), twice);
  assert.equal(
    (await sounds.identity(place.write('cut.wav', bytes.subarray(0, 100)), { channel: 'mean' })).version,
    '1',
  );
});

test('a file that changes under its name gets another identity', async () => {
  using place = folder();
  const sounds = soundFiles();
  const file = place.write('a.wav', encodeWav({ samples: ramp, sampleRate: 1000 }, { format: 's16' }));
  const before = await sounds.identity(file);
  place.write('a.wav', encodeWav({ samples: ramp, sampleRate: 2000 }, { format: 's16' }));
  utimesSync(file, new Date(), new Date(Date.now() + 5000));
  assert.notDeepEqual(await sounds.identity(file), before);
});

test('a compressed file is decoded once for stretches in a row, and again after several others', async () => {
  using place = folder();
  let decodes = 0;
  const counting: Decoder = {
    name: 'counting',
    version: '1',
    recognizes: wav.recognizes,
    decode: (bytes, name) => {
      decodes++;
      return wav.decode(bytes, name);
    },
  };
  const bytes = encodeWav({ samples: ramp, sampleRate: 1000 }, { format: 's16' });
  const [one, two] = [place.write('one', bytes), place.write('two', bytes)];
  const sounds = soundFiles({ decoders: [counting] });
  const clips = await Promise.all([0, 0.1, 0.2].map((startSeconds) => sounds.read(one, { startSeconds })));
  clips.push(await sounds.read(one, { startSeconds: 0.3 }));
  assert.deepEqual(
    clips.map((clip) => clip.samples[0]),
    [ramp[0], ramp[100], ramp[200], ramp[300]],
  );
  assert.equal(decodes, 1);
  await sounds.read(two, { startSeconds: 0.1 });
  await sounds.read(one, { startSeconds: 0.1 });
  assert.equal(decodes, 2);
  for (const name of ['three', 'four', 'five', 'six']) {
    await sounds.read(place.write(name, bytes), { startSeconds: 0.1 });
  }
  await sounds.read(one, { startSeconds: 0.1 });
  assert.equal(decodes, 7);
});
