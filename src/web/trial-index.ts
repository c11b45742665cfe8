/** What the trials of a run can be put in order by. Undefined values stand last, whichever way. */
export const sortKeys = ['wer', 'loss', 'disagreement', 'insertions', 'seconds'] as const;
export type SortKey = (typeof sortKeys)[number];

/** Bounds of the facet of lengths, in words of the reference: up to and with each, then what is longer. */
export const lengthBounds = [0, 5, 10, 20, 40] as const;

/** Of an attribute with more values the most frequent so many are offered. */
const maxOffered = 30;

/** What an index is of: made again where any of it differs. */
export interface IndexOf {
  readonly format: 3;
  readonly program: string;
  readonly run: string;
  /** Name and version. */
  readonly normalizer: string;
  /** Trials that were answered or failed when it was made. */
  readonly answered: number;
  readonly forgottenAtMs: number | null;
}

/** One attribute of utterances; `speaker` and `language` are among them. Code 0 stands for utterances without it. */
export interface AttributeColumn {
  readonly name: string;
  readonly values: readonly string[];
}

export interface IndexHeader {
  readonly of: IndexOf;
  readonly rows: number;
  readonly utterances: number;
  readonly recognizers: readonly string[];
  readonly conditions: readonly string[];
  readonly failureKinds: readonly string[];
  readonly attributes: readonly AttributeColumn[];
}

/** Numbers of every trial of a run, one column each, and the text that is searched. Rows stand in the order of `Store.trials`. */
export interface IndexColumns {
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
  /** For each sort key the rows in rising order, undefined ones last. */
  readonly orders: Uint32Array;
  /** Where each row's text begins; one more than there are rows. */
  readonly textStart: Uint32Array;
  /** Transcripts as they are searched: UTF-8, `searched`. */
  readonly text: Uint8Array;
  readonly utteranceTextStart: Uint32Array;
  /** Id, reference and speaker of each utterance, likewise. */
  readonly utteranceText: Uint8Array;
  /** Attribute by attribute, the code of each utterance. */
  readonly codes: Uint32Array;
  /** Where the confusions of each row begin; one more than there are rows. */
  readonly confusionStart: Uint32Array;
  /** Two numbers for each: the word of the reference and the one in its place, by their places in `lexicon`; 0: there is none. */
  readonly confusions: Uint32Array;
  /** Where the words of each utterance's reference begin in `said`; one more than there are utterances. */
  readonly saidStart: Uint32Array;
  readonly said: Uint32Array;
  /** All of these words, normalized, each behind a line break: UTF-8. */
  readonly lexicon: Uint8Array;
}

/**
 * What an attribute is called among the facets: `speaker` and `language` are of the utterance itself.
 *
 * @example facetName('speaker') // 'attribute_speaker'
 */
export function facetName(attribute: string): string {
  return attribute === 'speaker' || attribute === 'language' ? `attribute_${attribute}` : attribute;
}

