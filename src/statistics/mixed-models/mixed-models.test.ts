import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { reasonText } from '../../model/reason.ts';
import type { SpeakerCountData } from './count-data.ts';
import { mixedNegativeBinomial, mixedPoisson, negativeBinomialRegression, poissonRegression } from './count-models.ts';

const close = (actual: number | null | undefined, expected: number, tolerance: number) =>
  assert.ok(typeof actual === 'number' && Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

/** Six speakers with five rows each. */
const six = {
  errors: [0, 3, 1, 0, 0, 9, 5, 5, 0, 5, 9, 3, 4, 3, 6, 5, 7, 2, 6, 39, 1, 0, 0, 1, 0, 11, 3, 8, 3, 2],
  words: [
    38, 28, 30, 36, 27, 33, 35, 16, 11, 19, 18, 36, 37, 10, 24, 34, 13, 33, 13, 24, 34, 19, 20, 18, 31, 17, 39, 23, 24,
    25,
  ],
  predictors: {
    accent: Array.from({ length: 30 }, (_, row) => (Math.floor(row / 5) % 2 ? 'uk' : 'us')),
    snr: [
      10, 10, 10, 20, 20, 20, 20, 10, 10, 20, 10, 0, 20, 0, 20, 10, 0, 0, 10, 0, 0, 10, 20, 10, 20, 20, 20, 10, 10, 10,
    ],
  },
  speaker: Array.from({ length: 30 }, (_, row) => `speaker ${Math.floor(row / 5)}`),
};
const us = { references: { accent: 'us' } };

// Expected: the likelihood integrated on 4,001 points and maximized by scipy 1.17.1 (BFGS, then Nelder-Mead), standard
// errors from its second differences.
test('A mixed Poisson fit is the maximum of the likelihood integrated by brute force.', () => {
  const fit = mixedPoisson(six, { ...us, quadraturePoints: 25 });
  const expected = [-2.656262240300995, 1.69811252718484, -0.02712318681703328];
  const errors = [0.5035934077657643, 0.6247665689337119, 0.014401831096490935];
  fit.coefficients.forEach((coefficient, place) => {
    close(coefficient.estimate, expected[place]!, 1e-6);
    close(coefficient.standardError, errors[place]!, 1e-5);
  });
  close(fit.speakerSd, 0.6826978263040133, 1e-6);
  close(fit.logLikelihood, -106.87859105365074, 1e-8);
});

test('A mixed negative binomial fit is the maximum of the likelihood integrated by brute force.', () => {
  const fit = mixedNegativeBinomial(six, { ...us, quadraturePoints: 25 });
  const expected = [-2.4765914240144458, 1.6917978959401063, -0.03106801959223838];
  const errors = [0.6375894133568532, 0.6893078493975002, 0.029931779840889287];
  fit.coefficients.forEach((coefficient, place) => {
    close(coefficient.estimate, expected[place]!, 2e-6);
    close(coefficient.standardError, errors[place]!, 2e-5);
  });
  close(fit.speakerSd, 0.6560869625027507, 1e-5);
  close(fit.theta, 1.4520096589250875, 1e-5);
  close(fit.logLikelihood, -74.39792766972325, 1e-8);
});

test('Held at the theta that was estimated, a fit is the same; of two rates each row adds 1 / mean + 1 / theta to the variance.', () => {
  const free = mixedNegativeBinomial(six, { ...us, quadraturePoints: 25 });
  const held = mixedNegativeBinomial(six, { ...us, quadraturePoints: 25, theta: free.theta! });
  held.coefficients.forEach(({ estimate }, place) => {
    close(estimate, free.coefficients[place]!.estimate!, 1e-4);
  });
  close(held.logLikelihood, free.logLikelihood!, 1e-6);
  const two = negativeBinomialRegression(
    { errors: [3, 9], words: [100, 100], predictors: { noise: ['off', 'on'] } },
    { theta: 4, information: 'expected' },
  );
  close(two.coefficients[1]!.standardError, Math.sqrt(1 / 3 + 1 / 4 + 1 / 9 + 1 / 4), 1e-8);
});

test('Nine points give what twenty-five do, and one point nearly.', () => {
  const at = (quadraturePoints: number) => mixedPoisson(six, { intervals: 'wald', quadraturePoints }).coefficients[1]!;
  close(at(9).estimate, at(25).estimate!, 1e-5);
  close(at(1).estimate, at(25).estimate!, 0.01);
});

test('Two Poisson rates: the ratio, its standard error and the likelihood ratio are known in closed form.', () => {
  const fit = poissonRegression({ errors: [3, 9], words: [100, 100], predictors: { noise: ['off', 'on'] } });
  close(fit.coefficients[1]!.rateRatio.value, 3, 1e-9);
  close(fit.coefficients[1]!.standardError, Math.sqrt(1 / 3 + 1 / 9), 1e-9);
  close(fit.terms[0]!.likelihoodRatio, 2 * (3 * Math.log(3 / 6) + 9 * Math.log(9 / 6)), 1e-9);
  close(fit.deviance, 0, 1e-9);
});

test('An end of the profile interval is where the test of that ratio has p = .05, between and within speakers.', () => {
  for (const fit of [mixedPoisson, mixedNegativeBinomial]) {
    const { low, high } = fit(six, us).coefficients[1]!.rateRatio;
    for (const ratio of [low!, high!]) {
      const words = six.words.map((size, row) => (six.predictors.accent[row] === 'uk' ? size * ratio : size));
      close(fit({ ...six, words }, us).terms[0]!.pValue, 0.05, 1e-4);
    }
  }
  const snr = poissonRegression(six).coefficients[2]!;
  const words = six.words.map((size, row) => size * snr.rateRatio.high! ** six.predictors.snr[row]!);
  close(poissonRegression({ ...six, words }).terms[1]!.pValue, 0.05, 1e-5);
});

test('Units and offsets of covariates, the order of rows and the reference change nothing but names and signs.', () => {
  const fit = mixedPoisson(six, { intervals: 'wald' });
  const shifted = six.predictors.snr.map((snr) => 2026 + snr / 1000);
  const moved = mixedPoisson({ ...six, predictors: { ...six.predictors, snr: shifted } }, { intervals: 'wald' });
  close(moved.coefficients[2]!.estimate! / 1000, fit.coefficients[2]!.estimate!, 1e-7);
  close(moved.coefficients[2]!.standardError! / 1000, fit.coefficients[2]!.standardError!, 1e-7);
  close(moved.terms[1]!.pValue, fit.terms[1]!.pValue!, 1e-6);
  const order = Array.from({ length: 30 }, (_, row) => (row * 7) % 30);
  const shuffle = <T>(values: readonly T[]) => order.map((row) => values[row]!);
  const shuffled = mixedPoisson(
    {
      errors: shuffle(six.errors),
      words: shuffle(six.words),
      predictors: { accent: shuffle(six.predictors.accent), snr: shuffle(six.predictors.snr) },
      speaker: shuffle(six.speaker),
    },
    { ...us, intervals: 'wald' },
  );
  close(shuffled.coefficients[1]!.estimate, -fit.coefficients[1]!.estimate!, 1e-8);
  close(shuffled.terms[0]!.pValue, fit.terms[0]!.pValue!, 1e-8);
});

test('Without words, errors or a second speaker there is a reason and no number.', () => {
  const empty: SpeakerCountData = { errors: [], words: [], predictors: { group: [] }, speaker: [] };
  assert.match(reasonText(mixedPoisson(empty).reason!), /nothing to divide by/);
  assert.match(reasonText(mixedPoisson({ ...six, errors: six.errors.map(() => 0) }).reason!), /not a single error/);
  assert.match(
    reasonText(mixedPoisson({ ...six, words: six.words.map(() => 0), errors: six.errors }).reason!),
    /nothing to divide by/,
  );
  const one = mixedPoisson({ ...six, speaker: six.speaker.map(() => 'alone') });
  assert.match(reasonText(one.reason!), /one speaker/);
  assert.deepEqual([one.coefficients, one.logLikelihood, one.speakerSd], [[], null, null]);
});

test('A single row has its rate; one group has no test.', () => {
  const single = poissonRegression({ errors: [4], words: [40], predictors: {} });
  close(single.coefficients[0]!.rateRatio.value, 0.1, 1e-12);
  close(single.coefficients[0]!.standardError, 0.5, 1e-9);
  const group = mixedPoisson({ ...six, predictors: { group: six.errors.map(() => 'all') } });
  assert.equal(group.coefficients.length, 1);
  assert.deepEqual([group.terms[0]!.pValue, group.terms[0]!.reason], [null, { code: 'one-level' }]);
});

test('Rows without words are left out and counted.', () => {
  const more = {
    errors: [...six.errors, 4, 0],
    words: [...six.words, 0, 0],
    predictors: { accent: [...six.predictors.accent, 'nowhere', 'uk'], snr: [...six.predictors.snr, 0, 0] },
    speaker: [...six.speaker, 'somebody', 'speaker 0'],
  };
  const fit = mixedPoisson(more, { ...us, intervals: 'wald' });
  assert.deepEqual(fit.coefficients, mixedPoisson(six, { ...us, intervals: 'wald' }).coefficients);
  assert.match(fit.notes[0]!, /2 of 32 rows have no words.*4 errors/);
});

test('A level without errors has ratio 0 with an upper end, and the other coefficients as without its rows.', () => {
  const data = { errors: [6, 9, 0], words: [100, 100, 50], predictors: { group: ['a', 'b', 'c'] } };
  const fit = poissonRegression(data);
  const [, second, third] = fit.coefficients;
  close(second!.estimate, Math.log(9 / 6), 1e-9);
  assert.deepEqual([third!.estimate, third!.standardError], [null, null]);
  assert.match(reasonText(third!.reason!), /no error at level c/);
  assert.deepEqual([third!.rateRatio.value, third!.rateRatio.low], [0, 0]);
  // At the upper end r twice the loss of log-likelihood is chi-square's 95 % point, with rate (6) / (100 + 50 r) in both.
  const rate = (ratio: number) => 6 / (100 + 50 * ratio);
  const loss = (ratio: number) => 6 * Math.log(0.06) - 6 - (6 * Math.log(rate(ratio)) - 6);
  close(2 * loss(third!.rateRatio.high!), 3.841458820694124, 1e-4);
  // Three rates of their own against one for all.
  const parted = 6 * Math.log(0.06) + 9 * Math.log(0.09);
  close(fit.terms[0]!.likelihoodRatio, 2 * (parted - 15 * Math.log(15 / 250)), 1e-8);

  const reference = poissonRegression(data, { references: { group: 'c' } });
  assert.match(reasonText(reference.reason!), /reference level c of group.*choose another/);
  const mixed = mixedPoisson({
    ...six,
    errors: six.errors.map((count, row) => (six.speaker[row] === 'speaker 5' ? 0 : count)),
    predictors: { group: six.speaker.map((name) => (name === 'speaker 5' ? 'silent' : 'other')) },
  });
  assert.equal(mixed.coefficients[1]!.estimate, null);
  assert.ok(mixed.terms[0]!.pValue! > 0 && mixed.terms[0]!.pValue! < 1);
});

test('Separation by a covariate, and collinear predictors, are reasons.', () => {
  const ramp = { errors: [0, 0, 0, 5], words: [9, 9, 9, 9], predictors: { x: [1, 2, 3, 4] } };
  assert.match(reasonText(poissonRegression(ramp).reason!), /separation/);
  assert.match(reasonText(negativeBinomialRegression(ramp).reason!), /separation/);
  const twice = { ...six, predictors: { ...six.predictors, double: six.predictors.snr.map((snr) => 2 * snr + 1) } };
  assert.match(reasonText(mixedPoisson(twice).reason!), /collinear predictors.*double/);
  const copy = { ...six, predictors: { ...six.predictors, again: six.predictors.accent } };
  assert.match(reasonText(mixedPoisson(copy).reason!), /again: us/);
  const wide = { errors: [1, 2], words: [9, 9], predictors: { x: [1, 2], y: [2, 5] } };
  assert.match(reasonText(poissonRegression(wide).reason!), /collinear/);
});

test('With as many groups as speakers there is no test between them.', () => {
  const fit = mixedPoisson({ ...six, predictors: { who: six.speaker } });
  assert.equal(fit.terms[0]!.pValue, null);
  assert.match(reasonText(fit.terms[0]!.reason!), /more speakers \(6\) than coefficients between them \(6\)/);
  assert.equal(fit.coefficients[1]!.rateRatio.low, null);
});

test('Huge counts are fitted: two rates of a billion words, and overdispersed hundreds of thousands.', () => {
  const billions = poissonRegression({ errors: [1e8, 3e8], words: [1e9, 1e9], predictors: { noise: ['off', 'on'] } });
  close(billions.coefficients[1]!.rateRatio.value, 3, 1e-9);
  close(billions.coefficients[1]!.standardError, Math.sqrt(1e-8 + 1e-8 / 3), 1e-10);
  const random = createRandom('huge');
  const errors = Array.from({ length: 60 }, () => Math.round(200_000 * Math.exp(0.3 * random.normal())));
  const fit = negativeBinomialRegression({ errors, words: errors.map(() => 1e6), predictors: {} });
  // Far from 0 the logarithms are nearly normal, with variance nearly 1 / theta.
  close(1 / fit.theta!, 0.09, 0.03);
  close(fit.coefficients[0]!.standardError, Math.sqrt(1 / fit.theta! / 60), 1e-3);
  const mixed = mixedPoisson({
    errors,
    words: errors.map(() => 1e6),
    predictors: {},
    speaker: errors.map((_, row) => `${row >> 1}`),
  });
  assert.equal(mixed.reason, undefined);
});

test('Counts no more dispersed than Poisson’s give the Poisson fit, and the result says so.', () => {
  const even = { errors: [3, 3, 3, 3, 3, 3], words: [30, 30, 30, 30, 30, 30], predictors: {} };
  const fit = negativeBinomialRegression(even);
  assert.equal(fit.theta, null);
  assert.match(fit.notes[0]!, /no overdispersion/);
  close(fit.coefficients[0]!.standardError, 1 / Math.sqrt(18), 1e-9);
  const mixed = mixedNegativeBinomial({ ...even, speaker: ['a', 'a', 'b', 'b', 'c', 'c'] });
  assert.deepEqual([mixed.speakerSd, mixed.theta], [0, null]);
});

test('Names of objects’ own members are names of predictors, levels and speakers like others.', () => {
  const names = six.predictors.accent.map((accent) => (accent === 'uk' ? '__proto__' : 'constructor'));
  const fit = mixedPoisson({
    ...six,
    predictors: { toString: names },
    speaker: six.speaker.map((name) => (name === 'speaker 0' ? '__proto__' : name)),
  });
  assert.equal(fit.coefficients[1]!.name, 'toString: constructor');
  assert.equal(fit.speakerEffects[0]!.speaker, '__proto__');
});

test('Faults of the caller are range errors.', () => {
  const rows = { errors: [1, 2], words: [9, 9], predictors: { x: [1, 2] } };
  assert.throws(() => poissonRegression({ ...rows, words: [9] }), RangeError);
  assert.throws(() => poissonRegression({ ...rows, errors: [1.5, 2] }), RangeError);
  assert.throws(() => poissonRegression({ ...rows, errors: [-1, 2] }), RangeError);
  assert.throws(() => poissonRegression({ ...rows, words: [Number.NaN, 2] }), RangeError);
  assert.throws(() => poissonRegression({ ...rows, predictors: { x: [1, Number.POSITIVE_INFINITY] } }), RangeError);
  assert.throws(() => poissonRegression({ ...rows, predictors: { x: [1] } }), RangeError);
  assert.throws(() => poissonRegression(rows, { level: 1 }), RangeError);
  assert.throws(() => poissonRegression(rows, { references: { y: 'a' } }), RangeError);
  assert.throws(() => negativeBinomialRegression(rows, { theta: 0 }), RangeError);
  assert.throws(() => mixedPoisson({ ...rows, speaker: ['a', 'b'] }, { quadraturePoints: 0 }), RangeError);
  assert.throws(() => mixedPoisson({ ...rows, speaker: ['a'] }), RangeError);
});
