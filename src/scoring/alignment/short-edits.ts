import type { EditCounts } from '../edit-counts.ts';
import { type OperationTape, operation, traceEdge } from './edit-operation.ts';

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
