import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { shownDifference, turned } from '../../model/comparison.ts';
import type { Estimate } from '../../model/finding.ts';
import { openInWords, type Reason } from '../../model/reason.ts';
import { whyWider } from '../../report/format/wording.ts';
import { fewWhoDecide, minSpeakers, openVerdict, type TestStrength } from './open-verdict.ts';

const difference = (
  value: number,
  low: number | null,
  high: number | null,
  speakers = 20,
  reason?: Reason,
): Estimate => ({
  ...{ value, low, high, level: 0.95, n: { utterances: 100, speakers }, method: 'invented' },
  ...(reason === undefined ? {} : { reason }),
});
const tested = (pValue: number, adjustedPValue: number | null, more: Partial<TestStrength> = {}): TestStrength => ({
  ...{ pValue, adjustedPValue, among: 15, minimumSpeakers: 10 },
  ...more,
});
const said = (...args: Parameters<typeof openVerdict>) => openInWords(openVerdict(...args)!);

test('A paired test needs 6 speakers for 5 %, 8 for 1 %: 2 / 2^n must be at most that.', () => {
  assert.deepEqual([0.05, 0.01, 0.5, 1 / 32].map(minSpeakers), [6, 8, 2, 6]);
});

test('So many speakers with a loop decide a difference, of pairs and of groups; of ordinary speakers none do.', () => {
  const random = createRandom('few who decide');
  const speakers = (count: number, loops: number, every = 5) => ({
    numerators: Float64Array.from({ length: count }, (_, place) => {
      return Math.round(3 * Math.exp(0.7 * random.normal())) + (place % every === 1 && place < every * loops ? 200 : 0);
    }),
    denominators: new Float64Array(count).fill(30),
  });
  for (const loops of [1, 2, 3, 4]) {
    assert.equal(fewWhoDecide(speakers(24, 0), speakers(24, loops), 'paired'), loops, `${loops} of a pair`);
    assert.equal(fewWhoDecide(speakers(24, loops), speakers(9, 0), 'separate'), loops, `${loops} of a group`);
  }
  assert.equal(fewWhoDecide(speakers(12, 6, 2), speakers(12, 0), 'paired'), 0);
  const ordinary = Array.from({ length: 300 }, () => fewWhoDecide(speakers(20, 0), speakers(20, 0), 'paired'));
  assert.ok(ordinary.filter((few) => few > 0).length <= 9, `${ordinary}`);
});

test('Too few speakers are the design’s fault, whatever they did, and it says how many would do.', () => {
  assert.equal(
    said(difference(0.3, null, null, 5, { code: 'no-interval' }), tested(0.0625, null)),
    'too few speakers: 5 of the 10 that an interval needs',
  );
  // Five are enough for an interval and not for the test: what it says it needs is what it asks for, and 4 + 2 are 6.
  assert.equal(
    said(difference(0.3, null, null, 4), tested(0.125, null, { minimumSpeakers: 5 })),
    'too few speakers: 4 of the 6 that a paired test needs',
  );
  assert.equal(
    said(difference(0.3, null, null, 4), tested(0.125, null, { minimumSpeakers: 8 })),
    'too few speakers: 4 of the 8 that an interval needs (by default 10)',
  );
  // With an interval from four on, the test still needs six.
  const five = tested(0.0625, null, { minPValue: 0.0625, differing: 5, minimumSpeakers: 4 });
  assert.equal(
    said(difference(0.3, 0.1, 0.5, 5), five),
    'no arrangement of these 5 speakers could reach p ≤ .05; 1 more speaker would do',
  );
  // Three of twelve differ; twice as many would have six.
  const three = tested(0.25, null, { minPValue: 0.25, differing: 3 });
  assert.equal(
    said(difference(0.1, -0.1, 0.2, 12), three),
    'only 3 of 12 speakers differ, and no arrangement of these 3 speakers could reach p ≤ .05; 12 more speakers would do',
  );
  assert.match(
    said(difference(0, null, null), tested(1, 1, { differing: 0, minPValue: 1 })),
    /^both have the same errors/,
  );
});

test('Where there is no test, its reason is why.', () => {
  const none: TestStrength = { pValue: null, adjustedPValue: null, among: null };
  assert.equal(said(difference(0.3, null, null, 20, { code: 'no-interval' }), none), 'there is no interval');
  assert.equal(said(difference(0.3, null, null), { ...none, reason: { code: 'not-tested' } }), 'no test was made');
  assert.equal(openVerdict(difference(0.3, 0.1, 0.4), none), undefined);
});

test('Where one group of two has too few speakers for an interval, it is said how many more would do.', () => {
  const one = difference(0.3, null, null, 12, { code: 'few-units', need: 10, have: [2], each: 'group' });
  assert.match(said(one, { pValue: null, adjustedPValue: null, among: null }), /one has 2; 8 more speakers would do$/);
});

