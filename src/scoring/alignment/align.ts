import type { AlignedWord } from '../../model/finding.ts';
import type { EditCounts } from '../edit-counts.ts';
import { blockEdits, scliteEdits, shortEdits, shortLength, shortScliteEdits } from './edits.ts';
import { hasOpenWords, isOpenWord, likelyWords, openCode, readingsAt, withLettersOf } from './open-words.ts';
import { type AlignmentRule, createTape, type OperationTape, operation, traceRun } from './trace-back.ts';

/**
 * Sets the words of a hypothesis against those of the reference, along the path that `countEdits` counts. A word that may be heard as one of
 * several (`openMark`) is the one that the other text has.
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
    const said = step === operation.insertion ? null : reference[referenceIndex++]!;
    const heard = step === operation.deletion ? null : hypothesis[hypothesisIndex++]!;
    if (isOpenWord(said ?? heard!) || (step === operation.substitution && isOpenWord(heard!)))
      return align(...decided(reference, hypothesis), rule);
    aligned[place] = { reference: said, hypothesis: heard };
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
  return metOpenWord ? alignOperations(...decided(reference, hypothesis), rule) : tape.operations.slice(tape.start);
}

/**
 * Two texts in which each word that may be heard as one of several is the one that the other text has at its place: first all that any of
 * them may be is taken for one word, then what came to stand side by side decides. What nothing decides is what it most likely is.
 */
export function decided(
  reference: readonly string[],
  written: readonly string[],
): readonly [reference: readonly string[], hypothesis: readonly string[]] {
  if (!hasOpenWords(reference) && !hasOpenWords(written)) return [reference, written];
  const hypothesis = withLettersOf(reference, written, equalPlaces);
  const families = new Map<string, string>();
  for (const text of [reference, hypothesis]) {
    for (const [place, word] of text.entries()) {
      const readings = readingsAt(text, place);
      if (readings[0] === word) continue;
      const family = readings.map((one) => families.get(one)).find((one) => one !== undefined) ?? readings[0]!;
      for (const one of [word, ...readings]) families.set(one, family);
    }
  }
  const familiesOf = (words: readonly string[]) => words.map((word) => families.get(word) ?? word);
  const said = [...likelyWords(reference)];
  const heard = [...likelyWords(hypothesis)];
  for (const [from, to] of equalPlaces(familiesOf(reference), familiesOf(hypothesis))) {
    const other = readingsAt(hypothesis, to);
    const both = readingsAt(reference, from).find((one) => other.includes(one));
    if (both !== undefined) said[from] = heard[to] = both;
  }
  return [said, heard];
}

/** Places of the words that are set against their equals. */
function equalPlaces(reference: readonly string[], hypothesis: readonly string[]): (readonly [number, number])[] {
  const places: (readonly [number, number])[] = [];
  let [from, to] = [0, 0];
  for (const step of alignOperations(reference, hypothesis)) {
    if (step === operation.correct) places.push([from, to]);
    if (step !== operation.insertion) from++;
    if (step !== operation.deletion) to++;
  }
  return places;
}

// Open addressing over at most 32 words in 128 slots; a slot counts only where it bears the number of this call.
const slots = 128;
const stamps = new Int32Array(slots);
const hashes = new Int32Array(slots);
const positionMasks = new Int32Array(slots);
const words: string[] = new Array(slots).fill('');
let stamp = 0;

let matches = new Int32Array(256);

/** Whether a word with several readings was among those that `traceWords` last set against each other. */
let metOpenWord = false;

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
  const counts = traceWords(reference, hypothesis, rule, null);
  return metOpenWord ? countEdits(...decided(reference, hypothesis), rule) : counts;
}

