import { printable } from '../../base/printable.ts';
import type { AlignedWord } from '../../model/finding.ts';
import { displayWidth } from '../../report/text/display-width.ts';

/**
 * A text broken into lines of at most `width` characters, at blanks; a longer word is broken where it must be.
 *
 * @example wrap('one two three', 8) // ['one two', 'three']
 */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    let rest = word;
    if (line !== '' && line.length + 1 + rest.length <= width) {
      line = `${line} ${rest}`;
      continue;
    }
    if (line !== '') lines.push(line);
    while (rest.length > width) {
      lines.push(rest.slice(0, width));
      rest = rest.slice(width);
    }
    line = rest;
  }
  if (line !== '' || lines.length === 0) lines.push(line);
  return lines;
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

/**
 * Reference over hypothesis, word under word, with a third line that marks what differs: S substituted, D deleted,
 * I inserted, O an optional word left out. Broken into blocks that fit the width.
 */
export function alignment(words: readonly (AlignedWord & { readonly leftOut?: true })[], width: number): string {
  const label = 4;
  const blocks: string[][][] = [[]];
  let used = 0;
  for (const { reference, hypothesis, leftOut } of words) {
    const above = reference === null ? '' : printable(reference, 60);
    const below = hypothesis === null ? '' : printable(hypothesis, 60);
    const mark = leftOut
      ? 'O'
      : reference === null
        ? 'I'
        : hypothesis === null
          ? 'D'
          : reference === hypothesis
            ? ''
            : 'S';
    const size = Math.max(displayWidth(above), displayWidth(below), 1);
    if (used + size + 1 > width - label && used > 0) {
      blocks.push([]);
      used = 0;
    }
    used += size + 1;
    const blank = (text: string) =>
      text === '' && mark !== '' ? '*'.repeat(size) : text + ' '.repeat(size - displayWidth(text));
    blocks.at(-1)!.push([blank(above), blank(below), mark.padEnd(size)]);
  }
  const names = ['REF', 'HYP', ''];
  return blocks
    .map((block) =>
      names
        .map((name, line) => `${name.padEnd(label)}${block.map((cells) => cells[line]).join(' ')}`.trimEnd())
        .join('\n'),
    )
    .join('\n\n')
    .trimEnd();
}
