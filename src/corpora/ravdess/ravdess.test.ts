import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readRows } from '../../system/read-rows.ts';
import { collected, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
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

const shared = fileURLToPath(new URL('../../../../shared/data', import.meta.url));

test('the real recordings are read as the list beside them describes them', {
  skip: existsSync(`${shared}/speech/ravdess`) ? false : 'shared/data/speech/ravdess is not beside the repository',
}, async () => {
  const corpus = await ravdess.open({ folder: `${shared}/speech/ravdess`, channel: 'speech' }, testServices('/'));
  const byId = new Map((await utterancesOf(corpus)).map((utterance) => [utterance.id, utterance]));
  assert.equal(byId.size, 240);
  for (const row of await collected(readRows(`${shared}/speech/manifest.tsv`, 'manifest.tsv', 'tsv'))) {
    if (row.text('corpus') !== 'ravdess') continue;
    const { reference, attributes } = byId.get(row.text('utt')!)!;
    assert.equal(`${reference}.`, row.text('text'));
    assert.equal(attributes.sex, row.text('sex') === 'F' ? 'female' : 'male');
    assert.equal(`emotion=${attributes.emotion}`, row.text('extra'));
  }
});
