import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flac } from '../../decoders/flac/flac.ts';
import { soundsBy } from '../../decoders/testing/sounds-by.ts';
import { wav } from '../../decoders/wav/wav.ts';
import { temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { assertOwnSounds, needsRecordings, realRecordings, recordingsOf } from '../testing/recordings.ts';
import { ravdess } from './ravdess.ts';

const files = {
  'Actor_12/03-01-06-01-02-01-12.wav': 'one',
  'Actor_01/03-01-01-01-01-02-01.wav': 'two',
  'Actor_01/03-02-05-02-01-01-01.wav': 'a song',
  'Actor_01/01-01-01-01-01-02-01.mp4': 'a video',
};

testCorpus({ kind: ravdess, files, options: { folder: '.' }, published: true });

// The example of the data set's own description: 02-01-06-01-02-01-12 is fearful, normal, "dogs", actor 12, female.
test('names of files of RAVDESS are read as its description says', async () => {
  await using tree = await temporaryFolder(files);
  const read = async (channel: 'speech' | 'song') =>
    utterancesOf(await ravdess.open({ folder: '.', channel }, testServices(tree.path)));
  const [neutral, fearful, ...others] = await read('speech');
  assert.deepEqual(others, []);
  const { sex, emotion, emotionIntensity } = fearful!.attributes;
  assert.deepEqual([sex, emotion, emotionIntensity], ['female', 'fearful', 'normal']);
  assert.equal(fearful!.reference, 'Dogs are sitting by the door');
  assert.deepEqual([neutral!.speaker, neutral!.attributes.sex], ['actor-01', 'male']);
  assert.deepEqual(
    (await read('song')).map(({ id }) => id),
    ['03-02-05-02-01-01-01'],
  );
});

// Livingstone and Russo, PLOS ONE 2018, "File naming convention"; neutral has no strong intensity.
const emotions = ['neutral', 'calm', 'happy', 'sad', 'angry', 'fearful', 'disgust', 'surprised'];
const sentences = ['Kids are talking by the door.', 'Dogs are sitting by the door.'];
const two = (value: number) => String(value).padStart(2, '0');
const invented = Array.from({ length: 24 }, (_, index) => index + 1).flatMap((actor) =>
  [0, 1, 2, 3, 4].flatMap((step) =>
    sentences.map((text, sentence) => {
      const emotion = (actor + 3 * step) % 8;
      const utt = `03-01-${two(emotion + 1)}-${two(emotion === 0 ? 1 : 1 + (step % 2))}-${two(sentence + 1)}-01-${two(actor)}`;
      return { utt, text, sex: actor % 2 === 1 ? 'M' : 'F', extra: `emotion=${emotions[emotion]}` };
    }),
  ),
);

test('recordings are read as the list beside them describes them', needsRecordings, async () => {
  const recordings = await recordingsOf('ravdess', invented, { type: 'wav', sampleRate: 48_000 });
  await using tree = await temporaryFolder();
  for (const { utt, bytes } of recordings) {
    await tree.write(`Actor_${utt.slice(-2)}/${utt}.${realRecordings ? 'flac' : 'wav'}`, bytes());
  }
  const services = testServices(tree.path, soundsBy(wav, flac));
  const corpus = await ravdess.open({ folder: '.', channel: 'speech' }, services);
  const byId = new Map((await utterancesOf(corpus)).map((utterance) => [utterance.id, utterance]));
  assert.equal(byId.size, 240);
  for (const { utt, text, sex, extra } of recordings) {
    const { reference, attributes } = byId.get(utt)!;
    assert.equal(`${reference}.`, text);
    assert.equal(attributes.sex, sex === 'F' ? 'female' : 'male');
    assert.equal(`emotion=${attributes.emotion}`, extra);
  }
  await assertOwnSounds(corpus, recordings);
});
