import { rover } from '../../scoring/agreement/rover.ts';
import type { CaseRule, CaseStatus } from './case.ts';
import type { SaysText } from './tolerant-rule.ts';

/** Statuses of the recognizers by every rule, in their order; null for one that gave no transcript. */
export type Judgement = Readonly<Record<CaseRule, readonly (CaseStatus | null)[]>>;

/**
 * What became of each recognizer's answer to one spoken text. Success if the transcript says the text; failed if it does not and
 * another's does; all indeterminable if none does (CrossASR, section II: the printed formula of its second case is turned
 * round, the sentence before it is meant). By the rule `majority` the words that most wrote stand for the text; where there are no
 * such words all are indeterminable.
 *
 * @param text normalized words with single blanks between them
 * @param transcripts normalized alike; null where a recognizer gave none
 * @example judgeText('a cat', ['a cat', 'a hat', null], says).exact // ['success', 'failed', null]
 */
export function judgeText(text: string, transcripts: readonly (string | null)[], tolerant: SaysText): Judgement {
  const answered = transcripts.filter((transcript) => transcript !== null);
  const majority = majorityText(answered.map((transcript) => transcript.split(' ').filter((word) => word !== '')));
  // Where most wrote nothing there is no text to be right about.
  const most = majority === null || majority.length === 0 ? null : majority.join(' ');
  return {
    exact: statuses(transcripts, (transcript) => transcript === text, false),
    tolerant: statuses(transcripts, (transcript) => transcript === text || tolerant(text, transcript), false),
    majority: statuses(transcripts, (transcript) => transcript === most, most !== null),
  };
}

function statuses(
  transcripts: readonly (string | null)[],
  says: (transcript: string) => boolean,
  known: boolean,
): (CaseStatus | null)[] {
  const right = transcripts.map((transcript) => (transcript === null ? null : says(transcript)));
  const determinable = known || right.includes(true);
  return right.map((one) => {
    if (one === null) return null;
    if (!determinable) return 'indeterminable';
    return one ? 'success' : 'failed';
  });
}

/** Longer transcripts are garbage, and setting them against each other takes square time. */
const maxWords = 2000;

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
  if (transcripts.length < 2 || transcripts.some(({ length }) => length > maxWords)) return null;
  const { sets, words } = rover(transcripts.map((one) => ({ words: one })));
  return sets.every(({ winner }) => 2 * winner.votes > transcripts.length) ? words : null;
}
