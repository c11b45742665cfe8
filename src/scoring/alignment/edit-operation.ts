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

/** The end of a path that has reached an edge of the matrix: what is left of either side stands alone. */
export function traceEdge(tape: OperationTape, deletions: number, insertions: number): void {
  const deletionsEnd = tape.start;
  const insertionsEnd = deletionsEnd - deletions;
  tape.start = insertionsEnd - insertions;
  tape.operations.fill(operation.deletion, insertionsEnd, deletionsEnd);
  tape.operations.fill(operation.insertion, tape.start, insertionsEnd);
}
