import { badUsage } from '../../base/errors.ts';
import { type Condition, clean } from '../../model/trial.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { resolveScenario } from '../../perturbations/scenarios.ts';
import { readSteps } from '../config/check-conditions.ts';
import { loadLadders } from '../members/listings.ts';

/**
 * Conditions by the names of scenarios, or one by its steps.
 *
 * @param steps a list of steps as JSON
 * @param own ladders of a config
 * @param baseFolder from which paths in steps are meant
 * @throws EarwitnessError `bad-usage` where neither or both are given, or one does not exist
 */
export async function namedConditions(
  scenarios: readonly string[] | undefined,
  steps: string | undefined,
  own: readonly Ladder[],
  baseFolder: string,
): Promise<Condition[]> {
  if ((scenarios === undefined) === (steps === undefined)) {
    throw badUsage(`expected either --scenario or --steps, but got ${scenarios === undefined ? 'neither' : 'both'}`);
  }
  if (steps !== undefined) return [{ name: 'steps', steps: await readSteps(steps, baseFolder) }];
  if (scenarios!.length === 0) {
    throw badUsage('expected --scenario to name at least one (earwitness list scenarios), but it is empty');
  }
  const ladders = [...(await loadLadders()), ...own];
  const found = new Map<string, Condition>();
  for (const name of scenarios!) {
    const conditions = name === clean.name ? [clean] : resolveScenario(name, ladders);
    for (const condition of conditions) found.set(condition.name, condition);
  }
  return [...found.values()];
}
