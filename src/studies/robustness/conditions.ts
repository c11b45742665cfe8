import type { Condition } from '../../model/condition.ts';
import type { Ladder, LadderFamily } from '../../perturbations/contract.ts';
import { aequevox } from '../../perturbations/ladders/aequevox.ts';
import type { RobustnessOptions } from './options.ts';

/** Everything that names in the options may mean: own ladders first. */
export function knownLadders(options: RobustnessOptions, fromConfig: readonly Ladder[]): Ladder[] {
  const own: readonly Ladder[] = options.ladders;
  const all = [...own, ...fromConfig];
  return all.some(({ name }) => name === aequevox.name) ? all : [...all, aequevox];
}

/** Conditions that stand on one ladder, mildest first. */
export interface ConditionFamily {
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
    ladders.flatMap((ladder) => ladder.families.map((family) => [`${ladder.name}/${family.name}`, family] as const)),
  );
  return [...members].map(([name, indexes]) => ({
    name,
    about: described.get(name)?.about ?? '',
    axis: described.get(name)?.axis ?? 'severity',
    conditions: indexes.toSorted((a, b) => conditions[a]!.rung!.rank - conditions[b]!.rung!.rank),
  }));
}
