import type { Comparison, Estimate } from '../../model/finding.ts';
import { clean } from '../../model/trial.ts';
import type { CellSet, Pair, SetRow } from '../shared/cube/contract.ts';
import type { RelationDesign } from './design.ts';
import { levelEstimate, type MetamorphicOptions } from './options.ts';
import type { Field, RatioName, RelationCube } from './relation-cube.ts';

/** Conditions that are counted together. */
export interface ConditionSet {
  /** All of a relation; a kind of change (a noise) at all severities; a severity of all kinds; one condition. */
  readonly kind: 'relation' | 'family' | 'severity' | 'condition';
  readonly name: string;
  readonly relation: number;
  readonly conditions: readonly number[];
}

/** One recognizer in some conditions of one language. */
export interface SetResult extends SetRow<ConditionSet & CellSet & { readonly language: string }, Field, RatioName> {
  readonly level: Estimate;
  /** Violations beyond those that come with nothing changed. */
  readonly excess: Comparison;
  /** With only the cases that the validity gate keeps; null without a gate. */
  readonly kept: { readonly violationRate: Estimate; readonly level: Estimate } | null;
}

export interface RelationResults {
  readonly languages: readonly string[];
  readonly sets: readonly SetResult[];
  /** What a recognizer does with nothing changed. */
  readonly identity: readonly SetRow<CellSet & { readonly language: string }, Field, RatioName>[];
  /** Violations of every pair of recognizers in every set, all languages together, on the cases that both answered. */
  readonly pairs: readonly (Pair & { readonly set: ConditionSet })[];
}

/** Turns sums into estimates, intervals and tests. */
export function conclude(
  cube: RelationCube,
  design: RelationDesign,
  { robustness, validity }: MetamorphicOptions,
  languages: readonly string[],
): RelationResults {
  const sets = conditionSets(design);
  const within = (language: string, { conditions }: ConditionSet) =>
    conditions.map((condition) => [language, design.conditions[condition]!.name]);
  const byLanguage = languages.flatMap((language) =>
    sets.map((set) => ({ ...set, language, cells: within(language, set) })),
  );
  const levelOf = ({ ratios }: SetRow<CellSet, Field, RatioName>) =>
    levelEstimate(
      robustness.metrics.map((metric) => ratios[metric]),
      robustness.bands,
    );
  const excess = cube.against('cases', byLanguage, 'changedRate', 'controlRate');
  const kept = validity === null ? [] : cube.over('kept', byLanguage);
  return {
    languages,
    sets: cube.over('cases', byLanguage).map((row, place): SetResult => {
      const valid = kept[place];
      return {
        ...row,
        level: levelOf(row),
        excess: excess[place]!,
        kept: valid === undefined ? null : { violationRate: valid.ratios.violationRate, level: levelOf(valid) },
      };
    }),
    identity: cube.over(
      'cases',
      languages.map((language) => ({ language, cells: [[language, clean.name]] })),
    ),
    pairs: cube.pairsOver(
      'violationRate',
      'cases',
      sets.map((set) => ({ ...set, cells: languages.flatMap((language) => within(language, set)) })),
    ),
  };
}

/**
 * Relations, then kinds and severities where a relation has several kinds at several severities, then the conditions one by
 * one. Sets that would be another one again are left out.
 */
function conditionSets({ relations, conditions }: Pick<RelationDesign, 'relations' | 'conditions'>): ConditionSet[] {
  const sets = relations.flatMap(({ name, conditions: numbers }, relation): ConditionSet[] => {
    const by = (of: 'family' | 'label') => {
      const rungs = numbers.filter((number) => conditions[number]!.rung !== undefined);
      return [...Map.groupBy(rungs, (number) => conditions[number]!.rung?.[of] ?? '')];
    };
    const [families, severities] = [by('family'), by('label')];
    const several = families.length > 1 && severities.length > 1;
    const some = (kind: 'family' | 'severity', groups: typeof families) =>
      (several ? groups : [])
        .filter(([, members]) => members.length > 1)
        .map(([label, members]): ConditionSet => {
          return { kind, name: kind === 'severity' ? `${name}, ${label}` : label, relation, conditions: members };
        });
    return [
      { kind: 'relation', name, relation, conditions: numbers },
      ...some('family', families),
      ...some('severity', severities),
      ...numbers.map((number): ConditionSet => {
        return { kind: 'condition', name: conditions[number]!.name, relation, conditions: [number] };
      }),
    ];
  });
  const kinds: readonly ConditionSet['kind'][] = ['relation', 'family', 'severity', 'condition'];
  return kinds.flatMap((kind) => sets.filter((set) => set.kind === kind));
}
