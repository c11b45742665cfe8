// How many samples come out of a file: as many as its container says, and as ffmpeg counts.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { encodeWav } from '../audio/encode-wav.ts';
import { createRandom } from '../base/random.ts';
import { aiff } from './aiff/aiff.ts';
import { ffmpeg } from './ffmpeg/ffmpeg.ts';
import { flac } from './flac/flac.ts';
import { mp3 } from './mp3/mp3.ts';
import { oggOpus } from './ogg-opus/ogg-opus.ts';
import { oggVorbis } from './ogg-vorbis/ogg-vorbis.ts';
import { oggChecksum, oggPages } from './shared/ogg.ts';
import { soundsBy } from './testing/sounds-by.ts';
import { wav } from './wav/wav.ts';

const needsFfmpeg = {
  skip: spawnSync('ffmpeg', ['-version']).status !== 0 && 'the program ffmpeg is not installed',
};
const folder = mkdtempSync(join(tmpdir(), 'earwitness-test-'));
after(() => rmSync(folder, { recursive: true }));
const { sounds } = soundsBy(wav, aiff, flac, mp3, oggVorbis, oggOpus);

const kinds = [
  { ending: 'u8.wav', options: ['-c:a', 'pcm_u8'] },
  { ending: 's24.wav', options: ['-c:a', 'pcm_s24le'] },
  { ending: 'f32.wav', options: ['-c:a', 'pcm_f32le'] },
  { ending: 'ulaw.wav', options: ['-c:a', 'pcm_mulaw'] },
  { ending: 'aiff', options: [] },
  { ending: 'flac', options: [] },
  { ending: 'flac.ogg', options: ['-c:a', 'flac'] },
  { ending: 'vorbis.ogg', options: ['-c:a', 'libvorbis'] },
  { ending: 'mp3', options: ['-c:a', 'libmp3lame'] },
  ...['2.5', '20', '60'].map((length) => ({
    ending: `${length}.opus`,
    options: ['-c:a', 'libopus', '-frame_duration', length],
  })),
];

/** What ffmpeg makes of several files at once: a process for each would take minutes. */
function runFfmpeg(inputs: readonly string[], outputs: readonly (readonly string[])[]): void {
  const parts = outputs.map((options, place) => ['-map', `${place}:a`, ...options]);
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...inputs.flatMap((path) => ['-i', path]), ...parts.flat()]);
}

const count = process.env.EARWITNESS_SLOW_TESTS ? 500 : 48;

const counting = `import json, soundfile, sys
def seconds(path):
    try:
        samples, rate = soundfile.read(path)
        return len(samples) / rate
    except soundfile.LibsndfileError:
        return None
print(json.dumps([seconds(path) for path in sys.argv[1:]]))`;

/** How long what libsndfile reads is, where a Python with soundfile is installed; null for what it cannot read. */
function secondsByLibsndfile(paths: readonly string[]): readonly (number | null)[] {
  const { status, stdout } = spawnSync('python3', ['-c', counting, ...paths], { encoding: 'utf8' });
  return status === 0 ? JSON.parse(stdout) : paths.map(() => null);
}

