import type { EditCounts } from '../edit-counts.ts';
import type { OperationTape } from './edit-operation.ts';
import { traceBack } from './trace-back.ts';

/** The longest reference that one machine word holds. */
export const shortLength = 32;

const steps = {
  history: new Int32Array(512),
  stride: 2,
  band: { least: -shortLength, greatest: 2 ** 30 },
  start: 0,
  earlier() {},
};

function withRoom(columns: number): Int32Array {
  if (steps.history.length < 2 * columns) steps.history = new Int32Array(4 * columns);
  return steps.history;
}

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
  const history = withRoom(hypothesisLength);
  let vertical = -1;
  let verticalNegative = 0;
  for (let column = 0; column < hypothesisLength; column++) {
    const equal = matches[column]!;
    const diagonalZero = (((equal & vertical) + vertical) ^ vertical) | equal | verticalNegative;
    const horizontal = ((verticalNegative | ~(diagonalZero | vertical)) << 1) | 1;
    const horizontalNegative = (diagonalZero & vertical) << 1;
    vertical = horizontalNegative | ~(diagonalZero | horizontal);
    history[2 * column] = ~vertical & (verticalNegative | ~equal);
    history[2 * column + 1] = vertical | verticalNegative;
    verticalNegative = horizontal & diagonalZero;
  }

  return traceBack(steps, referenceLength, hypothesisLength, alreadyCorrect, tape);
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
  const history = withRoom(hypothesisLength);
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
    const paired = equal | (right0 & down1) | (right1 & down0);
    history[2 * column] = (paired & ~equal) | (~paired & right0);
    history[2 * column + 1] = ~paired;
    const above0 = ~(above1 | above2 | above3);
    const equalOrDown3 = equal | down3;
    const other = ~equal;
    const next1 = (above2 & equalOrDown3) | (other & ((above1 & down2) | (above0 & (down0 | down1))));
    const next2 = (above1 & equalOrDown3) | (other & above0 & down2);
    down3 = above0 & equalOrDown3;
    down1 = next1;
    down2 = next2;
  }

  return traceBack(steps, referenceLength, hypothesisLength, alreadyCorrect, tape);
}
