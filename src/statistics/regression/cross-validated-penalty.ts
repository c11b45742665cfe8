import type { Random } from '../../base/random.ts';
import { type LogisticFit, logisticLoss, logisticRegression } from './logistic-regression.ts';
import { type SparseRows, takeRows, timesColumns } from './sparse-rows.ts';

export interface PenaltyChoice {
  /** The place of the chosen penalty. */
  readonly chosen: number;
  /**
   * Negative log-likelihood per row of what was left out, for each penalty; null where there are too few of either outcome to
   * leave any out.
   */
  readonly losses: Float64Array | null;
  readonly reason?: string;
}

const mostFolds = 5;

/**
 * The penalty under which rows that were left out are predicted best: rows of like outcome are dealt at random among five
 * folds (fewer where one outcome is rarer), each is predicted from the others, and the penalty of the least mean
 * negative log-likelihood is chosen; of penalties that are within one standard error of it the strongest, because a few rows choose
 * badly (L. Breiman et al., "Classification and regression trees", 1984, section 3.4.3).
 *
 * @param penalties from strong to weak, each with a value for each column; the first is chosen where nothing can be left out
 * @example crossValidatedPenalty(table, outcomes, { penalties: [100, 10, 1].map((value) => new Float64Array(columns).fill(value)), random })
 */
export function crossValidatedPenalty(
  table: SparseRows,
  outcomes: ArrayLike<number>,
  options: {
    readonly penalties: readonly Float64Array[];
    readonly offsets?: Float64Array;
    readonly random: Random;
    readonly tolerance?: number;
    /** How many standard errors worse than the best a stronger penalty may be. Default 1. */
    readonly standardErrors?: number;
  },
): PenaltyChoice {
  const { penalties, offsets, random, tolerance = 1e-2, standardErrors = 1 } = options;
  const folds = dealFolds(outcomes, random);
  if (folds === null) {
    return {
      chosen: 0,
      losses: null,
      reason: 'cross-validation needs at least two rows that are not 0, and two that are not 1',
    };
  }
  const rowLosses = penalties.map(() => new Float64Array(table.rows));
  for (const left of folds) {
    const isLeft = new Uint8Array(table.rows);
    for (const row of left) isLeft[row] = 1;
    const kept = [...isLeft.keys()].filter((row) => isLeft[row] === 0);
    const keptTable = takeRows(table, kept);
    const leftTable = takeRows(table, left);
    const of = (values: ArrayLike<number>, rows: readonly number[]) => Float64Array.from(rows, (row) => values[row]!);
    const scores = new Float64Array(left.length);
    let start: LogisticFit | undefined;
    for (const [place, penalty] of penalties.entries()) {
      start = logisticRegression(keptTable, of(outcomes, kept), {
        penalty,
        tolerance,
        ...(offsets && { offsets: of(offsets, kept) }),
        ...(start && { start }),
      });
      timesColumns(leftTable, start.coefficients, start.intercept, scores);
      left.forEach((row, index) => {
        rowLosses[place]![row] = logisticLoss(scores[index]! + (offsets?.[row] ?? 0), outcomes[row]!);
      });
    }
  }
  const losses = Float64Array.from(rowLosses, meanOf);
  const best = losses.indexOf(Math.min(...losses));
  const chosen = losses.findIndex((loss, place) => {
    const excess = rowLosses[place]!.map((value, row) => value - rowLosses[best]![row]!);
    const mean = loss - losses[best]!;
    const variance = meanOf(excess.map((value) => (value - mean) ** 2));
    return mean <= standardErrors * Math.sqrt(variance / table.rows);
  });
  return { chosen, losses };
}

/** Rows of each fold, alike outcomes spread over all; null where what one leaves would be all 0 or all 1. */
function dealFolds(outcomes: ArrayLike<number>, random: Random): number[][] | null {
  const rows = Array.from(outcomes, (outcome, row) => ({ row, outcome }));
  const others = (value: number) => rows.filter(({ outcome }) => outcome !== value).length;
  const count = Math.min(mostFolds, others(0), others(1));
  if (count < 2) return null;
  const folds: number[][] = Array.from({ length: count }, () => []);
  rows
    .map(({ row, outcome }) => ({ row, outcome, drawn: random.next() }))
    .sort((a, b) => a.outcome - b.outcome || a.drawn - b.drawn || a.row - b.row)
    .forEach(({ row }, place) => {
      folds[place % count]!.push(row);
    });
  return folds;
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
