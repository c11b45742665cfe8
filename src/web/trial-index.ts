import { failuresInWords } from '../model/observation.ts';
import { type Confusion, type CountedConfusion, countConfusions, rowsWith } from './confusions.ts';
import {
  type IndexHeader,
  partsOfColumn,
  type ReadColumn,
  type RowColumns,
  type SortKey,
  searched,
  sortKeys,
} from './index-columns.ts';

/** Bounds of the facet of lengths, in words of the reference: up to and with each, then what is longer. */
const lengthBounds = [0, 5, 10, 20, 40] as const;

/** Of an attribute with more values the most frequent so many are offered. */
const maxOffered = 30;

/** What is asked of an index: values of one facet are alternatives, facets must all hold. */
export interface TrialQuery {
  /** By facet: `recognizer`, `condition`, `outcome`, `length`, or `is.` and an attribute. */
  readonly chosen: ReadonlyMap<string, readonly string[]>;
  readonly search: string;
  /** Only trials in which this happened. */
  readonly confused: Confusion | null;
  readonly sort: SortKey | null;
  /** The recognizer whose trials put clips in order; null: the foremost trial of each clip does, whoever's it is. */
  readonly by: string | null;
  readonly descending: boolean;
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
  /** How many clips they are of: an utterance under one condition, draw and repeat. */
  readonly clipCount: number;
  readonly facets: readonly Facet[];
  /** How many failed. */
  readonly failed: number;
  /** Of each recognizer, in the order of the header: pooled over all that were scored. */
  readonly pooled: readonly { readonly words: number; readonly errors: number }[];
  /** The first row of each clip that any of them is of, in the wanted order. */
  clips(from: number, limit: number): readonly number[];
  /** Places of all rows in the wanted order, one after the other, also where the index is closed meanwhile. */
  all(): Iterable<number>;
  /** The most frequent confusions, most frequent first. */
  confusions(limit: number): readonly CountedConfusion[];
}

/** Answers queries over the columns of a run. */
export interface TrialIndex {
  readonly header: IndexHeader;
  readonly columns: RowColumns;
  /** @throws never: what no facet knows selects nothing */
  select(query: TrialQuery): Selection;
  /** The trials of the clip that a row is of, one behind the other: from the first to before the last number. */
  clipRows(row: number): readonly [from: number, to: number];
  /** WER of a row; NaN where it is undefined. */
  wer(row: number): number;
}

interface Dimension {
  readonly key: string;
  readonly label: string;
  readonly values: readonly string[];
  /** What people call them; absent: by these. */
  readonly called?: readonly string[];
  /** Code of a row, or of an utterance. */
  readonly codes: ArrayLike<number>;
  readonly of: 'row' | 'utterance';
}

/** So many selections are kept: from a list to its trials and words the same is asked again. */
const keptSelections = 6;

/** What a query selects, whatever the order. */
interface Selected extends Omit<Selection, 'clips' | 'all'> {
  /** 1 for each row. */
  readonly rows: Uint8Array;
}

/**
 * @param read what is not in memory
 * @example
 * const index = createTrialIndex(header, columns, read);
 * const { count } = index.select({ chosen: new Map([['condition', ['clean']]]), search: '', confused: null, sort: 'wer', by: null, descending: true });
 */
export function createTrialIndex(header: IndexHeader, columns: RowColumns, read: ReadColumn): TrialIndex {
  const dimensions = dimensionsOf(header, columns);
  const clipOf = firstRows(header, columns);
  const known = new Map<string, Selected>();
  const wer = (row: number) => {
    const [words, errors] = [columns.words[row]!, columns.errors[row]!];
    return errors < 0 || words <= 0 ? Number.NaN : errors / words;
  };
  const selected = (query: Filters): Selected => {
    const { chosen, search, confused } = query;
    const key = JSON.stringify([[...chosen].sort(), searched(search), confused]);
    const made = known.get(key) ?? selectRows(header, { ...columns, clipOf }, read, dimensions, query);
    known.delete(key);
    known.set(key, made);
    if (known.size > keptSelections) known.delete(known.keys().next().value!);
    return made;
  };
  return {
    header,
    columns,
    wer,
    select({ chosen, search, confused, sort, by, descending }) {
      const { rows, ...made } = selected({ chosen, search, confused });
      const order = { read, sort, descending };
      const counts = (row: number) => rows[row] === 1;
      const ofOne = by === null ? null : header.recognizers.indexOf(by);
      return {
        ...made,
        clips(from, limit) {
          const end = Math.min(from + limit, made.clipCount);
          const clips = new Clips(clipOf, from, end);
          if (ofOne !== null) takeClips(clips, (row) => counts(row) && columns.recognizer[row] === ofOne, order);
          takeClips(clips, counts, ofOne === null ? order : { ...order, sort: null });
          return clips.taken;
        },
        all: () => takeAll(rows, order),
      };
    },
    clipRows(row) {
      const from = clipOf[row]!;
      let to = row + 1;
      while (to < header.rows && clipOf[to] === from) to++;
      return [from, to];
    },
  };
}

