import type { FailureKind } from '../model/observation.ts';
/** What the trials of a run can be put in order by. Undefined values stand last, whichever way. */
export const sortKeys = ['wer', 'loss', 'disagreement', 'insertions', 'seconds'] as const;
export type SortKey = (typeof sortKeys)[number];

/** What an index is of: made again where any of it differs. */
export interface IndexOf {
  readonly format: 9;
  readonly program: string;
  readonly run: string;
  /** Trials that were answered or failed when it was made. */
  readonly answered: number;
  /** `RunReader.stateOf`: what the run found, whom it forgot. */
  readonly state: string;
}

/** One attribute of utterances; `speaker` and `language` are among them. Code 0 stands for utterances without it. */
export interface AttributeColumn {
  readonly name: string;
  readonly values: readonly string[];
}

export interface IndexHeader {
  readonly of: IndexOf;
  /** Name and version of what words were counted by. */
  readonly normalizer: string;
  readonly rows: number;
  readonly utterances: number;
  readonly recognizers: readonly string[];
  readonly conditions: readonly string[];
  /** What people call them. */
  readonly called: readonly string[];
  readonly failureKinds: readonly FailureKind[];
  readonly attributes: readonly AttributeColumn[];
}

/** Numbers of every trial of a run, one column each, that are held in memory: 40 bytes a trial. Rows stand in the order of `Store.trials`. */
export interface RowColumns {
  /** Positions in the run. */
  readonly utterance: Uint32Array;
  readonly condition: Uint16Array;
  readonly recognizer: Uint16Array;
  readonly draw: Uint16Array;
  readonly repeat: Uint16Array;
  /** 0: answered; else 1 and more: place in `failureKinds`, plus 1. */
  readonly failure: Uint8Array;
  /** Number of the answer in the store. */
  readonly answer: Uint32Array;
  /** Words of the reference; -1: there is none. */
  readonly words: Int32Array;
  /** -1: nothing to count by. */
  readonly errors: Int32Array;
  readonly insertions: Int32Array;
  /** WER less that of the same recognizer's clean clip; NaN where either is undefined. */
  readonly loss: Float32Array;
  /** Mean share of words that differ from what other recognizers wrote of the same audio; NaN with fewer than two. */
  readonly disagreement: Float32Array;
  readonly seconds: Float32Array;
  /** Attribute by attribute, the code of each utterance. */
  readonly codes: Uint32Array;
}

/** What is larger, or seldom asked for, and read from the file piece by piece. */
export interface FileColumns {
  /** For each sort key how many rows have one, then the rows in rising order, undefined ones last. */
  readonly orders: Uint32Array;
  /** Where each row's text begins; one more than there are rows. */
  readonly textStart: Uint32Array;
  /** Transcripts as they are searched: UTF-8, `searched`. */
  readonly text: Uint8Array;
  readonly utteranceTextStart: Uint32Array;
  /** Id, reference and speaker of each utterance, likewise. */
  readonly utteranceText: Uint8Array;
  /** Where the confusions of each row begin; one more than there are rows. */
  readonly confusionStart: Uint32Array;
  /** By their places in `pairs`. */
  readonly confusions: Uint32Array;
  /** Two numbers for each confusion that happened: the word of the reference and the one in its place, by their places in `lexicon`; 0: there is none. */
  readonly pairs: Uint32Array;
  /** Where the words of each utterance's reference begin in `said`; one more than there are utterances. */
  readonly saidStart: Uint32Array;
  readonly said: Uint32Array;
  /** All of these words, normalized, each behind a line break: UTF-8. */
  readonly lexicon: Uint8Array;
}

/** Reads a column, or a stretch of it. What came is overwritten when the same column is read again. */
export type ReadColumn = <Name extends keyof FileColumns>(name: Name, from?: number, to?: number) => FileColumns[Name];

const partsAtOnce = 1 << 14;

