import type { CaseRule } from './case.ts';
import type { Heard, HeardPool, HeardText } from './heard.ts';

/**
 * What is known of a pool to somebody who asks one recognizer first, and the others where it gets the text right: where it does not, no
 * test of the others could fail unless one of them is right, and asking them is mostly in vain. What others have asked is not seen.
 *
 * @param listenerOf who is asked first about a text; null: everybody was asked
 */
export function heardWhileListening(
  pool: HeardPool,
  rule: CaseRule,
  listenerOf: (text: number) => number | null,
): Heard {
  // Judged once: tables count the same texts many times, and what one recognizer has answered stays.
  const judged = new Map<number, HeardText>();
  return {
    pool: pool.pool,
    at(text): HeardText | undefined {
      const listener = listenerOf(text);
      if (listener === null) return pool.at(text);
      const alone = judged.get(text) ?? pool.heardBy(text, listener);
      if (alone !== undefined) judged.set(text, alone);
      return alone !== undefined && goesOn(alone, rule, listener) ? pool.at(text) : alone;
    },
  };
}

/**
 * Whether the others are to be asked about a text that the first one was asked about: where it was right, and where it failed to answer
 * although there was sound.
 */
export function goesOn(heard: HeardText, rule: CaseRule, listener: number): boolean {
  const failure = heard.failures[listener];
  return heard.judgement[rule][listener] === 'success' || (failure !== null && failure !== 'sound');
}
