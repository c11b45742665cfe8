/**
 * For tests: a text whose first words are replaced, so that the number of word errors is known.
 *
 * @example withErrors('one two three', 2) // 'x x three'
 */
export function withErrors(text: string, errors: number): string {
  return text
    .split(' ')
    .map((word, place) => (place < errors ? 'x' : word))
    .join(' ');
}