/** A text as it is searched: compatible forms and letter case are one (Unicode NFKC). */
export function searched(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** What is asked of an index: values of one facet are alternatives, facets must all hold. */
export interface TrialQuery {
  /** By facet: `recognizer`, `condition`, `outcome`, `length`, or `is.` and an attribute. */
  readonly chosen: ReadonlyMap<string, readonly string[]>;
  readonly search: string;
  /** Only trials in which this happened. */
  readonly confused: Confusion | null;
  readonly sort: SortKey | null;
  readonly descending: boolean;
}

/** A word of the reference, normalized, and what stands in its place; an empty one: it was inserted, or deleted. */
export interface Confusion {
  readonly reference: string;
  readonly hypothesis: string;
}

/** How often a confusion happened. */
export interface CountedConfusion extends Confusion {
  readonly times: number;
  /** In so many trials. */
  readonly trials: number;
  /** How often the word of the reference was said in the trials that were scored; 0 where there is none. */
  readonly said: number;
}

export interface Facet {
  /** As it stands in a query. */
  readonly key: string;
  readonly label: string;
  readonly values: readonly {
    readonly value: string;
    readonly label: string;
    readonly count: number;
    readonly chosen: boolean;
  }[];
  /** Values beyond those that are listed. */
  readonly more: number;
}

export interface Selection {
  /** How many trials there are. */
  readonly count: number;
  readonly facets: readonly Facet[];
  /** Pooled over all that were scored. */
  readonly pooled: {
    readonly scored: number;
    readonly words: number;
    readonly errors: number;
    readonly failed: number;
  };
  /** Places of rows, in the wanted order. */
  rows(from: number, limit: number): readonly number[];
  /** The most frequent confusions, most frequent first. */
  confusions(limit: number): readonly CountedConfusion[];
}

/** Answers queries over the columns of a run. */
export interface TrialIndex {
  readonly header: IndexHeader;
  readonly columns: IndexColumns;
  /** @throws never: what no facet knows selects nothing */
  select(query: TrialQuery): Selection;
  /** WER of a row; NaN where it is undefined. */
  wer(row: number): number;
}

interface Dimension {
  readonly key: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly shown?: readonly string[];
  /** Code of a row, or of an utterance. */
  readonly codes: ArrayLike<number>;
  readonly of: 'row' | 'utterance';
}

/**
 * @example
 * const index = createTrialIndex(header, columns);
 * const { count, rows } = index.select({ chosen: new Map([['condition', ['clean']]]), search: '', sort: 'wer', descending: true });
 */
export function createTrialIndex(header: IndexHeader, columns: IndexColumns): TrialIndex {
  const { rows, utterances } = header;
  const dimensions = dimensionsOf(header, columns);
  const rowDimensions = dimensions.filter(({ of }) => of === 'row');
  const utteranceDimensions = dimensions.filter(({ of }) => of === 'utterance');
  const wer = (row: number) => {
    const [words, errors] = [columns.words[row]!, columns.errors[row]!];
    return errors < 0 || words <= 0 ? Number.NaN : errors / words;
  };
  const words = lexiconOf(columns);
  const found = new Map<string, Uint8Array>();
  const findText = (text: string): Uint8Array => {
    const known = found.get(text);
    if (known) return known;
    const hits = findRows(text, columns, rows, utterances);
    if (found.size > 3) found.clear();
    found.set(text, hits);
    return hits;
  };

  return {
    header,
    columns,
    wer,
    select({ chosen, search, confused, sort, descending }) {
      const wanted = new Map(dimensions.map((one) => [one, wantedCodes(one, chosen.get(one.key))]));
      // A filter that nobody knows holds for no trial.
      if ([...chosen.keys()].some((key) => dimensions.every((one) => one.key !== key))) {
        return {
          count: 0,
          pooled: { scored: 0, words: 0, errors: 0, failed: 0 },
          facets: [],
          rows: () => [],
          confusions: () => [],
        };
      }
      const sought = searched(search);
      const text = sought === '' ? null : findText(sought);
      const held = confused === null ? null : rowsWith(columns, rows, words.code(confused));

      // How many facets of the utterance do not hold, and which one where it is one.
      const missing = new Uint8Array(utterances);
      const missed = new Uint8Array(utterances);
      utteranceDimensions.forEach((dimension, place) => {
        const codes = wanted.get(dimension)!;
        if (codes === null) return;
        for (let u = 0; u < utterances; u++) {
          if (codes[dimension.codes[u]!] === 1) continue;
          missing[u]!++;
          missed[u] = place;
        }
      });

      const counts = new Map(dimensions.map((one) => [one, new Uint32Array(one.values.length)]));
      const asked = rowDimensions.map((one) => ({ ...one, wanted: wanted.get(one)!, counts: counts.get(one)! }));
      const all = new Uint32Array(utterances);
      const almost = new Uint32Array(utterances);
      const selected = new Uint8Array(rows);
      let [count, scored, said, errors, failed] = [0, 0, 0, 0, 0];
      for (let row = 0; row < rows; row++) {
        if ((text !== null && text[row] === 0) || (held !== null && held[row] === 0)) continue;
        const u = columns.utterance[row]!;
        let misses = missing[u]!;
        let only = -1;
        for (let d = 0; d < asked.length; d++) {
          const { wanted, codes } = asked[d]!;
          if (wanted === null || wanted[codes[row]!] === 1) continue;
          misses++;
          only = d;
        }
        if (misses > 1) continue;
        if (misses === 1) {
          if (only < 0) almost[u]!++;
          else asked[only]!.counts[asked[only]!.codes[row]!]!++;
          continue;
        }
        selected[row] = 1;
        count++;
        all[u]!++;
        for (let d = 0; d < asked.length; d++) asked[d]!.counts[asked[d]!.codes[row]!]!++;
        if (columns.failure[row] !== 0) failed++;
        if (columns.errors[row]! >= 0) {
          scored++;
          said += columns.words[row]!;
          errors += columns.errors[row]!;
        }
      }
      utteranceDimensions.forEach((dimension, place) => {
        const own = counts.get(dimension)!;
        for (let u = 0; u < utterances; u++) {
          own[dimension.codes[u]!]! += all[u]!;
          if (missing[u] === 1 && missed[u] === place) own[dimension.codes[u]!]! += almost[u]!;
        }
      });

      return {
        count,
        pooled: { scored, words: said, errors, failed },
        facets: dimensions.map((one) => facetOf(one, counts.get(one)!, chosen.get(one.key) ?? [])),
        rows: (from, limit) =>
          take(selected, count, orderOf(columns, rows, sort), descending && sort !== null, from, limit),
        confusions: (limit) => countConfusions(columns, selected, words.all(), limit),
      };
    },
  };
}

function dimensionsOf(header: IndexHeader, columns: IndexColumns): Dimension[] {
  const { rows, utterances, attributes } = header;
  const length = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) {
    const words = columns.words[row]!;
    const place = lengthBounds.findIndex((bound) => words <= bound);
    length[row] = words < 0 ? 0 : 1 + (place < 0 ? lengthBounds.length : place);
  }
  const lengths = lengthBounds.map((bound, at) =>
    at < 2 ? `${at === 0 ? 0 : `1–${bound}`}` : `${lengthBounds[at - 1]! + 1}–${bound}`,
  );
  return [
    { key: 'recognizer', label: 'Recognizer', values: header.recognizers, codes: columns.recognizer, of: 'row' },
    { key: 'condition', label: 'Condition', values: header.conditions, codes: columns.condition, of: 'row' },
    {
      key: 'outcome',
      label: 'Outcome',
      values: ['answered', ...header.failureKinds],
      codes: columns.failure,
      of: 'row',
    },
    {
      ...{ key: 'length', label: 'Words of the reference', codes: length, of: 'row' as const },
      values: ['no reference', ...lengths, `more than ${lengthBounds.at(-1)}`],
    },
    ...attributes.map(({ name, values }, place): Dimension => {
      const codes = columns.codes.subarray(place * utterances, (place + 1) * utterances);
      return { key: `is.${name}`, label: name, values: ['', ...values], codes, of: 'utterance' };
    }),
  ];
}

