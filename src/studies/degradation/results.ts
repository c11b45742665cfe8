import type { Comparison, Estimate } from '../../model/finding.ts';
import { holm } from '../../statistics/significance/holm.ts';
import { concluded } from './compare-groups.ts';
import type { Design, MeasureKind } from './design.ts';
import { wordsBefore } from './group-counts.ts';
import { addDegradations, addFailures, addStandings, type Findings, type MadeTest, nameOf } from './group-findings.ts';
import { type GroupRate, groupRates } from './group-rates.ts';
import { groupsWithoutRoom, type KeptCondition, keptConditions, type NoRoom } from './kept-conditions.ts';
import type { DegradationOptions } from './options.ts';
import { type PublishedCounts, publishedCounts } from './published.ts';
import type { Tally } from './tally.ts';

/** How much a group loses, over all measures and conditions of a kind or over some. */
export interface GroupDegradation {
  readonly attribute: string;
  readonly group: string;
  readonly kind: MeasureKind;
  /** Null: the mean over all of the kind. */
  readonly measure: number | null;
  /** Null: the mean over all families. */
  readonly family: string | null;
  readonly baseline: Estimate;
  readonly degradation: Estimate;
}

/** What is compared between groups: what they lose, where they stand before, or how often a recognizer fails. */
export type Quantity = 'degradation' | 'baseline' | 'failures';

export interface GroupComparison {
  readonly attribute: string;
  /** `comparison` is about this one: its value less that of `comparedWith`. */
  readonly group: string;
  readonly comparedWith: string;
  readonly quantity: Quantity;
  /** Null for failures. */
  readonly kind: MeasureKind | null;
  readonly measure: number | null;
  /** For failures. */
  readonly recognizer: number | null;
  readonly family: string | null;
  readonly comparison: Comparison;
}

export interface Results {
  readonly kept: readonly KeptCondition[];
  readonly noRoom: readonly NoRoom[];
  readonly published: readonly PublishedCounts[];
  readonly degradations: readonly GroupDegradation[];
  /** The question of the study: over everything. */
  readonly overall: readonly GroupComparison[];
  /** The same where nothing has been done to the sound, and of failures. */
  readonly before: readonly GroupComparison[];
  /** By measure and by family. */
  readonly details: readonly GroupComparison[];
  readonly rates: readonly GroupRate[];
  /** Groups that have no words, by attribute. */
  readonly silent: readonly { readonly attribute: string; readonly group: string; readonly kind: MeasureKind }[];
}

/** Turns counts into estimates, intervals and tests. */
export function conclude(tally: Tally, design: Design, options: DegradationOptions, seed: number): Results {
  const known = { tally, design, options, seed };
  const kept = keptConditions(tally, design, options);
  const groups = Map.groupBy(tally.slices.groups(), ({ group }) => group!.attribute);
  const kinds = [...new Set(design.measures.map(({ kind }) => kind))];
  const found: Findings = { degradations: [], overall: [], before: [], details: [], rates: [], silent: [] };
  for (const [attribute, parts] of groups) {
    for (const kind of kinds) {
      const measures = design.measures.flatMap((measure, number) => (measure.kind === kind ? [number] : []));
      const conditions = kept.filter((one) => one.kind === kind && one.kept).map(({ condition }) => condition);
      const present = parts.filter((part) => measures.some((measure) => wordsBefore(part, measure, tally) > 0));
      for (const part of parts) {
        if (!present.includes(part)) found.silent.push({ attribute, group: nameOf(part), kind });
      }
      if (present.length < 2) continue;
      const side = { attribute, kind, measures, conditions, present };
      addDegradations(found, side, groups.size, known);
      addStandings(found, side, known);
      found.rates.push(...groupRates(attribute, kind, { parts: present, measures, conditions }, known));
    }
    addFailures(found, attribute, parts, known);
  }
  return {
    ...found,
    kept,
    noRoom: groupsWithoutRoom(tally, design, options),
    published: publishedCounts(groups, kept, tally, design, options),
    before: corrected(found.before),
    details: corrected(found.details),
  };
}

/** Corrected for all that are made together (Holm). */
function corrected(made: readonly MadeTest[]): GroupComparison[] {
  const adjusted = holm(made.map(({ test }) => test.pValue));
  return made.map(({ place, test }, number) => ({
    ...place,
    comparison: concluded(test, adjusted[number]!, `, Holm correction over ${made.length}`),
  }));
}
