import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { encodeWav } from '../audio/encode-wav.ts';
import { createFileHasher } from './contract.ts';
import { ffmpeg } from './ffmpeg/ffmpeg.ts';
import { flac } from './flac/flac.ts';
import { oggOpus } from './ogg-opus/ogg-opus.ts';
import { oggVorbis } from './ogg-vorbis/ogg-vorbis.ts';
import { createSoundFiles } from './sound-files.ts';
import { wav } from './wav/wav.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-tracks-'));
after(() => rmSync(folder, { recursive: true }));
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

const containers: readonly [ending: string, ...options: string[]][] = [
  ['m4a'],
  ['mov'],
  ['mkv', '-metadata', 'title=[error] a\n[error] b'],
  ['ts', '-c:a', 'aac'],
  ['webm', '-c:a', 'libopus'],
  ['opus', '-c:a', 'libopus'],
  ['ogg', '-c:a', 'libvorbis'],
  ['oga', '-c:a', 'flac', '-f', 'ogg'],
];

test('Of a file with several tracks of audio the first is read, and a warning says so once.', {
  skip: !hasFfmpeg,
}, async () => {
  const sources = [0.05, 0.3, 0.6].map((step, place) => {
    const samples = Float32Array.from({ length: 16_000 * (3 - place) }, (_, n) => 0.3 * Math.sin(step * n));
    const path = join(folder, `${place}.wav`);
    writeFileSync(path, encodeWav({ samples, sampleRate: 16_000 }, { format: 's16' }));
    return path;
  });
  const [first, ...others] = sources as [string, ...string[]];
  for (const [ending, ...options] of containers) {
    const made = (name: string, ...paths: string[]) => {
      const path = join(folder, `${name}.${ending}`);
      const maps = paths.flatMap((_, place) => ['-map', `${place}:a`]);
      execFileSync('ffmpeg', [
        '-v',
        'error',
        '-y',
        ...paths.flatMap((source) => ['-i', source]),
        ...maps,
        ...options,
        path,
      ]);
      return path;
    };
    const warnings: string[] = [];
    const decoders = [wav, flac, oggVorbis, oggOpus, ffmpeg];
    const sounds = createSoundFiles({ decoders, fileHash: createFileHasher(), warn: (text) => warnings.push(text) });
    const alone = await sounds.read(made('alone', first));
    assert.deepEqual(warnings, [], ending);
    const tracks = made('tracks', first, ...others);
    const { samples } = await sounds.read(tracks);
    assert.equal(samples.length, alone.samples.length, ending);
    assert.ok(
      samples.every((sample, n) => Math.abs(sample - alone.samples[n]!) < 0.02),
      ending,
    );
    await sounds.read(tracks, { startSeconds: 0.5, endSeconds: 1 });
    assert.equal(warnings.length, 1, ending);
    assert.match(warnings[0]!, new RegExp(`tracks\\.${ending} has 3 tracks of audio, of which the first is read;`));
  }
});

test('ffmpeg is started once for a file, also where it says how many tracks there are.', {
  skip: !hasFfmpeg,
}, async () => {
  const [source, file] = [join(folder, 'once.wav'), join(folder, 'once.m4a')];
  writeFileSync(source, encodeWav({ samples: new Float32Array(8000).fill(0.1), sampleRate: 8000 }, { format: 's16' }));
  execFileSync('ffmpeg', ['-v', 'error', '-i', source, '-i', source, '-map', '0:a', '-map', '1:a', file]);
  const program = execFileSync('which', ['ffmpeg'], { encoding: 'utf8' }).trim();
  const log = join(folder, 'started');
  const places = process.env.PATH;
  writeFileSync(join(folder, 'ffmpeg'), `#!/bin/sh\necho "$*" >> ${log}\nexec ${program} "$@"\n`, { mode: 0o755 });
  process.env.PATH = `${folder}:${places}`;
  try {
    const warnings: string[] = [];
    await ffmpeg.decode(readFileSync(file), 'once.m4a', undefined, (text) => warnings.push(text));
    assert.match(warnings.join(), /once\.m4a has 2 tracks of audio/);
    assert.equal(readFileSync(log, 'utf8').trim().split('\n').length, 1);
  } finally {
    process.env.PATH = places;
  }
});
