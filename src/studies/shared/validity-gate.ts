import { z } from 'zod';
import type { Condition } from '../../model/condition.ts';
import type { Estimate } from '../../model/finding.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Answer, Question, StudyContext } from '../contract.ts';
import type { MeanOptions } from './cluster-means.ts';
import { gateByListeners } from './validity-by-listeners.ts';
import { gateByMeasure } from './validity-by-measure.ts';

const byMeasure = z.strictObject({
  measure: z.string().min(1).max(100).describe('A measure of quality that the config names under `quality`'),
  value: z.string().min(1).max(100).optional().describe('Which of its values; the first if absent'),
  atLeast: z.number().describe('Below this a sound says nothing about recognizers any more'),
  per: z
    .enum(['condition', 'case'])
    .default('condition')
    .describe('Whether whole conditions are dropped by their mean, or each changed sound by itself'),
});

const byListeners = z.strictObject({
  comprehensibility: z
    .number()
    .min(1)
    .max(10)
    .describe(
      'Scenarios are kept that people understood better than this: means of AequeVox, which keeps those above 7.2',
    ),
  means: z
    .record(z.string(), z.number().min(1).max(10))
    .optional()
    .describe('Mean ratings of listeners of your own by scenario, in place of AequeVox’s: { aequevox/noise:5: 6.1 }'),
});

/** The option `validity` of studies: which sounds count. */
export const validityOption = z.union([byMeasure, byListeners]);

export type ValidityOption = z.output<typeof validityOption>;

/** What the gate says of a condition. */
export interface ConditionValidity {
  readonly condition: string;
  /** Whether any of its sounds counts. */
  readonly kept: boolean;
  /** Mean of what decides; null where nothing could be judged. */
  readonly mean: Estimate;
  /** Changed sounds: utterance, condition and draw. */
  readonly cases: number;
  /** Of these, without a value; they are kept, because nothing says that they are bad. */
  readonly unjudged: number;
  /** Of these, dropped. */
  readonly excluded: number;
}

/** The gate's judgement, when it has heard everything. */
export interface Validity {
  /** Whether a sound counts. Clean sound always does. */
  keeps(utterance: Pick<Utterance, 'id'>, condition: Pick<Condition, 'name' | 'steps'>, draw: number): boolean;
  /** Every changed condition, in their order. */
  readonly conditions: readonly ConditionValidity[];
  /** What was asked, for people: `dnsmos ovr at least 2.5, by condition`. */
  readonly rule: string;
}

/** A changed condition with its place in the list of the study. */
export interface NumberedCondition {
  readonly condition: Condition;
  readonly index: number;
}

/** Judges sounds as their measurements come. */
export interface ValidityGate {
  /** What has to be measured before; empty where the gate knows the scenarios by their names. To be asked as one batch. */
  questions(draws: (condition: number) => number): AsyncGenerator<Question>;
  /** Told of every answer to `questions`; of others it takes no notice. */
  see(answer: Answer): void;
  /** @param options how the intervals of the means are made; they decide nothing */
  judge(options: Omit<MeanOptions, 'random'>): Validity;
}

/**
 * A gate that leaves out what is too bad to tell recognizers apart: a study asks its questions first, then scores what it keeps,
 * and says what it dropped.
 *
 * @param conditions of the study, clean among them or not
 * @param wanted which utterances the study looks at
 * @throws EarwitnessError `bad-config`: the measure is not in the config, or has no such value
 * @example
 * const gate = createValidityGate(options.validity, conditions, context);
 * for await (const answer of yield { about: 'quality', size: null, questions: () => gate.questions(() => 1) }) gate.see(answer);
 * const validity = gate.judge(options);
 * if (validity.keeps(utterance, condition, draw)) …
 */
export function createValidityGate(
  option: ValidityOption,
  conditions: readonly Condition[],
  context: StudyContext,
  wanted: (utterance: Utterance) => boolean = ({ sound }) => sound !== undefined,
): ValidityGate {
  const changed = conditions
    .map((condition, index): NumberedCondition => ({ condition, index }))
    .filter(({ condition }) => condition.steps.length > 0);
  return 'comprehensibility' in option
    ? gateByListeners(option.comprehensibility, changed, option.means)
    : gateByMeasure(option, changed, context, wanted);
}
