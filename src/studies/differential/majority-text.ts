import { rover } from '../../scoring/agreement/rover.ts';

/** Longer transcripts are garbage, and setting them against each other takes square time. */
const mostWords = 2000;

/**
 * What most recognizers wrote, word by word: a text in place of the one that was to be spoken, so that what a synthesizer gets
 * wrong is not held against the recognizers. Null where at some place no word (or none) has more than half of the transcripts,
 * with fewer than two transcripts, and where one is longer than 2,000 words. A majority is no truth: recognizers trained alike share
 * their errors.
 *
 * @param transcripts words of each recognizer that answered
 * @example majorityText([['a', 'cat'], ['a', 'hat'], ['the', 'hat']]) // ['a', 'hat']
 */
export function majorityText(transcripts: readonly (readonly string[])[]): readonly string[] | null {
  if (transcripts.length < 2 || transcripts.some(({ length }) => length > mostWords)) return null;
  const { sets, words } = rover(transcripts.map((one) => ({ words: one })));
  return sets.every(({ winner }) => 2 * winner.votes > transcripts.length) ? words : null;
}
