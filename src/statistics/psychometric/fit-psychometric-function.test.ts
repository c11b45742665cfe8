import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { fitPsychometricFunction } from './fit-psychometric-function.ts';

const folder = new URL('../../../../shared/golden/statistics/', import.meta.url);
const skip = existsSync(folder) ? false : 'shared/golden/statistics is not beside the repository';
// biome-ignore lint/suspicious/noExplicitAny: the golden files are read as they are
const load = (name: string): any => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const close = (actual: number | null, expected: number, tolerance: number, where = '') =>
  assert.ok(actual !== null && Math.abs(actual - expected) <= tolerance, `${where}: ${actual} is not ${expected}`);
const fit = (levels: number[], words: number[], correct: number[], options = {}) =>
  fitPsychometricFunction({ levels, words, correct }, options);

test('Fits, thresholds and intervals are those of statsmodels and R.', { skip }, () => {
  const [data, python, r] = [
    load('data.json').psychometric,
    load('python.json').psychometric,
    load('r.json').psychometric,
  ];
  for (const [name, rows] of Object.entries<number[][]>(data)) {
    const column = (place: number) => rows.map((row) => row[place]!);
    const found = fit(column(0), column(1), column(2));
    const golden = python[name];
    close(found.intercept, golden.intercept, 1e-8, name);
    close(found.slope.value, golden.slope, 1e-8, name);
    close(found.deviance, golden.deviance, 1e-9, name);
    close(found.logLikelihood, golden.loglike, 1e-9, name);
    close(found.threshold.value, golden.threshold50, 1e-7, name);
    close(found.thresholdStandardError, golden.se_delta, 1e-7, name);
    close(found.threshold.low, golden.ci95_profile_likelihood[0], 1e-6, name);
    close(found.threshold.high, golden.ci95_profile_likelihood[1], 1e-6, name);
    found.covariance!.flat().forEach((value, place) => {
      close(value, golden.cov.flat()[place], 1e-8, name);
    });
    // R interpolates its profile.
    close(found.slope.low, r[name].slope_profile_ci95[0], 1e-4, name);
    close(found.slope.high, r[name].slope_profile_ci95[1], 1e-4, name);
    const delta = fit(column(0), column(1), column(2), { intervals: 'delta' });
    close(delta.threshold.low, golden.ci95_delta[0], 1e-7, name);
    const high = fit(column(0), column(1), column(2), { target: 0.75 });
    close(high.threshold.value, golden.threshold75, 1e-7, name);
    close(high.thresholdStandardError, r[name].se_delta[1], 1e-7, name);
  }
});

// Invented counts; statsmodels 0.15.0 (GLM) and scipy 1.17.1 (profile).
test('Five levels have the threshold and intervals of statsmodels and scipy.', () => {
  const found = fit([0, 5, 10, 15, 20], [25, 25, 25, 25, 25], [2, 10, 13, 22, 24]);
  close(found.threshold.value, 8.16345609324393, 1e-7);
  close(found.thresholdStandardError, 0.92101442852382, 1e-7);
  close(found.threshold.low, 6.26958886082428, 1e-6);
  close(found.threshold.high, 9.97146371264352, 1e-6);
  close(found.deviance, 2.32523628304861, 1e-9);
});

test('Two levels are met exactly: intercept, slope and threshold are known.', () => {
  const found = fit([0, 10], [40, 40], [10, 30]);
  close(found.slope.value, (2 * Math.log(3)) / 10, 1e-8);
  close(found.threshold.value, 5, 1e-7);
  close(found.deviance, 0, 1e-9);
  assert.deepEqual([found.degreesOfFreedom, found.deviancePValue], [0, null]);
  // The variance of a logit is 1 / (n p q), here 1 / 7.5.
  close(found.covariance![1][1], 2 / 7.5 / 100, 1e-8);
});

test('Held guesses and lapses, and such that are found, give back the function that made the shares.', () => {
  const levels = [-20, -12, -8, -4, 0, 4, 8, 12, 20];
  const words = levels.map(() => 1_000_000);
  const share = (level: number, guess: number, lapse: number) =>
    guess + (1 - guess - lapse) / (1 + Math.exp(-0.5 * (level - 1)));
  const correct = levels.map((level) => Math.round(1_000_000 * share(level, 0.1, 0.04)));
  for (const options of [
    { guess: 0.1, lapse: 0.04 },
    { guess: { most: 0.3 }, lapse: { most: 0.3 } },
  ]) {
    const found = fit(levels, words, correct, { ...options, target: share(1, 0.1, 0.04) });
    close(found.threshold.value, 1, 1e-4);
    close(found.slope.value, 0.5, 1e-4);
    close(found.guess, 0.1, 1e-4);
    close(found.lapse, 0.04, 1e-4);
    assert.ok(found.threshold.low! < 1 && found.threshold.high! > 1);
  }
});

test('Rows of one level are pooled, in any order, and rows without words left out.', () => {
  const pooled = fit([-5, 0, 5], [20, 30, 20], [4, 16, 17]);
  const rows = fit([5, 0, -5, 0, 5, 9], [10, 10, 20, 20, 10, 0], [9, 5, 4, 11, 8, 0]);
  close(rows.threshold.value, pooled.threshold.value!, 1e-9);
  close(rows.deviance, pooled.deviance!, 1e-9);
});

