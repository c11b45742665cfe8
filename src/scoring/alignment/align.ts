import type { AlignedWord } from '../../model/finding.ts';
import { traceWords } from './count-edits.ts';
import { createTape, operation } from './edit-operation.ts';

/**
 * Sets the words of a hypothesis against those of the reference, along the path that `countEdits` counts.
 *
 * @example align(['the', 'cat'], ['the', 'fat', 'cat'])
 * // [{ reference: 'the', hypothesis: 'the' }, { reference: null, hypothesis: 'fat' }, { reference: 'cat', hypothesis: 'cat' }]
 */
export function align(reference: readonly string[], hypothesis: readonly string[]): AlignedWord[] {
  const tape = createTape(reference.length, hypothesis.length);
  traceWords(reference, hypothesis, tape);
  const aligned: AlignedWord[] = [];
  let referenceIndex = 0;
  let hypothesisIndex = 0;
  for (let place = tape.start; place < tape.operations.length; place++) {
    const step = tape.operations[place];
    aligned.push({
      reference: step === operation.insertion ? null : reference[referenceIndex++]!,
      hypothesis: step === operation.deletion ? null : hypothesis[hypothesisIndex++]!,
    });
  }
  return aligned;
}
