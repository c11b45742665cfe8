import type { ComparedWay } from './compare-ways.ts';
import type { Ending } from './search.ts';

/** Ways as tables call them. */
export const wayInWords: Readonly<Record<ComparedWay, string>> = {
  predictor: 'with the predictor',
  random: 'at random',
  'stage 1 alone': 'stage 1 alone',
  'stage 2 alone': 'stage 2 alone',
  oracle: 'oracle',
};

/** Why a search ended, as tables say it. */
export const endingInWords: Readonly<Record<Ending, string>> = {
  failures: 'failed tests reached',
  iterations: 'iterations',
  minutes: 'time',
  calls: 'calls',
  money: 'money',
  exhausted: 'all texts tried',
};
