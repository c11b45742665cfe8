import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GateCheck } from '../../model/gate.ts';
import type { Utterance } from '../../model/utterance.ts';
import { decideAtLook, isCertain, orderSpeakers, planLooks } from './looks.ts';

/** Two hundred speakers, of whom each tenth is a child and each other one a woman. */
const corpus = Array.from(
  { length: 400 },
  (_, index): Utterance => ({
    id: `u${index}`,
    language: 'en',
    speaker: `s${index % 200}`,
    attributes: { age: index % 10 === 0 ? 'child' : 'adult', sex: index % 2 === 0 ? 'female' : 'male' },
    tags: [],
  }),
);

test('The order of speakers is fixed by the seed and by nothing else, and each speaker stands in it once.', () => {
  const order = orderSpeakers(corpus, ['age'], 7);
  assert.deepEqual(orderSpeakers(corpus.toReversed(), ['age'], 7), order);
  assert.notDeepEqual(orderSpeakers(corpus, ['age'], 8), order);
  assert.deepEqual([...order].sort(), [...new Set(corpus.map(({ speaker }) => `s ${speaker}`))].sort());
});

test('Every beginning of it has the groups in the shares that all have, to one speaker of each.', () => {
  const groups = new Map(corpus.map(({ speaker, attributes }) => [`s ${speaker}`, attributes]));
  const order = orderSpeakers(corpus, ['age', 'sex'], 7);
  for (let until = 1; until <= order.length; until++) {
    const children = order.slice(0, until).filter((speaker) => groups.get(speaker)!.age === 'child').length;
    const men = order.slice(0, until).filter((speaker) => groups.get(speaker)!.sex === 'male').length;
    assert.ok(Math.abs(children - until / 10) <= 1.5, `${children} children of ${until}`);
    assert.ok(Math.abs(men - until / 2) <= 3, `${men} men of ${until}`);
  }
});

test('Utterances of nobody known are asked one by one.', () => {
  const nobody = corpus.slice(0, 5).map(({ speaker: _, ...rest }) => rest);
  assert.equal(orderSpeakers(nobody, [], 1).length, 5);
});

test('Looks begin with as many speakers as an interval needs and end with all.', () => {
  const looks = planLooks(200, 15);
  assert.deepEqual([looks[0]!.speakers, looks[1]!.speakers, looks.at(-1)!.speakers, looks.length], [15, 20, 200, 20]);
  assert.deepEqual(
    planLooks(8, 10).map(({ speakers, of }) => [speakers, of]),
    [[8, 1]],
  );
  assert.ok(Math.abs(planLooks(8, 10)[0]!.errorOf(0.05) - 0.05) < 1e-9);
  for (let at = 1; at < looks.length; at++) assert.ok(looks[at]!.errorOf(0.05) > looks[at - 1]!.errorOf(0.05));
});

const check = (recognizer: string, verdict: GateCheck['verdict'], measure: GateCheck['measure'] = 'worseBy') =>
  ({ measure, limit: 0.1, recognizer, condition: 'clean', group: null, verdict, value: {}, pValue: null }) as GateCheck;

test('What was decided at a look stays; counts are waited for only where they have failed.', () => {
  const [first, second] = planLooks(100, 10);
  const open = check('b', 'inconclusive');
  const before = decideAtLook([], [check('a', 'pass'), open, check('a', 'inconclusive', 'failures')], first!);
  assert.equal(isCertain(before, 'verdict'), false);
  const after = decideAtLook(
    before,
    [check('a', 'inconclusive'), check('b', 'fail'), check('a', 'inconclusive', 'failures')],
    second!,
  );
  assert.deepEqual(
    after.map(({ verdict, decidedAtLook }) => [verdict, decidedAtLook]),
    [
      ['pass', 1],
      ['fail', 2],
      ['inconclusive', null],
    ],
  );
  assert.equal(isCertain(after, 'limits'), true);
  const broken = decideAtLook([], [open, check('a', 'fail', 'failures')], first!);
  assert.deepEqual([isCertain(broken, 'verdict'), isCertain(broken, 'limits')], [true, false]);
});
