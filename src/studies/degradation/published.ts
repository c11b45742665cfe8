import { type PairDistances, type ViolationTable, violationTable } from '../../scoring/agreement/aequevox.ts';
import type { Part } from '../shared/sliced-counts.ts';
import type { Design, MeasureKind } from './design.ts';
import type { KeptCondition } from './kept-conditions.ts';
import type { DegradationOptions } from './options.ts';
import type { Tally } from './tally.ts';

/** AequeVox's counts for the groups of one attribute. */
export interface PublishedCounts {
  readonly attribute: string;
  readonly kind: MeasureKind;
  readonly tables: readonly PairDistances[];
  readonly violations: ViolationTable;
}

/**
 * Algorithm 1 of AequeVox on the distances of groups, every group as base, over the conditions that are kept. The word error
 * rates of one recognizer take the place of a pair's distances where references exist.
 */
export function publishedCounts(
  groups: ReadonlyMap<string, readonly Part[]>,
  kept: readonly KeptCondition[],
  tally: Tally,
  design: Design,
  { tolerances }: DegradationOptions,
): PublishedCounts[] {
  const kinds = [...new Set(design.measures.map(({ kind }) => kind))];
  return [...groups].flatMap(([attribute, parts]) =>
    kinds.map((kind): PublishedCounts => {
      const counts = (condition: number) =>
        kept.some((one) => one.kind === kind && one.condition === condition && one.kept);
      const tables = design.measures.flatMap((measure, number) =>
        measure.kind !== kind
          ? []
          : design.families.flatMap(({ name, conditions }) =>
              conditions.filter(counts).map((condition): PairDistances => {
                const rates = (series: number) => parts.map((part) => rateOf(part, series));
                return {
                  pair: measure.name,
                  transformation: name,
                  // Each condition has a baseline of its own: of what was answered in both.
                  distances: {
                    groups: parts.map(({ group }) => group!.value),
                    original: rates(tally.series.before(number, condition)),
                    transformed: [
                      {
                        parameter: design.conditions[condition]!.name,
                        distances: rates(tally.series.after(number, condition)),
                      },
                    ],
                  },
                };
              }),
            ),
      );
      return { attribute, kind, tables, violations: violationTable(tables, tolerances) };
    }),
  );
}

/** Pooled; null where a group has no words. */
function rateOf(part: Part, series: number): number | null {
  const { errors, words } = part.counts(series)?.totals(part.rows) ?? { errors: 0, words: 0 };
  return words === 0 ? null : errors / words;
}
