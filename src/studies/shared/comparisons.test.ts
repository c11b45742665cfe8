import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { shownDifference, turned } from '../../model/comparison.ts';
import type { SampleSize } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import { compareAll, judge } from './comparisons.ts';
import { measured, toEstimate } from './estimates.ts';

const settings = { level: 0.95, resamples: 400, minimumSpeakers: 8, seed: 5 };

function contrast(speakers: number, shift: number, what: number) {
  const random = createRandom(['contrast', what]);
  const words = new Float64Array(speakers).fill(50);
  const draw = (probability: number) => {
    let errors = 0;
    for (let word = 0; word < 50; word++) if (random.next() < probability) errors++;
    return errors;
  };
  const first = { numerators: Float64Array.from(words, () => draw(0.2)), denominators: words };
  const second = { numerators: Float64Array.from(words, () => draw(0.2 + shift)), denominators: words };
  return { first, second, n: { utterances: speakers, speakers } };
}

test('More errors are worse, fewer better, and too few speakers tell nothing.', () => {
  const [more, fewer, few] = compareAll(
    [contrast(20, 0.15, 1), contrast(20, -0.15, 2), contrast(5, 0.3, 3)],
    (one) => one,
    settings,
  );
  assert.equal(more!.verdict, 'worse');
  assert.equal(fewer!.verdict, 'better');
  assert.equal(few!.verdict, 'cannot tell');
  assert.equal(few!.difference.low, null);
  assert.match(reasonText(few!.reason!), /an interval needs 8 speakers/);
  const back = turned(more!);
  assert.equal(back.verdict, 'better');
  assert.deepEqual([back.difference.low, back.difference.high], [-more!.difference.high!, -more!.difference.low!]);
  assert.deepEqual(turned(back), more);
});

test('Where all speakers differ alike there is no interval, and the test alone decides.', () => {
  const words = new Float64Array(12).fill(50);
  const rate = (errors: number) => ({ numerators: words.map(() => errors), denominators: words });
  const of = (from: number, to: number) => ({
    ...{ first: rate(from), second: rate(to), n: { utterances: 12, speakers: 12 } },
  });
  const [ruined, mended, same] = compareAll([of(0, 50), of(50, 10), of(7, 7)], (one) => one, settings);
  assert.deepEqual([ruined!.verdict, mended!.verdict, same!.verdict], ['worse', 'better', 'cannot tell']);
  for (const { difference, reason } of [ruined!, mended!, same!]) {
    assert.deepEqual([difference.low, difference.high], [null, null]);
    assert.match(reasonText(reason ?? difference.reason!), /the data cannot say how it varies|no cluster|same/);
  }
});

test('Among a thousand comparisons of equals hardly one in twenty families claims a difference.', () => {
  let claims = 0;
  for (let family = 0; family < 50; family++) {
    const contrasts = Array.from({ length: 20 }, (_, index) => contrast(10, 0, 100 * family + index));
    const compared = compareAll(contrasts, (one) => one, { ...settings, resamples: 100 });
    if (compared.some(({ verdict }) => verdict !== 'cannot tell')) claims++;
  }
  // Binomial(50, .05) is beyond 7 less than 4 times in 1,000; the numbers are seeded.
  assert.ok(claims <= 7, `${claims} of 50 families`);
});

test('The speakers of a comparison are found by their numbers, in whatever order it has them.', () => {
  const one = contrast(12, 0.1, 21);
  const backwards = ({ numerators, denominators }: typeof one.first) => ({
    numerators: numerators.toReversed(),
    denominators: denominators.toReversed(),
  });
  const other = { ...one, first: backwards(one.first), second: backwards(one.second) };
  const clusters = Array.from({ length: 12 }, (_, place) => 11 - place);
  const [same, turnedRound] = compareAll([one, { ...other, clusters }], (each) => each, settings);
  // The same counts twice are farthest out in the same arrangements: the second costs nothing.
  assert.equal(same!.adjustedPValue, same!.pValue);
  assert.equal(turnedRound!.adjustedPValue, same!.pValue);
});

