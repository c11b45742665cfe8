import { failuresInWords, type Observation, type Word } from '../model/observation.ts';
import { align } from '../scoring/alignment/align.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import type { Store } from '../store/contract.ts';
import { normalizerOf } from './stored-run.ts';
import type { TrialIndex } from './trial-index.ts';
import type { Heard } from './trial-page.ts';
import type { ListedUtterance } from './trials-page.ts';

/** Utterances of a run and what was made of them, as its store has them; each utterance is read and counted once. */
export function heardIn(store: Pick<Store, 'utterances' | 'observation'>, run: string, index: TrialIndex) {
  const normalizer = normalizerOf(index);
  const known = new Map<number, ListedUtterance>();
  const utterance = (position: number): ListedUtterance => {
    const before = known.get(position);
    if (before !== undefined) return before;
    const [own] = store.utterances(run, { from: position, limit: 1 });
    const { id = null, language = 'und', reference = null } = own ?? {};
    const words = reference === null ? null : normalizer.words(reference, language);
    const read = { id, language, reference, words };
    known.set(position, read);
    return read;
  };
  const heard = (row: number): Heard => {
    const { columns, header } = index;
    const { words, language } = utterance(columns.utterance[row]!);
    const observation = store.observation(columns.answer[row]!);
    const recognizer = header.recognizers[columns.recognizer[row]!]!;
    return observation === null
      ? { recognizer, seconds: null, transcript: null, failure: null, aligned: null, starts: [] }
      : heardBy(recognizer, observation, words, { normalizer, language });
  };
  return { utterance, heard };
}

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
    const why = `${failuresInWords[failure.kind]}: ${failure.message}`;
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
