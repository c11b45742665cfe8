import { aequevoxComprehensibility } from '../../../perturbations/ladders/listening/aequevox-comprehensibility.ts';
import { measured } from '../estimates.ts';
import type { ConditionValidity, NumberedCondition, ValidityGate } from './condition-validity.ts';

/**
 * Knows scenarios by their names alone: nothing is asked.
 */
export function gateByListeners(threshold: number, conditions: readonly NumberedCondition[]): ValidityGate {
  const judged = conditions.map(({ condition }): ConditionValidity => {
    const rated = aequevoxComprehensibility.get(condition.name);
    return {
      condition: condition.name,
      kept: rated === undefined || rated.mean > threshold,
      mean: measured(
        rated?.mean ?? null,
        { utterances: 1, speakers: rated?.listeners ?? 0 },
        rated === undefined ? 'no listeners rated this scenario' : 'a mean without the spread of recordings',
        'mean rating of 1 to 10 by the listeners of AequeVox',
      ),
      cases: 0,
      unjudged: 0,
      excluded: 0,
    };
  });
  const dropped = new Set(judged.filter(({ kept }) => !kept).map(({ condition }) => condition));
  return {
    async *questions() {},
    see() {},
    judge: () => ({
      keeps: (_utterance, { name, steps }) => steps.length === 0 || !dropped.has(name),
      conditions: judged,
      rule: `comprehensibility above ${threshold}, by scenario`,
    }),
  };
}
