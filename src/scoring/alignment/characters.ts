import { isUnspaced } from '../../base/scripts.ts';
import type { EditCounts } from '../edit-counts.ts';
import { decided } from './align.ts';
import { traceNumbers } from './numbers.ts';
import { openCode } from './open-words.ts';
import type { AlignmentRule } from './trace-back.ts';

const blank = 0x20;
const codePoints = 0x110000;

let referencePoints = new Int32Array(1024);
let hypothesisPoints = new Int32Array(1024);

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

  const counts = traceNumbers(
    reference.subarray(0, referenceCount),
    hypothesis.subarray(0, hypothesisCount),
    codePoints,
    rule,
    null,
  );
  // What a long transcript needed is given back.
  if (reference.length > 1 << 18) referencePoints = new Int32Array(1024);
  if (hypothesis.length > 1 << 18) hypothesisPoints = new Int32Array(1024);
  return counts;
}

function holdsMark(points: Int32Array, count: number): boolean {
  for (let place = 0; place < count; place++) if (points[place] === openCode) return true;
  return false;
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
