import { printable } from '../../base/printable.ts';
import type { AlignedWord } from '../../model/finding.ts';
import { displayWidth } from '../../report/text/display-width.ts';

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
