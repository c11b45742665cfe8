import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertRefused, temporaryFolder, testCorpus, testServices, utterancesOf } from '../conformance.ts';
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

const shared = fileURLToPath(new URL('../../../../shared/data/asr-outputs/artie-bias', import.meta.url));

// Counts of the list itself: `cut -f7 artie-bias-corpus.tsv | sort | uniq -c`, and `cut -f1 | sort -u | wc -l`.
test('the real list is read whole', {
  skip: existsSync(shared) ? false : 'shared/data/asr-outputs is not beside the repository',
}, async () => {
  const corpus = await artieBias.open({ folder: shared, sounds: false }, testServices('/'));
  const utterances = await utterancesOf(corpus);
  assert.equal(utterances.length, 1712);
  assert.equal(new Set(utterances.map(({ speaker }) => speaker)).size, 969);
  assert.equal(utterances.filter(({ attributes }) => attributes.sex === 'male').length, 1431);
  assert.equal(utterances.filter(({ attributes }) => attributes.sex === 'female').length, 257);
  assert.equal(utterances.filter(({ attributes }) => attributes.accent === 'England English').length, 131);
  assert.ok(utterances.every(({ attributes }) => attributes.accent !== 'NA'));
});
