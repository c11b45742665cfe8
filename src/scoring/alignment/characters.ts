import type { EditCounts } from '../edit-counts.ts';
import { blockEdits } from './block-edits.ts';
import { shortEdits, shortLength } from './short-edits.ts';

const blank = 0x20;
const codePoints = 0x110000;

// One number for each code point there is, zero between calls. Pages that no text touches take no memory.
const table = new Int32Array(codePoints);
let referencePoints = new Int32Array(1024);
let hypothesisPoints = new Int32Array(1024);
let matches = new Int32Array(1024);

/**
 * The characters of words joined by single blanks: Unicode code points, the unit of jiwer's character error rate (blanks
 * count; NIST's sclite leaves them out). A surrogate that stands alone is a character.
 *
 * @example characters(['a', 'bc']) // ['a', ' ', 'b', 'c']
 */
export function characters(words: readonly string[]): string[] {
  return [...words.join(' ')];
}

/**
 * Least edits between the characters of two texts, by the rules and with the tie-break of `countEdits`. Numbers all the
 * way: no string is made for any character.
 *
 * @example countCharacterEdits(['cat'], ['cats']) // { correct: 3, substitutions: 0, deletions: 0, insertions: 1 }
 */
export function countCharacterEdits(referenceWords: readonly string[], hypothesisWords: readonly string[]): EditCounts {
  referencePoints = withRoom(referencePoints, referenceWords);
  hypothesisPoints = withRoom(hypothesisPoints, hypothesisWords);
  const reference = referencePoints;
  const hypothesis = hypothesisPoints;
  const referenceCount = writePoints(referenceWords, reference);
  const hypothesisCount = writePoints(hypothesisWords, hypothesis);

  const shorter = Math.min(referenceCount, hypothesisCount);
  let start = 0;
  while (start < shorter && reference[start] === hypothesis[start]) start++;
  let end = 0;
  while (end < shorter - start && reference[referenceCount - 1 - end] === hypothesis[hypothesisCount - 1 - end]) {
    end++;
  }
  const referenceLength = referenceCount - start - end;
  const hypothesisLength = hypothesisCount - start - end;
  const counts =
    referenceLength <= shortLength
      ? shortCharacters(start, referenceLength, hypothesisLength, start + end)
      : longCharacters(start, referenceLength, hypothesisLength, start + end);
  // What a long transcript needed is given back.
  if (reference.length > 1 << 18) referencePoints = new Int32Array(1024);
  if (hypothesis.length > 1 << 18) hypothesisPoints = new Int32Array(1024);
  return counts;
}

function shortCharacters(start: number, referenceLength: number, hypothesisLength: number, same: number): EditCounts {
  if (matches.length < hypothesisLength) matches = new Int32Array(2 * hypothesisLength);
  for (let index = 0; index < referenceLength; index++) table[referencePoints[start + index]!]! |= 1 << index;
  for (let index = 0; index < hypothesisLength; index++) matches[index] = table[hypothesisPoints[start + index]!]!;
  for (let index = 0; index < referenceLength; index++) table[referencePoints[start + index]!] = 0;
  return shortEdits(matches, referenceLength, hypothesisLength, same, null);
}

function longCharacters(start: number, referenceLength: number, hypothesisLength: number, same: number): EditCounts {
  const used: number[] = [];
  const reference = referencePoints.subarray(start, start + referenceLength);
  const hypothesis = hypothesisPoints.subarray(start, start + hypothesisLength);
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
  return blockEdits(reference, referenceLength, hypothesis, hypothesisLength, used.length, same, null);
}

function withRoom(points: Int32Array<ArrayBuffer>, words: readonly string[]): Int32Array<ArrayBuffer> {
  let room = words.length;
  for (const word of words) room += word.length;
  return points.length >= room ? points : new Int32Array(2 * room);
}

/** Writes the code points of the words joined by blanks; gives their number. */
function writePoints(words: readonly string[], points: Int32Array): number {
  let count = 0;
  for (let index = 0; index < words.length; index++) {
    if (index > 0) points[count++] = blank;
    const word = words[index]!;
    for (let unit = 0; unit < word.length; unit++) {
      const code = word.charCodeAt(unit);
      if (code >= 0xd800 && code < 0xdc00 && unit + 1 < word.length) {
        const following = word.charCodeAt(unit + 1);
        if (following >= 0xdc00 && following < 0xe000) {
          points[count++] = (code - 0xd800) * 0x400 + (following - 0xdc00) + 0x10000;
          unit++;
          continue;
        }
      }
      points[count++] = code;
    }
  }
  return count;
}