test(
  `Of ${count} files made by ffmpeg as many samples come as it put in, or as it takes out of them.`,
  needsFfmpeg,
  async () => {
    const random = createRandom('lengths of files');
    const together = 24;
    for (let first = 0; first < count; first += together) {
      const files = Array.from({ length: Math.min(together, count - first) }, (_, place) => {
        const { ending, options } = kinds[(first + place) % kinds.length]!;
        const sampleRate = [8000, 16_000, 22_050, 44_100, 48_000][random.integer(5)]!;
        // Half of them shorter than a second.
        const length = 1 + random.integer(random.next() < 0.5 ? sampleRate : 3 * sampleRate);
        const samples = Float32Array.from({ length }, () => 0.1 * random.normal());
        const [source, path, raw] = ['source.wav', ending, 'raw'].map((end) => join(folder, `${first + place}.${end}`));
        writeFileSync(source!, encodeWav({ samples, sampleRate }, { format: 's16' }));
        return { source: source!, path: path!, raw: raw!, options, sampleRate, length, ending };
      });
      runFfmpeg(
        files.map(({ source }) => source),
        files.map(({ path, options }) => [...options, path]),
      );
      runFfmpeg(
        files.map(({ path }) => path),
        files.map(({ raw }) => ['-f', 'f32le', raw]),
      );
      const others = secondsByLibsndfile(files.map(({ path }) => path));
      for (const [place, { path, raw, sampleRate, length, ending }] of files.entries()) {
        const clip = await sounds.read(path);
        const told = `${ending}, ${length} samples at ${sampleRate} Hz`;
        // ffmpeg goes on behind the end of a Vorbis stream that is shorter than its blocks.
        if (!ending.startsWith('vorbis')) assert.equal(clip.samples.length, statSync(raw).size / 4, told);
        // It decodes Opus at the rate that was encoded, one sample of which are up to six of 48 kHz.
        const theirs = clip.sampleRate * (others[place] ?? Number.NaN);
        if (others[place] !== null)
          assert.ok(Math.abs(clip.samples.length - theirs) < 6, `${told}, libsndfile ${theirs}`);
        // The tag of an MP3 file tells the delay of one decoder, and rates of Opus are its own.
        if (!/mp3|opus/.test(ending)) assert.equal(clip.samples.length, length, told);
        else if (clip.sampleRate === sampleRate) assert.ok(Math.abs(clip.samples.length - length) < 1152, told);
      }
    }
  },
);

/** A WAV file of so many samples at 8 kHz, which rise from `from`. */
function ramp(length: number, from = 0): Uint8Array {
  const samples = Float32Array.from({ length }, (_, n) => ((from + n) % 30_000) / 32_768);
  return encodeWav({ samples, sampleRate: 8000 }, { format: 's16' });
}

const chunk = (id: string, bytes: Uint8Array | number[]) => {
  const head = Buffer.alloc(8);
  head.write(id, 'latin1');
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, Uint8Array.from(bytes), Buffer.alloc(bytes.length % 2)]);
};

/** A WAV file of `ramp` as a stream has it: how long it is the header leaves open. */
function openEnded(file: Uint8Array, size = 0xffffffff): Buffer {
  const bytes = Buffer.from(file);
  bytes.writeUInt32LE(size, 4);
  bytes.writeUInt32LE(size, 40);
  return bytes;
}

/** An ID3v2.4 tag with so many bytes in it. */
function id3(bytes: number): Buffer {
  const size = [21, 14, 7, 0].map((shift) => (bytes >> shift) & 127);
  return Buffer.concat([Buffer.from('ID3\x04\x00\x00', 'latin1'), Buffer.from(size), Buffer.alloc(bytes, 7)]);
}

const written = (name: string, ...parts: readonly Uint8Array[]) => {
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat(parts));
  return path;
};

const inSteps = (samples: Float32Array) => [...samples].map((sample) => Math.round(sample * 32_768));

