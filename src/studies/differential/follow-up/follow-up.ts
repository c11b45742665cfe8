import type { Answer, Batch } from '../../contract.ts';
import { mutateFailures } from '../mutation/mutate-failures.ts';
import type { FollowUp, FollowUpInput } from './contract.ts';
import { shrinkCauses } from './shrink-causes.ts';

/**
 * What is asked when the search has ended: failed texts are cut down, one for each cause, and new texts are made of them. Every
 * question is a function of the cases and the answers, so that a run that goes on asks the same again. The texts asked about are
 * the study's own (`Utterance.made`) and in none of its counts.
 *
 * @example
 * const follow = yield* followUp({ context, options, cases, collected, conditions, rule, normalizer, tolerant, predictor, level, resamples });
 */
export async function* followUp(input: FollowUpInput): AsyncGenerator<Batch, FollowUp, AsyncIterable<Answer>> {
  const parts = [yield* shrinkCauses(input), yield* mutateFailures(input)];
  return {
    answer: parts.flatMap(({ answer }) => answer),
    sections: parts.flatMap(({ sections }) => sections),
    warnings: parts.flatMap(({ warnings }) => warnings),
    data: Object.assign({}, ...parts.map(({ data }) => data)),
  };
}