test('An interval that holds 0 lacks the square of what it reaches beyond, over what was measured.', () => {
  // The test asks for more: p = .2 is 1.2816 deviates, .05 would be 1.96, and (1.96 / 1.2816)^2 x 20 - 20 = 26.8.
  assert.equal(
    said(difference(0.02, -0.01, 0.05), tested(0.2, 0.2)),
    'the interval holds 0; about 27 more speakers would settle it',
  );
  // The interval alone asks for 1.5^2 x 20 - 20, from 2 points to 1 below 0.
  assert.equal(openVerdict(difference(0.02, -0.01, 0.05), tested(0.04, 0.05))!.more, 25);
  assert.match(
    said(difference(0.001, -0.05, 0.052), tested(0.9, 1)),
    /^the interval holds 0; even 50 times as many speakers might not settle it$/,
  );
});

// p = .02 is 2.326 deviates; corrected it is 15 times as much, so that .05 asks for .00333 or 2.935, and (2.935 / 2.326)^2 x 20 - 20 = 11.8.
test('Without a statistic, what a correction multiplied by is asked for again; of fifty times as many nothing is said.', () => {
  assert.equal(openVerdict(difference(0.2, 0.1, 0.3), tested(0.02, 0.3))!.more, 12);
  // 1 + .1349 / .02 is the root of 60.
  assert.equal(openVerdict(difference(0.02, -0.1349, 0.17), tested(0.04, 0.05))!.more, null);
});

test('What would tell alone says so, with its p, and what the statistic lacks.', () => {
  const open = openVerdict(
    difference(0.2, 0.1, 0.3),
    tested(0.015625, 0.2, { statistic: 2, critical: 3, minPValue: 0.015625 }),
  )!;
  assert.deepEqual([open.reason.code, open.more], ['corrected', 25]);
  assert.equal(openInWords(open), 'open among 15 comparisons (p ≤ .016 alone); about 25 more speakers would settle it');
});

test('Of a test without any sign of a difference nobody can say how many speakers would settle it.', () => {
  assert.equal(openVerdict(difference(0.2, 0.1, 0.3), tested(1, 1))!.more, null);
  assert.equal(openVerdict(difference(0.2, 0.1, 0.3), tested(0.9, 1, { statistic: 0, critical: 3 }))!.more, null);
  // What a test asks for is no less than what the interval asks for, here 1.5^2 x 20 - 20.
  const strong = tested(0.3, 0.4, { statistic: 4, critical: 3 });
  assert.equal(openVerdict(difference(0.02, -0.01, 0.05), strong)!.more, 25);
});

test('An interval that leaves 0 out while the test does not tell is said to be chance’s, and a told one is not open.', () => {
  assert.match(said(difference(0.2, 0.01, 0.3), tested(0.08, 0.3)), /^not significant: p = .080; about/);
  assert.equal(openVerdict(difference(0.2, 0.1, 0.3), tested(0.001, 0.01)), undefined);
  assert.equal(openVerdict({ ...difference(0.2, 0.1, 0.3), value: null }, tested(0.001, 0.2)), undefined);
  const recordings = { ...difference(0.02, -0.01, 0.05), n: { utterances: 40, speakers: 0 } };
  assert.match(said(recordings, tested(0.2, 0.2)), /more recordings would settle it$/);
});

test('Where the test alone tells nothing, the interval that is shown holds 0, as wide as the test asks.', () => {
  const alone = difference(0.036, 0.002, 0.071);
  const open = openVerdict(alone, tested(0.057, 0.057, { among: null }))!;
  assert.equal(open.reason.code, 'not-significant');
  const comparison = {
    difference: alone,
    pValue: 0.057,
    adjustedPValue: 0.057,
    test: 'invented',
    verdict: 'cannot tell',
    open,
  } as const;
  const shown = shownDifference(comparison);
  // The deviate of .05 over that of .057 is 1.9600 / 1.9033.
  assert.ok(Math.abs(shown.low! - (0.036 - 0.036 * 1.0298)) < 1e-5, String(shown.low));
  assert.ok(shown.high! > 0.071);
  assert.deepEqual(
    [shownDifference(turned(comparison)).low, shownDifference(turned(comparison)).high],
    [-shown.high!, -shown.low!],
  );
  assert.match(whyWider(comparison)!, /the test does not leave out 0 \(p = \.057\)/);
  const same = openVerdict(difference(0, null, null, 20, { code: 'alike' }), tested(0.9, 0.9))!;
  assert.deepEqual([same.reason.code, whyWider({ ...comparison, open: same })], ['not-significant', null]);
});