test('What stands behind the samples of a WAV file is read, passed over, or told; never left out in silence.', async () => {
  const more = [
    { name: 'a second file', behind: ramp(400, 1000), frames: 1400 },
    { name: 'three files', behind: Buffer.concat([ramp(400, 1000), ramp(1, 1400), ramp(99, 1401)]), frames: 1500 },
    { name: 'a second chunk of samples', behind: chunk('data', ramp(400, 1000).subarray(44)), frames: 1400 },
    {
      name: 'words about it, then samples',
      behind: Buffer.concat([chunk('LIST', [1, 2, 3]), ramp(4, 1000)]),
      frames: 1004,
    },
    { name: 'a chunk nobody knows', behind: chunk('xyz1', [1, 2, 3]), frames: 1000 },
    { name: 'words that are cut off', behind: chunk('LIST', Buffer.alloc(500)).subarray(0, 100), frames: 1000 },
    { name: 'an ID3v1 tag', behind: Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 65)]), frames: 1000 },
    { name: 'zeros', behind: Buffer.alloc(5000), frames: 1000 },
    { name: 'seven bytes', behind: Buffer.alloc(7, 9), frames: 1000 },
    { name: 'a stream', behind: openEnded(ramp(400, 1000)), frames: 1400 },
    { name: 'streams', behind: Buffer.concat([1000, 1200].map((at) => openEnded(ramp(200, at)))), frames: 1400 },
  ];
  for (const { name, behind, frames } of more) {
    const path = written('behind.wav', ramp(1000), behind);
    const { samples } = await sounds.read(path);
    assert.deepEqual(
      inSteps(samples),
      Array.from({ length: frames }, (_, n) => n),
      name,
    );
    assert.equal(await sounds.durationSeconds(path), frames / 8000, name);
  }
  // Servers that cannot go back leave lengths open, in each header.
  for (const size of [0xffffffff, 0x7fffffff, 0]) {
    const pieces = [0, 700, 1400].map((at) => openEnded(ramp(700, at), size));
    const { samples } = await sounds.read(written('streams.wav', ...pieces));
    assert.deepEqual(
      inSteps(samples),
      Array.from({ length: 2100 }, (_, n) => n),
      `${size}`,
    );
  }
  // A stretch may lie across the border.
  const joined = written('joined.wav', ramp(1000), ramp(400, 1000));
  const across = await sounds.read(joined, { startSeconds: 990 / 8000, endSeconds: 1010 / 8000 });
  assert.deepEqual(
    inSteps(across.samples),
    Array.from({ length: 20 }, (_, n) => 990 + n),
  );

  const said = async (name: string, ...parts: readonly Uint8Array[]) =>
    sounds.read(written(name, ...parts)).then(
      () => assert.fail('expected a refusal'),
      ({ message }: Error) => message,
    );
  assert.match(
    await said('short.wav', ramp(1000), Buffer.alloc(2000, 0x81)),
    /with the 0\.13 s of audio that its header counts, at byte 2,044, but 2,000 more bytes follow \(0\.13 s if they are samples\); make a file with them/,
  );
  const faster = encodeWav({ samples: new Float32Array(10), sampleRate: 16_000 }, { format: 's16' });
  assert.match(
    await said('two-rates.wav', ramp(1000), faster),
    /another one of a different format begins at byte 2,044; make a file of each/,
  );
});

test('Where a header leaves the length open, what reaches exactly to the end as chunks or a tag is not heard, and all else is.', async () => {
  const words = chunk('LIST', [...Buffer.from('INFOISFT\x06\0\0\0Lavf60')]);
  const odd = chunk('id3 ', [...id3(11)]);
  const tag = Buffer.concat([Buffer.from('TAGA title'), Buffer.alloc(118)]);
  const behind: Readonly<Record<string, Buffer>> = {
    nothing: Buffer.alloc(0),
    'a list': words,
    'a list and a tag of odd length': Buffer.concat([words, odd]),
    'a tag without padding': odd.subarray(0, -1),
    'a tag without padding, then a list': Buffer.concat([odd.subarray(0, -1), words]),
    ID3v1: tag,
    'all of them': Buffer.concat([words, odd, words, tag]),
  };
  const looksLike = {
    'a list that ends before the file does': Buffer.concat([words, Buffer.alloc(20, 9)]),
    'a list that ends behind it': words.subarray(0, -2),
    'a list, then no chunk': Buffer.concat([words, Buffer.from([1, 2, 3, 4, 0, 0, 0, 0])]),
    'TAG, then no text': Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 9)]),
    'TAG, too early': Buffer.concat([tag, Buffer.alloc(2, 9)]),
    'the name of a chunk nobody knows': chunk('xyz1', [1, 2]),
  };
  for (const size of [0xffffffff, 0x7fffffff, 0]) {
    for (const [name, bytes] of Object.entries(behind)) {
      const path = written('open.wav', openEnded(ramp(1000), size), bytes);
      const { samples } = await sounds.read(path);
      assert.deepEqual(
        inSteps(samples),
        Array.from({ length: 1000 }, (_, n) => n),
        `${size} ${name}`,
      );
      assert.equal(await sounds.durationSeconds(path), 0.125, name);
      const pieces = Buffer.concat([openEnded(ramp(500), size), words, openEnded(ramp(500, 500), size), bytes]);
      assert.deepEqual(inSteps((await sounds.read(written('pieces.wav', pieces))).samples), inSteps(samples), name);
    }
    for (const [name, bytes] of Object.entries(looksLike)) {
      const { samples } = await sounds.read(written('like.wav', openEnded(ramp(1000), size), bytes));
      assert.equal(samples.length, 1000 + Math.floor(bytes.length / 2), `${size} ${name}`);
    }
  }
});

