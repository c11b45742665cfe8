// What studies say, before they ask anything, of utterances that lack what they need.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarwitnessError } from '../base/errors.ts';
import type { Study, StudyContext } from './contract.ts';
import { corpus } from './corpus/corpus.ts';
import { degradation } from './degradation/degradation.ts';
import { differential } from './differential/differential.ts';
import { disparity } from './disparity/disparity.ts';
import { faultValidation } from './fault-validation/fault-validation.ts';
import { faultWords } from './fault-words/fault-words.ts';
import { fewReferences } from './few-references/few-references.ts';
import { gapDecomposition } from './gap-decomposition/gap-decomposition.ts';
import { hallucination } from './hallucination/hallucination.ts';
import { metamorphic } from './metamorphic/metamorphic.ts';
import { robustness } from './robustness/robustness.ts';
import { inventedContext, recognizerNamed, spoken } from './shared/testing/testing.ts';
import { soundQuality } from './sound-quality/sound-quality.ts';
import { threshold } from './threshold/threshold.ts';

const two = [recognizerNamed('one'), recognizerNamed('two')];

function people(reference: string | null, attributes: Readonly<Record<string, string>>): StudyContext {
  return inventedContext([spoken('a', reference, { attributes }), spoken('b', reference)], two);
}

/** What the check of a study says; null where it says nothing. */
async function complaint(study: unknown, options: object, context: StudyContext): Promise<string | null> {
  const { options: schema, check } = study as Study<unknown>;
  try {
    await check?.(schema.parse(options), context);
    return null;
  } catch (error) {
    assert.ok(error instanceof EarwitnessError);
    return `${error.code} ${error.message}`;
  }
}

const naming: readonly (readonly [study: unknown, option: string, options: object])[] = [
  [robustness, 'groupBy', { groupBy: ['sex'] }],
  [robustness, 'corpusBy', { corpusBy: 'sex' }],
  [threshold, 'groupBy', { groupBy: ['sex'] }],
  [hallucination, 'groupBy', { groupBy: ['sex'] }],
  [faultWords, 'groupBy', { groupBy: ['gender', 'sex'] }],
  [degradation, 'groupBy', { groupBy: ['sex'] }],
  [degradation, 'reference', { reference: { sex: 'male' } }],
  [gapDecomposition, 'groupBy', { groupBy: ['sex'] }],
  [gapDecomposition, 'attributes', { attributes: { sex: 'recording' } }],
  [fewReferences, 'groupBy', { groupBy: ['sex'] }],
  [fewReferences, 'strata', { strata: ['sex'] }],
  [disparity, 'attributes', { attributes: ['sex'] }],
  [disparity, 'pairs', { pairs: { both: { of: ['gender', 'sex'] } } }],
  [corpus, 'attributes', { coverage: { attributes: ['sex'] } }],
];

test('an attribute that nobody has is named with its option and the one that was meant', async () => {
  for (const [study, option, options] of naming) {
    const { name } = study as Study;
    assert.equal(
      await complaint(study, options, people('one', { gender: 'female', accent: 'us' })),
      `bad-config ${name}: ${option}: expected attributes of the utterances, but none has "sex"; did you mean "gender"?`,
    );
    assert.equal(await complaint(study, options, people('one', { gender: 'female', sex: 'female' })), null, name);
  }
});

test('where no attribute is near, all are named; a pair of disparity is one of its own', async () => {
  const wanted = { groupBy: ['shoe size'] };
  assert.match(
    (await complaint(robustness, wanted, people('one', { gender: 'f', accent: 'us' })))!,
    /; they have "gender", "accent"$/,
  );
  assert.match((await complaint(robustness, wanted, people('one', {})))!, /; they have no attributes at all$/);
  const pairs = { attributes: ['both'], pairs: { both: { of: ['gender', 'gender'] } } };
  assert.equal(await complaint(disparity, pairs, people('one', { gender: 'f' })), null);
});

test('studies that need texts say so where there are none, and name studies that need none', async () => {
  const silent = people(null, {});
  for (const study of [robustness, threshold, gapDecomposition, disparity, faultValidation, differential]) {
    const said = await complaint(study, {}, silent);
    assert.match(said ?? '', new RegExp(`^bad-input ${study.name}: expected references, .*none of the 2`));
    assert.equal(await complaint(study, {}, people('one', {})), null);
  }
  const none = { metamorphic, 'fault-words': faultWords, hallucination, 'sound-quality': soundQuality, degradation };
  const said = await complaint(robustness, {}, silent);
  for (const [name, study] of Object.entries(none)) {
    assert.ok(said!.includes(name), name);
    assert.equal(await complaint(study, {}, silent), null, name);
  }
  const alone = { ...silent, recognizers: [recognizerNamed('one')] };
  assert.match((await complaint(degradation, {}, alone))!, /expected references/);
});
