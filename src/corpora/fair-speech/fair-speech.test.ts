import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { fairSpeech } from './fair-speech.ts';

const files = {
  'downloaded_file.tsv':
    'hash_name\ttranscription\tage\tgender\tfirst_language\tsocioeconomic_bkgd\tethnicity\n' +
    'a1\they facebook call mom\t18 - 22\tfemale\tEnglish\tMedium\tBlack or African American\n' +
    'b2\tplay "jazz"\t46 - 65\tmale\tMandarin\tLow\tAsian, South Asian or Asian American\n' +
    'c3\tnot here\t46 - 65\tmale\tMandarin\tLow\tWhite\n',
  'asr_fairness_audio/a1.wav': 'one',
  'asr_fairness_audio/b2.wav': 'two',
};

testCorpus({ kind: fairSpeech, files, options: { folder: '.' }, published: true });

test('Fair-Speech gives each group under its common name, and says that speakers are not known', async () => {
  await using tree = await temporaryFolder(files);
  const services = testServices(tree.path);
  const [first, second, ...others] = await utterancesOf(await fairSpeech.open({ folder: '.' }, services));
  assert.deepEqual(others, []);
  const { sex, ageGroup, nativeLanguage, socioeconomicGroup, ethnicity } = first!.attributes;
  assert.deepEqual(
    [sex, ageGroup, nativeLanguage, socioeconomicGroup, ethnicity],
    ['female', '18-22', 'English', 'Medium', 'Black or African American'],
  );
  assert.deepEqual([second!.reference, second!.speaker], ['play "jazz"', undefined]);
  assert.match(services.warnings[0]!, /names no speakers/);
});

test('two lists need a name', async () => {
  await using tree = await temporaryFolder({ ...files, 'other.tsv': 'a\tb\n1\t2\n' });
  await assertRefused(
    fairSpeech.open({ folder: '.' }, testServices(tree.path)),
    /expected one list .*but found 2; set list/,
  );
  await assertRefused(
    fairSpeech.open({ folder: '.', list: 'other.tsv' }, testServices(tree.path)),
    /other\.tsv:2:1: expected the column hash_name/,
  );
});
