import { EarwitnessError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/hash.ts';
import { type Condition, clean } from '../../model/condition.ts';
import type { Ladder, LadderFamily } from '../../perturbations/contract.ts';
import { aequevox } from '../../perturbations/ladders/aequevox.ts';
import { resolveScenario } from '../../perturbations/scenarios.ts';
import { asJson } from '../shared/as-json.ts';
import type { RobustnessOptions } from './options.ts';

/** Everything that names in the options may mean: own ladders first. */
export function knownLadders(options: RobustnessOptions, fromConfig: readonly Ladder[]): Ladder[] {
  const own: readonly Ladder[] = options.ladders;
  const all = [...own, ...fromConfig];
  return all.some(({ name }) => name === aequevox.name) ? all : [...all, aequevox];
}

/**
 * The conditions of a study, clean first, each once.
 *
 * @throws EarwitnessError `bad-config` for a name that stands for nothing, or for two different conditions
 */
export function chosenConditions(options: RobustnessOptions, ladders: readonly Ladder[]): Condition[] {
  const chosen = new Map<string, Condition>([[clean.name, clean]]);
  for (const wanted of options.conditions) {
    for (const condition of typeof wanted === 'string' ? named(wanted, ladders) : [ownCondition(wanted)]) {
      const before = chosen.get(condition.name);
      if (before === undefined) chosen.set(condition.name, condition);
      else if (canonicalJson(asJson(before.steps)) !== canonicalJson(asJson(condition.steps))) {
        throw new EarwitnessError(
          'bad-config',
          `expected each name to stand for one condition, but ${JSON.stringify(condition.name)} stands for two${condition.name === clean.name ? ' (it means the sound as it is)' : ''}; give one of them another name`,
        );
      }
    }
  }
  return [...chosen.values()];
}

function named(name: string, ladders: readonly Ladder[]): Condition[] {
  return name === clean.name ? [clean] : resolveScenario(name, ladders);
}

function ownCondition({ name, steps, rung }: Exclude<RobustnessOptions['conditions'][number], string>): Condition {
  return {
    name,
    steps: steps.map(({ perturbation, parameters }) => ({ perturbation, parameters })),
    ...(rung && { rung }),
  };
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
