import { asJson, type Json } from '../../base/json.ts';
import { fields } from './cluster-sums.ts';
import type { Design } from './design.ts';
import { trialPlace } from './places.ts';
import type { Results } from './results.ts';
import type { SimilarityCounts } from './similarity.ts';
import type { Tally } from './tally.ts';

/** All numbers as plain rows, and the sums that they are made of. */
export function dataOf(results: Results, tally: Tally, design: Design, similarity: SimilarityCounts | null): Json {
  const recognizer = (index: number) => design.recognizers[index]!.name;
  const condition = (index: number) => design.conditions[index]!.name;
  return asJson({
    utterances: tally.utterances,
    recognitionsOfCleanClips: design.recognitions,
    relations: design.relations.map(({ name, output, conditions }) => ({
      name,
      output,
      conditions: conditions.map(condition),
    })),
    results: results.sets.map(({ set, cases, language, unit, ...row }) => ({
      kind: set.kind,
      name: set.name,
      relation: design.relations[set.relation]!.name,
      conditions: set.conditions.map(condition),
      rung: (set.kind === 'condition' && design.conditions[set.conditions[0]!]!.rung) || null,
      language,
      unit,
      recognizer: recognizer(row.recognizer),
      violationRate: row.violationRate,
      steadyViolationRate: row.steadyViolationRate,
      controlRate: row.controlRate,
      excess: row.excess,
      metrics: row.metrics,
      valid: row.valid,
      sums: Object.fromEntries(fields.map((field) => [field, cases.total(field)])),
    })),
    identity: results.identity.map(({ cases, ...row }) => ({
      ...row,
      recognizer: recognizer(row.recognizer),
      recognitions: cases.total('recognitions'),
      unsteadyClips: cases.total('unsteady'),
    })),
    comparisons: results.comparisons.map(({ set, first, second, comparison }) => ({
      kind: set.kind,
      name: set.name,
      recognizer: recognizer(second),
      comparedWith: recognizer(first),
      comparison,
    })),
    trials: design.recognizers.flatMap(({ name }, index) =>
      [null, ...design.conditions.keys()].map((number) => ({
        recognizer: name,
        condition: number === null ? 'clean' : condition(number),
        ...tally.trials.at(trialPlace(design, index, number)),
      })),
    ),
    similarity,
  });
}
