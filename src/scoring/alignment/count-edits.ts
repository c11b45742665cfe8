import type { EditCounts } from '../edit-counts.ts';
import { blockEdits } from './block-edits.ts';
import { type OperationTape, operation } from './edit-operation.ts';
import { shortEdits, shortLength } from './short-edits.ts';
import { matchShortWords, numberWords } from './word-symbols.ts';

let matches = new Int32Array(256);

/**
 * Aligns word sequences with the least number of edits (substitution, deletion and insertion count 1 each; Levenshtein
 * 1966) and counts them.
 *
 * Of the alignments with equally few edits one is taken, always the same: words that both begin and end with are set
 * equal first; between them the path is traced back from the end, at each place a deletion if a least path has one there,
 * else an insertion if it saves an edit over setting the two words against each other, else the two words (correct or
 * substituted). jiwer and rapidfuzz trace alike, so that their counts are these.
 *
 * Words are compared as strings: normalize them first. Time is proportional to words x edits / 32, memory to the number
 * of words plus at most 24 MB.
 *
 * @example countEdits(['the', 'cat', 'sat'], ['the', 'cats', 'sat', 'down'])
 * // { correct: 2, substitutions: 1, deletions: 0, insertions: 1 }
 */
export function countEdits(reference: readonly string[], hypothesis: readonly string[]): EditCounts {
  return traceWords(reference, hypothesis, null);
}

/** As `countEdits`; writes the path of operations to the tape where one is given. */
export function traceWords(
  reference: readonly string[],
  hypothesis: readonly string[],
  tape: OperationTape | null,
): EditCounts {
  const shorter = Math.min(reference.length, hypothesis.length);
  let start = 0;
  while (start < shorter && reference[start] === hypothesis[start]) start++;
  let referenceEnd = reference.length;
  let hypothesisEnd = hypothesis.length;
  while (
    referenceEnd > start &&
    hypothesisEnd > start &&
    reference[referenceEnd - 1] === hypothesis[hypothesisEnd - 1]
  ) {
    referenceEnd--;
    hypothesisEnd--;
  }
  const same = start + reference.length - referenceEnd;
  if (tape) {
    for (let index = referenceEnd; index < reference.length; index++) {
      tape.operations[--tape.start] = operation.correct;
    }
  }
  const counts = traceMiddle(reference, hypothesis, start, referenceEnd - start, hypothesisEnd - start, same, tape);
  if (tape) for (let index = 0; index < start; index++) tape.operations[--tape.start] = operation.correct;
  return counts;
}

function traceMiddle(
  reference: readonly string[],
  hypothesis: readonly string[],
  start: number,
  referenceLength: number,
  hypothesisLength: number,
  same: number,
  tape: OperationTape | null,
): EditCounts {
  if (referenceLength <= shortLength) {
    if (matches.length < hypothesisLength) matches = new Int32Array(2 * hypothesisLength);
    if (referenceLength > 0 && hypothesisLength > 0) {
      matchShortWords(reference, hypothesis, start, referenceLength, hypothesisLength, matches);
    }
    return shortEdits(matches, referenceLength, hypothesisLength, same, tape);
  }
  const numbers = numberWords(reference, hypothesis, start, referenceLength, hypothesisLength);
  return blockEdits(
    numbers.reference,
    referenceLength,
    numbers.hypothesis,
    hypothesisLength,
    numbers.symbols,
    same,
    tape,
  );
}