test('What ffmpeg writes to a pipe is read whole: it cannot go back to write lengths.', needsFfmpeg, async () => {
  const { sounds: all } = soundsBy(wav, aiff, flac);
  const source = written('to-pipe.wav', ramp(1000));
  for (const form of [['wav'], ['wav', '-rf64', 'always'], ['aiff'], ['flac']]) {
    const options = ['-v', 'error', '-i', source, '-f', ...form, '-'];
    const path = written(`piped.${form[0]}`, execFileSync('ffmpeg', options));
    const { samples } = await all.read(path);
    assert.deepEqual(inSteps(samples), inSteps((await all.read(source)).samples), form.join(' '));
    assert.equal(await all.durationSeconds(path), 0.125, form.join(' '));
  }
});

test('A tag in front of a file is passed over, however long.', needsFfmpeg, async () => {
  const source = written('plain.wav', ramp(1000));
  const made = ['flac', 'flac.ogg'].map((ending) => join(folder, `plain.${ending}`));
  runFfmpeg([source, source], [[made[0]!], ['-c:a', 'flac', made[1]!]]);
  for (const path of [source, ...made]) {
    for (const tags of [[id3(5)], [id3(70_000)], [id3(300), id3(9)]]) {
      const tagged = written('tagged', ...tags, readFileSync(path));
      assert.deepEqual(
        inSteps((await sounds.read(tagged)).samples),
        Array.from({ length: 1000 }, (_, n) => n),
        path,
      );
      assert.equal(await sounds.durationSeconds(tagged), 1000 / 8000);
      const stretch = { startSeconds: 0.1, endSeconds: 0.11 };
      assert.deepEqual((await sounds.read(tagged, stretch)).samples, (await sounds.read(path, stretch)).samples);
    }
  }
});

test(
  'Streams that stand one behind the other are read whole, each with the samples that it says it has.',
  needsFfmpeg,
  async () => {
    const kindsOfChains = [
      ['mp3', ['-c:a', 'libmp3lame']],
      ['flac', []],
      ['flac.ogg', ['-c:a', 'flac']],
      ['ogg', ['-c:a', 'libvorbis']],
      ['opus', ['-c:a', 'libopus']],
    ] as const;
    const lengths = [16_000, 9000, 333];
    const sources = lengths.map((length) => {
      const samples = Float32Array.from({ length }, (_, n) => 0.5 * Math.sin(0.1 * n));
      return written(`${length}.wav`, encodeWav({ samples, sampleRate: 48_000 }, { format: 's16' }));
    });
    for (const [ending, options] of kindsOfChains) {
      const paths = lengths.map((length) => join(folder, `${length}.link.${ending}`));
      runFfmpeg(
        sources,
        paths.map((path) => [...options, path]),
      );
      const links = await Promise.all(paths.map((path) => sounds.read(path)));
      for (const order of [[0], [0, 1], [1, 0, 1], [2, 2], [1, 2, 0, 2, 1]]) {
        const chain = written(`chain.${ending}`, ...order.map((place) => readFileSync(paths[place]!)));
        const { samples } = await sounds.read(chain);
        assert.equal(
          samples.length,
          order.reduce((sum, place) => sum + lengths[place]!, 0),
          `${ending} ${order}`,
        );
        assert.deepEqual(
          [...samples],
          order.flatMap((place) => [...links[place]!.samples]),
          `${ending} ${order}`,
        );
      }
    }
  },
);

