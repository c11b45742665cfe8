import { isUnspaced } from '../../base/scripts.ts';
import type { EditCounts } from '../edit-counts.ts';
import { decided, traceScliteNumbers } from './align.ts';
import { blockEdits, shortEdits, shortLength, shortScliteEdits } from './edits.ts';
import { openCode } from './open-words.ts';
import type { AlignmentRule } from './trace-back.ts';

const blank = 0x20;
const codePoints = 0x110000;

// One number for each code point there is, zero between calls. Pages that no text touches take no memory.
const table = new Int32Array(codePoints);
let referencePoints = new Int32Array(1024);
let hypothesisPoints = new Int32Array(1024);
let matches = new Int32Array(1024);

/**
 * Edits between the characters of two texts, by the rules and with the tie-breaks of `countEdits`. As in sclite's `-c`,
 * blanks between words do not count by the rule `sclite`. Numbers all the way: no string is made for any character.
 *
 * @param hasCharacterWords as the normalizer of the words says (`Normalizer.hasCharacterWords`): no blank counts between two single
 * characters of Chinese, Japanese, Thai and the like, where nobody writes one
 * @example countCharacterEdits(['cat'], ['cats']) // { correct: 3, substitutions: 0, deletions: 0, insertions: 1 }
 * @example countCharacterEdits(['北', '京'], ['北', '平'], 'least', true) // { correct: 1, substitutions: 1, deletions: 0, insertions: 0 }
 */
export function countCharacterEdits(
  referenceWords: readonly string[],
  hypothesisWords: readonly string[],
  rule: AlignmentRule = 'least',
  hasCharacterWords = false,
): EditCounts {
  referencePoints = withRoom(referencePoints, referenceWords);
  hypothesisPoints = withRoom(hypothesisPoints, hypothesisWords);
  const reference = referencePoints;
  const hypothesis = hypothesisPoints;
  const blanks = rule === 'least';
  const referenceCount = writePoints(referenceWords, reference, blanks, hasCharacterWords);
  const hypothesisCount = writePoints(hypothesisWords, hypothesis, blanks, hasCharacterWords);
  // Words with several readings are looked for among the numbers, which are at hand.
  if (holdsMark(reference, referenceCount) || holdsMark(hypothesis, hypothesisCount)) {
    const [said, heard] = decided(referenceWords, hypothesisWords);
    if (said !== referenceWords || heard !== hypothesisWords)
      return countCharacterEdits(said, heard, rule, hasCharacterWords);
  }

  const shorter = Math.min(referenceCount, hypothesisCount);
  let start = 0;
  // As with words, sclite's path is fixed from the end alone.
  if (rule === 'least') while (start < shorter && reference[start] === hypothesis[start]) start++;
  let end = 0;
  while (end < shorter - start && reference[referenceCount - 1 - end] === hypothesis[hypothesisCount - 1 - end]) {
    end++;
  }
  const referenceLength = referenceCount - start - end;
  const hypothesisLength = hypothesisCount - start - end;
  const count = referenceLength <= shortLength ? shortCharacters : longCharacters;
  const counts = count(start, referenceLength, hypothesisLength, start + end, rule);
  // What a long transcript needed is given back.
  if (reference.length > 1 << 18) referencePoints = new Int32Array(1024);
  if (hypothesis.length > 1 << 18) hypothesisPoints = new Int32Array(1024);
  return counts;
}

function holdsMark(points: Int32Array, count: number): boolean {
  for (let place = 0; place < count; place++) if (points[place] === openCode) return true;
  return false;
}

function shortCharacters(
  start: number,
  referenceLength: number,
  hypothesisLength: number,
  same: number,
  rule: AlignmentRule,
): EditCounts {
  if (matches.length < hypothesisLength) matches = new Int32Array(2 * hypothesisLength);
  for (let index = 0; index < referenceLength; index++) table[referencePoints[start + index]!]! |= 1 << index;
  for (let index = 0; index < hypothesisLength; index++) matches[index] = table[hypothesisPoints[start + index]!]!;
  for (let index = 0; index < referenceLength; index++) table[referencePoints[start + index]!] = 0;
  const trace = rule === 'least' ? shortEdits : shortScliteEdits;
  return trace(matches, referenceLength, hypothesisLength, same, null);
}

function longCharacters(
  start: number,
  referenceLength: number,
  hypothesisLength: number,
  same: number,
  rule: AlignmentRule,
): EditCounts {
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
  const symbols = used.length;
  return rule === 'least'
    ? blockEdits(reference, referenceLength, hypothesis, hypothesisLength, symbols, same, null)
    : traceScliteNumbers({ reference, hypothesis, symbols }, referenceLength, hypothesisLength, same, null);
}

function withRoom(points: Int32Array<ArrayBuffer>, words: readonly string[]): Int32Array<ArrayBuffer> {
  let room = words.length;
  for (const word of words) room += word.length;
  return points.length >= room ? points : new Int32Array(2 * room);
}

/** Writes the code points of the words, with blanks where they count; gives their number. */
function writePoints(
  words: readonly string[],
  points: Int32Array,
  blanks: boolean,
  hasCharacterWords: boolean,
): number {
  let count = 0;
  let wasUnspaced = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (blanks) {
      const unspaced = hasCharacterWords && isUnspaced(word);
      if (index > 0 && !(wasUnspaced || unspaced)) points[count++] = blank;
      wasUnspaced = unspaced;
    }
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
