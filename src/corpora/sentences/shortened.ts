/**
 * A text cut to at most so many characters (code points), at the last blank; a first word that is longer is cut itself.
 *
 * @example shortened('one two three', 8) // 'one two'
 */
export function shortened(text: string, mostCharacters: number): string {
  // Every code point has at most two code units.
  const start = Array.from(text.slice(0, 2 * mostCharacters + 2));
  if (start.length <= mostCharacters) return text;
  const cut = start.slice(0, mostCharacters + 1).join('');
  const blank = cut.search(/\s\S*$/);
  return blank > 0 ? cut.slice(0, blank).trimEnd() : start.slice(0, mostCharacters).join('');
}
