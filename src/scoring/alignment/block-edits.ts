import type { EditCounts } from '../edit-counts.ts';
import { type OperationTape, operation, traceEdge } from './edit-operation.ts';

/** A symbol that occurs more often than this has a row of masks of its own; rarer ones keep their positions. */
const rareOccurrences = 16;
/** At most so many symbols have a row, which bounds the memory of long references. */
const maxRows = 1024;

/** Integers (4 bytes) that the columns kept for tracing back may take: 24 MB. */
const historyLimit = 6 * 2 ** 20;
/** Below so many blocks a first look with a narrow band does not pay. */
const smallMatrix = 1 << 13;
/** Diagonals beyond the difference in length at that first look. */
const narrowBand = 128;

let spareHistory = new Int32Array(1 << 14);

/**
 * Least edits between sequences of any length, by columns of machine words (Myers 1999 and Hyyrö 2003 as in `shortEdits`,
 * in blocks of 32 rows), within the band of diagonals that a path of so few edits can reach (E. Ukkonen, "Algorithms for
 * approximate string matching", Information and Control 64, 1985). The band comes from a first look along the main
 * diagonals, whose result is never too small. Where the columns would take more than 24 MB, only every so many are kept,
 * and the stretches between them are computed a second time on the way back: the path is the same, the memory bounded.
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

  let leastDiagonal = 0;
  let greatestDiagonal = 0;
  const setBand = (edits: number) => {
    const spare = (edits - Math.abs(lengthDifference)) >> 1;
    leastDiagonal = Math.min(0, lengthDifference) - spare;
    greatestDiagonal = Math.max(0, lengthDifference) + spare;
  };
  const firstBlock = (column: number) => Math.max(0, column - greatestDiagonal - 1) >>> 5;
  const lastBlock = (column: number) => Math.min(referenceLength - 1, Math.max(0, column - leastDiagonal - 1)) >>> 5;

  // The state: the column that `rising` and `falling` describe, and the distance in the lowest row of its lowest block.
  let lowest = 0;
  let distance = 0;
  const start = () => {
    lowest = lastBlock(0);
    rising.fill(-1, 0, lowest + 1);
    falling.fill(0, 0, lowest + 1);
    distance = Math.min(referenceLength, (lowest + 1) * 32);
  };

  /** Computes columns `from + 1` to `to`, and keeps them where they are wanted, after column `from` itself. */
  const advance = (from: number, to: number, history: Int32Array | null, stride: number) => {
    let place = 0;
    if (history) {
      const first = firstBlock(from);
      for (let block = first; block <= lowest; block++) {
        history[place + 2 * (block - first)] = rising[block]!;
        history[place + 2 * (block - first) + 1] = falling[block]!;
      }
    }
    for (let column = from + 1; column <= to; column++) {
      const first = firstBlock(column);
      const last = lastBlock(column);
      while (lowest < last) {
        lowest++;
        rising[lowest] = -1;
        falling[lowest] = 0;
        distance += lowest === blocks - 1 ? lastBit + 1 : 32;
      }
      const equalities = masks.of(hypothesis[column - 1]!);
      place += stride;
      let write = place;
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
          history[write] = newRising;
          history[write + 1] = newFalling;
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

  const mostBlocks = Math.min(blocks, ((greatestDiagonal - leastDiagonal + 1) >>> 5) + 2);
  const stride = 2 * mostBlocks;
  const window = Math.max(1, Math.min(hypothesisLength, Math.floor(historyLimit / stride) - 1));
  const room = (window + 1) * stride;
  let history = spareHistory;
  if (history.length < room) {
    history = new Int32Array(room);
    // Long transcripts are rare: what they need is given back.
    if (room <= 1 << 20) spareHistory = history;
  }

  interface Checkpoint {
    readonly rising: Int32Array;
    readonly falling: Int32Array;
    readonly lowest: number;
  }
  const checkpoints: Checkpoint[] = [];
  start();
  for (let from = 0; from + window < hypothesisLength; from += window) {
    checkpoints.push({ rising: rising.slice(), falling: falling.slice(), lowest });
    advance(from, from + window, null, 0);
  }
  let windowStart = checkpoints.length * window;
  advance(windowStart, hypothesisLength, history, stride);

  let correct = alreadyCorrect;
  let substitutions = 0;
  let deletions = 0;
  let insertions = 0;
  let row = referenceLength;
  let column = hypothesisLength;
  while (row > 0 && column > 0) {
    if (column === windowStart) {
      const checkpoint = checkpoints.pop()!;
      rising.set(checkpoint.rising);
      falling.set(checkpoint.falling);
      lowest = checkpoint.lowest;
      windowStart -= window;
      advance(windowStart, column, history, stride);
    }
    const block = (row - 1) >>> 5;
    const bit = (row - 1) & 31;
    const here = (column - windowStart) * stride + 2 * (block - firstBlock(column));
    const before = (column - windowStart - 1) * stride + 2 * (block - firstBlock(column - 1)) + 1;
    let step: number;
    if ((history[here]! >>> bit) & 1) {
      step = operation.deletion;
      deletions++;
      row--;
    } else if (block <= lastBlock(column - 1) && (history[before]! >>> bit) & 1) {
      step = operation.insertion;
      insertions++;
      column--;
    } else {
      if (reference[row - 1] === hypothesis[column - 1]) {
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

/** Where in a reference each symbol stands, as masks of 32 positions. */
interface MatchMasks {
  /**
   * The masks of a symbol, block by block. Valid until the next call. Symbol 0 stands nowhere.
   */
  of(symbol: number): Int32Array;
}

/**
 * Prepares the masks of a reference for the bit-parallel matrix.
 * A full table would take (distinct words x words / 8) bytes, 50 MB for 20,000 different words; here it is at most 128
 * bytes for each word of the reference.
 *
 * @param reference symbols from 1 to `symbols`
 */
export function createMatchMasks(reference: Int32Array, length: number, symbols: number): MatchMasks {
  const blocks = (length + 31) >>> 5;
  const first = new Int32Array(symbols + 2);
  for (let position = 0; position < length; position++) first[reference[position]! + 1]!++;
  for (let symbol = 1; symbol < first.length; symbol++) first[symbol]! += first[symbol - 1]!;
  const next = first.slice();
  const positions = new Int32Array(length);
  for (let position = 0; position < length; position++) positions[next[reference[position]!]!++] = position;

  const frequent = Math.max(rareOccurrences, Math.ceil(length / maxRows));
  const rows = new Map<number, Int32Array>();
  const write = (masks: Int32Array, symbol: number) => {
    for (let index = first[symbol]!; index < first[symbol + 1]!; index++) {
      const position = positions[index]!;
      masks[position >>> 5]! |= 1 << (position & 31);
    }
  };
  for (let symbol = 1; symbol <= symbols; symbol++) {
    if (first[symbol + 1]! - first[symbol]! > frequent) {
      const masks = new Int32Array(blocks);
      write(masks, symbol);
      rows.set(symbol, masks);
    }
  }

  const rare = new Int32Array(blocks);
  let written = 0;
  return {
    of(symbol) {
      const row = rows.get(symbol);
      if (row) return row;
      if (symbol !== written) {
        for (let index = first[written]!; index < first[written + 1]!; index++) rare[positions[index]! >>> 5] = 0;
        write(rare, symbol);
        written = symbol;
      }
      return rare;
    },
  };
}