type Filters = Pick<TrialQuery, 'chosen' | 'search' | 'confused'>;

/** Of each row the first row of its clip: all that recognizers made of one stand together. */
function firstRows({ rows }: IndexHeader, { utterance, condition, draw, repeat }: RowColumns): Uint32Array {
  const first = new Uint32Array(rows);
  for (let row = 1; row < rows; row++) {
    const isSame =
      utterance[row] === utterance[row - 1] &&
      condition[row] === condition[row - 1] &&
      draw[row] === draw[row - 1] &&
      repeat[row] === repeat[row - 1];
    first[row] = isSame ? first[row - 1]! : row;
  }
  return first;
}

function selectRows(
  header: IndexHeader,
  columns: RowColumns & { readonly clipOf: Uint32Array },
  read: ReadColumn,
  dimensions: readonly Dimension[],
  { chosen, search, confused }: Filters,
): Selected {
  const { rows, utterances } = header;
  const selected = new Uint8Array(rows);
  let failed = 0;
  const pooled = header.recognizers.map(() => ({ words: 0, errors: 0 }));
  // A filter that nobody knows holds for no trial.
  if ([...chosen.keys()].some((key) => dimensions.every((one) => one.key !== key)))
    return { count: 0, clipCount: 0, failed, pooled, facets: [], rows: selected, confusions: () => [] };
  const rowDimensions = dimensions.filter(({ of }) => of === 'row');
  const utteranceDimensions = dimensions.filter(({ of }) => of === 'utterance');
  const wanted = new Map(dimensions.map((one) => [one, wantedCodes(one, chosen.get(one.key))]));
  const sought = searched(search);
  const text = sought === '' ? null : findRows(sought, columns, read, rows, utterances);
  const held = confused === null ? null : rowsWith(confused, read, rows);

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
  let [count, clipCount, lastClip] = [0, 0, -1];
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
    if (columns.clipOf[row] !== lastClip) clipCount++;
    lastClip = columns.clipOf[row]!;
    all[u]!++;
    for (let d = 0; d < asked.length; d++) asked[d]!.counts[asked[d]!.codes[row]!]!++;
    if (columns.failure[row] !== 0) failed++;
    if (columns.errors[row]! >= 0) {
      const own = pooled[columns.recognizer[row]!]!;
      own.words += columns.words[row]!;
      own.errors += columns.errors[row]!;
    }
  }
  utteranceDimensions.forEach((dimension, place) => {
    const own = counts.get(dimension)!;
    for (let u = 0; u < utterances; u++) {
      own[dimension.codes[u]!]! += all[u]!;
      if (missing[u] === 1 && missed[u] === place) own[dimension.codes[u]!]! += almost[u]!;
    }
  });
  let counted = { limit: 0, most: [] as readonly CountedConfusion[] };
  return {
    ...{ count, clipCount, failed, pooled, rows: selected },
    facets: dimensions.map((one) => facetOf(one, counts.get(one)!, chosen.get(one.key) ?? [])),
    confusions(limit) {
      if (counted.limit < limit) counted = { limit, most: countConfusions(columns, read, selected, limit) };
      return counted.most.slice(0, limit);
    },
  };
}

