import type { StudyContext } from '../contract.ts';
import { judgeTests } from '../shared/test-groups.ts';
import type { Design } from './design.ts';
import type { GroupComparison, GroupDegradation, SilentGroup } from './group-comparison.ts';
import { type GroupRate, groupRates, wordsBefore } from './group-counts.ts';
import { addDegradations, addFailures, type Findings, type MadeTest, nameOf } from './group-findings.ts';
import { groupsWithoutRoom, type KeptCondition, keptConditions, type NoRoom } from './kept-conditions.ts';
import type { DegradationOptions } from './options.ts';
import { type PublishedCounts, publishedCounts } from './published.ts';
import type { Tally } from './tally.ts';

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
  readonly silent: readonly SilentGroup[];
}

/** Turns counts into estimates, intervals and tests. */
export function conclude(
  tally: Tally,
  design: Design,
  options: DegradationOptions,
  { seed, computing }: Pick<StudyContext, 'seed' | 'computing'>,
): Results {
  const known = { tally, design, options, seed, computing };
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
      found.rates.push(...groupRates(attribute, kind, { parts: present, measures, conditions }, known));
    }
    addFailures(found, attribute, parts, known);
  }
  return {
    ...found,
    kept,
    noRoom: groupsWithoutRoom(tally, design, options),
    published: publishedCounts(groups, kept, tally, design, options),
    overall: corrected(found.overall),
    before: corrected(found.before),
    details: corrected(found.details),
  };
}

function corrected(made: readonly MadeTest[]): GroupComparison[] {
  const comparisons = judgeTests(made.map(({ test }) => test));
  return made.map(({ place }, index) => ({ ...place, comparison: comparisons[index]! }));
}
