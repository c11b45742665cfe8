// Whatever is done to a file: as many samples come as its container says, or a sentence.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { encodeWav } from '../audio/encode-wav.ts';
import { grouped } from '../base/number-format.ts';
import { createRandom } from '../base/random.ts';
import { aiff } from './aiff/aiff.ts';
import { createFileHasher } from './contract.ts';
import { ffmpeg } from './ffmpeg/ffmpeg.ts';
import { flac } from './flac/flac.ts';
import { mp3 } from './mp3/mp3.ts';
import { oggOpus } from './ogg-opus/ogg-opus.ts';
import { oggVorbis } from './ogg-vorbis/ogg-vorbis.ts';
import { oggPages } from './shared/ogg.ts';
import { createSoundFiles } from './sound-files.ts';
import { sphere } from './sphere/sphere.ts';
import { wav } from './wav/wav.ts';

const skip = spawnSync('ffmpeg', ['-version']).status !== 0 && 'the program ffmpeg is not installed';
const folder = mkdtempSync(join(tmpdir(), 'earwitness-every-byte-'));
after(() => rmSync(folder, { recursive: true }));

const sampleRate = 16_000;
const length = 2 * sampleRate + 480;
const source = join(folder, 'source.wav');

/** By ending: options of ffmpeg, and samples where the coding or its muxer gives others than went in. */
const kinds: Readonly<Record<string, { readonly options?: readonly string[]; readonly samples?: number | null }>> = {
  wav: {},
  'f32.wav': { options: ['-c:a', 'pcm_f32le'] },
  'rf64.wav': { options: ['-rf64', 'always'] },
  // Their muxer counts what fills the last block.
  'ima.wav': { options: ['-c:a', 'adpcm_ima_wav'], samples: null },
  'ms.wav': { options: ['-c:a', 'adpcm_ms'], samples: null },
  'mp3.wav': { options: ['-c:a', 'libmp3lame'], samples: null },
  aiff: {},
  'tagged.aiff': { options: ['-write_id3v2', '1', '-metadata', 'title=hello'] },
  'alaw.aifc': { options: ['-c:a', 'pcm_alaw', '-f', 'aiff'] },
  au: {},
  caf: {},
  'alac.caf': { options: ['-c:a', 'alac'] },
  w64: {},
  voc: { options: ['-c:a', 'pcm_s16le'] },
  wma: { samples: null },
  m4a: {},
  'alac.m4a': { options: ['-c:a', 'alac'] },
  // Without an edit list: the block that the encoder begins with is told as sound.
  'frag.mp4': { options: ['-movflags', 'frag_keyframe+empty_moov'], samples: length + 1024 },
  'edited.mp4': { options: ['-movflags', 'frag_keyframe+delay_moov'] },
  mov: { options: ['-c:a', 'pcm_s16le'] },
  mka: { options: ['-c:a', 'flac'] },
  webm: { options: ['-c:a', 'libopus'], samples: 3 * length },
  tta: {},
  wv: {},
  avi: { options: ['-c:a', 'pcm_s16le'] },
  flv: { options: ['-c:a', 'libmp3lame', '-ar', '44100'], samples: null },
  aac: { samples: null },
  ts: { options: ['-c:a', 'aac'], samples: null },
  flac: {},
  'flac.oga': { options: ['-c:a', 'flac'] },
  ogg: { options: ['-c:a', 'libvorbis'] },
  opus: { samples: 3 * length },
  mp3: {},
};

const nist = () => {
  const fields = `NIST_1A\n   1024\nsample_count -i ${length}\nsample_n_bytes -i 2\nchannel_count -i 1\nsample_byte_format -s2 01\nsample_rate -i ${sampleRate}\nsample_coding -s3 pcm\nend_head\n`;
  return Buffer.concat([Buffer.from(fields.padEnd(1024)), readFileSync(source).subarray(44)]);
};

