import type { Word } from '../../model/observation.ts';

/** A word with its place in the sound. */
export interface TimedWord {
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly confidence: number | null;
}

/**
 * Words in order, each with a time: those for which the recognizer gave none lie between their neighbours, all of the same
 * length, and without length at the beginning and the end.
 *
 * @returns null where no word has a time
 */
export function timedWords(words: readonly Word[]): readonly TimedWord[] | null {
  const isTimed = (word: Word): word is Word & { startSeconds: number; endSeconds: number } =>
    word.startSeconds !== undefined && word.endSeconds !== undefined && word.endSeconds >= word.startSeconds;
  if (!words.some(isTimed)) return null;
  const timed: TimedWord[] = [];
  for (let from = 0; from < words.length; ) {
    const word = words[from]!;
    const confidence = word.confidence ?? null;
    if (isTimed(word)) {
      timed.push({ text: word.text, startSeconds: word.startSeconds, endSeconds: word.endSeconds, confidence });
      from++;
      continue;
    }
    let until = from;
    while (until < words.length && !isTimed(words[until]!)) until++;
    const next = words[until]?.startSeconds;
    const begin = timed.at(-1)?.endSeconds ?? next!;
    const length = Math.max(0, (next ?? begin) - begin) / (until - from);
    for (let index = from; index < until; index++) {
      const startSeconds = begin + (index - from) * length;
      const { text, confidence: own = null } = words[index]!;
      timed.push({ text, startSeconds, endSeconds: startSeconds + length, confidence: own });
    }
    from = until;
  }
  return timed.sort((one, other) => one.startSeconds - other.startSeconds);
}
