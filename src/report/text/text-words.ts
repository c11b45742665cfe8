import { visibleText } from '../../base/printable.ts';
import type { AlignedWord } from '../../model/finding.ts';
import { cutMiddle, cutToWidth, displayWidth, type Paint } from './display-width.ts';

/** A transcript, aligned with the reference. */
interface TranscriptRow {
  readonly label: string;
  readonly aligned: readonly AlignedWord[];
}

const maxWord = 24;
/** `pocketsphinx-narrow, clean` is 26 wide. */
const maxLabel = 32;
/** Of a long recording a stretch is shown: from shortly before its first error. */
const maxLines = 4;
const wordsBefore = 3;

/**
 * The reference, and beneath it the transcripts, word under word: substitutions in capitals, deletions as stars.
 * Insertions stand between the words around them. Of what needs more than four lines four are shown, from the first error on.
 *
 * @param rows of the same reference; that of a long recording may end sooner in one than in another
 * @example
 * reference  the cat sat
 * clean      the cat sat
 * noise      A   CAT ***
 */
export function textWords(
  rows: readonly TranscriptRow[],
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  const places = rows.map(({ aligned }) => byReference(aligned));
  const [first, ...others] = places;
  if (first === undefined) return [];
  const shortest = others.reduce((least, { words }) => Math.min(least, words.length), first.words.length);
  const columns: Column[] = [];
  for (let place = 0; place <= shortest; place++) {
    const most = Math.max(...places.map(({ inserted }) => inserted[place]!.length));
    for (let extra = 0; extra < most; extra++) {
      columns.push({
        reference: '',
        recognized: places.map(({ inserted }) => cell(null, inserted[place]![extra] ?? null)),
      });
    }
    if (place === shortest) break;
    const reference = first.words[place]!;
    columns.push({
      reference: shown(reference),
      recognized: places.map(({ recognized }) => cell(reference, recognized[place] ?? null)),
    });
  }
  const labels = ['reference', ...rows.map(({ label }) => cutMiddle(visibleText(label), maxLabel))];
  const margin = Math.max(...labels.map(displayWidth)) + 2;
  return stretch(columns, Math.max(10, width - margin)).flatMap((some) =>
    labels.map((label, row) => {
      const cells = some.map(({ reference, recognized }) => {
        const { text, wrong } = row === 0 ? { text: reference, wrong: false } : recognized[row - 1]!;
        const size = columnWidth({ reference, recognized });
        return `${wrong && text !== '' ? paint('bad', text) : text}${' '.repeat(size - displayWidth(text))}`;
      });
      return `${label}${' '.repeat(margin - displayWidth(label))}${cells.join(' ').trimEnd()}`;
    }),
  );
}

interface Column {
  readonly reference: string;
  readonly recognized: readonly { readonly text: string; readonly wrong: boolean }[];
}

function cell(reference: string | null, recognized: string | null): Column['recognized'][number] {
  if (recognized === null)
    return { text: reference === null ? '' : '*'.repeat(displayWidth(shown(reference))), wrong: reference !== null };
  return reference === recognized
    ? { text: shown(recognized), wrong: false }
    : { text: shown(recognized).toUpperCase(), wrong: true };
}

function shown(word: string): string {
  return cutToWidth(visibleText(word), maxWord);
}

/** What was recognized for each word of the reference (null: nothing), and what was recognized before each of them and behind the last. */
function byReference(aligned: readonly AlignedWord[]) {
  const words: string[] = [];
  const recognized: (string | null)[] = [];
  const inserted: string[][] = [[]];
  for (const { reference, hypothesis } of aligned) {
    if (reference === null) {
      if (hypothesis !== null) inserted.at(-1)!.push(hypothesis);
      continue;
    }
    words.push(reference);
    recognized.push(hypothesis);
    inserted.push([]);
  }
  return { words, recognized, inserted };
}

function columnWidth({ reference, recognized }: Column): number {
  return Math.max(displayWidth(reference), ...recognized.map(({ text }) => displayWidth(text)));
}

/** Columns in lines: all where they are few, else those from the first error on. */
function stretch(columns: readonly Column[], width: number): Column[][] {
  const all = folded(columns, width);
  if (all.length <= maxLines) return all;
  const gap: Column = { reference: '…', recognized: columns[0]!.recognized.map(() => ({ text: '…', wrong: false })) };
  const firstWrong = columns.findIndex(({ recognized }) => recognized.some(({ wrong }) => wrong));
  const start = Math.max(0, firstWrong - wordsBefore);
  const lines = folded([...(start > 0 ? [gap] : []), ...columns.slice(start)], width - 2);
  if (lines.length > maxLines) lines[maxLines - 1]!.push(gap);
  return lines.slice(0, maxLines);
}

/** Columns in as many lines as they need. */
function folded(columns: readonly Column[], width: number): Column[][] {
  const lines: Column[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const column of columns) {
    const size = columnWidth(column) + 1;
    if (used + size - 1 > width) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)!.push(column);
    used += size;
  }
  return lines;
}
