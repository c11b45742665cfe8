import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonText } from '../../model/reason.ts';
import { clean } from '../../model/trial.ts';
import { normalizerNamed } from '../../scoring/normalizers/normalizers.ts';
import { exactProportionInterval } from '../../statistics/exact-intervals.ts';
import { recognizerNamed, said, spoken } from '../shared/testing/testing.ts';
import { HeardPool } from './heard.ts';
import { countTests, failedShare } from './results.ts';

const normalizer = normalizerNamed('basic');

/** @param wrong for each text, which of three recognizers get it wrong */
function heardOf(wrong: readonly (readonly number[])[]): HeardPool {
  const texts = wrong.map((_, text) => ({
    id: `${text}`,
    text: `text ${text}`,
    utterance: spoken(`${text}`, `text ${text}`),
  }));
  const recognizers = ['a', 'b', 'c'].map((name) => recognizerNamed(name));
  const pool = { name: 'voice', voice: 'voice', synthesizer: 'robot', condition: clean, texts };
  const heard = new HeardPool(pool, recognizers, { normalizer, tolerant: () => false });
  wrong.forEach((which, text) => {
    for (const index of recognizers.keys()) {
      heard.take(text, index, said(which.includes(index) ? 'what' : `text ${text}`));
    }
  });
  return heard;
}

test('The size of a share counts who speaks its texts: many people under one voice, and none where nobody says.', () => {
  const texts = ['ann', 'ann', 'bo', 'cy', undefined].map((speaker, text) => ({
    ...{ id: `${text}`, text: `text ${text}` },
    utterance: spoken(`${text}`, `text ${text}`, speaker === undefined ? {} : { speaker }),
  }));
  const pool = { name: 'recorded', voice: 'recorded', synthesizer: 'recorded', condition: clean, texts };
  const heard = new HeardPool(pool, [recognizerNamed('a')], { normalizer, tolerant: () => false });
  for (const text of texts.keys()) heard.take(text, 0, said(`text ${text}`));
  const sizeOf = (texts: readonly number[]) =>
    failedShare({ members: [{ heard, texts }], recognizer: 0 }, 'exact', 'answered', settings).n;
  assert.deepEqual(sizeOf([0, 1, 2, 3, 4]), { utterances: 5, speakers: 3 });
  assert.deepEqual(sizeOf([0, 1]), { utterances: 2, speakers: 1 });
  assert.deepEqual(sizeOf([4]), { utterances: 1, speakers: 0 });
});

const settings = { level: 0.95 };
const share = (heard: HeardPool, recognizer: number | null) =>
  failedShare(
    { members: [{ heard, texts: [...heard.pool.texts.keys()] }], recognizer },
    'exact',
    'determinable',
    settings,
  );

test('One test of each text has the exact binomial interval.', () => {
  const heard = heardOf(Array.from({ length: 35 }, (_, text) => (text === 0 ? [0] : [])));
  const { value, low, high } = share(heard, 0);
  assert.equal(value, 1 / 35);
  // By definition: 1 of 35 or more has probability .025 at the lower end, 1 or fewer at the upper.
  assert.ok(Math.abs(low! - (1 - 0.975 ** (1 / 35))) < 1e-12);
  assert.ok(Math.abs((1 - high!) ** 35 + 35 * high! * (1 - high!) ** 34 - 0.025) < 1e-12);
});

test('Nothing found among n texts leaves the upper end that binomials have.', () => {
  const { value, low, high } = share(heardOf(Array(20).fill([])), null);
  assert.deepEqual([value, low], [0, 0]);
  // 1 - .025 ** (1 / 20): of texts, not of the 60 tests.
  assert.ok(Math.abs(high! - 0.16843) < 1e-4);
});

test('Tests of one text that fail together count little more than one.', () => {
  const together = share(heardOf(Array.from({ length: 54 }, (_, text) => (text % 2 === 0 ? [0, 1] : []))), null);
  // Failures of a text vary as much as of a binomial of three with chance 1/3: 3 x 1/3 x 2/3.
  const asBinomial = Array.from({ length: 54 }, (_, text) => [[], [0], [0, 1]][text % 3]!);
  const equal = share(heardOf(Array.from({ length: 54 }, (_, text) => [text % 3])), null);
  const scattered = share(heardOf(asBinomial), null);
  assert.ok(Math.abs(together.value! - 1 / 3) < 1e-12 && Math.abs(scattered.value! - 1 / 3) < 1e-12);
  const width = ({ low, high }: typeof together) => high! - low!;
  // 162 tests, of which independent ones would have this, and as many as texts that.
  const [independent, asTexts] = [exactProportionInterval(54, 162), exactProportionInterval(18, 54)] as const;
  assert.ok(width(together) > 1.2 * (independent.high! - independent.low!), `${width(together)}`);
  assert.ok(width(scattered) < 1.1 * (independent.high! - independent.low!), `${width(scattered)}`);
  // Texts that do not differ tell nothing of how others may: each counts as one.
  assert.ok(Math.abs(equal.low! - asTexts.low!) + Math.abs(equal.high! - asTexts.high!) < 1e-12);
});

test('Few texts have a share and no interval, and none has neither.', () => {
  const few = share(heardOf([[0], [], []]), null);
  assert.equal(few.low, null);
  assert.match(reasonText(few.reason!), /needs 10 texts, and there are 3/);
  assert.equal(share(heardOf([]), null).value, null);
});

test('Counts tell texts from tests.', () => {
  const heard = heardOf([[0, 1], [0, 1, 2], []]);
  const counts = countTests({ members: [{ heard, texts: [0, 1, 2] }], recognizer: null }, 'exact');
  assert.deepEqual(counts, {
    texts: 3,
    determinable: 2,
    failing: 1,
    failed: 2,
    success: 4,
    indeterminable: 3,
    unanswered: 0,
    notAsked: 0,
  });
});
