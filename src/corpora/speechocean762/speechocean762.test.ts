import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soundsBy } from '../../decoders/testing/sounds-by.ts';
import { wav } from '../../decoders/wav/wav.ts';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { assertOwnSounds, needsRecordings, type Recording, recordingsOf } from '../testing/recordings.ts';
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

const invented = Array.from({ length: 240 }, (_, index) => {
  const speaker = String(1 + Math.floor(index / 5)).padStart(4, '0');
  const utt = `${speaker}${String(10_000 + 7 * index)}`;
  const sex = index % 10 < 5 ? 'M' : 'F';
  return { utt, speaker, sex, age: String(6 + (Math.floor(index / 5) % 40)), text: `SENTENCE ${index}` };
});

test(
  'recordings laid out like speechocean762 are read with what is known of their speakers',
  needsRecordings,
  async () => {
    const recordings = await recordingsOf('speechocean762', invented, { type: 'wav', sampleRate: 16_000 });
    const lines = (value: (recording: Recording) => string) => `${recordings.map(value).join('\n')}\n`;
    const place = ({ speaker, utt }: Recording) => `WAVE/SPEAKER${speaker}/${utt}.WAV`;
    await using tree = await temporaryFolder({
      'train/wav.scp': lines((recording) => `${recording.utt}\t${place(recording)}`),
      'train/text': lines(({ utt, text }) => `${utt}\t${text}`),
      'train/utt2spk': lines(({ utt, speaker }) => `${utt} ${speaker}`),
      'train/spk2age': lines(({ speaker, age }) => `${speaker}\t${age}`),
      'train/spk2gender': lines(({ speaker, sex }) => `${speaker}\t${sex.toLowerCase()}`),
      ...Object.fromEntries(
        recordings.flatMap((recording) => (recording.samples ? [[place(recording), recording.bytes()]] : [])),
      ),
    });
    const corpus = await speechocean762.open({ folder: '.', split: 'train' }, testServices(tree.path, soundsBy(wav)));
    const utterances = await utterancesOf(corpus);
    assert.equal(utterances.length, 240);
    for (const [index, { id, reference, attributes }] of utterances.entries()) {
      const { utt, text, age, sex } = recordings[index]!;
      assert.equal(id, utt);
      assert.equal(reference, text);
      assert.deepEqual([attributes.age, attributes.sex], [age, sex === 'F' ? 'female' : 'male']);
    }
    assert.equal(new Set(utterances.map(({ speaker }) => speaker)).size, 48);
    await assertOwnSounds(corpus, recordings);
  },
);
