import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flac } from '../../decoders/flac/flac.ts';
import { soundsBy } from '../../decoders/testing/sounds-by.ts';
import { wav } from '../../decoders/wav/wav.ts';
import { temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { assertOwnSounds, needsRecordings, realRecordings, recordingsOf } from '../testing/recordings.ts';
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

const invented = ['p225', 'p226'].flatMap((speaker) =>
  Array.from({ length: 20 }, (_, index) => {
    const utt = `${speaker}_${String(index + 1).padStart(3, '0')}`;
    return { utt, speaker, text: `This is sentence ${index} of ${speaker}.` };
  }),
);

test('recordings laid out like version 0.80 are read with the speakers of its table', needsRecordings, async () => {
  const recordings = await recordingsOf('vctk', invented, { type: 'wav', sampleRate: 48_000 });
  await using tree = await temporaryFolder({
    'speaker-info.txt':
      'ID  AGE  GENDER  ACCENTS  REGION \n225  23  F    English    Southern  England\n226  22  M    English    Surrey\n',
  });
  for (const { utt, speaker, text, bytes } of recordings) {
    await tree.write(`wav48/${speaker}/${utt}.${realRecordings ? 'flac' : 'wav'}`, bytes());
    await tree.write(`txt/${speaker}/${utt}.txt`, `${text}\n`);
  }
  const corpus = await vctk.open({ folder: '.', microphone: 'mic1' }, testServices(tree.path, soundsBy(wav, flac)));
  const utterances = await utterancesOf(corpus);
  assert.equal(utterances.length, 40);
  for (const { id, reference } of utterances) {
    assert.equal(reference, recordings.find(({ utt }) => utt === id)!.text);
  }
  const { age, sex, dialectRegion } = utterances.find(({ speaker }) => speaker === 'p225')!.attributes;
  assert.deepEqual([age, sex, dialectRegion], ['23', 'female', 'Southern England']);
  await assertOwnSounds(corpus, recordings);
});
