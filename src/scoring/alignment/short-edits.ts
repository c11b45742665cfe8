import type { EditCounts } from '../edit-counts.ts';
import { type OperationTape, operation, traceEdge } from './edit-operation.ts';

// For each column of the matrix: the rows at which the best way sets the two items against each other, and those at which
// an insertion loses nothing.
let paired = new Int32Array(256);
let inserted = new Int32Array(256);

/** The longest reference that one machine word holds. */
export const shortLength = 32;

// For each column of the matrix: at which rows the distance rises by one from the row above, and at which it falls.
let rising = new Int32Array(256);
let falling = new Int32Array(256);

/**
 * Least edits between a reference of at most 32 items and a hypothesis, all rows of the matrix in one machine word:
 * G. Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", J. ACM 46 (1999),
 * in the form of H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", Nordic J.
 * Computing 10 (2003). The path is traced back as `countEdits` states.
 *
 * @param matches for each item of the hypothesis: bit i is set where it equals item i of the reference
 * @param alreadyCorrect items found equal before, added to the counts
 */
export function shortEdits(
  matches: Int32Array,
  referenceLength: number,
  hypothesisLength: number,
  alreadyCorrect: number,
  tape: OperationTape | null,
): EditCounts {
  if (rising.length < hypothesisLength) {
    rising = new Int32Array(2 * hypothesisLength);
    falling = new Int32Array(2 * hypothesisLength);
  }
  let vertical = -1;
  let verticalNegative = 0;
  for (let column = 0; column < hypothesisLength; column++) {
    const equal = matches[column]!;
    const diagonalZero = (((equal & vertical) + vertical) ^ vertical) | equal | verticalNegative;
    const horizontal = ((verticalNegative | ~(diagonalZero | vertical)) << 1) | 1;
    const horizontalNegative = (diagonalZero & vertical) << 1;
    vertical = horizontalNegative | ~(diagonalZero | horizontal);
    verticalNegative = horizontal & diagonalZero;
    rising[column] = vertical;
    falling[column] = verticalNegative;
  }

  let correct = alreadyCorrect;
  let substitutions = 0;
  let deletions = 0;
  let insertions = 0;
  let row = referenceLength;
  let column = hypothesisLength;
  while (row > 0 && column > 0) {
    const bit = row - 1;
    let step: number;
    if ((rising[column - 1]! >>> bit) & 1) {
      step = operation.deletion;
      deletions++;
      row--;
    } else if (column > 1 && (falling[column - 2]! >>> bit) & 1) {
      step = operation.insertion;
      insertions++;
      column--;
    } else {
      if ((matches[column - 1]! >>> bit) & 1) {
        step = operation.correct;
        correct++;
      } else {
        step = operation.substitution;
        substitutions++;
      }
      row--;
      column--;
    }
    if (tape) tape.operations[--tape.start] = step;
  }
  deletions += row;
  insertions += column;
  if (tape) traceEdge(tape, row, column);
  return { correct, substitutions, deletions, insertions };
}

/**
 * sclite's alignment of a reference of at most 32 items, all rows of the matrix in one machine word; the recurrence is
 * told at `scliteEdits`.
 *
 * @param matches for each item of the hypothesis: bit i is set where it equals item i of the reference
 * @param alreadyCorrect items found equal before, added to the counts
 */
export function shortScliteEdits(
  matches: Int32Array,
  referenceLength: number,
  hypothesisLength: number,
  alreadyCorrect: number,
  tape: OperationTape | null,
): EditCounts {
  if (paired.length < hypothesisLength) {
    paired = new Int32Array(2 * hypothesisLength);
    inserted = new Int32Array(2 * hypothesisLength);
  }
  let down1 = 0;
  let down2 = 0;
  let down3 = 0;
  for (let column = 0; column < hypothesisLength; column++) {
    const equal = matches[column]!;
    const down0 = ~(down1 | down2 | down3);
    const begin3 = equal & down0;
    const right3 = (((begin3 + down0) ^ down0) | begin3) & down0;
    const above3 = right3 << 1;
    const run2 = down0 & ~right3;
    const equalOr3 = equal | above3;
    const jump2 = down1 & equalOr3;
    const begin2 = (jump2 << 1) & run2;
    const right2 = jump2 | ((((begin2 + run2) ^ run2) | begin2) & run2);
    const above2 = right2 << 1;
    const right1 = (down2 & equalOr3) | (down1 & ~equalOr3 & above2) | (run2 & ~right2);
    const above1 = right1 << 1;
    const right0 = ~(right1 | right2 | right3);
    paired[column] = equal | (right0 & down1) | (right1 & down0);
    inserted[column] = right0;
    const above0 = ~(above1 | above2 | above3);
    const equalOrDown3 = equal | down3;
    const other = ~equal;
    const next1 = (above2 & equalOrDown3) | (other & ((above1 & down2) | (above0 & (down0 | down1))));
    const next2 = (above1 & equalOrDown3) | (other & above0 & down2);
    down3 = above0 & equalOrDown3;
    down1 = next1;
    down2 = next2;
  }

  let correct = alreadyCorrect;
  let substitutions = 0;
  let deletions = 0;
  let insertions = 0;
  let row = referenceLength;
  let column = hypothesisLength;
  while (row > 0 && column > 0) {
    const bit = row - 1;
    let step: number;
    if ((paired[column - 1]! >>> bit) & 1) {
      if ((matches[column - 1]! >>> bit) & 1) {
        step = operation.correct;
        correct++;
      } else {
        step = operation.substitution;
        substitutions++;
      }
      row--;
      column--;
    } else if ((inserted[column - 1]! >>> bit) & 1) {
      step = operation.insertion;
      insertions++;
      column--;
    } else {
      step = operation.deletion;
      deletions++;
      row--;
    }
    if (tape) tape.operations[--tape.start] = step;
  }
  deletions += row;
  insertions += column;
  if (tape) traceEdge(tape, row, column);
  return { correct, substitutions, deletions, insertions };
}
