/** What one place of an alignment is, as a byte, so that paths of long transcripts stay small. */
export const operation = { correct: 0, substitution: 1, deletion: 2, insertion: 3 } as const;

/** Where an aligner writes its path: backwards, so that the first operation ends up at `start`. */
export interface OperationTape {
  readonly operations: Uint8Array;
  start: number;
}

/** A tape with room for every path between sequences of these lengths. */
export function createTape(referenceLength: number, hypothesisLength: number): OperationTape {
  const room = referenceLength + hypothesisLength;
  return { operations: new Uint8Array(room), start: room };
}
