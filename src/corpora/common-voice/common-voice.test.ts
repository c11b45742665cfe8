import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { commonVoice } from './common-voice.ts';

// Columns of cv-corpus-17.0 and of cv-corpus-1.
const newer =
  'client_id\tpath\tsentence_id\tsentence\tsentence_domain\tup_votes\tdown_votes\tage\tgender\taccents\tvariant\tlocale\tsegment\n' +
  'a1\tcommon_voice_en_1.mp3\ts1\t"Don\'t," he said.\t\t2\t0\ttwenties\tmale_masculine\tScottish English,Glasgow\t\ten\t\n' +
  'b2\tcommon_voice_en_2.mp3\ts2\tYes.\t\t2\t0\tnineties\tdo_not_wish_to_say\t\t\ten\t\n';
const files = {
  'cv/en/test.tsv': newer,
  'cv/en/clips/common_voice_en_1.mp3': 'sound 1',
  'cv/en/clips/common_voice_en_2.mp3': 'sound 2',
};
const options = { folder: 'cv', language: 'en', split: 'test' } as const;

testCorpus({ kind: commonVoice, files, options, published: true });

async function read(list: string) {
  await using tree = await temporaryFolder({ ...files, 'cv/en/test.tsv': list, 'cv/en/clips/0a1b.mp3': 'sound' });
  return await utterancesOf(await commonVoice.open(options, testServices(tree.path)));
}

test('newer and older releases of Common Voice give the same names to the same things', async () => {
  const [first, second] = await read(newer);
  const common = { corpus: 'common-voice', licence: 'CC0 1.0', split: 'test', style: 'read' };
  assert.deepEqual(first!.attributes, {
    ...common,
    sex: 'male',
    ageGroup: '19-29',
    accent: 'Scottish English,Glasgow',
  });
  assert.equal(first!.reference, '"Don\'t," he said.');
  assert.deepEqual(second!.attributes, { ...common, ageGroup: '90+' });
  const [old] = await read(
    'client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccent\nc3\t0a1b\tHi.\t2\t0\tfourties\tfemale\tus\n',
  );
  assert.deepEqual(old!.attributes, {
    ...common,
    sex: 'female',
    ageGroup: '40-49',
    accent: 'United States English',
  });
  assert.match((old!.sound as { file: string }).file, /clips\/0a1b\.mp3$/);
});

test('clips that a partial copy lacks are left out, and counted', async () => {
  const { 'cv/en/clips/common_voice_en_1.mp3': _, ...partial } = files;
  await using tree = await temporaryFolder(partial);
  const services = testServices(tree.path);
  const utterances = await utterancesOf(await commonVoice.open(options, services));
  assert.deepEqual(
    utterances.map(({ id }) => id),
    ['common_voice_en_2'],
  );
  assert.match(services.warnings.join(), /: left out 1: lines whose sounds are not there$/);
});

test('a path that climbs out and a list of another kind are refused', async () => {
  await assertRefused(
    read('path\tsentence\n../../../etc/passwd\tno\n'),
    /test\.tsv:2:1: expected a file inside of cv\/en/,
  );
  await assertRefused(read('file\ttext\na.mp3\tno\n'), /test\.tsv:2:1: expected the columns path and sentence/);
});