/** 1 for each code that is wanted; null: all are. */
function wantedCodes({ values }: Dimension, chosen: readonly string[] | undefined): Uint8Array | null {
  if (chosen === undefined || chosen.length === 0) return null;
  return Uint8Array.from(values, (value) => (chosen.includes(value) ? 1 : 0));
}

function facetOf({ key, label, values }: Dimension, counts: Uint32Array, chosen: readonly string[]): Facet {
  const all = values.flatMap((value, code) => {
    const count = counts[code]!;
    const is = chosen.includes(value);
    return count > 0 || is ? [{ value, label: value === '' ? 'not given' : value, count, chosen: is }] : [];
  });
  if (all.length <= maxOffered) return { key, label, values: all, more: 0 };
  const most = all.toSorted((a, b) => Number(b.chosen) - Number(a.chosen) || b.count - a.count);
  return { key, label, values: most.slice(0, maxOffered), more: all.length - maxOffered };
}

/** Rows in rising order of a sort key behind how many of them have one; the others stand last. */
export function orderBy(columns: Omit<IndexColumns, 'orders'>, sort: SortKey): Uint32Array {
  const count = columns.utterance.length;
  const key = new Float64Array(count);
  const order = new Uint32Array(count + 1);
  let defined = 0;
  for (let row = 0; row < count; row++) {
    key[row] = sortValue(columns, sort, row);
    if (!Number.isNaN(key[row]!)) order[1 + defined++] = row;
  }
  order[0] = defined;
  order.subarray(1, 1 + defined).sort((a, b) => key[a]! - key[b]! || a - b);
  for (let row = 0, at = 1 + defined; row < count; row++) if (Number.isNaN(key[row]!)) order[at++] = row;
  return order;
}

