import type { Condition } from '../../../model/condition.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { StudyContext } from '../../contract.ts';
import { gateByListeners } from './by-listeners.ts';
import { gateByMeasure } from './by-measure.ts';
import type { NumberedCondition, ValidityGate } from './condition-validity.ts';
import type { ValidityOption } from './option.ts';

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
    ? gateByListeners(option.comprehensibility, changed)
    : gateByMeasure(option, changed, context, wanted);
}
