import type { Word } from '../../model/observation.ts';
import type { WhisperResult } from './package.ts';

const unitSeconds = 0.001;
/** whisper.cpp counts in hundredths of a second. */
const leastSeconds = 0.01;

/**
 * Words of segments that hold a token each: one that begins with a blank begins a word. Times of tokens are guesses of
 * whisper.cpp from probabilities of its time tokens; a word lasts at least a hundredth of a second, and none begins before the last.
 */
export function wordsOfTokens(segments: WhisperResult['segments']): Word[] {
  const words: { text: string; startSeconds: number; endSeconds: number }[] = [];
  let earliest = 0;
  for (const { text, t0, t1 } of segments) {
    const letters = text.trim();
    if (letters === '') continue;
    const last = words.at(-1);
    if (last !== undefined && !/^\s/.test(text)) {
      last.text += letters;
      last.endSeconds = Math.max(last.endSeconds, t1 * unitSeconds);
      continue;
    }
    const startSeconds = Math.max(earliest, t0 * unitSeconds);
    words.push({ text: letters, startSeconds, endSeconds: Math.max(t1 * unitSeconds, startSeconds + leastSeconds) });
    earliest = startSeconds;
  }
  return words;
}
