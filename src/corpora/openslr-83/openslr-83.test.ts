import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { openslr83 } from './openslr-83.ts';

// Forms of line_index_all.csv: number of the sentence, name of the sound, words with and without quotes.
const files = {
  'line_index_all.csv':
    'EN0027, irm_02484_00388340153, It is a wonderful, quiet place\nMI0001, mif_02484_00012345678, "Stay, she said"\nWE0001, wem_00001_00000000001, Not here\n',
  'irish_english_male/irm_02484_00388340153.wav': 'one',
  'midlands_english_female/mif_02484_00012345678.wav': 'two',
};

testCorpus({ kind: openslr83, files, options: { folder: '.' }, published: true });

const rowsOf = async (tree: Record<string, string>, options: object = {}) => {
  await using folder = await temporaryFolder(tree);
  const corpus = await openslr83.open(openslr83.options.parse({ folder: '.', ...options }), testServices(folder.path));
  return (await utterancesOf(corpus)).map(({ id, reference, speaker, attributes }) => [
    id,
    reference,
    speaker,
    attributes.accent,
    attributes.sex,
  ]);
};

const irish = ['irm_02484_00388340153', 'It is a wonderful, quiet place', 'irm_02484', 'Irish', 'male'];
const midlands = ['mif_02484_00012345678', 'Stay, she said', 'mif_02484', 'Midlands', 'female'];

test('accent and sex are read from names; numbers of speakers that come again are other people', async () => {
  assert.deepEqual(await rowsOf(files), [irish, midlands]);
  assert.deepEqual(await rowsOf(files, { accents: ['midlands'] }), [midlands]);
});

test('the list of each archive is read where there is none of all', async () => {
  const apart = {
    'irish_english_male/line_index.csv': 'EN0027, irm_02484_00388340153, It is a wonderful, quiet place\n',
    'irish_english_male/irm_02484_00388340153.wav': 'one',
    'midlands_english_female/line_index.csv': 'MI0001, mif_02484_00012345678, "Stay, she said"\n',
    'midlands_english_female/mif_02484_00012345678.wav': 'two',
  };
  assert.deepEqual(await rowsOf(apart), [irish, midlands]);
});

test('a line of another form is refused', async () => {
  await assertRefused(
    rowsOf({ 'line_index_all.csv': 'a;b;c\n' }),
    /line_index_all\.csv:1:1: expected the name of a sound/,
  );
});
