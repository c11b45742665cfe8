const bracketed = /[<[][^>\]]*[>\]]/gu;
const parenthesized = /\([^)]+?\)/gu;

/**
 * A text without `<...>` and `[...]`, whichever of the closing signs comes first, as both of Whisper's normalizers have
 * it: `a [b> c` is `a  c`.
 */
export function dropBracketed(text: string): string {
  return removeUntil(text, Math.max(text.lastIndexOf('>'), text.lastIndexOf(']')), bracketed);
}

/** A text without `(...)`; empty parentheses stay. */
export function dropParenthesized(text: string): string {
  return removeUntil(text, text.lastIndexOf(')'), parenthesized);
}

// An opening bracket that nothing closes would be searched to the end of the text, a text of such in square time: the
// search stops at the last closing one.
function removeUntil(text: string, lastClosing: number, pattern: RegExp): string {
  return text.slice(0, lastClosing + 1).replace(pattern, '') + text.slice(lastClosing + 1);
}
