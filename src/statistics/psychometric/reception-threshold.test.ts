import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ThresholdQuestion } from './curve-grid.ts';
import { jackknifeDifference } from './jackknife.ts';
import { receptionThreshold } from './reception-threshold.ts';
import { curvePosterior, firstLevels, nextLevels, searchSpace } from './threshold-search.ts';

const levels = Array.from({ length: 33 }, (_, place) => -20 + place);
const space = searchSpace({ levels, target: 0.5, of: 'said' });

/** Questions of 40 words by as many speakers as levels, whose right words are rounded from a logistic function. */
function questionsOf(threshold: number, slope: number, ceiling = 1, clusters = 1): ThresholdQuestion[] {
  return levels.flatMap((level, place) =>
    Array.from({ length: clusters }, (_, number) => ({
      level,
      words: 40,
      correct: Math.round((40 * ceiling) / (1 + Math.exp(-slope * (level - threshold)))),
      cluster: `speaker ${(place + 7 * number) % 33}`,
    })),
  );
}

test('The threshold of exact shares is the one that made them.', () => {
  for (const [threshold, slope] of [
    [-3.3, 0.5],
    [2.6, 1.1],
    [-9, 0.25],
  ] as const) {
    const questions = questionsOf(threshold, slope);
    const { threshold: found } = receptionThreshold(space, questions);
    assert.ok(Math.abs(found.value! - threshold) < 0.15, `${found.value} for ${threshold}`);
  }
});

test('With a ceiling, half of what was said lies higher than half of the best, as the logit tells.', () => {
  const questions = questionsOf(-4, 0.6, 0.7);
  const said = receptionThreshold(space, questions);
  // .7 x logistic(.6 x (x + 4)) = .5 where the logit is log(.5 / .2).
  assert.ok(Math.abs(said.threshold.value! - (-4 + Math.log(2.5) / 0.6)) < 0.25, String(said.threshold.value));
  assert.ok(Math.abs(said.ceiling - 0.7) < 0.03);
  const clean = searchSpace({ levels, target: 0.5, of: 'clean' });
  assert.ok(Math.abs(receptionThreshold(clean, questions).threshold.value! + 4) < 0.25);
});

test('Clean answers, at level Infinity, tell the ceiling alone.', () => {
  const clean = Array.from({ length: 20 }, (_, place) => ({
    level: Number.POSITIVE_INFINITY,
    words: 10,
    correct: 6,
    cluster: `clean ${place}`,
  }));
  const { ceiling } = receptionThreshold(space, clean);
  assert.ok(Math.abs(ceiling - 0.6) < 0.08, String(ceiling));
});

test('A share that is never or always reached has no threshold, and no question no number.', () => {
  const answered = (right: number) =>
    levels.map((level) => ({ level, words: 10, correct: right, cluster: `${level}` }));
  assert.equal(receptionThreshold(space, answered(3)).outside, 'never');
  assert.equal(receptionThreshold(space, answered(10)).outside, 'always');
  assert.equal(receptionThreshold(space, answered(3)).threshold.value, null);
  assert.equal(receptionThreshold(space, []).threshold.value, null);
});

test('Clips that are right or wrong as a whole make the interval wider, words at random do not.', () => {
  const clumped = levels.flatMap((level, place) =>
    Array.from({ length: 4 }, (_, number) => ({
      level,
      words: 10,
      correct: (place * 7 + number * 13) % 32 < level + 20 ? 10 : 0,
      cluster: `${level} ${number}`,
    })),
  );
  const even = clumped.map((question) => ({ ...question, correct: Math.round((10 * (question.level + 20)) / 32) }));
  const [wide, narrow] = [receptionThreshold(space, clumped), receptionThreshold(space, even)];
  assert.ok(wide.dispersion > 5 && narrow.dispersion < 1.6, `${wide.dispersion} and ${narrow.dispersion}`);
  const length = ({ threshold }: typeof wide) => threshold.high! - threshold.low!;
  assert.ok(length(wide) > 2 * length(narrow));
});

test('The interval ends where the share stops differing from the target.', () => {
  const questions = levels.flatMap((level, place) =>
    Array.from({ length: 3 }, (_, number) => ({
      level,
      words: 10,
      correct: Math.round(10 / (1 + Math.exp(-0.4 * (level + 3 + ((place * 5 + number * 11) % 9) - 4)))),
      cluster: `${level} ${number}`,
    })),
  );
  const { threshold, shareAt } = receptionThreshold(space, questions);
  assert.ok(Math.abs(shareAt(threshold.value!).value! - 0.5) < 1e-6);
  // The share's own interval is made on the scale of logits, that of the threshold on the scale of shares.
  assert.ok(Math.abs(shareAt(threshold.low!).high! - 0.5) < 0.01, String(shareAt(threshold.low!).high));
  assert.ok(Math.abs(shareAt(threshold.high!).low! - 0.5) < 0.01, String(shareAt(threshold.high!).low));
});

test('Clusters that answer alike leave no interval but the threshold itself.', () => {
  const alike = ['a', 'b', 'c'].flatMap((cluster) =>
    questionsOf(-3, 0.6).map((question) => ({ ...question, cluster })),
  );
  const { value, low, high } = receptionThreshold(space, alike, { minimumClusters: 3 }).threshold;
  assert.ok(Math.abs(low! - value!) < 1e-3 && Math.abs(high! - value!) < 1e-3, `${low} ${value} ${high}`);
});

test('What two thresholds have in common cancels where the same speakers stand behind both.', () => {
  const own = new Map(Array.from({ length: 12 }, (_, place) => [`s${place}`, place - 5.5] as const));
  const one = { value: 0, replicates: new Map([...own].map(([name, value]) => [name, value / 11])), effective: 12 };
  const other = {
    value: 2,
    replicates: new Map([...own].map(([name, value]) => [name, 2 + value / 11])),
    effective: 12,
  };
  const options = { level: 0.95, minimumClusters: 10 };
  const shared = jackknifeDifference(one, other, options);
  assert.ok(Math.abs(shared.interval.low! - 2) < 1e-12 && Math.abs(shared.interval.high! - 2) < 1e-12);
  const apart = {
    ...other,
    replicates: new Map([...other.replicates].map(([name, value]) => [`other ${name}`, value])),
  };
  const separate = jackknifeDifference(one, apart, options);
  // Two standard errors of the mean of 12 values with variance 13, with t of 22 degrees of freedom: 2.0739 x sqrt(2 x 13 / 12).
  assert.ok(Math.abs(separate.interval.high! - 2 - 2.0739 * Math.sqrt((2 * 13) / 12)) < 1e-3);
  assert.equal(jackknifeDifference(one, other, { level: 0.95, minimumClusters: 13 }).interval.low, null);
});

test('The first questions spread over all levels, the next gather where half of the words are right.', () => {
  assert.deepEqual(firstLevels(33, 5), [3, 9, 16, 23, 29]);
  const known = nextLevels(space, curvePosterior(space, questionsOf(-6, 0.8, 1, 3)), 8).map((place) => levels[place]!);
  assert.ok(
    known.every((level) => Math.abs(level + 6) <= 4),
    known.join(),
  );
  assert.ok(new Set(known).size >= 3);
});

test('Levels that do not rise and targets that are no shares are range errors.', () => {
  assert.throws(() => searchSpace({ levels: [1, 1], target: 0.5, of: 'said' }), RangeError);
  assert.throws(() => searchSpace({ levels: [1], target: 0.5, of: 'said' }), RangeError);
  assert.throws(() => searchSpace({ levels, target: 1, of: 'said' }), RangeError);
});
