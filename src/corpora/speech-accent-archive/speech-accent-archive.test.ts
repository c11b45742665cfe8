import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readRows } from '../../system/read-rows.ts';
import { collected, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
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

const shared = fileURLToPath(new URL('../../../../shared/data', import.meta.url));

test('the real recordings are found, and their paragraph is the one that the list beside them has', {
  skip: existsSync(`${shared}/speech/speech-accent-archive`)
    ? false
    : 'shared/data/speech/speech-accent-archive is not beside the repository',
}, async () => {
  const rows = (await collected(readRows(`${shared}/speech/manifest.tsv`, 'manifest.tsv', 'tsv'))).filter(
    (row) => row.text('corpus') === 'speech-accent-archive',
  );
  await using tree = await temporaryFolder({
    'speakers_all.csv': `${header}${rows
      .map((row) => `${row.text('age')},0,x,${row.text('utt')},english,${row.text('sex')},1,usa,FALSE,,,\n`)
      .join('')}`,
  });
  const folder = `${shared}/speech/speech-accent-archive`;
  for (const name of readdirSync(folder)) await tree.write(`recordings/${name}`, readFileSync(`${folder}/${name}`));
  const corpus = await speechAccentArchive.open({ folder: '.' }, testServices(tree.path));
  const utterances = await utterancesOf(corpus);
  assert.equal(utterances.length, 10);
  for (const [index, { reference, attributes }] of utterances.entries()) {
    assert.equal(reference, rows[index]!.text('text'));
    assert.equal(attributes.sex, rows[index]!.text('sex') === 'F' ? 'female' : 'male');
  }
});