/** A column of parts of different lengths, some thousand parts at a time: `starts` are meant from the first of `values`. */
export function* partsOfColumn<Name extends 'text' | 'utteranceText' | 'confusions' | 'said'>(
  read: ReadColumn,
  starts: 'textStart' | 'utteranceTextStart' | 'confusionStart' | 'saidStart',
  name: Name,
  parts: number,
): Generator<{ readonly first: number; readonly starts: Uint32Array; readonly values: FileColumns[Name] }> {
  for (let first = 0; first < parts; first += partsAtOnce) {
    const places = read(starts, first, Math.min(parts, first + partsAtOnce) + 1);
    const from = places[0]!;
    const values = read(name, from, places.at(-1)!);
    yield { first, starts: places.map((place) => place - from), values };
  }
}

/**
 * What an attribute is called among the facets: `speaker` and `language` are of the utterance itself.
 *
 * @example facetName('speaker') // 'attribute_speaker'
 */
export function facetName(attribute: string): string {
  return attribute === 'speaker' || attribute === 'language' ? `attribute_${attribute}` : attribute;
}

/** The attribute that is called so among the facets. */
export function attributeOfFacet(facet: string): string {
  return facet.replace(/^attribute_(?=(speaker|language)$)/, '');
}

/**
 * A text as it is searched: compatible forms, letter case, and letters of Latin, Greek and Cyrillic with and without accents are one (ß is ss,
 * ς is σ). In other scripts marks are vowels, tones or other letters, and stay.
 */
export function searched(text: string): string {
  const folded = /^[ -~\n]*$/.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .toLowerCase()
        .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '')
        .replaceAll('ß', 'ss')
        .replaceAll('ς', 'σ')
        .normalize('NFKC');
  return folded.replace(/\s+/g, ' ').trim();
}

/** How many rows have a sort key, then the rows in its rising order, the others last. */
export function orderBy(columns: RowColumns, sort: SortKey): Uint32Array {
  const count = columns.utterance.length;
  const keys = new Float64Array(count);
  const rows = new Uint32Array(count);
  let defined = 0;
  for (let row = 0; row < count; row++) {
    keys[row] = sortValue(columns, sort, row);
    if (!Number.isNaN(keys[row]!)) rows[defined++] = row;
  }
  const order = new Uint32Array(count + 1);
  order[0] = defined;
  order.set(sortedByKey(rows.subarray(0, defined), keys), 1);
  for (let row = 0, at = 1 + defined; row < count; row++) if (Number.isNaN(keys[row]!)) order[at++] = row;
  return order;
}

/** Rows by their numbers, 16 bits after the other (radix sort): ten times as fast for a million as to compare two each. */
function sortedByKey(rows: Uint32Array<ArrayBuffer>, keys: Float64Array): Uint32Array {
  const halves = new Uint32Array(keys.buffer);
  let [from, to] = [rows, new Uint32Array(rows.length)];
  for (let digit = 0; digit < 4; digit++) {
    const starts = new Uint32Array(65_537);
    const digitOf = (row: number) => {
      const isNegative = halves[2 * row + 1]! >>> 31 === 1;
      const half = halves[2 * row + (digit >> 1)]!;
      // Negative numbers stand the other way round, and before all others.
      const turned = isNegative ? ~half : digit > 1 ? half ^ 0x8000_0000 : half;
      return (turned >>> (16 * (digit & 1))) & 0xffff;
    };
    for (const row of from) starts[digitOf(row) + 1]!++;
    for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
    for (const row of from) to[starts[digitOf(row)]!++] = row;
    [from, to] = [to, from];
  }
  return from;
}

function sortValue(columns: RowColumns, sort: SortKey, row: number): number {
  const { words, errors, insertions } = columns;
  if (sort === 'wer') return errors[row]! < 0 || words[row]! <= 0 ? Number.NaN : errors[row]! / words[row]!;
  if (sort === 'insertions') return insertions[row]! < 0 ? Number.NaN : insertions[row]!;
  // A zero below zero would stand before the others.
  return columns[sort][row]! + 0;
}
