import { z } from 'zod';
import { turned } from '../model/comparison.ts';
import type { Comparison, Estimate, Finding } from '../model/finding.ts';
import { comparisonAt, type Row, rowsOf, textAt } from '../model/finding-rows.ts';
import type { ComparedPlace } from './run-family.ts';

/** What studies of a run said of two of its recognizers. */
export interface TestedInRun {
  readonly studies: number;
  /** Their comparison of the two in this place, where it rests on the same trials: another number would be the answer to another question. */
  known(place: ComparedPlace, difference: Estimate): Comparison | null;
}

/**
 * The comparisons of two recognizers that the study `robustness` made when the run ended, with those of all other pairs; null: it has not.
 *
 * @param before the recognizer that `after` is compared with
 */
export function testedInRun(findings: readonly Finding[], before: string, after: string): TestedInRun | null {
  const tested = findings.filter(
    (finding) => finding.study.name === 'robustness' && rowsOf(finding, singleTable).length > 0,
  );
  if (tested.length === 0) return null;
  // Of studies that compared the same, one that was told beforehand to compare these two says it; else the first.
  const rows = tested
    .toSorted((a, b) => Number(isDeclared(b)) - Number(isDeclared(a)))
    .flatMap((finding) => [...rowsOf(finding, singleTable), ...rowsOf(finding, 'robustness-level-comparisons')]);
  const known = (place: ComparedPlace, difference: Estimate): Comparison | null =>
    rows
      .filter((row) => isIn(row, place))
      .flatMap((row) => comparisonOf(row) ?? [])
      .find((comparison) => isSame(comparison.difference, difference)) ?? null;
  return { studies: tested.length, known };

  function isDeclared({ settings: { pairs } }: Finding): boolean {
    const declared = z.array(z.array(z.string())).safeParse(pairs);
    return declared.success && declared.data.some((pair) => pair.includes(before) && pair.includes(after));
  }

  /** Null: of others. */
  function comparisonOf(row: Row): Comparison | null {
    const [one, other] = [textAt(row, 'recognizer'), textAt(row, 'comparedWith')];
    if (one === after && other === before) return comparisonAt(row, 'difference');
    return one === before && other === after ? turned(comparisonAt(row, 'difference')) : null;
  }
}

/** Comparisons in single conditions, of everybody and of the group that fares worst. */
const singleTable = 'robustness-comparisons';

function isIn(row: Row, { condition, group }: ComparedPlace): boolean {
  if (condition === null) return group === null && row.measure === 'pooled word error rate';
  return (
    row.condition === condition &&
    row.group === (group === null ? 'everybody' : group.value) &&
    (row.attribute ?? null) === (group?.attribute ?? null)
  );
}

/** Whether two differences are one: the same value and interval, of as many trials. */
function isSame(one: Estimate, other: Estimate): boolean {
  const near = (a: number | null, b: number | null) => (a === null || b === null ? a === b : Math.abs(a - b) < 1e-9);
  return (
    near(one.value, other.value) &&
    near(one.low, other.low) &&
    near(one.high, other.high) &&
    one.level === other.level &&
    (['utterances', 'speakers', 'words', 'pairs'] as const).every((part) => one.n[part] === other.n[part])
  );
}
