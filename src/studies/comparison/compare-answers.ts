import type { Finding } from '../../model/finding.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { AnswerPair, CompareOptions } from './answer-pair.ts';
import { comparisonFinding } from './comparison-finding.ts';
import { tallyPairs } from './tally-pairs.ts';

/**
 * What changed between two sides that answered the same questions: word error rates with a paired interval and test, by
 * condition, over all, and by group of speakers; utterances newly broken and fixed; failures that came and went. A
 * difference is after minus before, and `better` and `worse` are said of after.
 *
 * Memory follows the number of speakers and conditions, not of pairs.
 *
 * @param pairs those about one utterance one after another
 * @example await compareAnswers(pairs, { beforeLabel: 'monday', afterLabel: 'tuesday', normalizer: basic, seed: 1, unpaired })
 */
export async function compareAnswers(pairs: AsyncIterable<AnswerPair>, options: CompareOptions): Promise<Finding> {
  const { level = 0.95, resamples = 2000, minimumSpeakers = defaultMinimumClusters } = options;
  const { normalizer } = options;
  const labels = { before: options.beforeLabel, after: options.afterLabel };
  const tally = await tallyPairs(pairs, labels, normalizer.words);
  return comparisonFinding(tally, { ...options, level, resamples, minimumSpeakers });
}
