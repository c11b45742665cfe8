import { EarwitnessError } from '../../base/errors.ts';
import { limitText } from '../../base/limit-text.ts';
import { printable } from '../../base/printable.ts';

/** How often words occur. */
export interface WordFrequencies {
  /** Mean negative logarithm (base 10) of the words' relative frequency, words that never occur counted as half once. */
  rarity(words: readonly string[]): number;
}

/** Frequencies from counts of words. */
export function wordFrequencies(counts: ReadonlyMap<string, number>): WordFrequencies {
  let total = 0;
  for (const count of counts.values()) total += count;
  return {
    rarity(words) {
      let sum = 0;
      for (const word of words) sum += Math.log10((total + 1) / (counts.get(word) ?? 0.5));
      return sum / words.length;
    },
  };
}

/**
 * Reads a list: a word and a count on each line, apart by a tab or spaces. Empty lines are passed over.
 *
 * @param words what makes words as in references; a line whose word makes none is passed over
 * @throws EarwitnessError `bad-input` for a line without a count
 */
export function readFrequencies(
  text: string,
  path: string,
  words: (text: string) => string[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const fields = trimmed.split(/[\t ]+/);
    const count = Number(fields.at(-1));
    if (fields.length < 2 || !(count > 0 && Number.isFinite(count))) {
      throw new EarwitnessError(
        'bad-input',
        `${path}:${index + 1}: expected a word and how often it occurs, but got ${printable(JSON.stringify(limitText(trimmed, 80)))}; write one word and one number above 0 on each line`,
      );
    }
    for (const word of words(fields.slice(0, -1).join(' '))) counts.set(word, (counts.get(word) ?? 0) + count);
  }
  if (counts.size === 0) {
    throw new EarwitnessError('bad-input', `${path}: expected words and how often they occur, but there are none`);
  }
  return counts;
}
