import type { Observation, Word } from '../model/observation.ts';
import { align } from '../scoring/alignment/align.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import type { Heard } from './trial-page.ts';

/**
 * What a recognizer made of a clip, word by word.
 *
 * @param said words of the reference; null: there is none
 */
export function heardBy(
  recognizer: string,
  { transcript, failure, timing }: Observation,
  said: readonly string[] | null,
  { normalizer, language }: { readonly normalizer: Normalizer; readonly language: string },
): Heard {
  const base = { recognizer, seconds: timing.seconds };
  if (transcript === undefined) {
    const why = `${failure.kind}: ${failure.message}`;
    return { ...base, transcript: null, failure: why, aligned: null, starts: [] };
  }
  const words = normalizer.words(transcript.text, language);
  return {
    ...{ ...base, transcript: transcript.text, failure: null },
    aligned: said === null ? null : align(said, words),
    starts: startsOf(words, transcript.words ?? [], normalizer, language),
  };
}

/** When each normalized word begins, where the recognizer says when its words do and they are the same words. */
function startsOf(
  words: readonly string[],
  timed: readonly Word[],
  normalizer: Normalizer,
  language: string,
): (number | null)[] {
  const parts = timed.flatMap(({ text, startSeconds }) =>
    normalizer.words(text, language).map((word) => ({ word, start: startSeconds ?? null })),
  );
  if (parts.length !== words.length) return [];
  return parts.map(({ start }) => start);
}
