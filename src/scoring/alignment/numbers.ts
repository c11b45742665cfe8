import type { EditCounts } from '../edit-counts.ts';
import { traceScliteNumbers } from './align.ts';
import { blockEdits, shortEdits, shortLength, shortScliteEdits } from './edits.ts';
import { type AlignmentRule, type OperationTape, operation, traceRun } from './trace-back.ts';

// One place for each number there may be, zero between calls. Pages that nothing touches take no memory.
let table = new Int32Array(1024);
let matches = new Int32Array(1024);

/**
 * Aligns two sequences of numbers (characters, or words that were numbered) as `countEdits` aligns words, counts the edits, and writes the path to
 * the tape where one is given.
 *
 * @param reference from 0 to `limit - 1`; long ones are overwritten
 * @param hypothesis likewise
 */
export function traceNumbers(
  reference: Int32Array,
  hypothesis: Int32Array,
  limit: number,
  rule: AlignmentRule,
  tape: OperationTape | null,
): EditCounts {
  if (table.length < limit) table = new Int32Array(limit);
  const shorter = Math.min(reference.length, hypothesis.length);
  let start = 0;
  // As with words, sclite's path is fixed from the end alone.
  if (rule === 'least') while (start < shorter && reference[start] === hypothesis[start]) start++;
  let end = 0;
  while (end < shorter - start && reference[reference.length - 1 - end] === hypothesis[hypothesis.length - 1 - end])
    end++;
  if (tape) traceRun(tape, operation.correct, end);
  const referenceLength = reference.length - start - end;
  const hypothesisLength = hypothesis.length - start - end;
  const trace = referenceLength <= shortLength ? traceShort : traceLong;
  const counts = trace(reference, hypothesis, start, referenceLength, hypothesisLength, start + end, rule, tape);
  if (tape) traceRun(tape, operation.correct, start);
  return counts;
}

function traceShort(
  reference: Int32Array,
  hypothesis: Int32Array,
  start: number,
  referenceLength: number,
  hypothesisLength: number,
  same: number,
  rule: AlignmentRule,
  tape: OperationTape | null,
): EditCounts {
  if (matches.length < hypothesisLength) matches = new Int32Array(2 * hypothesisLength);
  for (let index = 0; index < referenceLength; index++) table[reference[start + index]!]! |= 1 << index;
  for (let index = 0; index < hypothesisLength; index++) matches[index] = table[hypothesis[start + index]!]!;
  for (let index = 0; index < referenceLength; index++) table[reference[start + index]!] = 0;
  const trace = rule === 'least' ? shortEdits : shortScliteEdits;
  return trace(matches, referenceLength, hypothesisLength, same, tape);
}

function traceLong(
  wholeReference: Int32Array,
  wholeHypothesis: Int32Array,
  start: number,
  referenceLength: number,
  hypothesisLength: number,
  same: number,
  rule: AlignmentRule,
  tape: OperationTape | null,
): EditCounts {
  const used: number[] = [];
  const reference = wholeReference.subarray(start, start + referenceLength);
  const hypothesis = wholeHypothesis.subarray(start, start + hypothesisLength);
  for (let index = 0; index < referenceLength; index++) {
    const point = reference[index]!;
    let symbol = table[point]!;
    if (symbol === 0) {
      symbol = used.push(point);
      table[point] = symbol;
    }
    reference[index] = symbol;
  }
  for (let index = 0; index < hypothesisLength; index++) hypothesis[index] = table[hypothesis[index]!]!;
  for (const point of used) table[point] = 0;
  const symbols = used.length;
  return rule === 'least'
    ? blockEdits(reference, referenceLength, hypothesis, hypothesisLength, symbols, same, tape)
    : traceScliteNumbers({ reference, hypothesis, symbols }, referenceLength, hypothesisLength, same, tape);
}
