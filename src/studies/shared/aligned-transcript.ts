import type { AlignedWord, Example } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import { align } from '../../scoring/alignment/align.ts';

/** Pairs of words that an example shows; a transcript may be megabytes of garbage. */
const maxPairs = 400;

const maxCharacters = 100;

/**
 * A row of an example: what was recognized, against what was said. Long ones are cut, and the note says so. What it gives
 * is a copy: it keeps no transcript in memory.
 */
export function alignedTranscript(
  label: string,
  referenceWords: readonly string[],
  observation: Observation | undefined,
  words: (text: string) => string[],
): Example['transcripts'][number] {
  if (observation === undefined) return { label, aligned: null, note: 'was not asked' };
  if (observation.failure) {
    return {
      label,
      aligned: null,
      note: `failed (${observation.failure.kind}): ${cut(observation.failure.message, 300)}`,
    };
  }
  const pairs = align(referenceWords, words(observation.transcript.text));
  const aligned = pairs
    .slice(0, maxPairs)
    .map(
      ({ reference, hypothesis }): AlignedWord => ({ reference: shorter(reference), hypothesis: shorter(hypothesis) }),
    );
  const left = pairs.length - aligned.length;
  return { label, aligned, ...(left > 0 ? { note: `and ${left} more words, not shown` } : {}) };
}

/**
 * Where in a long sound the `windowSeconds` begin in which the alignment has most errors, words taken to be spread evenly
 * over it; undefined where the whole sound is no longer than that.
 */
export function worstStretch(
  aligned: readonly AlignedWord[],
  soundSeconds: number | null,
  windowSeconds = 15,
): number | undefined {
  if (soundSeconds === null || soundSeconds <= windowSeconds || aligned.length === 0) return undefined;
  const secondsPerWord = soundSeconds / aligned.length;
  const width = Math.max(1, Math.floor(windowSeconds / secondsPerWord));
  const isError = ({ reference, hypothesis }: AlignedWord) => (reference === hypothesis ? 0 : 1);
  let errors = aligned.slice(0, width).reduce((sum, word) => sum + isError(word), 0);
  let best = { start: 0, errors };
  for (let start = 1; start + width <= aligned.length; start++) {
    errors += isError(aligned[start + width - 1]!) - isError(aligned[start - 1]!);
    if (errors > best.errors) best = { start, errors };
  }
  // A second earlier, since words are not spread evenly.
  return Math.max(0, Math.min(best.start * secondsPerWord - 1, soundSeconds - windowSeconds));
}

function shorter(word: string | null): string | null {
  return word === null ? null : cut(word, maxCharacters);
}

/** Through JSON, because parts of a string keep all of it alive. */
function cut(text: string, most: number): string {
  return JSON.parse(JSON.stringify(text.length > most ? `${text.slice(0, most)}…` : text));
}