function sortValue(columns: Omit<IndexColumns, 'orders'>, sort: SortKey, row: number): number {
  const { words, errors, insertions } = columns;
  if (sort === 'wer') return errors[row]! < 0 || words[row]! <= 0 ? Number.NaN : errors[row]! / words[row]!;
  if (sort === 'insertions') return insertions[row]! < 0 ? Number.NaN : insertions[row]!;
  return columns[sort][row]!;
}

function orderOf({ orders }: IndexColumns, rows: number, sort: SortKey | null): Uint32Array | null {
  if (sort === null) return null;
  const place = sortKeys.indexOf(sort);
  return orders.subarray(place * (rows + 1), (place + 1) * (rows + 1));
}

/** In an order the first number tells how many of its rows are defined; downwards these are turned, the others stay last. */
function take(
  selected: Uint8Array,
  count: number,
  order: Uint32Array | null,
  descending: boolean,
  from: number,
  limit: number,
): number[] {
  const taken: number[] = [];
  const defined = order === null ? selected.length : order[0]!;
  let skip = from;
  for (let at = 0; at < selected.length && taken.length < Math.min(limit, count - from); at++) {
    const place = descending && at < defined ? defined - 1 - at : at;
    const row = order === null ? place : order[place + 1]!;
    if (selected[row] === 0) continue;
    if (skip > 0) skip--;
    else taken.push(row);
  }
  return taken;
}

/** The words of confusions, read when they are first asked for. */
function lexiconOf({ lexicon }: IndexColumns) {
  let known: readonly string[] | null = null;
  let places: ReadonlyMap<string, number> | null = null;
  const all = () => {
    known ??= new TextDecoder().decode(lexicon).split('\n');
    return known;
  };
  return {
    all,
    /** What a confusion is in `confusions`; null: no trial has such words. */
    code({ reference, hypothesis }: Confusion): readonly [number, number] | null {
      places ??= new Map(all().map((word, place) => [word, place]));
      const [from, to] = [places.get(reference), places.get(hypothesis)];
      return from === undefined || to === undefined ? null : [from, to];
    },
  };
}

/** 1 for each row in which a confusion happened. */
function rowsWith(
  { confusions, confusionStart }: IndexColumns,
  rows: number,
  wanted: readonly [number, number] | null,
): Uint8Array {
  const hits = new Uint8Array(rows);
  if (wanted === null) return hits;
  const [reference, hypothesis] = wanted;
  for (let row = 0; row < rows; row++) {
    for (let at = confusionStart[row]!; at < confusionStart[row + 1]!; at++) {
      if (confusions[2 * at] !== reference || confusions[2 * at + 1] !== hypothesis) continue;
      hits[row] = 1;
      break;
    }
  }
  return hits;
}

