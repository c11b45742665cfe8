import assert from 'node:assert/strict';
import type { Cell, Finding } from '../../../model/finding.ts';
import type { ClipMeasurement } from '../../../model/measurement.ts';

// For tests: what stands where in a finding.

/** The rows of a table, whichever section it is in; none where there is no such table. */
export function rowsOf(
  { sections }: Pick<Finding, 'sections'>,
  table: string,
): readonly Readonly<Record<string, Cell>>[] {
  return sections.flatMap(({ tables }) => tables ?? []).find(({ id }) => id === table)?.rows ?? [];
}

/** The first row of a table that has these cells. */
export function rowOf(
  finding: Pick<Finding, 'sections'>,
  table: string,
  known: Readonly<Record<string, Cell>>,
): Readonly<Record<string, Cell>> {
  const found = rowsOf(finding, table).find((row) => Object.entries(known).every(([key, value]) => row[key] === value));
  assert.ok(found, `${table} has no row with ${JSON.stringify(known)}`);
  return found;
}

/** Whether a number (or an estimate's value) is what was worked out, but for rounding. */
export function near(
  actual: number | { readonly value: number | null } | Cell | undefined,
  expected: number,
  tolerance = 1e-12,
): void {
  const value = typeof actual === 'object' && actual !== null && 'value' in actual ? actual.value : actual;
  assert.ok(
    typeof value === 'number' && Math.abs(value - expected) < tolerance,
    `${JSON.stringify(value)}, expected ${expected}`,
  );
}

/**
 * For tests: a text whose first words are replaced, so that the number of word errors is known.
 *
 * @example withErrors('one two three', 2) // 'x x three'
 */
export function withErrors(text: string, errors: number): string {
  return text
    .split(' ')
    .map((word, place) => (place < errors ? 'x' : word))
    .join(' ');
}

/** For tests: a second of sound whose quality was measured. */
export function measuredClip(quality: NonNullable<ClipMeasurement['quality']>): ClipMeasurement {
  return {
    durationSeconds: 1,
    sampleRate: 16_000,
    levelDbfs: -20,
    clippedShare: 0,
    facts: [],
    sampleHash: '',
    quality,
  };
}
