import type { Word } from '../../model/observation.ts';

/** A word as the library's pipeline gives it. */
export interface TimedText {
  readonly text: string;
  readonly timestamp: readonly [start: number | null, end: number | null];
}

/** Times come from attention to frames of 0.02 s: a word that gets no time of its own gets this least one. */
const leastSeconds = 0.02;

/**
 * Words with times in order. The library's times come from cross-attentions (dynamic time warping) and may stand still or go
 * back a little where two pieces of sound meet: a word never begins before the one before it.
 */
export function timedWords(chunks: readonly TimedText[]): Word[] {
  const words: Word[] = [];
  let earliest = 0;
  for (const { text, timestamp } of chunks) {
    const written = text.trim();
    if (written === '') continue;
    const [start, end] = timestamp;
    if (start === null || !Number.isFinite(start)) {
      words.push({ text: written });
      continue;
    }
    const startSeconds = Math.max(start, earliest);
    const endSeconds = Math.max(end ?? startSeconds, startSeconds + leastSeconds);
    words.push({ text: written, startSeconds, endSeconds });
    earliest = startSeconds;
  }
  return words;
}
