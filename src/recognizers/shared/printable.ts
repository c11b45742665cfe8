/**
 * Text from outside as one line that is safe to show: control characters, line ends, marks that turn the direction of
 * writing and lone surrogates are written as escapes; what is too long is cut.
 *
 * @param longest characters kept
 * @param keep which end of a text that is too long is worth keeping
 * @example printable('a\u001b[2Jb', 40) // 'a\\u001b[2Jb'
 */
export function printable(text: string, longest: number, keep: 'start' | 'end' = 'start'): string {
  const cut = text.length <= longest ? text : keep === 'start' ? text.slice(0, longest) : text.slice(-longest);
  const escaped = cut.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  if (cut.length === text.length) return escaped;
  return keep === 'start' ? `${escaped}…` : `…${escaped}`;
}
