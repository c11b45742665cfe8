import type { Word } from '../../model/observation.ts';

/** Words of a piece with times from the start of the whole. */
export function laterBy(seconds: number, words: readonly Word[]): Word[] {
  if (seconds === 0) return [...words];
  return words.map((word) => ({
    ...word,
    ...(word.startSeconds === undefined ? {} : { startSeconds: word.startSeconds + seconds }),
    ...(word.endSeconds === undefined ? {} : { endSeconds: word.endSeconds + seconds }),
  }));
}
