import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readRows } from '../../system/read-rows.ts';
import { assertRefused, collected, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { speechocean762 } from './speechocean762.ts';

const files = {
  'speechocean762/test/wav.scp':
    '000030012\tWAVE/SPEAKER0003/000030012.WAV\n000030024\tWAVE/SPEAKER0003/000030024.WAV\n',
  'speechocean762/test/text': '000030012\tMARK IS GOING TO SEE ELEPHANT\n000030024\tI PRICED IT\n',
  'speechocean762/test/utt2spk': '000030012 0003\n000030024 0003\n',
  'speechocean762/test/spk2age': '0003\t6\n',
  'speechocean762/test/spk2gender': '0003\tm\n',
  'speechocean762/WAVE/SPEAKER0003/000030012.WAV': 'one',
  'speechocean762/WAVE/SPEAKER0003/000030024.WAV': 'two',
};

testCorpus({ kind: speechocean762, files, options: { folder: '.', split: 'test' }, published: true });

test('speechocean762 gives age and sex of its speakers', async () => {
  await using tree = await temporaryFolder(files);
  const [first] = await utterancesOf(
    await speechocean762.open({ folder: '.', split: 'test' }, testServices(tree.path)),
  );
  const { age, sex, nativeLanguage } = first!.attributes;
  assert.deepEqual([first!.speaker, age, sex, nativeLanguage], ['0003', '6', 'male', 'Mandarin']);
  assert.equal(first!.reference, 'MARK IS GOING TO SEE ELEPHANT');
});

test('a path that leads out and a command in place of a path are refused', async () => {
  for (const [line, message] of [
    ['1 ../../../etc/passwd', /wav\.scp:1:1: expected a file inside of speechocean762/],
    ['1 flac -c -d x.flac |', /wav\.scp:1:1: expected an id and the path of a sound/],
  ] as const) {
    await using tree = await temporaryFolder({ ...files, 'speechocean762/test/wav.scp': `${line}\n` });
    const options = { folder: 'speechocean762', split: 'test' } as const;
    await assertRefused(speechocean762.open(options, testServices(tree.path)), message);
  }
});

const shared = fileURLToPath(new URL('../../../../shared/data', import.meta.url));

test('real recordings laid out like speechocean762 are read with what is known of their speakers', {
  skip: existsSync(`${shared}/speech/speechocean762`) ? false : 'shared/data/speech is not beside the repository',
}, async () => {
  const rows = (await collected(readRows(`${shared}/speech/manifest.tsv`, 'manifest.tsv', 'tsv'))).filter(
    (row) => row.text('corpus') === 'speechocean762',
  );
  const lines = (value: (row: (typeof rows)[number]) => string) => `${rows.map(value).join('\n')}\n`;
  await using tree = await temporaryFolder({
    'train/wav.scp': lines((row) => `${row.text('utt')}\tWAVE/SPEAKER${row.text('speaker')}/${row.text('utt')}.WAV`),
    'train/text': lines((row) => `${row.text('utt')}\t${row.text('text')}`),
    'train/utt2spk': lines((row) => `${row.text('utt')} ${row.text('speaker')}`),
    'train/spk2age': lines((row) => `${row.text('speaker')}\t${row.text('age')}`),
    'train/spk2gender': lines((row) => `${row.text('speaker')}\t${row.text('sex')!.toLowerCase()}`),
  });
  const corpus = await speechocean762.open({ folder: '.', split: 'train' }, testServices(tree.path));
  const utterances = await utterancesOf(corpus);
  assert.equal(utterances.length, 240);
  for (const [index, { reference, attributes }] of utterances.entries()) {
    assert.equal(reference, rows[index]!.text('text'));
    assert.equal(attributes.age, rows[index]!.text('age'));
  }
  assert.equal(new Set(utterances.map(({ speaker }) => speaker)).size, 48);
});
