import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { librispeech } from './librispeech.ts';

// The layout of dev-clean.tar.gz; the first two lines of 84-121123.trans.txt in length and form.
const files = {
  'LibriSpeech/SPEAKERS.TXT':
    ';ID  |SEX| SUBSET           |MINUTES| NAME\n84   | F | dev-clean        |  8.02 | Christie Nowak\n60   | M | dev-clean        | 20.18 | | CBW|Simon\n',
  'LibriSpeech/dev-clean/84/121123/84-121123.trans.txt': '84-121123-0000 GO DO YOU HEAR\n84-121123-0001 BUT IN LESS\n',
  'LibriSpeech/dev-clean/84/121123/84-121123-0000.flac': 'sound 0',
  'LibriSpeech/dev-clean/84/121123/84-121123-0001.flac': 'sound 1',
  'LibriSpeech/dev-clean/60/1/60-1.trans.txt': '60-1-0000 HERE\n60-1-0001 GONE\n',
  'LibriSpeech/dev-clean/60/1/60-1-0000.flac': 'sound 2',
};

testCorpus({ kind: librispeech, files, options: { folder: '.', split: 'dev-clean' }, published: true });

test('LibriSpeech is read by split, its speakers with their sex, from its folder and the one above', async () => {
  await using tree = await temporaryFolder(files);
  for (const folder of ['.', 'LibriSpeech']) {
    const services = testServices(tree.path);
    const utterances = await utterancesOf(await librispeech.open({ folder, split: 'dev-clean' }, services));
    assert.deepEqual(
      utterances.map(({ id, reference, speaker, attributes }) => [id, reference, speaker, attributes.sex]),
      [
        ['60-1-0000', 'HERE', '60', 'male'],
        ['84-121123-0000', 'GO DO YOU HEAR', '84', 'female'],
        ['84-121123-0001', 'BUT IN LESS', '84', 'female'],
      ],
    );
    assert.match(services.warnings.join(), /: left out 1: lines whose sounds are not there$/);
  }
});

test('a split that is not unpacked and a line of another form are refused', async () => {
  await using tree = await temporaryFolder(files);
  await assertRefused(
    librispeech.open({ folder: '.', split: 'test-other' }, testServices(tree.path)),
    /^\.: expected test-other of LibriSpeech in it or in LibriSpeech there, but found LibriSpeech\/;/,
  );
  await tree.write('LibriSpeech/dev-clean/1/1/1-1.trans.txt', 'no id here\n');
  await assertRefused(
    librispeech.open({ folder: '.', split: 'dev-clean' }, testServices(tree.path)),
    /1-1\.trans\.txt:1:1: expected an id like 84-121123-0000/,
  );
});

test('chapters without a transcript give sounds without references, their speakers from their names', async () => {
  const { 'LibriSpeech/dev-clean/84/121123/84-121123.trans.txt': _, ...rest } = files;
  await using tree = await temporaryFolder(rest);
  const corpus = await librispeech.open({ folder: '.', split: 'dev-clean' }, testServices(tree.path));
  assert.deepEqual(
    (await utterancesOf(corpus)).map(({ id, reference, speaker, attributes }) => [
      id,
      reference,
      speaker,
      attributes.sex,
    ]),
    [
      ['60-1-0000', 'HERE', '60', 'male'],
      ['84-121123-0000', undefined, '84', 'female'],
      ['84-121123-0001', undefined, '84', 'female'],
    ],
  );
});
