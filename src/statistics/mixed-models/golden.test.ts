// Values of R (stats, MASS, lme4) and statsmodels in goldens/statistics, whose README tells how they were made.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../../base/testing/golden.ts';
import type { CountRegression } from './count-data.ts';
import { mixedNegativeBinomial, mixedPoisson, negativeBinomialRegression, poissonRegression } from './count-models.ts';

const folder = golden('statistics/');
// biome-ignore lint/suspicious/noExplicitAny: the golden files are read as they are
const load = (name: string): any => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const data = load('data.json');
const r = load('r.json');
const python = load('python.json');
const sets = ['mild', 'overdispersed', 'few_speakers'];

function rowsOf(name: string) {
  const rows: number[][] = data.counts[name];
  const column = (place: number) => rows.map((row) => row[place]!);
  return {
    errors: column(5),
    words: column(4),
    predictors: { group: column(1), native: column(2), snr: column(3) },
    speaker: column(0).map(String),
  };
}

function close(actual: number | null, expected: number, tolerance: number, where: string): void {
  assert.ok(actual !== null && Math.abs(actual - expected) <= tolerance, `${where}: ${actual} is not ${expected}`);
}

function compare(fit: CountRegression, estimates: number[], errors: number[] | null, tolerance: number, where: string) {
  assert.equal(fit.reason, undefined);
  fit.coefficients.forEach((coefficient, place) => {
    close(coefficient.estimate, estimates[place]!, tolerance, `${where} ${coefficient.name}`);
    if (errors) close(coefficient.standardError, errors[place]!, tolerance, `${where} error of ${coefficient.name}`);
  });
}

const wald = { intervals: 'wald' } as const;

test('Poisson regressions are those of R’s glm and statsmodels.', () => {
  for (const name of sets) {
    const fit = poissonRegression(rowsOf(name), wald);
    const golden = r.counts[name].glm_poisson;
    compare(fit, golden.coef, golden.se, 1e-8, name);
    close(fit.logLikelihood, golden.loglik, 1e-8, name);
    close(fit.deviance, golden.deviance, 1e-8, name);
    close(fit.pearsonChiSquare, python.counts[name].poisson.pearson_chi2, 1e-8, name);
    compare(fit, python.counts[name].poisson.params, python.counts[name].poisson.bse, 1e-8, name);
  }
});

test('Negative binomial regressions are those of MASS and, by the other information, statsmodels.', () => {
  for (const name of sets) {
    const mass = negativeBinomialRegression(rowsOf(name), { ...wald, information: 'expected' });
    const golden = r.counts[name].glm_nb;
    // glm.nb did not converge on the last set, which has next to no overdispersion.
    const tolerance = name === 'few_speakers' ? 1e-5 : 1e-6;
    compare(mass, golden.coef, golden.se, tolerance, name);
    close(mass.theta! / golden.theta, 1, tolerance, `${name} theta`);
    // MASS takes it at the theta before its last step.
    close(mass.thetaStandardError! / golden.se_theta, 1, 1e-3, `${name} error of theta`);
    close(mass.logLikelihood, golden.loglik, 1e-7, name);
    const observed = negativeBinomialRegression(rowsOf(name), wald);
    const { params_then_alpha: parameters, bse, loglike } = python.counts[name].negbin_ml;
    compare(observed, parameters, bse, 1e-6, name);
    close(1 / observed.theta!, parameters[4], 1e-6, `${name} alpha`);
    close(observed.thetaStandardError! / observed.theta! ** 2, bse[4], 1e-6, `${name} error of alpha`);
    close(observed.logLikelihood, loglike, 1e-7, name);
    for (const alpha of [0.25, 1]) {
      const held = negativeBinomialRegression(rowsOf(name), { ...wald, theta: 1 / alpha, information: 'expected' });
      const expected = python.counts[name][`negbin_alpha_${alpha === 1 ? '1.0' : alpha}`];
      compare(held, expected.params, expected.bse, 1e-6, `${name} alpha ${alpha}`);
      close(held.logLikelihood, expected.loglike, 1e-7, name);
    }
  }
});

test('Mixed Poisson regressions are glmer’s by Laplace and quadrature, also where no variance is left.', () => {
  for (const name of sets) {
    for (const points of [1, 10, 25]) {
      const fit = mixedPoisson(rowsOf(name), { ...wald, quadraturePoints: points });
      const golden = r.counts[name][`glmer_poisson_nAGQ${points}`];
      compare(fit, golden.fixef, golden.se, 2e-6, `${name} ${points}`);
      close(fit.speakerSd, golden.sd_speaker, 2e-6, `${name} ${points} speakers`);
      golden.ranef_first5.forEach((effect: number, place: number) => {
        assert.equal(fit.speakerEffects[place]!.speaker, String(place));
        close(fit.speakerEffects[place]!.effect, effect, 2e-4, `${name} ${points} speaker ${place}`);
      });
      if (points === 1) close(fit.logLikelihood, golden.loglik, 1e-6, name);
      assert.equal(fit.notes.join().includes('singular'), name === 'few_speakers');
    }
    const { terms } = mixedPoisson(rowsOf(name), { ...wald, quadraturePoints: 1 });
    close(terms[0]!.likelihoodRatio, r.counts[name].lr_test_group_laplace.chisq, 2e-3, `${name} likelihood ratio`);
  }
});

test('Mixed negative binomial regressions are glmer.nb’s, and better where that stopped early.', () => {
  for (const name of sets) {
    const golden = r.counts[name].glmer_nb_laplace;
    const options = { ...wald, quadraturePoints: 1 };
    const held = mixedNegativeBinomial(rowsOf(name), { ...options, theta: golden.theta });
    compare(held, golden.fixef, golden.se, 1e-3, `${name} theta held`);
    close(held.speakerSd, golden.sd_speaker, 1e-3, `${name} theta held`);
    close(held.logLikelihood, golden.loglik, 1e-3, name);
    const fit = mixedNegativeBinomial(rowsOf(name), options);
    compare(fit, golden.fixef, golden.se, name === 'few_speakers' ? 3e-3 : 1e-3, name);
    assert.ok(fit.logLikelihood! >= golden.loglik - 1e-8, name);
    if (name !== 'mild') close(fit.theta! / golden.theta, 1, 1e-4, `${name} theta`);
  }
});
