import { align } from '../../scoring/alignment/align.ts';

/**
 * Places of the words of a text that a transcript does not have: where it has another or none, and the next word after something that
 * nobody said.
 *
 * @param text normalized words with single blanks between them
 * @param transcript normalized alike
 * @example missedWords('the cat sat', 'the hat sat') // [1]
 */
export function missedWords(text: string, transcript: string): number[] {
  const words = text.split(' ');
  const places = new Set<number>();
  let place = 0;
  for (const { reference, hypothesis } of align(words, transcript === '' ? [] : transcript.split(' '))) {
    if (reference !== hypothesis) places.add(Math.min(place, words.length - 1));
    if (reference !== null) place++;
  }
  return [...places];
}