test('Families share the error by weight, and what the correction takes away says for how many it was made.', () => {
  const crowd = Array.from({ length: 60 }, (_, place) => ({ ...contrast(12, 0, 300 + place), family: 1 }));
  const headline = (weight: number, family = 0) => {
    const families = [
      { name: 'headline', weight },
      { name: 'others', weight: 1 },
    ];
    const of = [{ ...contrast(12, 0.09, 9), family }, ...crowd];
    return compareAll(of, (one) => one, { ...settings, resamples: 100, families })[0]!;
  };
  const [most, least, none] = [headline(4), headline(0.2), headline(4, 1)];
  const p = most.pValue!;
  assert.ok(p < 0.03 && most.adjustedPValue! <= 1.25 * p + 1e-12, `${p}, ${most.adjustedPValue}`);
  assert.ok(least.adjustedPValue! > 2 * most.adjustedPValue!, `${least.adjustedPValue}`);
  assert.ok(none.adjustedPValue! > 2 * most.adjustedPValue!, `${none.adjustedPValue}`);
  assert.match(reasonText(none.open!.reason), /^open among 61 comparisons \(p .* alone\)$/);
  // Alone its interval leaves 0 out; among the others 0 lies within, and the far end is further out.
  const { low, high, value } = none.difference;
  const shown = shownDifference(none);
  assert.ok(
    value! < 0
      ? high! < 0 && shown.high! >= 0 && shown.low! < low!
      : low! > 0 && shown.low! <= 0 && shown.high! > high!,
  );
  assert.deepEqual(shownDifference(turned(none)), {
    ...turned(none).difference,
    low: 0 - shown.high!,
    high: 0 - shown.low!,
  });
  assert.equal(shownDifference(most), most.difference);
});

test('What is compared with others changes no interval, only the corrected p value.', () => {
  const [alone] = compareAll([contrast(12, 0.1, 9)], (one) => one, settings);
  const [among] = compareAll([contrast(12, 0.1, 9), contrast(12, 0, 10)], (one) => one, settings);
  assert.deepEqual(alone!.difference, among!.difference);
  assert.equal(alone!.pValue, among!.pValue);
  assert.ok(among!.adjustedPValue! >= alone!.adjustedPValue!);
});

test('A verdict needs a p value of at most 1 - level and an interval without 0.', () => {
  const of = (low: number | null, high: number | null, level = 0.95) => ({
    ...{ value: 0.1, low, high, level, n: { utterances: 9, speakers: 9 }, method: 'm' },
  });
  assert.equal(judge(of(0.05, 0.2), 0.05), 'worse');
  assert.equal(judge(of(-0.2, -0.05), 0.05), 'better');
  assert.equal(judge(of(0.05, 0.2), 0.0501), 'cannot tell');
  assert.equal(judge(of(0.05, 0.2), 0.07), 'cannot tell');
  assert.equal(judge(of(0.05, 0.2, 0.9), 0.07), 'worse');
  assert.equal(judge(of(0.05, 0.2, 0.99), 0.02), 'cannot tell');
  assert.equal(judge(of(0, 0.2), 0.01), 'cannot tell');
  assert.equal(judge(of(-0.2, 0), 0.01), 'cannot tell');
  assert.equal(judge(of(null, null), 0.01), 'cannot tell');
  assert.equal(judge(of(0.05, 0.2), null), 'cannot tell');
  assert.equal(judge({ ...of(0.05, 0.2), value: null }, 0.01), 'cannot tell');
});

test('What was measured has no interval and the level of all others; what was estimated keeps its own.', () => {
  const n = { utterances: 3, speakers: 3 };
  assert.deepEqual(measured(2, n, { code: 'not-sampled' }, 'all of them'), {
    ...{ value: 2, low: null, high: null, level: 0.95, n, reason: { code: 'not-sampled' }, method: 'all of them' },
  });
  const interval = { value: 1, low: 0, high: 2, level: 0.9, method: 'm' };
  assert.deepEqual(toEstimate(interval, n), { ...interval, n });
  const few = { ...interval, method: 'over clusters', reason: { code: 'few-units', need: 10, have: [3] } } as const;
  const told = (of: SampleSize) => [toEstimate(few, of).method, reasonText(toEstimate(few, of).reason!)];
  assert.deepEqual(told(n), ['over speakers', 'an interval needs 10 speakers, and there are 3']);
  assert.deepEqual(told({ ...n, speakers: 0 }), [
    'over utterances',
    'an interval needs 10 utterances, and there are 3',
  ]);
  const recordings = { utterances: 3, speakers: 0, unit: 'recording' } as const;
  assert.deepEqual(told(recordings), ['over recordings', 'an interval needs 10 recordings, and there are 3']);
});
