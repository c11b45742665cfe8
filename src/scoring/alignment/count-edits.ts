import type { EditCounts } from '../edit-counts.ts';
import type { AlignmentRule } from './alignment-rule.ts';
import { blockEdits } from './block-edits.ts';
import { type OperationTape, operation } from './edit-operation.ts';
import { scliteEdits } from './sclite-edits.ts';
import { shortEdits, shortLength } from './short-edits.ts';
import { shortScliteEdits } from './short-sclite-edits.ts';
import { matchShortWords, numberWords, type SymbolPair } from './word-symbols.ts';

let matches = new Int32Array(256);

/** Cells of a matrix below which looking for a band costs more than it saves. */
const smallMatrix = 1 << 14;

/**
 * Aligns word sequences with the least number of edits (substitution, deletion and insertion count 1 each; Levenshtein
 * 1966), or as NIST's sclite does (`AlignmentRule`), and counts the edits.
 *
 * Of the alignments with equally few edits `least` takes one, always the same: words that both begin and end with are set
 * equal first; between them the path is traced back from the end, at each place a deletion if a least path has one there,
 * else an insertion if it saves an edit over setting the two words against each other, else the two words (correct or
 * substituted). jiwer and rapidfuzz trace alike, so that their counts are these.
 *
 * Words are compared as strings: normalize them first (sclite without `-s` folds case: lower both sides for its counts).
 * Time is proportional to words x edits / 32 (`sclite`: words x edits), memory to the number of words plus at most 24 MB.
 *
 * @example countEdits(['the', 'cat', 'sat'], ['the', 'cats', 'sat', 'down'])
 * // { correct: 2, substitutions: 1, deletions: 0, insertions: 1 }
 */
export function countEdits(
  reference: readonly string[],
  hypothesis: readonly string[],
  rule: AlignmentRule = 'least',
): EditCounts {
  return traceWords(reference, hypothesis, rule, null);
}

/** As `countEdits`; writes the path of operations to the tape where one is given. */
export function traceWords(
  reference: readonly string[],
  hypothesis: readonly string[],
  rule: AlignmentRule,
  tape: OperationTape | null,
): EditCounts {
  let referenceEnd = reference.length;
  let hypothesisEnd = hypothesis.length;
  let start = 0;
  // sclite, which traces from the end, may leave equal words at the beginning unpaired for others of the same name.
  if (rule === 'least') {
    const shorter = Math.min(referenceEnd, hypothesisEnd);
    while (start < shorter && reference[start] === hypothesis[start]) start++;
  }
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
    tape.start -= reference.length - referenceEnd;
    tape.operations.fill(operation.correct, tape.start, tape.start + reference.length - referenceEnd);
  }
  const [rows, columns] = [referenceEnd - start, hypothesisEnd - start];
  const counts = traceMiddle(reference, hypothesis, rule, start, rows, columns, same, tape);
  if (tape) {
    tape.start -= start;
    tape.operations.fill(operation.correct, tape.start, tape.start + start);
  }
  return counts;
}

function traceMiddle(
  reference: readonly string[],
  hypothesis: readonly string[],
  rule: AlignmentRule,
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
    const trace = rule === 'least' ? shortEdits : shortScliteEdits;
    return trace(matches, referenceLength, hypothesisLength, same, tape);
  }
  const numbers = numberWords(reference, hypothesis, start, referenceLength, hypothesisLength);
  if (rule === 'sclite') return traceScliteNumbers(numbers, referenceLength, hypothesisLength, same, tape);
  const { reference: a, hypothesis: b, symbols } = numbers;
  return blockEdits(a, referenceLength, b, hypothesisLength, symbols, same, tape);
}

/** Numbers along sclite's path, in the band that the path with the least edits gives where the matrix is large. */
export function traceScliteNumbers(
  { reference, hypothesis, symbols }: SymbolPair,
  referenceLength: number,
  hypothesisLength: number,
  same: number,
  tape: OperationTape | null,
): EditCounts {
  let costBound = Number.POSITIVE_INFINITY;
  if (referenceLength * hypothesisLength > smallMatrix) {
    const least = blockEdits(reference, referenceLength, hypothesis, hypothesisLength, symbols, 0, null);
    costBound = 4 * least.substitutions + 3 * (least.deletions + least.insertions);
  }
  return scliteEdits(reference, referenceLength, hypothesis, hypothesisLength, symbols, costBound, same, tape);
}
