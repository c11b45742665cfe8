import type { EditCounts } from '../edit-counts.ts';

/**
 * What one place of an alignment is, as a byte, so that paths of long transcripts stay small.
 *
 * @example alignOperations(['a', 'b'], ['a', 'c'])[1] === operation.substitution // true
 */
export const operation = { correct: 0, substitution: 1, deletion: 2, insertion: 3 } as const;

/** Where an aligner writes its path: backwards, so that the first operation ends up at `start`. */
export interface OperationTape {
  readonly operations: Uint8Array;
  start: number;
}

/** Longer paths are rare: their tape is made for them alone. */
const spareRoom = 1 << 16;
const spare: OperationTape = { operations: new Uint8Array(spareRoom), start: spareRoom };

/** A tape with room for every path between sequences of these lengths. Valid until the next call. */
export function createTape(referenceLength: number, hypothesisLength: number): OperationTape {
  const room = referenceLength + hypothesisLength;
  if (room > spareRoom) return { operations: new Uint8Array(room), start: room };
  spare.start = spareRoom;
  return spare;
}

/**
 * What makes one alignment better than another.
 *
 * - `least`: the fewest edits; substitution, deletion and insertion count 1 each (Levenshtein 1966), as jiwer and
 *   rapidfuzz have it.
 * - `sclite`: the least cost with 4 for a substitution and 3 for a deletion or an insertion, as NIST's sclite has it: one
 *   deletion with one insertion (6) is cheaper than two substitutions (8), so that the number of errors is at times
 *   greater than the least. Traced back from the end, of equally cheap steps the two words against each other come first,
 *   then an insertion, then a deletion, which gives sclite's counts and paths (`sclite -s` of SCTK 2.4.10).
 */
export type AlignmentRule = 'least' | 'sclite';

/** A symbol that occurs more often than this has a row of masks of its own; rarer ones keep their positions. */
const rareOccurrences = 16;
/** At most so many symbols have a row, which bounds the memory of long references. */
const maxRows = 1024;

/** Integers (4 bytes) that the steps kept for tracing back may take: 24 MB. */
const historyLimit = 6 * 2 ** 20;

let spareHistory = new Int32Array(1 << 14);

/** Which diagonals of the matrix are looked at, columns less rows. */
export interface Band {
  readonly least: number;
  readonly greatest: number;
}

/** The first block of 32 rows that a band reaches in a column (from 1). */
export function firstBlock(band: Band, column: number): number {
  return Math.max(0, column - band.greatest - 1) >>> 5;
}

/** The last one. */
export function lastBlock(band: Band, column: number, rows: number): number {
  return Math.min(rows - 1, Math.max(0, column - band.least - 1)) >>> 5;
}

/**
 * The best step into each cell of some columns: bit `row % 32` of two integers for each block of 32 rows, together the number of
 * the operation (`operation`), its lower bit in the first integer.
 */
interface Steps {
  readonly history: Int32Array;
  /** Integers of one column. */
  readonly stride: number;
  readonly band: Band;
  /** The column before the first one that is there. */
  start: number;
  /** Puts the columns before `start` into the history, up to it, and says so in `start`. */
  readonly earlier: () => void;
}

/**
 * Follows the steps from the last cell of the matrix to an edge of it and along that, counts them, and writes them to the tape.
 *
 * @param alreadyCorrect items found equal before, added to the counts
 */
export function traceBack(
  steps: Steps,
  referenceLength: number,
  hypothesisLength: number,
  alreadyCorrect: number,
  tape: OperationTape | null,
): EditCounts {
  const { history, stride, band } = steps;
  let { start } = steps;
  let correct = alreadyCorrect;
  let substitutions = 0;
  let deletions = 0;
  let insertions = 0;
  let row = referenceLength;
  let column = hypothesisLength;
  while (row > 0 && column > 0) {
    if (column === start) {
      steps.earlier();
      start = steps.start;
    }
    const block = ((row - 1) >>> 5) - firstBlock(band, column);
    const place = (column - start - 1) * stride + 2 * block;
    const bit = row - 1;
    const step = ((history[place]! >>> bit) & 1) | (((history[place + 1]! >>> bit) & 1) << 1);
    if (step === operation.correct) {
      correct++;
      row--;
      column--;
    } else if (step === operation.substitution) {
      substitutions++;
      row--;
      column--;
    } else if (step === operation.deletion) {
      deletions++;
      row--;
    } else {
      insertions++;
      column--;
    }
    if (tape) tape.operations[--tape.start] = step;
  }
  deletions += row;
  insertions += column;
  // At an edge of the matrix what is left of either side stands alone.
  if (tape) {
    traceRun(tape, operation.deletion, row);
    traceRun(tape, operation.insertion, column);
  }
  return { correct, substitutions, deletions, insertions };
}

/** Writes the same operation several times. A loop, because `fill` costs more than the few places of most utterances. */
export function traceRun(tape: OperationTape, step: number, times: number): void {
  const { operations, start } = tape;
  for (let place = start - times; place < start; place++) operations[place] = step;
  tape.start = start - times;
}

/** The columns of a matrix, computed from the first to the last. */
interface Columns {
  /** Computes columns `from + 1` to `to`; keeps their steps where a history is given. */
  advance(from: number, to: number, history: Int32Array | null, stride: number): void;
  /** Remembers the column that was computed last; what comes back returns to it. */
  keep(): () => void;
}

/**
 * Computes all columns and traces back. Where their steps would take more than 24 MB, only some columns are kept on the way,
 * and the stretches between them are computed a second time on the way back: the path is the same, the memory bounded.
 */
export function traceColumns(
  columns: Columns,
  band: Band,
  referenceLength: number,
  hypothesisLength: number,
  alreadyCorrect: number,
  tape: OperationTape | null,
): EditCounts {
  const blocks = (referenceLength + 31) >>> 5;
  const stride = 2 * Math.min(blocks, ((band.greatest - band.least + 1) >>> 5) + 2);
  const window = Math.max(1, Math.min(hypothesisLength, Math.floor(historyLimit / stride)));
  const room = window * stride;
  let history = spareHistory;
  if (history.length < room) {
    history = new Int32Array(room);
    // Long transcripts are rare: what they need is given back.
    if (room <= 1 << 20) spareHistory = history;
  }
  const kept: (() => void)[] = [];
  for (let from = 0; from + window < hypothesisLength; from += window) {
    kept.push(columns.keep());
    columns.advance(from, from + window, null, 0);
  }
  const steps: Steps = {
    history,
    stride,
    band,
    start: kept.length * window,
    earlier() {
      kept.pop()!();
      steps.start -= window;
      columns.advance(steps.start, steps.start + window, history, stride);
    },
  };
  columns.advance(steps.start, hypothesisLength, history, stride);
  return traceBack(steps, referenceLength, hypothesisLength, alreadyCorrect, tape);
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