function dimensionsOf(header: IndexHeader, columns: RowColumns): Dimension[] {
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
    {
      ...{ key: 'condition', label: 'Condition', codes: columns.condition, of: 'row' as const },
      ...{ values: header.conditions, called: header.called },
    },
    {
      key: 'outcome',
      label: 'Outcome',
      values: ['answered', ...header.failureKinds],
      called: ['answered', ...header.failureKinds.map((kind) => failuresInWords[kind])],
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

function facetOf(
  { key, label, values, called = values }: Dimension,
  counts: Uint32Array,
  chosen: readonly string[],
): Facet {
  const all = values.flatMap((value, code) => {
    const count = counts[code]!;
    const is = chosen.includes(value);
    return count > 0 || is ? [{ value, label: value === '' ? 'not given' : called[code]!, count, chosen: is }] : [];
  });
  if (all.length <= maxOffered) return { key, label, values: all, more: 0 };
  const most = all.toSorted((a, b) => Number(b.chosen) - Number(a.chosen) || b.count - a.count);
  return { key, label, values: most.slice(0, maxOffered), more: all.length - maxOffered };
}

type Order = Pick<TrialQuery, 'sort' | 'descending'> & { readonly read: ReadColumn };

/** Clips as they are seen, each once, and of these the wanted ones. */
class Clips {
  readonly taken: number[] = [];
  readonly #clipOf: Uint32Array;
  readonly #seen: Uint8Array;
  readonly #wanted: number;
  #skip: number;

  constructor(clipOf: Uint32Array, from: number, end: number) {
    [this.#clipOf, this.#seen] = [clipOf, new Uint8Array(clipOf.length)];
    [this.#skip, this.#wanted] = [from, Math.max(0, end - from)];
  }

  get rows(): number {
    return this.#clipOf.length;
  }

  get isFull(): boolean {
    return this.taken.length >= this.#wanted;
  }

  see(row: number): void {
    const clip = this.#clipOf[row]!;
    if (this.#seen[clip] === 1) return;
    this.#seen[clip] = 1;
    if (this.#skip > 0) this.#skip--;
    else if (!this.isFull) this.taken.push(clip);
  }
}

/** In an order the first number tells how many of its rows are defined; downwards these are turned, the others stay last. */
function takeClips(clips: Clips, counts: (row: number) => boolean, { read, sort, descending }: Order): void {
  const { rows } = clips;
  if (sort === null) {
    for (let row = 0; row < rows && !clips.isFull; row++) if (counts(row)) clips.see(row);
    return;
  }
  const start = sortKeys.indexOf(sort) * (rows + 1);
  const [defined = 0] = read('orders', start, start + 1);
  const turned = descending ? defined : 0;
  for (let at = 0; at < rows && !clips.isFull; ) {
    const end = Math.min(at + orderAtOnce, at < turned ? turned : rows);
    const [low, high] = at < turned ? [turned - end, turned - at] : [at, end];
    const part = read('orders', start + 1 + low, start + 1 + high);
    for (let place = 0; place < part.length && !clips.isFull; place++) {
      const row = part[at < turned ? part.length - 1 - place : place]!;
      if (counts(row)) clips.see(row);
    }
    at = end;
  }
}

const orderAtOnce = 1 << 14;

/** What is read is read at once: who takes long over the rows takes them one by one. */
function takeAll(selected: Uint8Array, { read, sort, descending }: Order): Iterable<number> {
  const rows = selected.length;
  if (sort === null) return selectedOf(rows, (place) => place);
  const start = sortKeys.indexOf(sort) * (rows + 1);
  const [defined = 0] = read('orders', start, start + 1);
  const order = read('orders', start + 1, start + 1 + rows).slice();
  if (descending) order.subarray(0, defined).reverse();
  return selectedOf(rows, (place) => order[place]!);

  function* selectedOf(count: number, rowAt: (place: number) => number) {
    for (let place = 0; place < count; place++) {
      const row = rowAt(place);
      if (selected[row] === 1) yield row;
    }
  }
}

/** 1 for each row whose transcript, reference, id or speaker holds a text that is already as it is searched. */
function findRows(
  text: string,
  { utterance }: RowColumns,
  read: ReadColumn,
  rows: number,
  utterances: number,
): Uint8Array {
  const sought = new TextEncoder().encode(text);
  const hits = new Uint8Array(rows);
  const ofUtterance = new Uint8Array(utterances);
  for (const part of partsOfColumn(read, 'utteranceTextStart', 'utteranceText', utterances))
    scan(part, sought, ofUtterance);
  for (const part of partsOfColumn(read, 'textStart', 'text', rows)) scan(part, sought, hits);
  for (let row = 0; row < rows; row++) hits[row]! |= ofUtterance[utterance[row]!]!;
  return hits;
}

interface TextParts {
  readonly first: number;
  readonly starts: Uint32Array;
  readonly values: Uint8Array;
}

/** Marks the parts of a long text that hold what is sought: a plain scan, for which nothing has to be kept. */
function scan({ first, starts, values: text }: TextParts, sought: Uint8Array, hits: Uint8Array): void {
  const find = finder(text, sought);
  for (let part = 0, at = find(0); at >= 0; ) {
    while (starts[part + 1]! <= at) part++;
    const isWithin = at + sought.length <= starts[part + 1]!;
    if (isWithin) hits[first + part] = 1;
    at = find(isWithin ? starts[part + 1]! : at + 1);
  }
}

/** From a place on, where a text has what is sought; -1: nowhere. Node's own search takes a third of the time, and browsers have none. */
function finder(text: Uint8Array, sought: Uint8Array): (from: number) => number {
  if (typeof Buffer !== 'undefined') {
    const bytes = Buffer.from(text.buffer, text.byteOffset, text.length);
    return (from) => bytes.indexOf(sought, from);
  }
  const [first, length] = [sought[0]!, sought.length];
  return (from) => {
    search: for (let at = from; at <= text.length - length; at++) {
      if (text[at] !== first) continue;
      for (let n = 1; n < length; n++) if (text[at + n] !== sought[n]) continue search;
      return at;
    }
    return -1;
  };
}
