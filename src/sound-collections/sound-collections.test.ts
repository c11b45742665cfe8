// Every layout, as the data sets unpack; the files need not be sounds, since listing decodes nothing.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { JsonObject } from '../base/json.ts';
import type { FactRow, SoundCollectionKind, SoundCollectionServices } from './contract.ts';
import { esc50 } from './esc-50/esc-50.ts';
import { folder } from './folder/folder.ts';
import { msSnsd } from './ms-snsd/ms-snsd.ts';
import { musan } from './musan/musan.ts';
import { noisex92 } from './noisex-92/noisex-92.ts';
import { slr28 } from './slr28/slr28.ts';
import { wham } from './wham/wham.ts';

const root = mkdtempSync(join(tmpdir(), 'earwitness-sounds-'));
after(() => rmSync(root, { recursive: true }));

function unpack(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const services: SoundCollectionServices = {
  baseFolder: root,
  async *rows(file, shownName) {
    const { readFileSync } = await import('node:fs');
    const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
    const names = header.split('\t');
    for (const [index, line] of lines.entries()) {
      const fields = line.split('\t');
      const row: FactRow = {
        names,
        text: (name) => fields[names.indexOf(name)],
        place: () => `${shownName}:${index + 2}:1`,
      };
      yield row;
    }
  },
};

async function list(kind: SoundCollectionKind, options: unknown): Promise<Record<string, JsonObject>> {
  const sounds = await kind.list(kind.options.parse(options), services);
  for (const { file } of sounds) assert.ok(file.startsWith(root));
  return Object.fromEntries(sounds.map(({ name, facts }) => [name, facts]));
}

test('ESC-50: category, fold and licence follow from the names; its folder, or the one it lies in, may be given.', async () => {
  unpack({
    'esc/ESC-50-master/audio/1-100032-A-0.wav': 'a',
    'esc/ESC-50-master/audio/2-100648-A-43.wav': 'b',
    'esc/ESC-50-master/meta/esc50.csv': 'filename,fold\n',
  });
  // data/acoustics/manifest.tsv says dog barking and car horn of these two, and the same licences.
  const expected = {
    '1-100032-A-0.wav': { category: 'dog', target: 0, fold: 1, freesoundId: 100032, esc10: true, licence: 'CC BY 3.0' },
    '2-100648-A-43.wav': {
      category: 'car_horn',
      target: 43,
      fold: 2,
      freesoundId: 100648,
      esc10: false,
      licence: 'CC BY-NC 3.0',
    },
  };
  for (const given of ['esc', 'esc/ESC-50-master', 'esc/ESC-50-master/audio']) {
    assert.deepEqual(await list(esc50, { folder: given }), expected);
  }
});

test('MUSAN, MS-SNSD and WHAM!: a part each, with its licence.', async () => {
  unpack({
    'musan/noise/free-sound/noise-free-sound-0000.wav': 'a',
    'musan/noise/free-sound/LICENSE': 'text',
    'musan/speech/librivox/speech-librivox-0000.wav': 'b',
    'MS-SNSD/noise_test/AirConditioner_1.wav': 'c',
    'MS-SNSD/noise_train/Babble_10.wav': 'd',
    'wham_noise/tt/01aa010b_0.97482_209a010p_-0.97482.wav': 'e',
  });
  const name = 'free-sound/noise-free-sound-0000.wav';
  assert.deepEqual(await list(musan, { folder: 'musan', part: 'noise' }), {
    [name]: { part: 'noise', source: 'free-sound', licence: 'CC BY 4.0' },
  });
  assert.deepEqual(Object.keys(await list(musan, { folder: '.', part: 'speech' })), [
    'librivox/speech-librivox-0000.wav',
  ]);
  const test = await list(msSnsd, { folder: 'MS-SNSD' });
  assert.equal(test['AirConditioner_1.wav']?.category, 'AirConditioner');
  assert.equal((await list(msSnsd, { folder: '.', part: 'train' }))['Babble_10.wav']?.category, 'Babble');
  assert.equal(Object.values(await list(wham, { folder: 'wham_noise' }))[0]?.licence, 'CC BY-NC 4.0');
  await assert.rejects(
    list(musan, { folder: 'musan', part: 'music' }),
    /^EarwitnessError: musan: expected the folder of MUSAN with "music" or "musan\/music" in it, but there is none; check the path/,
  );
});

test('NOISEX-92: what the names stand for.', async () => {
  unpack({ 'NoiseX-92/destroyerops.wav': 'a', 'NoiseX-92/f16.wav': 'b', 'NoiseX-92/readme.txt': 'c' });
  const found = await list(noisex92, { folder: '.' });
  assert.deepEqual(Object.keys(found), ['destroyerops.wav', 'f16.wav']);
  assert.equal(found['f16.wav']?.description, 'cockpit of an F-16 jet');
  // The other spelling, as public loaders name folder and files.
  unpack({ 'other/NoiseX92/factoryfloor1.wav': 'd', 'other/NoiseX92/buccaneercockpit2.wav': 'e' });
  const other = await list(noisex92, { folder: 'other' });
  assert.deepEqual(
    Object.values(other).map(({ category }) => category),
    ['buccaneer2', 'factory1'],
  );
});

test("SLR28: Sabine's time of each simulated room from room_info; noises are kept apart from measured responses.", async () => {
  const rooms = 'RIRS_NOISES/simulated_rirs';
  const real = 'RIRS_NOISES/real_rirs_isotropic_noises';
  unpack({
    [`${rooms}/smallroom/room_info`]: 'small-Room001 6 5 3 1 1 1 0.5\nsmall-Room002 4.0 3.1 2.5 1 1 1 0.35\n',
    [`${rooms}/smallroom/Room001/Room001-00001.wav`]: 'a',
    [`${rooms}/smallroom/Room002/Room002-00001.wav`]: 'b',
    [`${real}/RVB2014_type1_rir_largeroom1_far_angla.wav`]: 'c',
    [`${real}/RVB2014_type1_noise_largeroom1_1.wav`]: 'd',
    [`${real}/RWCP_type4_rir_circle_ane_imp001.wav`]: 'e',
    [`${real}/air_type1_air_binaural_office_0_1.wav`]: 'f',
    [`${real}/rir_list`]: 'text',
    'RIRS_NOISES/pointsource_noises/noise-free-sound-0000.wav': 'g',
  });
  const found = await list(slr28, { folder: 'RIRS_NOISES', part: 'simulated' });
  // .161 volume / (surface x absorption), as Speech Robust Bench calculates it: .161 x 90 / (126 x .5).
  assert.ok(Math.abs(Number(found['smallroom/Room001/Room001-00001.wav']?.rt60Seconds) - 0.23) < 1e-12);
  assert.ok(Math.abs(Number(found['smallroom/Room002/Room002-00001.wav']?.rt60Seconds) - 0.2366) < 0.0005);
  const count = async (part: string) => Object.keys(await list(slr28, { folder: '.', part })).length;
  const parts = ['real', 'noises', 'real-and-noises', 'point-source-noises'];
  assert.deepEqual(await Promise.all(parts.map(count)), [3, 1, 4, 1]);
  const corpora = Object.values(await list(slr28, { folder: '.', part: 'real' })).map(({ corpus }) => corpus);
  assert.deepEqual(corpora, ['RVB2014', 'RWCP', 'air']);
  unpack({ [`${rooms}/largeroom/room_info`]: 'large-Room001 30 20 10 1 1 1 0.3\nlarge-Room002 30 20\n' });
  await assert.rejects(
    list(slr28, { folder: '.', part: 'simulated' }),
    /largeroom\/room_info:2:1: expected a room's name.*, but got 2 numbers/,
  );
});

test('A folder: every sound in it by its path, or those of a manifest with their facts.', async () => {
  unpack({
    'any/b.wav': 'b',
    'any/a/x.FLAC': 'x',
    'any/.hidden.wav': 'h',
    'any/notes.txt': 'n',
    'facts.tsv': 'path\tcategory\trt60Seconds\tlicence\nany/b.wav\tfan\t0.45\tCC0\nother/c.wav\tno\t1\tMIT\n',
    'wrong.tsv': 'path\tcategory\nany/missing.wav\tfan\n',
    'twice.tsv': 'path\tcategory\nany/b.wav\tfan\nb.wav\tfan\n',
    'elsewhere.tsv': 'path\tcategory\nother/b.wav\tfan\n',
  });
  assert.deepEqual(await list(folder, { folder: 'any' }), { 'a/x.FLAC': {}, 'b.wav': {} });
  assert.deepEqual(await list(folder, { folder: 'any', manifest: 'facts.tsv' }), {
    'b.wav': { category: 'fan', rt60Seconds: 0.45, licence: 'CC0' },
  });
  await assert.rejects(
    list(folder, { folder: 'any', manifest: 'wrong.tsv' }),
    /wrong.tsv:2:1: expected the path of an audio file, but there is no "any\/missing.wav"/,
  );
  await assert.rejects(
    list(folder, { folder: 'any', manifest: 'twice.tsv' }),
    /twice.tsv:3:1: expected every file once/,
  );
  await assert.rejects(
    list(folder, { folder: 'any', manifest: 'elsewhere.tsv' }),
    /elsewhere.tsv: expected rows about files of the folder, but none is/,
  );
  unpack({ 'empty/notes.txt': 'n' });
  await assert.rejects(
    list(folder, { folder: 'empty' }),
    /^EarwitnessError: empty: expected audio files in this folder, but there are none/,
  );
  await assert.rejects(
    list(folder, { folder: 'absent' }),
    /^EarwitnessError: absent: expected a folder of audio files, but there is none/,
  );
});
