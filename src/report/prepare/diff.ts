import { counted } from '../../base/wording.ts';
import type { AlignedWord } from '../../model/finding.ts';

/** What became of one word; `left out`: an optional word that nobody had to say. */
export type Edit = 'same' | 'substitution' | 'deletion' | 'insertion' | 'left out';

/** How each edit is marked beneath the word, as NIST's sclite does: the letter tells it without colour. */
export const editMarks: Readonly<Record<Edit, string>> = {
  same: '',
  substitution: 'S',
  deletion: 'D',
  insertion: 'I',
  'left out': 'O',
};

/** What the letters mean, wherever they stand for the first time. */
export const marksInWords = 'S substituted, D deleted, I inserted';

/** A pair of an alignment; `leftOut` of an optional word to which the other side has none. */
export type DiffPair = AlignedWord & { readonly leftOut?: true };

/** What one transcript has in a column. */
export interface DiffCell {
  /** Null: it has nothing there. */
  readonly text: string | null;
  readonly edit: Edit;
  /** Which word of the transcript it is, from 0; null: none. */
  readonly place: number | null;
}

/** A word of the reference, or a place between two words where some transcript has one more. */
export interface DiffColumn {
  /** Null: between two words. */
  readonly reference: string | null;
  /** For each transcript; null: it has nothing between these two words. */
  readonly cells: readonly (DiffCell | null)[];
}

/** Which edit an aligned pair stands for. */
export function editOf({ reference, hypothesis, leftOut }: DiffPair): Edit {
  if (leftOut) return 'left out';
  if (reference === null) return 'insertion';
  if (hypothesis === null) return 'deletion';
  return reference === hypothesis ? 'same' : 'substitution';
}

/**
 * Transcripts beneath one reference, word under word: the one layout of every screen. `report/text` and `report/html` draw it.
 *
 * @param rows alignments with the same reference; where one was cut sooner than others, all end there
 * @example diffOf([align(['a', 'b'], ['b'])]).map(({ reference }) => reference) // ['a', 'b']
 */
export function diffOf(rows: readonly (readonly DiffPair[])[]): readonly DiffColumn[] {
  const places = rows.map(byReference);
  const shortest = Math.min(...places.map(({ words }) => words.length));
  if (!Number.isFinite(shortest)) return [];
  const columns: DiffColumn[] = [];
  for (let place = 0; place <= shortest; place++) {
    const most = Math.max(...places.map(({ inserted }) => inserted[place]!.length));
    for (let extra = 0; extra < most; extra++)
      columns.push({ reference: null, cells: places.map(({ inserted }) => inserted[place]![extra] ?? null) });
    if (place < shortest)
      columns.push({
        reference: places[0]!.words[place]!,
        cells: places.map(({ recognized }) => recognized[place]!),
      });
  }
  return columns;
}

/** What was recognized for each word of the reference, and before each of them and behind the last. */
function byReference(pairs: readonly DiffPair[]) {
  const words: string[] = [];
  const recognized: DiffCell[] = [];
  const inserted: DiffCell[][] = [[]];
  let said = 0;
  for (const pair of pairs) {
    const { reference, hypothesis } = pair;
    const cell = { text: hypothesis, edit: editOf(pair), place: hypothesis === null ? null : said++ };
    if (reference === null) inserted.at(-1)!.push(cell);
    else {
      words.push(reference);
      recognized.push(cell);
      inserted.push([]);
    }
  }
  return { words, recognized, inserted };
}

/** Whether some transcript has an error there. */
function differs({ cells }: DiffColumn): boolean {
  return cells.some((cell) => cell !== null && cell.edit !== 'same' && cell.edit !== 'left out');
}

/**
 * The columns in which something differs, each with the one before and behind it; null stands for what is left out.
 *
 * @param most columns
 */
export function excerptOf(columns: readonly DiffColumn[], most: number): readonly (DiffColumn | null)[] {
  const excerpt: (DiffColumn | null)[] = [];
  let lastShown = -1;
  for (const [place, column] of columns.entries()) {
    if (![columns[place - 1], column, columns[place + 1]].some((one) => one !== undefined && differs(one))) continue;
    if (excerpt.length >= most) break;
    if (place > lastShown + 1) excerpt.push(null);
    excerpt.push(column);
    lastShown = place;
  }
  if (lastShown < columns.length - 1) excerpt.push(null);
  return excerpt;
}

/**
 * The edits of an alignment in words, without saying any of its words.
 *
 * @example describeEdits([{ reference: 'a', hypothesis: null }]) // '1 error in 1 word: 1 deletion'
 */
export function describeEdits(aligned: readonly AlignedWord[]): string {
  const counts = { same: 0, substitution: 0, deletion: 0, insertion: 0, 'left out': 0 };
  for (const word of aligned) counts[editOf(word)]++;
  const parts = (['substitution', 'deletion', 'insertion'] as const)
    .filter((edit) => counts[edit] > 0)
    .map((edit) => counted(counts[edit], edit));
  const words = counted(counts.same + counts.substitution + counts.deletion, 'word');
  if (parts.length === 0) return `no error in ${words}`;
  return `${counts.substitution + counts.deletion + counts.insertion} errors in ${words}: ${parts.join(', ')}`.replace(
    /^1 errors/,
    '1 error',
  );
}
