import { wrapToWidth } from '../../report/text/display-width.ts';

/**
 * A text broken into lines of at most `width` characters, at blanks; a longer word that is no path is broken.
 *
 * @example wrap('one two three', 8) // ['one two', 'three']
 */
export function wrap(text: string, width: number): string[] {
  return [...wrapToWidth(text.trim().replace(/\s+/g, ' '), width)];
}

/**
 * Terms and what they mean in two columns, like a glossary. A term too long for its column stands on a line of its own.
 *
 * @param indent blanks before every line
 */
export function glossary(
  rows: readonly (readonly [term: string, meaning: string])[],
  { width, indent = 0, termWidth }: { readonly width: number; readonly indent?: number; readonly termWidth?: number },
): string {
  const widest = Math.max(0, ...rows.map(([term]) => term.length));
  const column = termWidth ?? Math.min(widest, Math.floor((width - indent) / 3));
  const margin = ' '.repeat(indent);
  const beside = ' '.repeat(indent + column + 2);
  return rows
    .flatMap(([term, meaning]) => {
      const lines = wrap(meaning, Math.max(20, width - beside.length));
      const fits = term.length <= column;
      const first = fits ? `${margin}${term.padEnd(column)}  ${lines[0]}` : `${margin}${term}`;
      const rest = fits ? lines.slice(1) : lines;
      return [first, ...rest.map((line) => `${beside}${line}`)].map((line) => line.trimEnd());
    })
    .join('\n');
}
