import { limitText } from './limit-text.ts';
import { visibleText } from './visible-text.ts';

/**
 * A hostile text as one harmless line for a terminal: what would steer it is shown by its number, and what is longer than
 * `limit` characters is cut.
 *
 * @param keep which end of a text that is too long is worth keeping
 * @example printable('a\u001b[2Jb') // 'a⟨U+001B⟩[2Jb'
 */
export function printable(text: string, limit = 200, keep: 'start' | 'end' = 'start'): string {
  if (keep === 'end' && text.length > limit) return `…${visibleText(text.slice(-limit))}`;
  return visibleText(limitText(text, limit));
}

/** The same over several lines: line breaks stay, everything else that steers a terminal does not. */
export function printableLines(text: string, limit = 20_000): string {
  return limitText(text, limit)
    .split('\n')
    .map((line) => visibleText(line))
    .join('\n');
}
