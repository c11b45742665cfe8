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
