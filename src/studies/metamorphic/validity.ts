import type { JudgedCases } from '../shared/validity/case-validity.ts';
import type { Design } from './design.ts';
import type { MetamorphicOptions } from './options.ts';

/** The changed clips that a gate judges; ratings are of a relation, or of one of its conditions. */
export function relationCases(
  design: Design,
  { level, resamples, minimumSpeakers }: Pick<MetamorphicOptions, 'level' | 'resamples' | 'minimumSpeakers'>,
): JudgedCases {
  const relationOf = new Map(
    design.conditions.map(({ name }, index) => [name, design.relations[design.relationOf[index]!]!.name]),
  );
  return {
    conditions: design.conditions,
    draws: (condition) =>
      Math.max(0, ...design.recognizers.map((_, recognizer) => design.draws(condition, recognizer))),
    wanted: ({ sound }) => sound !== undefined,
    groupOf: (condition, relation) => relation ?? relationOf.get(condition ?? '') ?? null,
    corpusBy: 'corpus',
    means: { level, resamples, minimumSpeakers },
  };
}
