import { badConfig } from '../base/errors.ts';
import { nearestName } from '../base/nearest-name.ts';
import { atRate, type Condition } from '../model/trial.ts';
import type { Ladder, LadderFamily } from './contract.ts';

/** A named condition of a ladder, with what a listing needs. */
export interface Scenario {
  readonly condition: Condition & Required<Pick<Condition, 'rung'>>;
  readonly family: LadderFamily;
  readonly ladder: Ladder;
}

/**
 * All scenarios of some ladders, in the order of the ladders, mildest first in each family.
 *
 * @example listScenarios([aequevox])[1].condition.name // 'aequevox/amplitude:1'
 */
export function listScenarios(ladders: readonly Ladder[]): Scenario[] {
  return ladders.flatMap((ladder) => ladder.families.flatMap((family) => scenariosOf(ladder, family)));
}

/**
 * The conditions that a name stands for: `ladder/family:rank` is one, `ladder/family` all ranks of a family, `ladder` all
 * of it.
 *
 * @throws EarwitnessError `bad-config` for a name that stands for nothing, with the nearest one that does
 * @example resolveScenario('aequevox/noise:5', [aequevox])[0].rung // { family: 'aequevox/noise', rank: 5, label: '2 dB' }
 */
export function resolveScenario(name: string, ladders: readonly Ladder[]): Condition[] {
  const scenarios = listScenarios(ladders);
  const found = scenarios.filter(
    ({ condition, ladder }) => condition.name === name || condition.rung.family === name || ladder.name === name,
  );
  if (found.length > 0) return found.map(({ condition }) => condition);
  const names = scenarios.flatMap(({ condition, ladder }) => [ladder.name, condition.rung.family, condition.name]);
  throw badConfig(unknownScenario(name, new Set(names), scenarios));
}

function scenariosOf(ladder: Ladder, family: LadderFamily): Scenario[] {
  const familyName = `${ladder.name}/${family.name}`;
  const { rateHz } = ladder;
  return family.rungs.map(({ label, steps }, index) => ({
    condition: {
      name: `${familyName}:${index + 1}`,
      steps: rateHz === undefined ? steps : atRate(steps, rateHz),
      rung: { family: familyName, rank: index + 1, label },
    },
    family,
    ladder,
  }));
}

function unknownScenario(name: string, names: ReadonlySet<string>, scenarios: readonly Scenario[]): string {
  const shown = JSON.stringify(name.slice(0, 100));
  const colon = name.lastIndexOf(':');
  const ranks = scenarios.filter(({ condition }) => condition.rung.family === name.slice(0, colon)).length;
  if (colon > 0 && ranks > 0) {
    return `expected a rank from 1 to ${ranks} after ${name.slice(0, colon)}, but got ${JSON.stringify(name.slice(colon + 1, colon + 40))}; rank 1 is the mildest`;
  }
  const nearest = nearestName(name, names);
  const hint = nearest === null ? 'list them with: earwitness list scenarios' : `did you mean "${nearest}"?`;
  return `expected a scenario (ladder/family:rank), a family or a ladder, but there is no ${shown}; ${hint}`;
}
