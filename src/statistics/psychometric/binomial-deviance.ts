import { logBeta } from '../distributions/log-beta.ts';
import type { LogisticFit } from './fit-logistic.ts';
import type { PooledLevels } from './pooled-levels.ts';

/** Twice what the log-likelihood of a fit is below that of a share of its own for each level. */
export function binomialDeviance(pooled: PooledLevels, fit: LogisticFit): number {
  const span = 1 - fit.guess - fit.lapse;
  let deviance = 0;
  pooled.levels.forEach((level, place) => {
    const logit = fit.point[0]! + fit.point[1]! * level;
    const words = pooled.words[place]!;
    const hits = pooled.correct[place]!;
    const right = fit.guess + span / (1 + Math.exp(-logit));
    const wrong = fit.lapse + span / (1 + Math.exp(logit));
    if (hits > 0) deviance += 2 * hits * Math.log(hits / (words * right));
    if (hits < words) deviance += 2 * (words - hits) * Math.log((words - hits) / (words * wrong));
  });
  return Math.max(0, deviance);
}

/** The sum of the logarithms of the binomial coefficients. */
export function logChoices({ words, correct }: PooledLevels): number {
  return words.reduce((sum, count, place) => {
    const hits = correct[place]!;
    return sum - Math.log(count + 1) - logBeta(hits + 1, count - hits + 1);
  }, 0);
}
