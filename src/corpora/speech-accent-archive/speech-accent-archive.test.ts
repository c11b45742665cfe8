import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../base/hash.ts';
import { mp3 } from '../../decoders/mp3/mp3.ts';
import { soundsBy } from '../../decoders/testing/sounds-by.ts';
import { temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { needsRecordings, realRecordings, recordingsOf } from '../testing/recordings.ts';
import { passage, speechAccentArchive } from './speech-accent-archive.ts';

// The header of speakers_all.csv with its three columns that have no name.
const header = 'age,age_onset,birthplace,filename,native_language,sex,speakerid,country,file_missing?,,,\n';
const files = {
  'speakers_all.csv':
    `${header}24,12,"Koussi, Senegal",balanta,balanta,male,788,senegal,TRUE,,,\n` +
    '18,10,"Fyn, Denmark",danish1,danish,male,0,denmark,FALSE,,,\n' +
    '42.0,0.0,"pittsburgh, pennsylvania, usa",english1,english,female,61,usa,FALSE,,,\n',
  'recordings/recordings/danish1.mp3': 'one',
  'recordings/recordings/english1.mp3': 'two',
};

testCorpus({ kind: speechAccentArchive, files, options: { folder: '.' }, published: true });

test('speakers of the archive come with what the table says; those without a recording are left out', async () => {
  await using tree = await temporaryFolder(files);
  const services = testServices(tree.path);
  const [danish, english, ...others] = await utterancesOf(await speechAccentArchive.open({ folder: '.' }, services));
  assert.deepEqual(others, []);
  assert.deepEqual(danish!.attributes, {
    corpus: 'speech-accent-archive',
    licence: 'CC BY-NC-SA 2.0',
    sex: 'male',
    age: '18',
    nativeLanguage: 'Danish',
    birthplace: 'Fyn, Denmark',
    country: 'Denmark',
    style: 'read',
    ageOfOnset: '10',
  });
  assert.deepEqual([english!.attributes.age, english!.attributes.country], ['42', 'USA']);
  assert.equal(passage.split(' ').length, 69);
  assert.match(services.warnings.join(), /left out 1: speakers whose recordings/);
});

const invented = Array.from({ length: 10 }, (_, index) => ({
  utt: `english${index + 1}`,
  sex: index % 3 === 0 ? 'F' : 'M',
  age: String(20 + index),
}));
/** SHA-256 of the archive's paragraph, as the list beside the recordings has it. */
const paragraphHash = '9d19a22107a5b208faf8725199505356447083b92c94e6acdef43243fe1197e2';

test('recordings are found, and their paragraph is the one that everybody reads', needsRecordings, async () => {
  const recordings = await recordingsOf('speech-accent-archive', invented, { type: 'mp3', sampleRate: 44_100 });
  await using tree = await temporaryFolder({
    'speakers_all.csv': `${header}${recordings
      .map(({ utt, sex, age }) => `${age},0,x,${utt},english,${sex},1,usa,FALSE,,,\n`)
      .join('')}`,
  });
  for (const { utt, bytes } of recordings)
    await tree.write(`recordings/${utt}.${realRecordings ? 'flac' : 'mp3'}`, bytes());
  const corpus = await speechAccentArchive.open({ folder: '.' }, testServices(tree.path, soundsBy(mp3)));
  const utterances = await utterancesOf(corpus);
  assert.equal(utterances.length, 10);
  for (const [index, utterance] of utterances.entries()) {
    const { sex, text, samples } = recordings[index]!;
    assert.equal(sha256(utterance.reference!), paragraphHash);
    if (realRecordings) assert.equal(utterance.reference, text);
    assert.equal(utterance.attributes.sex, sex === 'F' ? 'female' : 'male');
    if (samples === null) continue;
    const heard = (await corpus.clip(utterance)).samples;
    // Frames of MP3 have 1152 samples; the coder leaves some before and after the sound, and fades in.
    assert.ok(heard.length >= samples.length && heard.length < samples.length + 5 * 1152, `${heard.length}`);
    assert.ok(
      Math.abs(energy(heard) / energy(samples) - 1) < 0.1,
      `${utterance.id}: ${energy(heard) / energy(samples)}, ${heard.length}`,
    );
  }
});

const energy = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0);
