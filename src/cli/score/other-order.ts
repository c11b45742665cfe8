import { plainWords } from '../../base/columns/texts.ts';
import { badInput } from '../../base/errors.ts';
import { limitText } from '../../base/printable.ts';
import { shown } from './pairs-of-segments.ts';
import type { ScoringPair } from './scoring-pair.ts';
import type { Side } from './side.ts';
import type { SideText } from './side-text.ts';
import { nameOfPath } from './text-file.ts';

/** In so many rows texts may differ that are said to be the same. */
export const maxDiffering = 0.05;

/** So many of the first texts tell whether two files are in the same order. */
export const rowsLookedAt = 300;

/** Texts of two files, the first of one for the first of the other. */
interface Numbered {
  /** What is said of it after "by". */
  readonly told: string;
  readonly said: readonly SideText[];
  readonly heard: readonly SideText[];
}

/**
 * Where one file names its texts by numbers that count all lines of the other, which has no names: its texts in the order of these, where they fit
 * better than as they stand. Null where nothing does.
 *
 * @example // fairseq's `… (None-17)` is about line 18 of the file of references; so is row 17 of what pandas wrote
 */
export function numberedLines(said: readonly SideText[], heard: readonly SideText[]): Numbered | null {
  if (said.length !== heard.length || said.length < 2) return null;
  const [numbered, lines] = isPlain(said) ? [heard, said] : isPlain(heard) ? [said, heard] : [null, null];
  if (numbered === null) return null;
  const names = [null, ...new Set(numbered.flatMap(({ row }) => ['', ...(row?.names ?? [])]))];
  const asTheyStand = likeness(lines, numbered);
  for (const name of names) {
    const places = placesOf(numbered.map(({ id, row }) => (name === null ? (id ?? '') : (row?.text(name) ?? ''))));
    if (places === null) continue;
    const ordered: SideText[] = [];
    for (const [row, place] of places.entries()) ordered[place] = numbered[row]!;
    if (likeness(lines, ordered) <= asTheyStand) continue;
    const where = name === null ? 'the ids' : name === '' ? 'the column without a name' : name;
    const told = `the numbers in ${where}, which count the lines`;
    return numbered === heard ? { told, said, heard: ordered } : { told, said: ordered, heard };
  }
  return null;
}

const isPlain = (texts: readonly SideText[]) => texts.every(({ id, row }) => id === null && row === undefined);

/** Of names that end in 0 to n - 1, or in 1 to n, the places from 0; null where they do not. */
function placesOf(names: readonly string[]): readonly number[] | null {
  const parts = names.map((name) => /^(.*?)(\d+)$/.exec(nameOfPath(name.trim())));
  if (new Set(parts.map((found) => found?.[1])).size !== 1 || parts[0] === null) return null;
  const numbers = parts.map((found) => Number(found![2]));
  const from = Math.min(...numbers);
  const places = numbers.map((number) => number - from);
  const areAll = new Set(places).size === places.length && Math.max(...places) === places.length - 1;
  return from <= 1 && areAll ? places : null;
}

/** How many of the words of texts stand in those of the other, of all texts together. */
function likeness(one: readonly SideText[], other: readonly SideText[]): number {
  return one.reduce((sum, { text }, row) => sum + common(wordsOf(text.text), wordsOf(other[row]!.text.text)), 0);
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    plainWords(text)
      .split(' ')
      .filter((word) => word !== ''),
  );

/** The share of words that two texts have in common. */
function common(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return one.intersection(other).size / Math.max(one.size, other.size, 1);
}

/** Words that fit say what belongs together; of fewer words a text may be said again. */
const fits = { own: 0.3, other: 0.7, words: 4, texts: 3 };

/**
 * Pairs that were put together by order, or by names that may count otherwise in either file: refused where most have the words of another one.
 *
 * @param pairs the first of them
 * @param way what they were put together by; null: their order
 * @throws EarwitnessError `bad-input`
 */
export function refuseOtherWords(
  pairs: readonly ScoringPair[],
  { reference, hypothesis, way }: { readonly reference: Side; readonly hypothesis: Side; readonly way: string | null },
): void {
  const own = pairs.map(({ reference }) => wordsOf(reference.text));
  const found: { readonly row: number; readonly other: number }[] = [];
  let right = 0;
  for (const [row, { hypothesis, missing }] of pairs.entries()) {
    if (missing) continue;
    const words = wordsOf(hypothesis.text);
    if (common(own[row]!, words) >= fits.own) right++;
    else if (words.size >= fits.words) {
      const other = own.findIndex((one) => common(one, words) >= fits.other);
      if (other !== -1) found.push({ row, other });
    }
  }
  const [first] = found;
  if (first === undefined || found.length < fits.texts || found.length <= right) return;
  const [pair, like] = [pairs[first.row]!, pairs[first.other]!];
  const named = ({ id, line }: ScoringPair) => (way === null || id === null ? `line ${line}` : shown(id));
  const [expected, todo] =
    way === null
      ? [
          `texts in the order of ${reference.name}, since nothing names them in both`,
          'put both in one order, or give both ids',
        ]
      : [
          `the texts of ${reference.name} by ${way}`,
          'what names them counts otherwise in one of them: give both the same ids',
        ];
  throw badInput(
    `${hypothesis.name}: expected ${expected}, but ${found.length} of the first ${pairs.length} have the words of another (beside ${named(pair)} ${shown(limitText(pair.hypothesis.text, 40))}, the words of ${named(like)}); ${todo}`,
  );
}

/**
 * Tables that are compared row by row: refused where a column of both has the same values in other rows, or sentences beside the outputs are those of
 * other references.
 *
 * @throws EarwitnessError `bad-input`
 */
export function refuseOtherRows(
  said: readonly SideText[],
  heard: readonly SideText[],
  files: { readonly reference: string; readonly hypothesis: string; readonly text: string | null },
): void {
  if (said.length !== heard.length) return;
  const names = (heard[0]?.row?.names ?? []).filter((name) => name !== files.text);
  const valuesOf = (texts: readonly SideText[], name: string) => texts.map(({ row }) => row?.text(name)?.trim() ?? '');
  const columns = [
    { name: null, own: said.map(({ text }) => text.text), beside: heard.map(({ ownReference = '' }) => ownReference) },
    ...names.map((name) => ({ name, own: valuesOf(said, name), beside: valuesOf(heard, name) })),
  ];
  for (const { name, own, beside } of columns) {
    const plain = own.map(plainWords);
    const others = beside.map(plainWords);
    // A sentence says whose it is; shorter values do where both files have the same ones.
    const areSame = name !== null && plain.toSorted().join('\n') === others.toSorted().join('\n');
    const known = new Set(plain.filter((words) => areSame || words.includes(' ')));
    const differing = others.flatMap((text, row) => (known.has(text) && text !== plain[row] ? [row] : []));
    const [row] = differing;
    if (row === undefined || differing.length <= maxDiffering * said.length) continue;
    throw badInput(
      `${files.hypothesis}: expected rows in the order of ${files.reference}, since no column has ids of both, but ${name === null ? 'what stands beside the outputs' : shown(limitText(name, 40))} is of other rows in ${differing.length} of ${said.length} (in row ${row + 1} ${shown(limitText(beside[row]!, 60))}, and in the references ${shown(limitText(own[row]!, 60))}); add a column of ids to both, or name it with --id-column`,
    );
  }
}