test(
  'Of Ogg a page that is missing is told, but where somebody joined a running stream; the gain in the header of Opus is applied.',
  needsFfmpeg,
  async () => {
    const samples = Float32Array.from({ length: 48_000 * 4 }, (_, n) => 0.5 * Math.sin(0.1 * n));
    const source = written('pages.wav', encodeWav({ samples, sampleRate: 48_000 }, { format: 's16' }));
    const [opus, vorbis, native] = ['pages.opus', 'pages.ogg', 'pages.oga'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const pages = ['-page_duration', '200000'];
    runFfmpeg(
      [source, source, source],
      [
        [...pages, opus],
        ['-c:a', 'libvorbis', ...pages, vorbis],
        ['-c:a', 'flac', '-f', 'ogg', ...pages, native],
      ],
    );
    for (const path of [opus, vorbis, native]) {
      const bytes = readFileSync(path);
      const all = [...oggPages(bytes, Error)];
      assert.ok(all.length > 12, path);
      const without = (from: number, to: number) =>
        written('hole', bytes.subarray(0, all[from]!.start), bytes.subarray(all[to]!.start));
      await assert.rejects(sounds.read(without(6, 9)), /pages are missing before its page 7/, path);
    }
    const bytes = readFileSync(opus);
    const all = [...oggPages(bytes, Error)];
    const [end, start, later] = [all[0]!.end, all[2]!.start, all[6]!.start];
    const joined = await sounds.read(written('running.opus', bytes.subarray(0, start), bytes.subarray(later)));
    assert.ok(joined.samples.length > 48_000 * 2);

    const quieter = Buffer.from(bytes);
    quieter.writeInt16LE(-20 * 256, bytes.indexOf('OpusHead') + 16);
    quieter.writeUInt32LE(0, 22);
    quieter.writeUInt32LE(oggChecksum(quieter, 0, end), 22);
    const [plain, gained] = [await sounds.read(opus), await sounds.read(written('quieter.opus', quieter))];
    assert.equal(gained.samples.length, plain.samples.length);
    assert.ok(gained.samples.every((sample, n) => Math.abs(sample - plain.samples[n]! / 10) < 1e-6));
  },
);

test(
  'What is behind the sound of a compressed file is its next stream, a tag, nothing, or told.',
  needsFfmpeg,
  async () => {
    const source = written('behind.wav', ramp(8000));
    const slower = written(
      'slower.wav',
      encodeWav({ samples: new Float32Array(8000), sampleRate: 16_000 }, { format: 's16' }),
    );
    const endings = ['mp3', 'flac', 'opus', 'ogg'];
    const pathOf = (name: string, ending: string) => join(folder, `${name}.behind.${ending}`);
    for (const [name, from] of [
      ['own', source],
      ['other', slower],
    ] as const)
      runFfmpeg(
        endings.map(() => from),
        endings.map((ending) => [pathOf(name, ending)]),
      );
    const [own, other] = ['own', 'other'].map((name) =>
      Object.fromEntries(endings.map((ending) => [ending, readFileSync(pathOf(name, ending))])),
    ) as Record<string, Buffer>[];
    const damaged = Buffer.from(own!.flac!);
    damaged[damaged.length - 1]! ^= 1;
    const ape = Buffer.concat([Buffer.from('APETAGEX'), Buffer.alloc(24)]);
    for (const [ending, bytes] of Object.entries(own!)) {
      const { samples } = await sounds.read(written(`alone.${ending}`, bytes));
      for (const behind of [Buffer.alloc(5000), Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 65)]), ape])
        assert.deepEqual((await sounds.read(written(`tag.${ending}`, bytes, behind))).samples, samples, ending);
    }
    for (const [first, behind, told] of [
      ['flac', Buffer.alloc(400, 'junk'), /at byte [\d,]+, but 400 more bytes follow that are neither audio nor a tag/],
      [
        'flac',
        damaged,
        /FLAC file, but it cannot be read \(the checksum of a frame does not agree, after 1\.\d\d s\);/,
      ],
      ['flac', readFileSync(source), /16,044 more bytes follow/],
      ['opus', Buffer.alloc(400, 'junk'), /400 more bytes follow/],
      ['mp3', other!.mp3!, /several files are joined in it: [^;]* the sample rate changes from 8000 to 16000 Hz/],
      ['flac', other!.flac!, /the sample rate changes from 8000 to 16000 Hz; make a file of each/],
      ['ogg', other!.ogg!, /the sample rate changes/],
      ['opus', own!.ogg!, /the codec changes/],
      ['ogg', own!.opus!, /the codec changes/],
    ] as const)
      await assert.rejects(
        sounds.read(written(`more.${first}`, own![first]!, behind)),
        { message: told },
        `${first} ${told}`,
      );
  },
);

