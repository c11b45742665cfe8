import type { Design } from './design.ts';

/** Conditions that are counted together. */
export interface ConditionSet {
  /** All of a relation; a kind of change (a noise) at all severities; a severity of all kinds; one condition. */
  readonly kind: 'relation' | 'family' | 'severity' | 'condition';
  readonly name: string;
  readonly relation: number;
  readonly conditions: readonly number[];
}

/**
 * Relations, then kinds and severities where a relation has several kinds at several severities, then the conditions one by
 * one. Sets that would be another one again are left out.
 */
export function conditionSets({ relations, conditions }: Pick<Design, 'relations' | 'conditions'>): ConditionSet[] {
  const sets = { relation: [], family: [], severity: [], condition: [] } as Record<
    ConditionSet['kind'],
    ConditionSet[]
  >;
  relations.forEach(({ name, conditions: numbers }, relation) => {
    sets.relation.push({ kind: 'relation', name, relation, conditions: numbers });
    const families = grouped(numbers, (number) => conditions[number]!.rung?.family);
    const severities = grouped(numbers, (number) => conditions[number]!.rung?.label);
    const several = families.length > 1 && severities.length > 1;
    for (const [kind, groups] of [
      ['family', families],
      ['severity', severities],
    ] as const) {
      for (const [label, members] of several ? groups : []) {
        if (members.length > 1) {
          const prefixed = kind === 'severity' ? `${name}, ${label}` : label;
          sets[kind].push({ kind, name: prefixed, relation, conditions: members });
        }
      }
    }
    for (const number of numbers) {
      const condition: ConditionSet = {
        kind: 'condition',
        name: conditions[number]!.name,
        relation,
        conditions: [number],
      };
      sets.condition.push(condition);
    }
  });
  return [...sets.relation, ...sets.family, ...sets.severity, ...sets.condition];
}

function grouped(numbers: readonly number[], key: (number: number) => string | undefined): [string, number[]][] {
  const groups = new Map<string, number[]>();
  for (const number of numbers) {
    const of = key(number);
    if (of !== undefined) groups.set(of, [...(groups.get(of) ?? []), number]);
  }
  return [...groups];
}
