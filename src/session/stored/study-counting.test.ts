import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { Finding } from '../../model/finding.ts';
import { normalizerNamed } from '../../scoring/normalizers/normalizers.ts';
import { countedAgain, countingOf, leftOutOfCounts, studyCounting } from './study-counting.ts';

type Studies = readonly { readonly type: string; readonly options: Readonly<Record<string, Json>> }[];

const run = (...studies: Studies) => ({
  id: '20261128T090000-00000000',
  config: { config: { studies: studies.map((study) => ({ ...study, moduleHash: null })) } },
});

test('Of several studies the one of word error rates counts, whatever stands before it, by its options or by its profile.', () => {
  const counting = (...studies: Studies) => countingOf(run(...studies));
  const metamorphic = { type: 'metamorphic', options: { normalizer: 'none' } };
  const disparity = { type: 'disparity', options: { normalizer: 'english', level: 0.9 } };
  const robustness = {
    type: 'robustness',
    options: { normalizer: null, profile: 'srb', resamples: 300, minimumSpeakers: 5 },
  };
  assert.equal(counting(metamorphic), null);
  assert.deepEqual(counting(metamorphic, disparity), {
    ...{
      study: 'disparity',
      normalizer: 'english',
      level: 0.9,
      resamples: 2000,
      minimumSpeakers: 10,
      draws: 1,
      repeats: 1,
    },
  });
  assert.deepEqual(counting(disparity, robustness), {
    ...{
      study: 'robustness',
      normalizer: 'srb',
      level: 0.95,
      resamples: 300,
      minimumSpeakers: 5,
      draws: 1,
      repeats: 1,
    },
  });
  const sound = { type: 'robustness', options: { normalizer: null, profile: 'sound' } };
  assert.equal(studyCounting([sound])?.normalizer, 'by-language');
  assert.equal(
    studyCounting([{ type: 'degradation', options: { normalizer: null, profile: 'aequevox' } }])?.normalizer,
    'aequevox',
  );
  // What another program wrote is no reason to fail.
  assert.equal(countingOf({ config: { config: { studies: 'none' } } }), null);
});

test('The study’s own normalizer is used unless another is named, and which is said.', async () => {
  const of = run({ type: 'robustness', options: { normalizer: 'basic', resamples: 300 } });
  const own = await countedAgain(of, null, {}, '.');
  assert.deepEqual([own.words.name, own.resamples], ['basic', 300]);
  assert.equal(own.told, 'Words are counted with the normalizer basic.');
  const other = await countedAgain(of, null, { normalizer: 'english', resamples: 500 }, '.');
  assert.deepEqual([other.words.name, other.resamples], ['english', 500]);
  assert.match(
    other.told,
    /with the normalizer english, as was asked for; the study robustness of run \S+ had basic, so that its numbers are others\. Intervals have 500 resamples and not 300, as was asked for\./,
  );
  const none = await countedAgain(run(), null, {}, '.');
  assert.match(none.told, /by-language: no study of run \S+ counts any/);
});

test('Words are counted again as the study counted them then, also where a newer version takes another normalizer for a language.', async () => {
  const of = run({ type: 'robustness', options: {} });
  const found = (normalizer: Json) => [
    { study: { name: 'robustness', version: 1 }, settings: { normalizer } } as never as Finding,
  ];
  const counted = async (normalizer: Json, asked?: string) => {
    const { words, told } = await countedAgain(of, found(normalizer), { normalizer: asked }, '.');
    return [words.name, told];
  };
  // Until by-language 16 Whisper's for English.
  assert.deepEqual(await counted({ name: 'english', version: 2 }), [
    'english',
    'Words are counted with the normalizer english.',
  ]);
  assert.deepEqual((await counted({ name: 'english+oe', version: 2 }))[0], 'english+oe');
  const [name, told] = await counted({ name: 'english', version: 2 }, 'plain-english');
  assert.equal(name, 'plain-english');
  assert.match(
    told!,
    /as was asked for; the study robustness of run \S+ had english 2, so that its numbers are others\.$/,
  );
  // What cannot be had any more is said.
  for (const old of [
    { name: 'plain-english', version: 1 },
    { name: 'by-language', version: 16, used: ['chinese', 'english'] },
  ]) {
    const [name, told] = await counted(old);
    assert.equal(name, 'by-language');
    assert.match(
      told!,
      new RegExp(
        `with the normalizer by-language \\d+; the study robustness of run \\S+ had ${old.name} ${old.version}, so that`,
      ),
    );
  }
  const now = normalizerNamed('plain-english').version;
  assert.equal(
    (await counted({ name: 'plain-english', version: now }))[1],
    'Words are counted with the normalizer by-language.',
  );
});

test('A module that a store names is not loaded, and how to name it is said.', async () => {
  const of = run({ type: 'robustness', options: { normalizer: './words.mjs' } });
  await assert.rejects(
    countedAgain(of, null, {}, '.'),
    (error) =>
      error instanceof EarwitnessError &&
      error.code === 'bad-usage' &&
      /no code that a store names is run; if it is yours, name it: --normalizer \.\/words\.mjs$/.test(error.message),
  );
  assert.equal((await countedAgain(of, null, { normalizer: 'basic' }, '.')).words.name, 'basic');
});

test('Left out of counts is what other studies asked beside, what they made, and audio in which nobody speaks.', () => {
  const finding = (name: string, conditions: readonly Json[]) =>
    ({ study: { name, version: 1 }, settings: { conditions } }) as never as Finding;
  const trial = { utterance: {}, conditionName: 'hiss', draw: 0, repeat: 0 };
  const robustness = { type: 'robustness', options: { draws: 2 } };
  const found = [finding('hallucination', ['clean', 'hiss alone']), finding('robustness', ['hiss'])];
  const isOut = leftOutOfCounts(run({ type: 'metamorphic', options: { repeats: 3 } }, robustness), found);
  assert.deepEqual([isOut(trial), isOut({ ...trial, conditionName: 'clean' })], [false, false]);
  assert.ok(isOut({ ...trial, conditionName: 'hiss alone' }));
  assert.deepEqual([isOut({ ...trial, draw: 1 }), isOut({ ...trial, draw: 2 })], [false, true]);
  assert.ok(isOut({ ...trial, repeat: 1 }));
  assert.ok(isOut({ ...trial, utterance: { made: { from: 'u', how: 'mutated' } } }));
  // Where no study counts words, whatever was asked counts.
  assert.ok(!leftOutOfCounts(run(), [finding('hallucination', [1])])({ ...trial, repeat: 9 }));
});