test(
  'Files that ffmpeg alone can read are as long as they say, also behind a tag, and where a pipe is not enough.',
  needsFfmpeg,
  async () => {
    const { sounds: all } = soundsBy(wav, aiff, flac, mp3, oggVorbis, oggOpus, ffmpeg);
    const source = written('by-ffmpeg.wav', ramp(8000));
    const made = [
      ['caf', []],
      ['wv', []],
      ['tta', []],
      ['ms.wav', ['-c:a', 'adpcm_ms']],
      ['ima.wav', ['-c:a', 'adpcm_ima_wav']],
      ['mov', ['-c:a', 'pcm_s16le']],
    ] as const;
    const paths = made.map(([ending]) => join(folder, `by-ffmpeg.${ending}`));
    runFfmpeg(
      made.map(() => source),
      made.map(([, options], place) => [...options, paths[place]!]),
    );
    for (const path of paths) {
      const bytes = readFileSync(path);
      // This encoder counts what fills its last block; the chunk says how many of that are samples.
      if (bytes.includes('fact')) bytes.writeUInt32LE(8000, bytes.indexOf('fact') + 8);
      writeFileSync(path, bytes);
      assert.equal((await all.read(path)).samples.length, 8000, path);
      if (/wv|tta/.test(path))
        assert.equal((await all.read(written('tagged', id3(40), readFileSync(path)))).samples.length, 8000, path);
    }
    const adts = join(folder, 'plain.aac');
    runFfmpeg([source], [[adts]]);
    const { samples } = await all.read(adts);
    assert.ok(samples.length >= 8000);
    assert.deepEqual((await all.read(written('tagged', id3(40), readFileSync(adts)))).samples, samples);
  },
);

test(
  'AAC files that stand one behind the other are read whole, with tags between them, or told; of joined MP4 that is told, too.',
  needsFfmpeg,
  async () => {
    const { sounds: all } = soundsBy(wav, mp3, ffmpeg);
    const sources = [
      { name: 'one', seconds: 1, sampleRate: 16_000, channels: 1 },
      { name: 'other', seconds: 0.5, sampleRate: 16_000, channels: 1 },
      { name: 'faster', seconds: 1, sampleRate: 44_100, channels: 1 },
      { name: 'two', seconds: 1, sampleRate: 16_000, channels: 2 },
    ];
    const made = (name: string, ending: string) => join(folder, `adts-${name}.${ending}`);
    const plain = sources.map(({ name, seconds, sampleRate }) => {
      const samples = Float32Array.from({ length: seconds * sampleRate }, (_, n) => 0.3 * Math.sin(0.1 * n));
      return written(`adts-${name}.wav`, encodeWav({ samples, sampleRate }, { format: 's16' }));
    });
    for (const ending of ['aac', 'm4a']) {
      const options = sources.map(({ name, channels }) => ['-ac', `${channels}`, made(name, ending)]);
      runFfmpeg(plain, options);
    }
    const bytesOf = (name: string, ending = 'aac') => readFileSync(made(name, ending));
    const lengthOf = async (...parts: Uint8Array[]) => (await all.read(written('adts', ...parts))).samples.length;
    const [one, other] = [bytesOf('one'), bytesOf('other')];
    const sum = (await lengthOf(one)) + (await lengthOf(other));
    for (const parts of [
      [one, other],
      [other, one],
      [id3(30), one, id3(70_000), other],
      [one, id3(9), id3(9), other, id3(20)],
    ]) {
      assert.equal(await lengthOf(...parts), sum);
    }
    for (const behind of [Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 65)]), Buffer.alloc(500)]) {
      assert.equal(await lengthOf(one, behind), await lengthOf(one));
    }
    for (const [behind, told] of [
      [
        bytesOf('faster'),
        /several files are joined in it: at byte \d,\d+ the sample rate changes from 16000 to 44100 Hz; make a file of each/,
      ],
      [bytesOf('two'), /several files are joined in it: at byte [\d,]+ the number of channels changes from 1 to 2;/],
      [Buffer.alloc(240, 'junk'), /240 more bytes follow that are neither audio nor a tag/],
      [readFileSync(plain[0]!), /32,044 more bytes follow/],
    ] as const) {
      await assert.rejects(lengthOf(one, behind), { message: told });
    }
    const m4a = bytesOf('one', 'm4a');
    assert.ok((await lengthOf(m4a)) >= 16_000);
    await assert.rejects(lengthOf(m4a, bytesOf('other', 'm4a')), /another begins at byte \d,\d+; make a file of each/);
  },
);
