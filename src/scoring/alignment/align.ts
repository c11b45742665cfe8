import type { AlignedWord } from '../../model/finding.ts';
import { traceWords } from './count-edits.ts';
import { type AlignmentRule, createTape, operation } from './edit-operation.ts';

/**
 * Sets the words of a hypothesis against those of the reference, along the path that `countEdits` counts.
 *
 * @example align(['the', 'cat'], ['the', 'fat', 'cat'])
 * // [{ reference: 'the', hypothesis: 'the' }, { reference: null, hypothesis: 'fat' }, { reference: 'cat', hypothesis: 'cat' }]
 */
export function align(
  reference: readonly string[],
  hypothesis: readonly string[],
  rule: AlignmentRule = 'least',
): AlignedWord[] {
  const tape = createTape(reference.length, hypothesis.length);
  traceWords(reference, hypothesis, rule, tape);
  const { operations, start } = tape;
  const places = operations.length - start;
  const aligned = new Array<AlignedWord>(places);
  let referenceIndex = 0;
  let hypothesisIndex = 0;
  for (let place = 0; place < places; place++) {
    const step = operations[start + place];
    aligned[place] = {
      reference: step === operation.insertion ? null : reference[referenceIndex++]!,
      hypothesis: step === operation.deletion ? null : hypothesis[hypothesisIndex++]!,
    };
  }
  return aligned;
}

/**
 * The same path as bytes (`operation`), from the first place to the last: for long transcripts and many of them, without
 * an object for each word.
 *
 * @example alignOperations(['the', 'cat'], ['the', 'fat', 'cat']) // Uint8Array [0, 3, 0]
 */
export function alignOperations(
  reference: readonly string[],
  hypothesis: readonly string[],
  rule: AlignmentRule = 'least',
): Uint8Array {
  const tape = createTape(reference.length, hypothesis.length);
  traceWords(reference, hypothesis, rule, tape);
  return tape.operations.slice(tape.start);
}
