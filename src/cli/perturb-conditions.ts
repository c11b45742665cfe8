import { EarwitnessError } from '../base/errors.ts';
import { type Condition, clean } from '../model/condition.ts';
import type { Ladder } from '../perturbations/contract.ts';
import { resolveScenario } from '../perturbations/scenarios.ts';
import { readSteps } from '../session/members/read-steps.ts';
import { loadLadders } from '../session/members/scenarios.ts';

/**
 * The conditions that a command line names: scenarios, families, whole ladders and `clean`, each once and in their order, or
 * one list of steps.
 *
 * @param own ladders of the config
 * @throws EarwitnessError `bad-usage`: neither, both, wrong steps; `bad-config`: no such scenario
 */
export async function namedConditions(
  scenarios: readonly string[] | undefined,
  steps: string | undefined,
  own: readonly Ladder[],
  baseFolder: string,
): Promise<Condition[]> {
  if ((scenarios === undefined) === (steps === undefined)) {
    throw new EarwitnessError(
      'bad-usage',
      `expected either --scenario or --steps, but got ${scenarios === undefined ? 'neither' : 'both'}`,
    );
  }
  if (steps !== undefined) return [{ name: 'steps', steps: await readSteps(steps, baseFolder) }];
  if (scenarios!.length === 0) {
    throw new EarwitnessError(
      'bad-usage',
      'expected --scenario to name at least one (earwitness list scenarios), but it is empty',
    );
  }
  const ladders = [...(await loadLadders()), ...own];
  const found = new Map<string, Condition>();
  for (const name of scenarios!) {
    const conditions = name === clean.name ? [clean] : resolveScenario(name, ladders);
    for (const condition of conditions) found.set(condition.name, condition);
  }
  return [...found.values()];
}

/** For commander: names one after the other, and in lists with commas. */
export function collectNames(text: string, before: readonly string[] = []): string[] {
  const names = text.split(',').map((name) => name.trim());
  return [...before, ...names.filter((name) => name !== '')];
}