test('Doubled, cut off anywhere, or with something behind it, a file gives the samples that it says it has, or a sentence.', {
  skip,
}, async () => {
  const random = createRandom('every byte');
  const samples = Float32Array.from({ length }, (_, n) => 0.2 * Math.sin(0.1 * n) + 0.02 * random.normal());
  writeFileSync(source, encodeWav({ samples, sampleRate }, { format: 's16' }));
  const path = (ending: string) => join(folder, `whole.${ending}`);
  const outputs = Object.entries(kinds).flatMap(([ending, { options = [] }]) => [
    '-map',
    '0:a',
    ...options,
    path(ending),
  ]);
  execFileSync('ffmpeg', ['-v', 'error', '-i', source, ...outputs]);
  writeFileSync(path('sph'), nist());

  const decoders = [wav, aiff, sphere, flac, mp3, oggVorbis, oggOpus, ffmpeg];
  const heard = async (...parts: readonly Uint8Array[]) => {
    const sentences: string[] = [];
    const sounds = createSoundFiles({ decoders, fileHash: createFileHasher(), warn: (text) => sentences.push(text) });
    const file = join(folder, 'file');
    writeFileSync(file, Buffer.concat(parts));
    const clip = await sounds.read(file).catch((thrown: Error) => {
      sentences.push(thrown.message);
      return null;
    });
    return { count: clip?.samples.length ?? null, said: sentences.join() };
  };

  for (const ending of [...Object.keys(kinds), 'sph']) {
    const bytes = readFileSync(path(ending));
    const whole = await heard(bytes);
    assert.equal(whole.said, '', ending);
    const expected = kinds[ending]?.samples === undefined ? length : kinds[ending].samples;
    if (expected !== null) assert.equal(whole.count, expected, ending);
    const joined = await heard(bytes, bytes);
    assert.ok(joined.count === null || joined.count === 2 * whole.count!, `${ending} twice: ${joined.count}`);
    for (const [name, behind] of [
      ['letters', Buffer.alloc(6000, 'xyz1')],
      ['noise', Buffer.from(Uint8Array.from({ length: 6001 }, () => 1 + random.integer(255)))],
      ['another file', readFileSync(path(ending === 'flac' ? 'au' : 'flac'))],
    ] as const) {
      assert.equal((await heard(bytes, behind)).count, null, `${ending}, then ${name}`);
    }
    // Zeros and tags are no sound.
    const filled = await heard(bytes, Buffer.alloc(5000));
    assert.ok(filled.count === null || filled.count === whole.count, `${ending}, then zeros: ${filled.count}`);
    for (const less of [40, 700, Math.floor(bytes.length / 2), 1 + random.integer(bytes.length - 300)]) {
      const cut = await heard(bytes.subarray(0, -less));
      assert.ok(cut.said !== '' || cut.count === whole.count, `${ending} without its last ${less} bytes: ${cut.count}`);
    }
  }
});

test('A stream of Ogg without its first page of sound or the mark of its last, and an MP3 file without its last bytes, are told of.', {
  skip,
}, async () => {
  const made = ['ogg', 'opus', 'oga', 'spx'].map((ending) => join(folder, `pages.${ending}`));
  const outputs = made.flatMap((path) => [
    '-map',
    '0:a',
    ...(path.endsWith('oga') ? ['-c:a', 'flac'] : []),
    '-page_duration',
    '100000',
    path,
  ]);
  execFileSync('ffmpeg', ['-v', 'error', '-i', source, ...outputs]);
  const warnings: string[] = [];
  const decoders = [flac, mp3, oggVorbis, oggOpus, ffmpeg];
  const sounds = () =>
    createSoundFiles({ decoders, fileHash: createFileHasher(), warn: (text) => warnings.push(text) });
  for (const path of made) {
    const bytes = readFileSync(path);
    await sounds().read(path);
    assert.deepEqual(warnings, [], path);
    const pages = [...oggPages(bytes, Error)];
    const sound = pages.findIndex(({ granule }) => granule !== null && granule > 0);
    assert.ok(sound + 2 < pages.length, path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, pages[sound]!.start), bytes.subarray(pages[sound]!.end)]));
    await sounds().read(path);
    const late = `its sound begins later, with the page at byte ${grouped(pages[sound]!.start)}:`;
    assert.ok(warnings.splice(0).join().includes(late), path);
    writeFileSync(path, bytes.subarray(0, bytes.lastIndexOf('OggS')));
    const shorter = await sounds()
      .read(path)
      .then(
        ({ samples }) => samples.length > 0,
        ({ message }: Error) => message,
      );
    assert.equal(shorter, true, path);
    assert.match(warnings.splice(0).join(), /ends without the mark of its last page: it is cut off/, path);
  }
  const tagless = join(folder, 'tagless.mp3');
  execFileSync('ffmpeg', ['-v', 'error', '-i', source, '-write_xing', '0', tagless]);
  await sounds().read(tagless);
  assert.deepEqual(warnings, []);
  writeFileSync(tagless, readFileSync(tagless).subarray(0, -1));
  await sounds().read(tagless);
  assert.match(warnings.join(), /tagless\.mp3 ends within its last frame, which is not heard/);
});

test('FLAC streams one behind the other have an identity of their own: an answer to the first alone is not taken for theirs.', {
  skip,
}, async () => {
  const path = join(folder, 'one.flac');
  execFileSync('ffmpeg', ['-v', 'error', '-i', source, path]);
  const bytes = readFileSync(path);
  const sounds = createSoundFiles({ decoders: [flac], fileHash: createFileHasher() });
  const { file, ...one } = await sounds.identity(path, { channel: 'mean' });
  assert.deepEqual(one, { decoder: 'flac', version: '1' });
  assert.match(`${file}`, /^[0-9a-f]{64}$/);
  writeFileSync(path, Buffer.concat([bytes, bytes]));
  assert.equal((await sounds.identity(path, { channel: 'mean' })).second, bytes.length);
});

test('A page of HTML and a pointer of Git LFS are called what they are.', async () => {
  const sounds = createSoundFiles({ decoders: [wav], fileHash: createFileHasher() });
  for (const [content, told] of [
    ['<!DOCTYPE html><html>404</html>', /but it is a page of HTML, as servers answer instead of a file/],
    [
      'version https://git-lfs.github.com/spec/v1\noid sha256:1\n',
      /but it is a pointer of Git LFS; fetch the file itself/,
    ],
    ['hello', /but its content is none of these/],
  ] as const) {
    const path = join(folder, 'no-sound.wav');
    writeFileSync(path, content);
    await assert.rejects(sounds.read(path), { message: told });
  }
});
