import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { tedLium } from './ted-lium.ts';

// Lines as in legacy/test/stm of release 3: gaps, unknown words, endings apart, pronunciations.
const stm = [
  ';; LABEL "o" "Overall" "Overall results"',
  'Talk_2010W 1 inter_segment_gap 0 14.92 <o,,unknown> ignore_time_segment_in_scoring',
  "Talk_2010W 1 Talk_2010W 14.92 16.39 <o,f0,female> i 'm going to(2) talk",
  "Talk_2010W 1 Talk_2010W 16.39 20.5 <o,f0,female> it 's <sil> the 'hood [NOISE] {BREATH}",
  'Talk_2010W 1 Talk_2010W 20.5 22 <o,f0,female> about <unk> now',
  '',
].join('\n');
const files = {
  'TEDLIUM_release-3/legacy/test/stm/Talk_2010W.stm': stm,
  'TEDLIUM_release-3/legacy/test/sph/Talk_2010W.sph': 'x'.repeat(30),
};

testCorpus({ kind: tedLium, files, options: { folder: '.', split: 'test' }, published: true });

test('TED-LIUM is cut by segment, its words as they were said', async () => {
  await using tree = await temporaryFolder(files);
  const services = testServices(tree.path);
  const utterances = await utterancesOf(await tedLium.open({ folder: 'TEDLIUM_release-3', split: 'test' }, services));
  assert.deepEqual(
    utterances.map(({ id, reference, sound }) => {
      const { startSeconds, endSeconds } = sound as { startSeconds?: number; endSeconds?: number };
      return [id, reference, startSeconds, endSeconds];
    }),
    [
      ['Talk_2010W-0001492-0001639', "i'm going to talk", 14.92, 16.39],
      ['Talk_2010W-0001639-0002050', "it's the 'hood", 16.39, 20.5],
    ],
  );
  assert.equal(utterances[0]!.attributes.sex, 'female');
  assert.equal(utterances[0]!.attributes.licence, 'CC BY-NC-ND 3.0');
  assert.match(services.warnings.join(), /left out 1: segments with a word that nobody/);
});

test('release 1 labels sex in its own way, and ends its lines with an id', async () => {
  await using tree = await temporaryFolder({
    'train/stm/A.stm': 'A 1 A 0.5 2 <F0_M> so(2) yes (A-0.5-2-F0_M)\nA 1 A 2 3 <F0_F> no\n',
    'train/sph/A.sph': 'xxx',
  });
  const corpus = await tedLium.open({ folder: '.', split: 'train' }, testServices(tree.path));
  assert.deepEqual(
    (await utterancesOf(corpus)).map(({ reference, attributes }) => [reference, attributes.sex]),
    [
      ['so yes', 'male'],
      ['no', 'female'],
    ],
  );
});