function countConfusions(
  columns: IndexColumns,
  selected: Uint8Array,
  words: readonly string[],
  limit: number,
): CountedConfusion[] {
  const { confusions, confusionStart, saidStart, utterance, errors } = columns;
  const keyAt = (at: number) => confusions[2 * at]! * words.length + confusions[2 * at + 1]!;
  const scored = new Uint32Array(saidStart.length - 1);
  // Sorted, as a map of millions of pairs takes a hundred megabytes.
  const keys = new Float64Array(confusions.length / 2);
  let length = 0;
  for (let row = 0; row < selected.length; row++) {
    if (selected[row] === 0) continue;
    if (errors[row]! >= 0) scored[utterance[row]!]!++;
    for (let at = confusionStart[row]!; at < confusionStart[row + 1]!; at++) keys[length++] = keyAt(at);
  }
  const sorted = keys.subarray(0, length).sort();
  let most: { key: number; times: number }[] = [];
  for (let from = 0, to = 0; from < length; from = to) {
    while (to < length && sorted[to] === sorted[from]) to++;
    most.push({ key: sorted[from]!, times: to - from });
    if (most.length > 4 * limit) most = mostFrequent(most, limit);
  }
  const shown = mostFrequent(most, limit);
  const trials = new Map(shown.map(({ key }) => [key, 0]));
  for (let row = 0; row < selected.length; row++) {
    if (selected[row] === 0) continue;
    const [first, end] = [confusionStart[row]!, confusionStart[row + 1]!];
    for (let at = first; at < end; at++) {
      const count = trials.get(keyAt(at));
      if (count === undefined) continue;
      let before = first;
      while (keyAt(before) !== keyAt(at)) before++;
      if (before === at) trials.set(keyAt(at), count + 1);
    }
  }
  const said = new Float64Array(words.length);
  for (let u = 0; u < scored.length; u++) {
    if (scored[u] === 0) continue;
    for (let at = saidStart[u]!; at < saidStart[u + 1]!; at++) said[columns.said[at]!]! += scored[u]!;
  }
  return shown.map(({ key, times }) => {
    const from = Math.floor(key / words.length);
    const [reference, hypothesis] = [words[from]!, words[key % words.length]!];
    return { reference, hypothesis, times, trials: trials.get(key)!, said: from === 0 ? 0 : said[from]! };
  });
}

function mostFrequent(counted: readonly { readonly key: number; readonly times: number }[], limit: number) {
  return counted.toSorted((a, b) => b.times - a.times || a.key - b.key).slice(0, limit);
}

/** 1 for each row whose transcript, reference, id or speaker holds a text that is already as it is searched. */
function findRows(text: string, columns: IndexColumns, rows: number, utterances: number): Uint8Array {
  const sought = new TextEncoder().encode(text);
  const hits = new Uint8Array(rows);
  const ofUtterance = new Uint8Array(utterances);
  scan(columns.utteranceText, columns.utteranceTextStart, sought, ofUtterance);
  scan(columns.text, columns.textStart, sought, hits);
  for (let row = 0; row < rows; row++) hits[row]! |= ofUtterance[columns.utterance[row]!]!;
  return hits;
}

/** Marks the parts of a long text that hold what is sought. A plain scan: 60 MB take some 60 ms, and nothing has to be kept for it. */
function scan(text: Uint8Array, starts: Uint32Array, sought: Uint8Array, hits: Uint8Array): void {
  const [first, length] = [sought[0]!, sought.length];
  for (let part = 0; part < hits.length; part++) {
    const last = starts[part + 1]! - length;
    search: for (let at = starts[part]!; at <= last; at++) {
      if (text[at] !== first) continue;
      for (let n = 1; n < length; n++) if (text[at + n] !== sought[n]) continue search;
      hits[part] = 1;
      break;
    }
  }
}
