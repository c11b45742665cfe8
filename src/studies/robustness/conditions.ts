import { badConfig } from '../../base/errors.ts';
import { atRate, type Condition, rateOf, withoutRate } from '../../model/trial.ts';
import type { Ladder, LadderFamily, LoadedSounds } from '../../perturbations/contract.ts';
import { aequevox } from '../../perturbations/ladders/aequevox.ts';
import { attackLadder } from '../../perturbations/ladders/srb-table.ts';
import { resolveScenario } from '../../perturbations/scenarios.ts';
import type { StudyRecognizer } from '../contract.ts';
import type { listed } from '../shared/wording.ts';
import type { RobustnessOptions } from './options.ts';

/** The attacks that the options name, each once, and everything else that they name. */
export function attacksIn(listed: RobustnessOptions['conditions']): {
  readonly attacks: readonly Condition[];
  readonly others: RobustnessOptions['conditions'];
} {
  const families = attackLadder.families.map(({ name }) => `${attackLadder.name}/${name}`);
  const isAttack = (wanted: (typeof listed)[number]): wanted is string =>
    typeof wanted === 'string' && families.includes(wanted.replace(/:.*$/s, ''));
  const named = listed.filter(isAttack).flatMap((name) => resolveScenario(name, [attackLadder]));
  return {
    attacks: [...new Map(named.map((condition) => [condition.name, condition])).values()],
    others: listed.filter((wanted) => !isAttack(wanted)),
  };
}

/** An attack as one recognizer hears it: made against itself. One that knows only names knows what its own was called. */
export function attackOn(
  { name, steps, rung }: Condition,
  recognizer: StudyRecognizer,
  { attackSteps, fitSpeakers }: RobustnessOptions,
): Condition {
  if (recognizer.input === 'names') return { name, steps: [], ...(rung && { rung }) };
  const rateHz = rateOf(steps);
  const made = withoutRate(steps).map(({ perturbation, parameters }) => ({
    perturbation,
    parameters: {
      ...{ ...parameters, source: recognizer.name },
      ...(perturbation === 'pgd' ? { steps: attackSteps } : { fitSpeakers }),
    },
  }));
  return {
    name: `${name} against ${recognizer.name}`,
    steps: rateHz === null ? made : atRate(made, rateHz),
    ...(rung && { rung }),
  };
}

export function loadedFor(rung: Condition['rung'], ladders: readonly Ladder[]): readonly LoadedSounds[] {
  const [ladder, family] = rung?.family.split('/') ?? [];
  const found = ladders.find(({ name }) => name === ladder)?.families.find(({ name }) => name === family);
  return found?.rungs[(rung?.rank ?? 0) - 1]?.sounds ?? [];
}

/** Recorded scenarios as conditions in which nothing is done. */
export function recordedConditions({ recorded }: RobustnessOptions, heard: readonly Condition[]): Condition[] {
  const names = new Set(heard.map(({ name }) => name));
  return recorded.map(({ name }) => {
    if (names.has(name)) {
      throw badConfig(
        `recorded: expected unique names of conditions, but ${JSON.stringify(name)} is used for two; give one of them another name`,
      );
    }
    names.add(name);
    return { name, steps: [] };
  });
}

/** Everything that names in the options may mean: own ladders first. */
export function knownLadders(options: RobustnessOptions, fromConfig: readonly Ladder[]): Ladder[] {
  const own: readonly Ladder[] = options.ladders;
  const all = [...own, ...fromConfig];
  return all.some(({ name }) => name === aequevox.name) ? all : [...all, aequevox];
}

/** Conditions that stand on one ladder, mildest first. */
interface ConditionFamily {
  readonly name: string;
  readonly about: string;
  /** What the labels measure. */
  readonly axis: string;
  /** Indexes into the study's conditions. */
  readonly conditions: readonly number[];
}

/** The families among conditions, in the order in which they appear. */
export function conditionFamilies(conditions: readonly Condition[], ladders: readonly Ladder[]): ConditionFamily[] {
  const members = new Map<string, number[]>();
  conditions.forEach(({ rung }, index) => {
    if (rung) members.set(rung.family, [...(members.get(rung.family) ?? []), index]);
  });
  const described = new Map<string, LadderFamily>(
    [...ladders, attackLadder].flatMap((ladder) =>
      ladder.families.map((family) => [`${ladder.name}/${family.name}`, family] as const),
    ),
  );
  return [...members].map(([name, indexes]) => ({
    name,
    about: described.get(name)?.about ?? '',
    axis: described.get(name)?.axis ?? 'severity',
    conditions: indexes.toSorted((a, b) => conditions[a]!.rung!.rank - conditions[b]!.rung!.rank),
  }));
}
