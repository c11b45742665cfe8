import { asJson, type Json } from '../../base/json.ts';
import type { GroupComparison } from './group-comparison.ts';
import type { Known } from './known.ts';

/** All numbers as plain rows, with the distances that violations are counted from. */
export function dataOf({ results, tally, design, validity }: Known): Json {
  const { measures, conditions, recognizers } = design;
  const measureNamed = (measure: number | null) => (measure === null ? null : measures[measure]!.name);
  const conditionNamed = (condition: number) => conditions[condition]!.name;
  const comparison = (one: GroupComparison) => ({
    ...one,
    measure: measureNamed(one.measure),
    recognizer: one.recognizer === null ? null : recognizers[one.recognizer]!.name,
  });
  return asJson({
    utterances: {
      asked: tally.utterances,
      withReference: tally.withReference,
      withoutSpeaker: tally.withoutSpeaker,
    },
    clusters: { count: tally.slices.clusters.count, merged: tally.slices.clusters.merged },
    measures: measures.map(({ kind, name }) => ({ kind, name })),
    conditions: results.kept.map((one) => ({ ...one, condition: conditionNamed(one.condition) })),
    validity:
      validity === null ? null : { rule: validity.rule, conditions: validity.conditions, ratings: validity.ratings },
    degradations: results.degradations.map((one) => ({ ...one, measure: measureNamed(one.measure) })),
    overall: results.overall.map(comparison),
    before: results.before.map(comparison),
    details: results.details.map(comparison),
    rates: results.rates.map((one) => ({ ...one, condition: conditionNamed(one.condition) })),
    violations: results.published.map(({ attribute, kind, violations, tables }) => ({
      attribute,
      kind,
      ...violations,
      distances: tables.flatMap(({ pair, transformation, distances }) =>
        distances.transformed.flatMap((row) =>
          distances.groups.map((group, place) => ({
            pair,
            transformation,
            condition: row.parameter,
            group,
            before: distances.original[place]!,
            after: row.distances[place]!,
          })),
        ),
      ),
    })),
    noRoom: results.noRoom.map((one) => ({ ...one, measure: measureNamed(one.measure) })),
    silent: results.silent,
    trials: recognizers.flatMap(({ name }, recognizer) =>
      conditions.map((condition, number) => ({
        recognizer: name,
        condition: condition.name,
        ...tally.trials.at(recognizer * conditions.length + number),
      })),
    ),
  });
}
