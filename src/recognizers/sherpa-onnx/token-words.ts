import type { Word } from '../../model/observation.ts';
import type { SherpaResult } from './library.ts';

/** A frame after subsampling, as nearly all these models have: how long the last token lasts where nothing tells. */
const frameSeconds = 0.04;

/**
 * Words with times from tokens, where a token that begins with a blank (or its mark `▁`) begins a word. The start is when the
 * first token was emitted, the end when the last one was, and that token's length where the model tells it. Times that go
 * back are set to the last one.
 *
 * @returns nothing where there are no times, or where the tokens do not spell the text (bytes, Chinese characters)
 */
export function wordsOfTokens({ text, tokens = [], timestamps = [], durations = [] }: SherpaResult): Word[] {
  if (tokens.length === 0 || timestamps.length !== tokens.length) return [];
  const words: { text: string; startSeconds: number; endSeconds: number }[] = [];
  let earliest = 0;
  for (const [index, token] of tokens.entries()) {
    const letters = token.replace(/^[▁\s]+/, '').trimEnd();
    const begins = /^[▁\s]/.test(token);
    const startSeconds = Math.max(earliest, timestamps[index]!);
    const endSeconds = startSeconds + Math.max(durations[index] ?? 0, frameSeconds);
    earliest = startSeconds;
    const last = words.at(-1);
    if (last === undefined || begins) words.push({ text: letters, startSeconds, endSeconds });
    else {
      // A mark alone begins a word whose first letters come with the next token.
      if (last.text === '') last.startSeconds = startSeconds;
      last.text += letters;
      last.endSeconds = endSeconds;
    }
  }
  const spelled = words.filter((word) => word.text !== '');
  const same = spelled.map((word) => word.text).join(' ') === text.trim().replace(/\s+/g, ' ');
  return same ? spelled : [];
}
