import { visibleText } from '../../base/printable.ts';
import { type DiffCell, type DiffColumn, type DiffPair, diffOf, editMarks, excerptOf } from '../prepare/diff.ts';
import { cutApart, cutToWidth, displayWidth, type Paint } from './display-width.ts';

/** A transcript, aligned with the reference. */
export interface TextDiffRow {
  readonly label: string;
  readonly aligned: readonly DiffPair[];
}

const maxWord = 40;
/** `pocketsphinx-narrow, clean` is 26 wide. */
const maxLabel = 32;
/** Of what takes more than so many blocks, the places that differ are shown. */
const fewBlocks = 3;
const maxColumns = 40;

/**
 * The reference, and beneath it the transcripts, word under word; beneath each with errors a line that marks them: S substituted, D deleted
 * (stars stand for what is missing), I inserted, O an optional word left out. Of what takes many lines only the places that differ.
 *
 * @param rows of the same reference; that of a long recording may end sooner in one than in another
 * @param maxBlocks of what takes more only the places that differ are shown; 3 if absent
 * @example
 * REF    the cat sat ****
 * noise  a   cat *** down
 *        S       D   I
 */
export function textDiff(
  rows: readonly TextDiffRow[],
  {
    width,
    paint,
    maxBlocks = fewBlocks,
  }: { readonly width: number; readonly paint: Paint; readonly maxBlocks?: number },
): string[] {
  const names = rows.map(({ label }) => visibleText(label));
  const labels = ['REF', ...cutApart(names, Math.min(maxLabel, width >> 1))];
  const margin = Math.max(...labels.map(displayWidth)) + 1;
  const room = Math.max(10, width - margin);
  const columns = diffOf(rows.map(({ aligned }) => aligned)).map((column) =>
    shortened(column, Math.min(maxWord, room)),
  );
  const whole = folded(columns, room);
  const blocks = whole.length <= maxBlocks ? whole : folded(excerptOf(columns, maxColumns), room).slice(0, maxBlocks);
  return blocks.flatMap((block, at) => {
    const line = (label: string, texts: readonly string[]) =>
      `${label}${' '.repeat(margin - displayWidth(label))}${texts.join(' ')}`.trimEnd();
    const padded = (text: string, column: DiffColumn | null) =>
      text + ' '.repeat(Math.max(0, widthOf(column) - displayWidth(text)));
    const reference = block.map((column) =>
      padded(column === null ? '…' : (column.reference ?? '*'.repeat(widthOf(column))), column),
    );
    return [
      ...(at > 0 ? [''] : []),
      line(labels[0]!, reference),
      ...rows.flatMap((_, row) => {
        const cells = block.map((column) => (column === null ? null : (column.cells[row] ?? nothing)));
        const words = block.map((column, place) => {
          const cell = cells[place];
          if (cell == null) return padded('…', column);
          const text = cell.text === null ? (cell.edit === 'same' ? '' : '*'.repeat(widthOf(column))) : cell.text;
          const blanks = ' '.repeat(widthOf(column) - displayWidth(text));
          return `${cell.edit === 'same' || text === '' ? text : paint('bad', text)}${blanks}`;
        });
        const marks = block.map((column, place) => padded(editMarks[cells[place]?.edit ?? 'same'], column));
        return [line(labels[row + 1]!, words), ...(marks.every((mark) => mark.trim() === '') ? [] : [line('', marks)])];
      }),
    ];
  });
}

/** Where others have a word more. */
const nothing: DiffCell = { text: null, edit: 'same', place: null };

/** With words as a terminal may show them, of so many columns at the most. */
function shortened({ reference, cells }: DiffColumn, most: number): DiffColumn {
  const shown = (word: string | null) => (word === null ? null : cutToWidth(visibleText(word), most));
  return { reference: shown(reference), cells: cells.map((cell) => cell && { ...cell, text: shown(cell.text) }) };
}

function widthOf(column: DiffColumn | null): number {
  if (column === null) return 1;
  const words = [column.reference, ...column.cells.map((cell) => cell?.text)];
  return Math.max(1, ...words.map((word) => (word == null ? 0 : displayWidth(word))));
}

/** Columns in as many blocks as they need. */
function folded(columns: readonly (DiffColumn | null)[], width: number): (DiffColumn | null)[][] {
  const blocks: (DiffColumn | null)[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const column of columns) {
    const size = widthOf(column) + 1;
    if (used + size - 1 > width) {
      blocks.push([]);
      used = 0;
    }
    blocks.at(-1)!.push(column);
    used += size;
  }
  return blocks;
}
