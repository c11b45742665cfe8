import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sphere } from '../../decoders/sphere/sphere.ts';
import { soundsBy } from '../../decoders/testing/sounds-by.ts';
import { wav } from '../../decoders/wav/wav.ts';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { assertOwnSounds, needsRecordings, recordingsOf } from '../testing/recordings.ts';
import { timit } from './timit.ts';

// Layout and forms of LDC93S1; people and dates are invented.
const files = {
  'TIMIT/DOC/SPKRINFO.TXT':
    ';  Race - (WHT = White, BLK = Black, …)\n;ID  Sex DR Use  RecDate   BirthDate  Ht    Race Edu  Comments\n' +
    'CJF0  F   1  TRN  03/03/86  06/17/60  5\'11"  WHT  HS   \n' +
    'DAB0  M   1  TST  03/03/86  03/03/60  5\'11"  ???  ??   has a cold, you see\n',
  'TIMIT/TRAIN/DR1/FCJF0/SA1.WAV': 'sound sa1',
  'TIMIT/TRAIN/DR1/FCJF0/SA1.TXT': '0 46797 She had your dark suit in greasy wash water all year.\n',
  'TIMIT/TRAIN/DR1/FCJF0/SA1.PHN': '0 3050 h#\n',
  'TIMIT/TRAIN/DR1/FCJF0/SX127.WAV.wav': 'sound sx127',
  'TIMIT/TRAIN/DR1/FCJF0/SX127.TXT': '0 28468 The emperor had a mean temper.\n',
  'TIMIT/TEST/DR1/MDAB0/SA1.WAV': 'sound test sa1',
  'TIMIT/TEST/DR1/MDAB0/SA1.TXT': '0 1 She had your dark suit in greasy wash water all year.\n',
  'TIMIT/TEST/DR1/MDAB0/SI1039.WAV': 'sound si1039',
  'TIMIT/TEST/DR1/MDAB0/SI1039.TXT': '0 1 A tall woman.\n',
  'TIMIT/TEST/DR1/FAKS0/SI943.WAV': 'sound si943',
  'TIMIT/TEST/DR1/FAKS0/SI943.TXT': '0 1 Production may fall far below expectations.\n',
};

testCorpus({ kind: timit, files, options: { folder: '.' }, published: true });

async function idsOf(options: object) {
  await using tree = await temporaryFolder(files);
  const corpus = await timit.open(timit.options.parse({ folder: 'TIMIT', ...options }), testServices(tree.path));
  return (await utterancesOf(corpus)).map(({ id }) => id);
}

test('TIMIT is divided by split and kind of sentence; the core test set has no sa sentences', async () => {
  assert.deepEqual(await idsOf({}), [
    'dr1-faks0-si943',
    'dr1-mdab0-sa1',
    'dr1-mdab0-si1039',
    'dr1-fcjf0-sa1',
    'dr1-fcjf0-sx127',
  ]);
  assert.deepEqual(await idsOf({ split: 'core-test' }), ['dr1-mdab0-si1039']);
  assert.deepEqual(await idsOf({ split: 'train', sentences: ['sx'] }), ['dr1-fcjf0-sx127']);
});

test('speakers of TIMIT come with age, region and degree as far as these are known', async () => {
  await using tree = await temporaryFolder(files);
  const corpus = await timit.open({ folder: '.', split: 'all' }, testServices(tree.path));
  const byId = new Map((await utterancesOf(corpus)).map((utterance) => [utterance.id, utterance]));
  const fcjf0 = byId.get('dr1-fcjf0-sa1')!;
  // Born on 17 June 1960, recorded on 3 March 1986: not 26 yet.
  const { sex, age, dialectRegion, ethnicity, education } = fcjf0.attributes;
  assert.deepEqual(
    [sex, age, dialectRegion, ethnicity, education],
    ['female', '25', 'New England', 'White', 'high school'],
  );
  assert.deepEqual(fcjf0.tags, ['sa']);
  const mdab0 = byId.get('dr1-mdab0-sa1')!.attributes;
  assert.deepEqual([mdab0.sex, mdab0.age, mdab0.ethnicity, mdab0.education], ['male', '26', undefined, undefined]);
});

test('a sentence file of another form is refused', async () => {
  await using tree = await temporaryFolder({ ...files, 'TIMIT/TEST/DR1/FAKS0/SI943.TXT': 'Production may fall.\n' });
  await assertRefused(
    timit.open({ folder: '.', split: 'all' }, testServices(tree.path)),
    /SI943\.TXT:1:1: expected two sample numbers and a sentence/,
  );
});

// The eight regions of the corpus' own README.
const regions = ['New England', 'Northern', 'North Midland', 'South Midland', 'Southern', 'New York City', 'Western'];
const invented = [...regions, 'Army Brat'].flatMap((region, index) =>
  ['F', 'M'].map((sex) => ({
    utt: `dr${index + 1}-${sex.toLowerCase()}abc${index}-sa1`,
    sex,
    accent: `US ${region}`,
    text: 'She had your dark suit in greasy wash water all year.',
  })),
);

test('recordings laid out like TIMIT are read with their sound', needsRecordings, async () => {
  await using tree = await temporaryFolder();
  const listed = await recordingsOf('timit', invented, { type: 'sph', sampleRate: 16_000 });
  const recordings = listed.filter(({ utt }) => utt.endsWith('-sa1'));
  for (const { utt, text, bytes } of recordings) {
    const [region, speaker, prompt] = utt.split('-');
    const place = `TRAIN/${region}/${speaker}/${prompt}`.toUpperCase();
    await tree.write(`${place}.WAV`, bytes());
    await tree.write(`${place}.TXT`, `0 1 ${text}\n`);
  }
  const options = { folder: '.', split: 'train' } as const;
  const corpus = await timit.open(options, testServices(tree.path, soundsBy(sphere, wav)));
  const utterances = await utterancesOf(corpus);
  assert.equal(utterances.length, 16);
  for (const utterance of utterances) {
    const { text, sex, accent } = recordings.find(({ utt }) => utt === utterance.id)!;
    assert.equal(utterance.reference, text);
    assert.equal(utterance.attributes.sex, sex === 'F' ? 'female' : 'male');
    assert.ok(accent.includes(utterance.attributes.dialectRegion!.replace(/ \(.*/, '')), utterance.id);
  }
  assert.equal((await corpus.clip(utterances[0]!)).sampleRate, 16_000);
  await assertOwnSounds(corpus, recordings);
});
