import { z } from 'zod';
import { turned } from '../model/comparison.ts';
import type { Comparison, Estimate, Finding } from '../model/finding.ts';
import { chosenRowsOf, comparisonAt, estimateAt, type Row, rowsOf, textAt } from '../model/finding-rows.ts';
import type { ChosenRows } from '../model/scores.ts';
import type { ComparedPlace, RunFamily } from './run-family.ts';

/** What studies of a run said of two of its recognizers. */
export interface TestedInRun {
  readonly studies: number;
  /** Their comparison of the two in this place, where it rests on the same trials: another number would be the answer to another question. */
  known(place: ComparedPlace, difference: Estimate): Comparison | null;
  /** By what the run ranks them. */
  readonly ranks: RunFamily['ranks'];
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
  return { studies: tested.length, known, ranks: rankedBy(tested[0]!) };

  function rankedBy(finding: Finding): RunFamily['ranks'] {
    const { columns, ranks } = finding.scores ?? { columns: [], ranks: 0 };
    const { head = [], note = null, rates, comparisons } = columns[ranks] ?? {};
    if (ranks === 0 && rates !== undefined) return 'clean';
    if (rates === undefined || comparisons === undefined) return null;
    const rate = (name: string) => chosenRowsOf(finding, rates).find(({ recognizer }) => recognizer === name);
    const [own, other] = [rate(before), rate(after)];
    const comparison = chosenRowsOf(finding, comparisons).flatMap((row) => comparisonOf(row) ?? [])[0];
    if (own === undefined || other === undefined || comparison === undefined) return null;
    const [was, is] = [estimateAt(own, rates.column), estimateAt(other, rates.column)];
    return { head: head.join(' '), note, before: was, after: is, comparison };
  }

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

/** What a run found of groups, of these recognizers alone: the first that tells it. How far the recognizers are apart is told by what stands beside it. */
export function groupsInRun(findings: readonly Finding[], names: readonly string[]): Finding | null {
  const finding = findings.find(({ scores }) => scores?.gaps !== undefined);
  if (finding?.scores?.gaps === undefined) return null;
  const { columns, worst: _, ...scores } = finding.scores;
  const { gaps } = finding.scores;
  const needed = new Set([gaps.differences, gaps.rates, columns[0]!.rates].map(({ table }: ChosenRows) => table));
  const sections = finding.sections.flatMap(({ tables = [], id, title }) => {
    const own = tables.filter((table) => needed.has(table.id));
    const ofThem = ({ rows, ...table }: (typeof own)[number]) => ({
      ...table,
      rows: rows.filter(({ recognizer }) => names.includes(String(recognizer))),
    });
    return own.length === 0 ? [] : [{ id, title, tables: own.map(ofThem) }];
  });
  return {
    ...finding,
    ...{ title: 'Groups of speakers', answer: [], warnings: [], sections },
    scores: { ...scores, columns: columns.slice(0, 1), ranks: 0, apartElsewhere: true },
  };
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
