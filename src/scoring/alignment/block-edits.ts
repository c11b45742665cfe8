import type { EditCounts } from '../edit-counts.ts';
import type { OperationTape } from './edit-operation.ts';
import { type Band, createMatchMasks, firstBlock, lastBlock, traceColumns } from './trace-back.ts';

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