test('Where no threshold exists there is a reason.', () => {
  const ten = [10, 10, 10];
  const reasonOf = (correct: number[], options = {}) => fit([0, 5, 10], ten, correct, options).reason!;
  assert.match(reasonOf([10, 10, 10]), /every word is right/);
  assert.match(reasonOf([0, 0, 0]), /no word is right/);
  assert.match(reasonOf([5, 5, 5]), /does not rise/);
  assert.match(reasonOf([8, 5, 2]), /does not rise/);
  assert.match(reasonOf([0, 10, 10]), /separation.*between levels 0 and 5/);
  assert.match(reasonOf([0, 4, 10]), /separation.*at level 5/);
  assert.match(reasonOf([10, 5, 0]), /the share falls/);
  assert.match(reasonOf([0, 10, 10], { lapse: { most: 0.1 } }), /step/);
  assert.match(fit([3], [10], [4]).reason!, /only one level/);
  assert.match(fit([], [], []).reason!, /no words/);
  assert.match(fit([1, 2], [0, 0], [0, 0]).reason!, /no words/);
  const nothing = fit([0, 5, 10], ten, [10, 10, 10]);
  assert.deepEqual([nothing.threshold.value, nothing.slope.value, nothing.deviance], [null, null, null]);
});

test('Where the share hardly rises the threshold has no interval; outside the levels there is a note.', () => {
  const weak = fit([0, 5, 10, 15], [10, 10, 10, 10], [4, 5, 5, 6]);
  assert.ok(weak.threshold.value !== null);
  assert.equal(weak.threshold.low, null);
  assert.match(weak.threshold.reason!, /does not rise clearly/);
  assert.match(fit([0, 5, 10], [99, 99, 99], [1, 4, 9]).notes[0]!, /outside the levels/);
});

test('With speakers whole speakers are resampled: a longer interval where they differ, none with too few.', () => {
  const random = createRandom('listeners');
  const levels: number[] = [];
  const correct: number[] = [];
  const speaker: string[] = [];
  for (let place = 0; place < 20; place++) {
    const own = 3 * random.normal();
    for (const level of [-9, -6, -3, 0, 3, 6, 9]) {
      let right = 0;
      for (let word = 0; word < 10; word++) if (random.next() < 1 / (1 + Math.exp(0.6 * (own - level)))) right++;
      levels.push(level);
      correct.push(right);
      speaker.push(`speaker ${place}`);
    }
  }
  const words = levels.map(() => 10);
  const options = { random, resamples: 200, intervals: 'delta' } as const;
  const clustered = fitPsychometricFunction({ levels, words, correct, speaker }, options).threshold;
  const plain = fitPsychometricFunction({ levels, words, correct }).threshold;
  assert.match(clustered.method, /over 20 speakers/);
  assert.equal(clustered.value, plain.value);
  assert.ok(clustered.high! - clustered.low! > 1.5 * (plain.high! - plain.low!));
  const few = fitPsychometricFunction(
    {
      levels: levels.slice(0, 21),
      words: words.slice(0, 21),
      correct: correct.slice(0, 21),
      speaker: speaker.slice(0, 21),
    },
    options,
  );
  assert.match(few.threshold.reason!, /needs 10 clusters \(speakers\), and there are 3/);
});

// Two of twelve speakers hear more at higher levels, and the others nothing: 11 % of resamples have neither of the two, (10 / 12) ** 12.
test('Where too many resamples of speakers have no threshold there is no interval.', () => {
  const speakers = Array.from({ length: 12 }, (_, place) => `speaker ${place}`);
  const levels = [-10, -5, 0, 5, 10];
  const rows = speakers.flatMap((speaker, place) =>
    levels.map((level, step) => ({ speaker, level, correct: place < 2 ? 2 * step : 0 })),
  );
  const { threshold } = fitPsychometricFunction(
    {
      levels: rows.map(({ level }) => level),
      words: rows.map(() => 10),
      correct: rows.map(({ correct }) => correct),
      speaker: rows.map(({ speaker }) => speaker),
    },
    { random: createRandom('few who hear'), resamples: 200 },
  );
  assert.notEqual(threshold.value, null);
  assert.match(threshold.reason ?? '', /^\d\d of 200 resamples of speakers have no threshold/);
});

test('Faults of the caller are range errors.', () => {
  assert.throws(() => fit([0, 1], [9], [1, 2]), RangeError);
  assert.throws(() => fit([0, Number.NaN], [9, 9], [1, 2]), RangeError);
  assert.throws(() => fit([0, 1], [9, 9], [1, 10]), RangeError);
  assert.throws(() => fit([0, 1], [9, 9], [1, 2.5]), RangeError);
  assert.throws(() => fit([0, 1], [9, 9], [1, 2], { guess: 0.5 }), RangeError);
  assert.throws(() => fit([0, 1], [9, 9], [1, 2], { guess: 0.6, lapse: 0.6 }), RangeError);
  assert.throws(() => fit([0, 1], [9, 9], [1, 2], { level: 0 }), RangeError);
  assert.throws(
    () => fitPsychometricFunction({ levels: [0, 1], words: [9, 9], correct: [1, 2], speaker: ['a', 'b'] }),
    /random/,
  );
});
