import type { EditCounts } from '../edit-counts.ts';
import {
  type Band,
  createMatchMasks,
  firstBlock,
  lastBlock,
  type OperationTape,
  traceBack,
  traceColumns,
} from './trace-back.ts';

/** Below so many blocks a first look with a narrow band does not pay. */
const smallMatrix = 1 << 13;
/** Diagonals beyond the difference in length at that first look. */
const narrowBand = 128;

/**
 * Least edits between sequences of any length, by columns of machine words (Myers 1999 and Hyyrö 2003 as in `shortEdits`,
 * in blocks of 32 rows), within the band of diagonals that a path of so few edits can reach (E. Ukkonen, "Algorithms for
 * approximate string matching", Information and Control 64, 1985). The band comes from a first look along the main
 * diagonals, whose result is never too small.
 *
 * @param reference symbols from 1 to `symbols`
 * @param hypothesis symbols from 0 to `symbols`, where 0 is one that the reference lacks
 */
export function blockEdits(
  reference: Int32Array,
  referenceLength: number,
  hypothesis: Int32Array,
  hypothesisLength: number,
  symbols: number,
  alreadyCorrect: number,
  tape: OperationTape | null,
): EditCounts {
  const masks = createMatchMasks(reference, referenceLength, symbols);
  const blocks = (referenceLength + 31) >>> 5;
  const rising = new Int32Array(blocks);
  const falling = new Int32Array(blocks);
  const lengthDifference = hypothesisLength - referenceLength;
  const lastBit = (referenceLength - 1) & 31;

  let band: Band;
  const setBand = (edits: number) => {
    const spare = (edits - Math.abs(lengthDifference)) >> 1;
    band = { least: Math.min(0, lengthDifference) - spare, greatest: Math.max(0, lengthDifference) + spare };
  };

  // The state: the column that `rising` and `falling` describe, and the distance in the lowest row of its lowest block.
  let lowest = 0;
  let distance = 0;
  const start = () => {
    lowest = lastBlock(band, 0, referenceLength);
    rising.fill(-1, 0, lowest + 1);
    falling.fill(0, 0, lowest + 1);
    distance = Math.min(referenceLength, (lowest + 1) * 32);
  };

  /** Computes columns `from + 1` to `to`, and keeps them where they are wanted. */
  const advance = (from: number, to: number, history: Int32Array | null, stride: number) => {
    for (let column = from + 1; column <= to; column++) {
      const first = firstBlock(band, column);
      const last = lastBlock(band, column, referenceLength);
      while (lowest < last) {
        lowest++;
        rising[lowest] = -1;
        falling[lowest] = 0;
        distance += lowest === blocks - 1 ? lastBit + 1 : 32;
      }
      const equalities = masks.of(hypothesis[column - 1]!);
      let write = (column - from - 1) * stride;
      // Above the band, as above the first row, the distance is taken to rise with each column.
      let carry = 1;
      let carryNegative = 0;
      for (let block = first; block <= last; block++) {
        const vertical = rising[block]!;
        const verticalNegative = falling[block]!;
        const equal = equalities[block]!;
        const diagonal = equal | verticalNegative;
        const reach = equal | carryNegative;
        const horizontalZero = (((reach & vertical) + vertical) ^ vertical) | reach;
        let horizontal = verticalNegative | ~(horizontalZero | vertical);
        let horizontalNegative = vertical & horizontalZero;
        if (block === last) {
          const bit = last === blocks - 1 ? lastBit : 31;
          distance += ((horizontal >>> bit) & 1) - ((horizontalNegative >>> bit) & 1);
        }
        const nextCarry = horizontal >>> 31;
        const nextCarryNegative = horizontalNegative >>> 31;
        horizontal = (horizontal << 1) | carry;
        horizontalNegative = (horizontalNegative << 1) | carryNegative;
        carry = nextCarry;
        carryNegative = nextCarryNegative;
        const newRising = horizontalNegative | ~(diagonal | horizontal);
        const newFalling = horizontal & diagonal;
        rising[block] = newRising;
        falling[block] = newFalling;
        if (history) {
          history[write] = ~newRising & (verticalNegative | ~equal);
          history[write + 1] = newRising | verticalNegative;
          write += 2;
        }
      }
    }
  };

  let edits = Math.max(referenceLength, hypothesisLength);
  if (blocks * hypothesisLength > smallMatrix && edits > Math.abs(lengthDifference) + narrowBand) {
    setBand(Math.abs(lengthDifference) + narrowBand);
    start();
    advance(0, hypothesisLength, null, 0);
    edits = Math.min(edits, distance);
  }
  setBand(edits);

  start();
  const keep = () => {
    const kept = { rising: rising.slice(), falling: falling.slice(), lowest };
    return () => {
      rising.set(kept.rising);
      falling.set(kept.falling);
      lowest = kept.lowest;
    };
  };
  return traceColumns({ advance, keep }, band!, referenceLength, hypothesisLength, alreadyCorrect, tape);
}

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

