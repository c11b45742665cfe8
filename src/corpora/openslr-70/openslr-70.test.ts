import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { openslr70 } from './openslr-70.ts';

const files = {
  'en_ng_female/line_index.tsv': 'ngf_02121_00012345678\tShe said "no", twice\n',
  'en_ng_female/ngf_02121_00012345678.wav': 'one',
  'en_ng_male/line_index.tsv': 'ngm_02121_00000000001\tLagos\n',
  'en_ng_male/ngm_02121_00000000001.wav': 'two',
};

testCorpus({ kind: openslr70, files, options: { folder: '.' }, published: true });

test('both archives of Nigerian English are read, also with their lists above', async () => {
  const above = {
    'line_index_female.tsv': files['en_ng_female/line_index.tsv'],
    'line_index_male.tsv': files['en_ng_male/line_index.tsv'],
    'ngf_02121_00012345678.wav': 'one',
    'ngm_02121_00000000001.wav': 'two',
  };
  for (const layout of [files, above]) {
    await using tree = await temporaryFolder(layout);
    const utterances = await utterancesOf(await openslr70.open({ folder: '.' }, testServices(tree.path)));
    assert.deepEqual(
      utterances.map(({ reference, speaker, attributes }) => [reference, speaker, attributes.sex]),
      [
        ['She said "no", twice', 'ngf_02121', 'female'],
        ['Lagos', 'ngm_02121', 'male'],
      ],
    );
  }
});
