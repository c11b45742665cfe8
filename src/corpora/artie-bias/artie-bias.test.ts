import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
import { artieList, needsCut } from '../testing/counted-lists.ts';
import { artieBias } from './artie-bias.ts';

const files = {
  'artie-bias-corpus.tsv':
    'client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccent\n' +
    'a\tcommon_voice_en_17.mp3\tThis fiscal year.\t2\t0\ttwenties\tmale\tNA\n' +
    'b\tcommon_voice_en_18.mp3\tHello.\t2\t0\tNA\tother\tindian\n',
  'common_voice_en_17.mp3': 'sound 17',
  'common_voice_en_18.wav': 'sound 18',
};

testCorpus({ kind: artieBias, files, options: { folder: '.' }, published: true });

test('clips that are missing are refused, unless only outputs are studied', async () => {
  const { 'common_voice_en_17.mp3': _, ...without } = files;
  await using tree = await temporaryFolder(without);
  const services = testServices(tree.path);
  await assertRefused(artieBias.open({ folder: '.', sounds: true }, services), /tsv:2:3: expected the clip beside/);
  const utterances = await utterancesOf(await artieBias.open({ folder: '.', sounds: false }, services));
  assert.deepEqual(
    utterances.map(({ sound }) => sound),
    [undefined, undefined],
  );
  assert.equal(utterances[1]!.attributes.accent, 'India and South Asia (India, Pakistan, Sri Lanka)');
});

test('a whole list is read as cut, sort and uniq count it', needsCut, async () => {
  await using list = await artieList();
  const corpus = await artieBias.open({ folder: list.folder, sounds: false }, testServices('/'));
  const utterances = await utterancesOf(corpus);
  const having = (name: string, value: string) =>
    utterances.filter(({ attributes }) => attributes[name] === value).length;
  assert.equal(utterances.length, list.counts('path').size);
  assert.deepEqual(new Set(utterances.map(({ speaker }) => speaker)), new Set(list.counts('client_id').keys()));
  const sexes = list.counts('gender');
  assert.deepEqual([having('sex', 'male'), having('sex', 'female')], [sexes.get('male'), sexes.get('female')]);
  assert.equal(having('accent', 'England English'), list.counts('accent').get('england'));
  assert.ok(utterances.every(({ attributes }) => attributes.accent !== 'NA'));
  if (list.real) assert.deepEqual([utterances.length, list.counts('client_id').size], [1712, 969]);
});