/** As `countEdits`; writes the path of operations to the tape where one is given. */
function traceWords(
  reference: readonly string[],
  hypothesis: readonly string[],
  rule: AlignmentRule,
  tape: OperationTape | null,
): EditCounts {
  metOpenWord = false;
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
  const [rows, columns] = [referenceEnd - start, hypothesisEnd - start];
  const same = start + reference.length - referenceEnd;
  if (tape) traceRun(tape, operation.correct, reference.length - referenceEnd);
  const counts = traceMiddle(reference, hypothesis, rule, start, rows, columns, same, tape);
  if (tape) traceRun(tape, operation.correct, start);
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
    matchShortWords(reference, hypothesis, start, referenceLength, hypothesisLength);
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

function hashOf(word: string, first: number): number {
  let hash = Math.imul(word.length ^ first, 0x9e3779b1);
  for (let index = 1; index < word.length; index++) hash = Math.imul(hash ^ word.charCodeAt(index), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

/**
 * For each word of a stretch of the hypothesis: at which of the (at most 32) words of a stretch of the reference it
 * stands (`matches`). A table of our own, because a Map costs three times as much as the alignment of a short utterance.
 */
function matchShortWords(
  reference: readonly string[],
  hypothesis: readonly string[],
  start: number,
  referenceLength: number,
  hypothesisLength: number,
): void {
  if (matches.length < hypothesisLength) matches = new Int32Array(2 * hypothesisLength);
  if (referenceLength === 0 || hypothesisLength === 0) return;
  stamp = (stamp + 1) | 0;
  for (let index = 0; index < referenceLength; index++) {
    const word = reference[start + index]!;
    const first = word.charCodeAt(0);
    const hash = hashOf(word, first);
    if (first === openCode) metOpenWord = true;
    let slot = hash & (slots - 1);
    for (;;) {
      if (stamps[slot] !== stamp) {
        stamps[slot] = stamp;
        hashes[slot] = hash;
        words[slot] = word;
        positionMasks[slot] = 1 << index;
        break;
      }
      if (hashes[slot] === hash && words[slot] === word) {
        positionMasks[slot]! |= 1 << index;
        break;
      }
      slot = (slot + 1) & (slots - 1);
    }
  }
  for (let index = 0; index < hypothesisLength; index++) {
    const word = hypothesis[start + index]!;
    const first = word.charCodeAt(0);
    const hash = hashOf(word, first);
    if (first === openCode) metOpenWord = true;
    let slot = hash & (slots - 1);
    let mask = 0;
    while (stamps[slot] === stamp) {
      if (hashes[slot] === hash && words[slot] === word) {
        mask = positionMasks[slot]!;
        break;
      }
      slot = (slot + 1) & (slots - 1);
    }
    matches[index] = mask;
  }
}

/** Two word sequences as numbers: equal words have equal numbers. */
interface SymbolPair {
  /** From 1 to `symbols`. */
  readonly reference: Int32Array;
  /** From 0 to `symbols`; 0 is a word that the reference lacks. */
  readonly hypothesis: Int32Array;
  readonly symbols: number;
}

/** Numbers for the words of two stretches that begin at `start`. */
function numberWords(
  reference: readonly string[],
  hypothesis: readonly string[],
  start: number,
  referenceLength: number,
  hypothesisLength: number,
): SymbolPair {
  const numbers = new Map<string, number>();
  const referenceNumbers = new Int32Array(referenceLength);
  for (let index = 0; index < referenceLength; index++) {
    const word = reference[start + index]!;
    let number = numbers.get(word);
    if (number === undefined) {
      number = numbers.size + 1;
      numbers.set(word, number);
    }
    referenceNumbers[index] = number;
  }
  metOpenWord ||= hasOpenWords([...numbers.keys()]) || hasOpenWords(hypothesis, start, start + hypothesisLength);
  const hypothesisNumbers = new Int32Array(hypothesisLength);
  for (let index = 0; index < hypothesisLength; index++) {
    hypothesisNumbers[index] = numbers.get(hypothesis[start + index]!) ?? 0;
  }
  return { reference: referenceNumbers, hypothesis: hypothesisNumbers, symbols: numbers.size };
}
