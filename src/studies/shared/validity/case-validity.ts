import type { Condition } from '../../../model/condition.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { Answer, Batch, StudyContext } from '../../contract.ts';
import type { MeanOptions } from '../cluster-means.ts';
import { validityByRatings } from './by-ratings.ts';
import type { CaseGroups, CaseValidity } from './case-judgement.ts';
import { createValidityGate } from './gate.ts';
import type { ValidityOption } from './option.ts';

/** What a gate judges. */
export interface JudgedCases extends CaseGroups {
  readonly conditions: readonly Condition[];
  /** How often the sound of a condition is made. */
  draws(condition: number): number;
  /** Which utterances are looked at. */
  wanted(utterance: Utterance): boolean;
  /** How the intervals of means of conditions are made; they decide nothing. */
  readonly means: Omit<MeanOptions, 'random'>;
}

/**
 * Opens the gate that an option names: asks for the measurements it needs, and says which changed clips count.
 *
 * @throws EarwitnessError `bad-config` for a measure that the config does not have, `bad-input` for a table that cannot be read
 * @example const validity = yield* judgeCases(options.validity, { conditions, draws, wanted, groupOf, corpusBy, means }, context);
 */
export async function* judgeCases(
  option: ValidityOption | { readonly ratings: string; readonly atLeast: number; readonly per: string },
  cases: JudgedCases,
  context: StudyContext,
): AsyncGenerator<Batch, CaseValidity, AsyncIterable<Answer>> {
  if ('ratings' in option) return validityByRatings(option, cases, context);
  const gate = createValidityGate(option, cases.conditions, context, cases.wanted);
  // What listeners said of scenarios is known: nothing has to be measured.
  if ('measure' in option) {
    const answers: AsyncIterable<Answer> = yield {
      about: 'quality of changed clips',
      size: null,
      questions: () => gate.questions(cases.draws),
    };
    for await (const answer of answers) gate.see(answer);
  }
  const { keeps, rule, conditions } = gate.judge(cases.means);
  return {
    judge: (utterance, condition, draw) => (keeps(utterance, condition, draw) ? 'kept' : 'excluded'),
    rule,
    identity: { rule },
    conditions,
    ratings: null,
  };
}
