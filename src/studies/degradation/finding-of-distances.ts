import type { Finding } from '../../model/finding.ts';
import { violationTable } from '../../scoring/agreement/violation-table.ts';
import { asJson } from '../shared/as-json.ts';
import { counted, listed } from '../shared/wording.ts';
import { countStatement } from './answer.ts';
import { type DistanceRow, pairTables } from './distance-table.ts';
import { tablesOfViolations } from './sections/violations-section.ts';
import { study } from './study.ts';

/** How a table of distances is looked at. */
export interface DistanceOptions {
  readonly tolerances: readonly number[];
  /** Parameters whose mean distance is greater are left out. */
  readonly ceiling: number;
  /** The group that the others are set against; null for none. */
  readonly reference: string | null;
}

/**
 * AequeVox's violations for distances that somebody already has. A table of group means holds no speakers: there is nothing
 * in it to resample, so the finding has counts alone and says so.
 *
 * @example findingOfDistances(rows, { tolerances: [0.01, 0.05, 0.1, 0.15], ceiling: 0.85, reference: 'English' })
 */
export function findingOfDistances(rows: readonly DistanceRow[], options: DistanceOptions): Finding {
  const { tolerances, ceiling, reference } = options;
  const { tables, leftOut } = pairTables(rows, ceiling);
  const published = {
    attribute: 'groups',
    kind: 'distance' as const,
    tables,
    violations: violationTable(tables, tolerances),
  };
  const { groups, compared, leftOut: missing } = published.violations;
  const warnings = [
    'A table of means has counts but no interval and no test: chance makes violations too, and nothing here tells how many. Run the study degradation on the recordings to know.',
  ];
  if (leftOut.length > 0) {
    const names = leftOut.map(({ transformation, parameter }) => `${transformation} ${parameter}`);
    warnings.push(
      `Left out: ${listed(names)} (mean distance above ${ceiling}), because where everything is lost no group can lose more than another.`,
    );
  }
  if (missing > 0) warnings.push(`${counted(missing, 'comparison')} lack a distance and were not made.`);
  if (reference !== null && !groups.includes(reference))
    warnings.push(`The reference group ${reference} is not there.`);
  const answer = countStatement(published, reference === null ? {} : { groups: reference });
  return {
    study,
    title: 'Violations in a table of distances',
    settings: { tolerances, ceiling, reference },
    answer: answer.length > 0 ? answer : [{ text: 'No two groups can be compared, so nothing can be said.' }],
    sections: [
      {
        id: 'degradation-violations',
        title: 'Violations as AequeVox counts them',
        text: [
          `A violation against a group: its distance grows by more than that of another group, by more than the tolerance, for one pair of recognizers and one parameter. ${counted(compared, 'comparison')} were made.`,
        ],
        tables: tablesOfViolations(published),
      },
    ],
    warnings,
    data: asJson({ violations: published.violations, distances: tables, leftOut }),
  };
}
