import type { JsonObject } from '../../base/json.ts';
import type { Step } from '../../model/condition.ts';
import type { LadderFamily } from '../contract.ts';

/** One step of a scenario. */
export function step(perturbation: string, parameters: JsonObject): Step {
  return { perturbation, parameters };
}

/**
 * A family whose severities are values of one quantity, mildest first.
 *
 * @param unit stands behind the value in the rung's label
 * @param stepsAt what is done at a value; its rank from 1 is for what has classes in place of values
 */
export function ladderFamily(
  name: string,
  about: string,
  axis: string,
  severities: readonly number[],
  unit: string,
  stepsAt: (severity: number, rank: number) => readonly Step[],
): LadderFamily {
  return {
    name,
    about,
    axis,
    rungs: severities.map((severity, index) => ({
      label: `${severity}${unit}`,
      steps: stepsAt(severity, index + 1),
    })),
  };
}