/**
 * Least cost with 4 for a substitution and 3 for a deletion or an insertion, traced back as `AlignmentRule` states, by
 * columns of machine words.
 *
 * It is computed as the greatest score with 3 for equal items, 1 for unequal ones set against each other and nothing for a
 * gap: cost = 3 x (both lengths) - 2 x score, so that both have the same paths. Scores of neighbouring cells differ by 0 to
 * 3. With `down` the difference to the cell above and `right` that to the cell on the left, a cell of unequal items has
 * right = max(1, down before, right above) - down before, one of equal items 3 - down before; so a difference of 3, or of
 * 2, runs down over cells where the difference to the cell above was 0, which one addition does for all rows of a word
 * (J. Loving, Y. Hernandez and G. Benson, "BitPAl: a bit-parallel, general integer-scoring sequence alignment algorithm",
 * Bioinformatics 30, 2014, have the idea for any scores).
 *
 * A path of cost c has at most c / 3 gaps and keeps within as many diagonals (E. Ukkonen, "Algorithms for approximate
 * string matching", Information and Control 64, 1985). Every path as cheap as the best lies in that band, and scores that
 * the band cuts off are taken too low, so the result is exact.
 *
 * @param reference at least one symbol from 1 to `symbols`
 * @param hypothesis symbols from 0 to `symbols`, where 0 is one that the reference lacks
 * @param costBound cost of some path, which the best cannot exceed; Infinity where none is known
 * @param alreadyCorrect items found equal before, added to the counts
 */
export function scliteEdits(
  reference: Int32Array,
  referenceLength: number,
  hypothesis: Int32Array,
  hypothesisLength: number,
  symbols: number,
  costBound: number,
  alreadyCorrect: number,
  tape: OperationTape | null,
): EditCounts {
  const masks = createMatchMasks(reference, referenceLength, symbols);
  const blocks = (referenceLength + 31) >>> 5;
  const downs = new Int32Array(3 * blocks);
  const lengthDifference = hypothesisLength - referenceLength;
  const maxGaps = Math.min(Math.floor(costBound / 3), referenceLength + hypothesisLength);
  const spare = (maxGaps - Math.abs(lengthDifference)) >> 1;
  const band = { least: Math.min(0, lengthDifference) - spare, greatest: Math.max(0, lengthDifference) + spare };

  /** Computes columns `from + 1` to `to`, and keeps their steps where they are wanted. */
  const advance = (from: number, to: number, history: Int32Array | null, stride: number) => {
    for (let column = from + 1; column <= to; column++) {
      const last = lastBlock(band, column, referenceLength);
      const equalities = masks.of(hypothesis[column - 1]!);
      let write = (column - from - 1) * stride;
      // Above the band, as above the first row, the score is taken to stay the same with each column.
      let carry1 = 0;
      let carry2 = 0;
      let carry3 = 0;
      for (let block = firstBlock(band, column); block <= last; block++) {
        const place = 3 * block;
        const down1 = downs[place]!;
        const down2 = downs[place + 1]!;
        const down3 = downs[place + 2]!;
        const equal = equalities[block]!;
        const down0 = ~(down1 | down2 | down3);
        const begin3 = equal & down0;
        const right3 = (((begin3 + down0 + carry3) ^ down0) | begin3) & down0;
        const above3 = (right3 << 1) | carry3;
        const run2 = down0 & ~right3;
        const equalOr3 = equal | above3;
        const jump2 = down1 & equalOr3;
        const begin2 = ((jump2 << 1) | carry2) & run2;
        const right2 = jump2 | ((((begin2 + run2) ^ run2) | begin2) & run2);
        const above2 = (right2 << 1) | carry2;
        const right1 = (down2 & equalOr3) | (down1 & ~equalOr3 & above2) | (run2 & ~right2);
        const above1 = (right1 << 1) | carry1;
        const above0 = ~(above1 | above2 | above3);
        carry1 = right1 >>> 31;
        carry2 = right2 >>> 31;
        carry3 = right3 >>> 31;
        if (history) {
          const right0 = ~(right1 | right2 | right3);
          const paired = equal | (right0 & down1) | (right1 & down0);
          history[write] = (paired & ~equal) | (~paired & right0);
          history[write + 1] = ~paired;
          write += 2;
        }
        const equalOrDown3 = equal | down3;
        const other = ~equal;
        downs[place] = (above2 & equalOrDown3) | (other & ((above1 & down2) | (above0 & (down0 | down1))));
        downs[place + 1] = (above1 & equalOrDown3) | (other & above0 & down2);
        downs[place + 2] = above0 & equalOrDown3;
      }
    }
  };

  const keep = () => {
    const kept = downs.slice();
    return () => downs.set(kept);
  };
  return traceColumns({ advance, keep }, band, referenceLength, hypothesisLength, alreadyCorrect, tape);
}
