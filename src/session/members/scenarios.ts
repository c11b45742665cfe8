import { EarwitnessError } from '../../base/errors.ts';
import { ladders } from '../../catalog.ts';
import type { Condition } from '../../model/condition.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { resolveScenario } from '../../perturbations/scenarios.ts';

/** Every ladder of the catalog. */
export async function loadLadders(): Promise<Ladder[]> {
  const entries: readonly { load(): Promise<Ladder> }[] = Object.values(ladders);
  return Promise.all(entries.map((entry) => entry.load()));
}

/**
 * The one scenario of a name.
 *
 * @throws EarwitnessError `bad-config` for a name that none has, with the nearest that one has; `bad-usage` for the name of
 * a whole family or ladder
 * @example await findScenario('aequevox/noise:3')
 */
export async function findScenario(name: string): Promise<Condition> {
  const [first, ...others] = resolveScenario(name, await loadLadders());
  if (first !== undefined && others.length === 0) return first;
  throw new EarwitnessError(
    'bad-usage',
    `expected one scenario, but ${JSON.stringify(name)} stands for ${others.length + 1}; name one, ${first?.name} is the first of them`,
  );
}
