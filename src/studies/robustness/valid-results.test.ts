import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Estimate, Finding, Table } from '../../model/finding.ts';
import type { Trial } from '../../model/trial.ts';
import type { Answer, StudyContext } from '../contract.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  measuredClip,
  near,
  type OtherInvention,
  recognizerNamed,
  rowsOf,
  spoken,
  withErrors,
} from '../shared/testing/testing.ts';
import { robustness } from './robustness.ts';

const words = Array.from({ length: 10 }, (_, index) => `w${index}`);
const wrong = (count: number) => withErrors(words.join(' '), count);
const utterances = ['s0', 's1', 's2', 's3'].map((id) =>
  spoken(id, words.join(' '), { speaker: id, sound: { file: `${id}.wav` }, attributes: { corpus: 'c' } }),
);
const hiss = { name: 'hiss', steps: [{ perturbation: 'white-noise', parameters: { snrDb: 5 } }] };
const soft = { name: 'soft', steps: [{ perturbation: 'gain', parameters: { factor: 0.5 } }] };
const quality = [{ name: 'mos', values: { overall: 'from 1 to 5' }, needsClean: false }];

/** Word errors by condition, in the order of the speakers. */
const errors: Readonly<Record<string, readonly number[]>> = {
  clean: [0, 1, 2, 1],
  hiss: [8, 6, 4, 2],
  soft: [3, 3, 3, 3],
};
const says = ({ condition, utterance, recognizer }: Trial) =>
  wrong(errors[condition.name]![Number(utterance.id.slice(1))]! + (recognizer === 'b' ? 1 : 0));

/** Sounds of s0 and s1 in hiss are bad. */
const measured: OtherInvention = (question): Answer => {
  assert.ok(question.ask === 'measurement');
  assert.notEqual(question.condition.name, 'clean');
  const bad = question.condition.name === 'hiss' && /s[01]/.test(question.utterance.id);
  return { ...question, measurement: measuredClip({ mos: { values: { overall: bad ? 1 : 4 } } }) };
};

async function gated(validity: object | null, more: { invent?: Invention; context?: Partial<StudyContext> } = {}) {
  const context = inventedContext(utterances, [recognizerNamed('a'), recognizerNamed('b')], {
    quality,
    ...more.context,
  });
  const options = { conditions: [hiss, soft], validity, minimumSpeakers: 2, resamples: 100, difficulties: null };
  const finding = await inventedRun(robustness, options, context, more.invent ?? says, [], measured);
  return { finding, rows: (id: string) => rowsOf(finding, id) };
}

const conditionRow = (rows: (id: string) => Table['rows'], condition: string) =>
  rows('robustness-valid-conditions').find((row) => row.condition === condition && row.recognizer === 'a')!;

test('Case by case, rates and losses are of the valid sounds and of the same clean ones, beside those of all.', async () => {
  const { rows, finding } = await gated({ measure: 'mos', atLeast: 3, per: 'case' });
  const row = conditionRow(rows, 'hiss');
  near(row.rate, 20 / 40);
  near(row.degradation, 20 / 40 - 4 / 40);
  near(row.validRate, 6 / 20);
  near(row.validDegradation, 6 / 20 - 3 / 20);
  assert.deepEqual([row.words, row.validWords, row.excluded, row.unrated], [40, 20, 4, 0]);
  const untouched = conditionRow(rows, 'soft');
  assert.deepEqual(untouched.validRate, untouched.rate);
  assert.deepEqual(conditionRow(rows, 'clean').validWords, 40);
  // Families of one condition each: (.3 + .3) / 2, where all sounds make (.5 + .3) / 2.
  const [overall] = rows('robustness-valid-levels');
  near(overall!.rate, 0.4);
  near(overall!.validRate, 0.3);
  // One more word of ten is wrong in b, whichever sounds count.
  const compared = rows('robustness-valid-comparisons')[0]!.difference as Comparison;
  near(compared.difference, 0.1);
  assert.equal(compared.difference.n.pairs, 6);
  assert.deepEqual(
    rows('robustness-validity').map(({ condition, cases, excluded }) => [condition, cases, excluded]),
    [
      ['hiss', 4, 2],
      ['soft', 4, 0],
    ],
  );
  assert.deepEqual(JSON.parse(JSON.stringify(finding)), finding);
});

test('The numbers of all sounds are the same with a gate as without one.', async () => {
  const without = (await gated(null)).finding;
  const withGate = (await gated({ measure: 'mos', atLeast: 3, per: 'case' })).finding;
  // But for the sentence that says so with the first number: of 16 trials in noise 4 are below the gate.
  const added =
    ' All trials count here, also the 4 of 16 that are not valid (valid: mos overall at least 3, by clip); a section of its own has the numbers without them.';
  assert.equal(withGate.answer.filter(({ text }) => text.endsWith(added)).length, 1);
  assert.deepEqual(
    withGate.answer.map((one) => ({ ...one, text: one.text.replace(added, '') })),
    without.answer,
  );
  const conditionsOf = (finding: Finding) => rowsOf(finding, 'robustness-conditions');
  assert.deepEqual(conditionsOf(withGate), conditionsOf(without));
});

test('A condition that is left out as a whole has no rate, with a reason, and counts in no mean.', async () => {
  const { rows } = await gated({ measure: 'mos', atLeast: 3 });
  // The mean of hiss is 2.5.
  const row = conditionRow(rows, 'hiss');
  assert.equal((row.validRate as Estimate).value, null);
  assert.ok((row.validRate as Estimate).reason);
  assert.deepEqual([row.validWords, row.excluded], [0, 8]);
  const [overall] = rows('robustness-valid-levels');
  near(overall!.validRate, 0.3);
  assert.deepEqual([overall!.scenarios, overall!.none], [2, 1]);
});

test('Listeners’ ratings of a condition on a corpus decide for all of it, and what nobody rated does not count.', async () => {
  const readText = async () => 'condition,corpus,rating\nhiss,c,5\nhiss,c,3\nhiss,other,1\nsoft,other,5\n';
  const { rows, finding } = await gated({ ratings: 'ratings.csv' }, { context: { readText } });
  assert.deepEqual(
    ['hiss', 'soft'].map((name) => {
      const { excluded, unrated, validWords } = conditionRow(rows, name);
      return [excluded, unrated, validWords];
    }),
    [
      [0, 0, 40],
      [0, 8, 0],
    ],
  );
  assert.match(JSON.stringify(finding.settings.validity), /mean rating of at least 4, by condition and corpus/);
});

test('A failed trial is left out by the gate too, and failures among valid sounds are taken out of both sides.', async () => {
  const invent: Invention = (trial) =>
    trial.condition.name === 'hiss' && trial.utterance.id === 's2' && trial.recognizer === 'a'
      ? failedWith('timeout')
      : says(trial);
  const { rows } = await gated({ measure: 'mos', atLeast: 3, per: 'case' }, { invent });
  const row = conditionRow(rows, 'hiss');
  near(row.validRate, 2 / 10);
  near(row.validDegradation, 2 / 10 - 1 / 10);
  assert.deepEqual([row.validWords, row.excluded], [10, 4]);
});
