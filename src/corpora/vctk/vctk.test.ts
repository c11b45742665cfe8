import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readRows } from '../../system/read-rows.ts';
import { collected, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { vctk } from './vctk.ts';

// Layout and table of version 0.92.
const files = {
  'VCTK-Corpus-0.92/speaker-info.txt':
    'ID  AGE  GENDER  ACCENTS  REGION COMMENTS \n' +
    'p225  23  F    English    Southern  England\n' +
    'p292  23  M    NorthernIrish    Belfast\n' +
    'p315  18  M    American    New  England   (no transcripts)\n',
  'VCTK-Corpus-0.92/txt/p225/p225_001.txt': 'Please call Stella.\n',
  'VCTK-Corpus-0.92/txt/p292/p292_001.txt': 'Please call Stella.\n',
  'VCTK-Corpus-0.92/wav48_silence_trimmed/p225/p225_001_mic1.flac': 'one',
  'VCTK-Corpus-0.92/wav48_silence_trimmed/p225/p225_001_mic2.flac': 'two',
  'VCTK-Corpus-0.92/wav48_silence_trimmed/p292/p292_001_mic1.flac': 'three',
  'VCTK-Corpus-0.92/wav48_silence_trimmed/p315/p315_001_mic1.flac': 'four',
};

testCorpus({ kind: vctk, files, options: { folder: '.' }, published: true });

test('VCTK is read by microphone, with accents in words; what has no text is left out', async () => {
  await using tree = await temporaryFolder(files);
  const services = testServices(tree.path);
  const utterances = await utterancesOf(await vctk.open({ folder: '.', microphone: 'mic1' }, services));
  assert.deepEqual(
    utterances.map(({ id, speaker, reference, attributes }) => [
      id,
      speaker,
      reference,
      attributes.age,
      attributes.sex,
      attributes.accent,
      attributes.dialectRegion,
    ]),
    [
      ['p225_001', 'p225', 'Please call Stella.', '23', 'female', 'English', 'Southern England'],
      ['p292_001', 'p292', 'Please call Stella.', '23', 'male', 'Northern Irish', 'Belfast'],
    ],
  );
  assert.match(services.warnings.join(), /left out 1: sounds without a text/);
  const second = await vctk.open({ folder: '.', microphone: 'mic2' }, services);
  assert.equal((await utterancesOf(second)).length, 1);
});

const shared = fileURLToPath(new URL('../../../../shared/data', import.meta.url));

test('real recordings laid out like version 0.80 are read with the speakers of its table', {
  skip: existsSync(`${shared}/speech/vctk`) ? false : 'shared/data/speech/vctk is not beside the repository',
}, async () => {
  const rows = (await collected(readRows(`${shared}/speech/manifest.tsv`, 'manifest.tsv', 'tsv'))).filter(
    (row) => row.text('corpus') === 'vctk',
  );
  await using tree = await temporaryFolder({
    'speaker-info.txt':
      'ID  AGE  GENDER  ACCENTS  REGION \n225  23  F    English    Southern  England\n226  22  M    English    Surrey\n',
  });
  for (const row of rows) {
    const [utt, speaker] = [row.text('utt')!, row.text('speaker')!];
    await tree.write(`wav48/${speaker}/${utt}.flac`, readFileSync(`${shared}/${row.text('path')}`));
    await tree.write(`txt/${speaker}/${utt}.txt`, `${row.text('text')}\n`);
  }
  const corpus = await vctk.open({ folder: '.', microphone: 'mic1' }, testServices(tree.path));
  const utterances = await utterancesOf(corpus);
  assert.equal(utterances.length, 40);
  for (const { id, reference } of utterances) {
    assert.equal(reference, rows.find((row) => row.text('utt') === id)!.text('text'));
  }
  const { age, sex, dialectRegion } = utterances.find(({ speaker }) => speaker === 'p225')!.attributes;
  assert.deepEqual([age, sex, dialectRegion], ['23', 'female', 'Southern England']);
});
