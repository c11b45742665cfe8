import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unfinishedName } from '../base/abandoned.ts';
import { sha256 } from '../base/hash.ts';
import { putInPlace } from '../base/on-disk.ts';
import { failureKinds } from '../model/observation.ts';
import { align, countEdits } from '../scoring/alignment/align.ts';
import { errors as errorsOf } from '../scoring/edit-counts.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import type { RunRecord, Store, StoredTrial } from '../store/contract.ts';
import {
  facetName,
  type IndexColumns,
  type IndexHeader,
  type IndexOf,
  orderBy,
  searched,
  sortKeys,
} from './trial-index.ts';

const pageSize = 500;
/** With more recognizers each is compared with the first so many alone. */
const maxCompared = 8;

type TypedArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array;
type Kind<Column extends TypedArray> = { new (length: number): Column };

/** A typed array that grows. */
class Growing<Column extends TypedArray> {
  #values: Column;
  readonly #kind: Kind<Column>;
  length = 0;

  constructor(kind: Kind<Column>, length = 4096) {
    this.#kind = kind;
    this.#values = new kind(length);
  }

  push(value: number): void {
    this.#room(1);
    this.#values[this.length++] = value;
  }

  append(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#values.set(bytes, this.length);
    this.length += bytes.length;
  }

  done(): Column {
    return this.#values.subarray(0, this.length) as Column;
  }

  #room(more: number): void {
    if (this.length + more <= this.#values.length) return;
    const grown = new this.#kind(Math.max(2 * this.#values.length, this.length + more));
    grown.set(this.#values);
    this.#values = grown;
  }
}

/**
 * Scores every trial of a run and puts what can be filtered and sorted by into columns. Takes some 20 s for a million trials.
 *
 * @param normalizer by which words are counted
 * @param told is called now and then with how many trials are done
 */
export function buildIndex(
  store: Pick<Store, 'utterances' | 'trials' | 'conditions'>,
  run: Pick<RunRecord, 'id' | 'recognizers'>,
  of: IndexOf,
  normalizer: Normalizer,
  told: (done: number) => void,
): { readonly header: IndexHeader; readonly columns: IndexColumns } {
  const about = readUtterances(store, run.id);
  const u16 = () => new Growing(Uint16Array);
  const u32 = () => new Growing(Uint32Array);
  const i32 = () => new Growing(Int32Array);
  const f32 = () => new Growing(Float32Array);
  const rows = {
    ...{ utterance: u32(), condition: u16(), recognizer: u16(), draw: u16(), repeat: u16() },
    ...{ failure: new Growing(Uint8Array), answer: u32(), words: i32(), errors: i32(), insertions: i32() },
    ...{ loss: f32(), disagreement: f32(), seconds: f32(), textStart: u32(), text: new Growing(Uint8Array, 1 << 20) },
    ...{ confusionStart: u32(), confusions: u32(), saidStart: u32(), said: u32() },
  };
  const conditions = new Map(store.conditions(run.id).map(({ name }, place) => [name, place]));
  const encoder = new TextEncoder();
  const lexicon = new Map([['', 0]]);
  const placeOf = (word: string) => {
    const place = lexicon.get(word) ?? lexicon.size;
    lexicon.set(word, place);
    return place;
  };

  let together: { readonly trial: StoredTrial; readonly words: readonly string[] | null }[] = [];
  const endGroup = () => {
    const compared = together.slice(0, maxCompared);
    for (const one of together) {
      const differences = compared.flatMap((other) =>
        other === one || one.words === null || other.words === null ? [] : [differenceOf(one.words, other.words)],
      );
      const sum = differences.reduce((total, difference) => total + difference, 0);
      rows.disagreement.push(differences.length === 0 ? Number.NaN : sum / differences.length);
    }
    together = [];
  };
  const same = (a: StoredTrial, b: StoredTrial) =>
    a.position === b.position && a.conditionName === b.conditionName && a.draw === b.draw && a.repeat === b.repeat;

  let reference: { readonly position: number; readonly words: readonly string[] | null } = {
    position: -1,
    words: null,
  };
  for (const trial of store.trials(run.id)) {
    const { utterance, observation, position } = trial;
    if (reference.position !== position) {
      const words =
        utterance.reference === undefined ? null : normalizer.words(utterance.reference, utterance.language);
      reference = { position, words };
      while (rows.saidStart.length <= position) rows.saidStart.push(rows.said.length);
      for (const word of words ?? []) rows.said.push(placeOf(word));
    }
    const { transcript, failure } = observation;
    const words = transcript === undefined ? null : normalizer.words(transcript.text, utterance.language);
    const edits = reference.words === null || words === null ? null : countEdits(reference.words, words);
    const condition = conditions.get(trial.conditionName) ?? conditions.size;
    conditions.set(trial.conditionName, condition);
    if (together.length > 0 && !same(together[0]!.trial, trial)) endGroup();
    together.push({ trial, words });
    rows.utterance.push(position);
    rows.condition.push(condition);
    rows.recognizer.push(trial.recognizer);
    rows.draw.push(trial.draw);
    rows.repeat.push(trial.repeat);
    rows.failure.push(failure === undefined ? 0 : 1 + failureKinds.indexOf(failure.kind));
    rows.answer.push(trial.answer);
    rows.words.push(reference.words?.length ?? -1);
    rows.errors.push(edits === null ? -1 : errorsOf(edits));
    rows.insertions.push(edits?.insertions ?? -1);
    rows.seconds.push(failure === undefined ? observation.timing.seconds : Number.NaN);
    rows.confusionStart.push(rows.confusions.length / 2);
    if (edits !== null && errorsOf(edits) > 0) {
      for (const { reference: word, hypothesis } of align(reference.words!, words!)) {
        if (word === hypothesis) continue;
        rows.confusions.push(placeOf(word ?? ''));
        rows.confusions.push(placeOf(hypothesis ?? ''));
      }
    }
    rows.textStart.push(rows.text.length);
    if (transcript !== undefined) rows.text.append(encoder.encode(searched(transcript.text)));
    if (rows.utterance.length % 20_000 === 0) told(rows.utterance.length);
  }
  endGroup();
  rows.textStart.push(rows.text.length);
  rows.confusionStart.push(rows.confusions.length / 2);
  while (rows.saidStart.length <= about.count) rows.saidStart.push(rows.said.length);

  const count = rows.utterance.length;
  const loss = lossFromClean(rows, conditions.get('clean') ?? -1);
  const columns: IndexColumns = {
    ...{ utterance: rows.utterance.done(), condition: rows.condition.done(), recognizer: rows.recognizer.done() },
    ...{ draw: rows.draw.done(), repeat: rows.repeat.done(), failure: rows.failure.done(), answer: rows.answer.done() },
    ...{ words: rows.words.done(), errors: rows.errors.done(), insertions: rows.insertions.done(), loss },
    ...{ disagreement: rows.disagreement.done(), seconds: rows.seconds.done() },
    ...{ textStart: rows.textStart.done(), text: rows.text.done(), orders: new Uint32Array(0), ...about.columns },
    ...{ confusionStart: rows.confusionStart.done(), confusions: rows.confusions.done() },
    ...{ saidStart: rows.saidStart.done(), said: rows.said.done() },
    lexicon: encoder.encode([...lexicon.keys()].join('\n')),
  };
  return {
    header: {
      ...{ of, rows: count, utterances: about.count, recognizers: run.recognizers.map(({ name }) => name) },
      ...{ conditions: [...conditions.keys()], failureKinds: [...failureKinds], attributes: about.attributes },
    },
    columns: { ...columns, orders: ordersOf(columns) },
  };
}

/** Share of words that differ; 0 where neither has any. */
function differenceOf(a: readonly string[], b: readonly string[]): number {
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 0 : errorsOf(countEdits(a, b)) / longer;
}

/** WER less that of the clean clip, by utterance, recognizer and repeat; every draw has the same clean clip. */
function lossFromClean(
  rows: Record<'utterance' | 'condition' | 'recognizer' | 'repeat' | 'words' | 'errors', Growing<TypedArray>>,
  clean: number,
): Float32Array {
  const [utterance, condition, recognizer] = [rows.utterance.done(), rows.condition.done(), rows.recognizer.done()];
  const [repeat, words, errors] = [rows.repeat.done(), rows.words.done(), rows.errors.done()];
  const loss = new Float32Array(utterance.length).fill(Number.NaN);
  const cleanErrors = new Map<number, number>();
  for (let from = 0, to = 0; from < loss.length; from = to) {
    cleanErrors.clear();
    for (to = from; to < loss.length && utterance[to] === utterance[from]; to++) {
      const key = recognizer[to]! * 65_536 + repeat[to]!;
      if (condition[to] === clean && errors[to]! >= 0 && !cleanErrors.has(key)) cleanErrors.set(key, errors[to]!);
    }
    for (let row = from; row < to; row++) {
      const before =
        cleanErrors.get(recognizer[row]! * 65_536 + repeat[row]!) ?? cleanErrors.get(recognizer[row]! * 65_536);
      if (condition[row] === clean || before === undefined || errors[row]! < 0 || words[row]! <= 0) continue;
      loss[row] = (errors[row]! - before) / words[row]!;
    }
  }
  return loss;
}

function ordersOf(columns: IndexColumns): Uint32Array {
  const size = columns.utterance.length + 1;
  const orders = new Uint32Array(sortKeys.length * size);
  sortKeys.forEach((key, place) => {
    orders.set(orderBy(columns, key), place * size);
  });
  return orders;
}

/** What is known of the utterances of a run: codes of their attributes, and the text that is searched. */
function readUtterances(store: Pick<Store, 'utterances'>, run: string) {
  const attributes = new Map<string, { readonly codes: Map<string, number>; readonly column: Growing<Uint32Array> }>();
  const text = new Growing(Uint8Array, 1 << 16);
  const starts = new Growing(Uint32Array);
  const encoder = new TextEncoder();
  let count = 0;
  const note = (name: string, value: string) => {
    const known = attributes.get(name) ?? { codes: new Map<string, number>(), column: new Growing(Uint32Array) };
    attributes.set(name, known);
    while (known.column.length < count) known.column.push(0);
    const code = known.codes.get(value) ?? known.codes.size + 1;
    known.codes.set(value, code);
    known.column.push(code);
  };
  for (;;) {
    const page = store.utterances(run, { from: count, limit: pageSize });
    for (const { id, reference, language, speaker, attributes: own } of page) {
      if (speaker !== undefined) note('speaker', speaker);
      note('language', language);
      for (const [name, value] of Object.entries(own)) note(facetName(name), value);
      starts.push(text.length);
      text.append(encoder.encode(`${searched(id)}\n${searched(reference ?? '')}\n${searched(speaker ?? '')}`));
      count++;
    }
    if (page.length < pageSize) break;
  }
  starts.push(text.length);
  const codes = new Uint32Array(attributes.size * count);
  [...attributes.values()].forEach(({ column }, place) => {
    codes.set(column.done(), place * count);
  });
  return {
    count,
    attributes: [...attributes].map(([name, known]) => ({ name, values: [...known.codes.keys()] })),
    columns: { utteranceTextStart: starts.done(), utteranceText: text.done(), codes },
  };
}

/** The columns in the order in which they stand in a file, each at a multiple of 8 bytes. */
const layout = {
  ...{
    utterance: Uint32Array,
    condition: Uint16Array,
    recognizer: Uint16Array,
    draw: Uint16Array,
    repeat: Uint16Array,
  },
  ...{ failure: Uint8Array, answer: Uint32Array, words: Int32Array, errors: Int32Array, insertions: Int32Array },
  ...{ loss: Float32Array, disagreement: Float32Array, seconds: Float32Array, orders: Uint32Array },
  ...{
    textStart: Uint32Array,
    text: Uint8Array,
    utteranceTextStart: Uint32Array,
    utteranceText: Uint8Array,
    codes: Uint32Array,
  },
  ...{
    confusionStart: Uint32Array,
    confusions: Uint32Array,
    saidStart: Uint32Array,
    said: Uint32Array,
    lexicon: Uint8Array,
  },
} as const satisfies Record<keyof IndexColumns, Kind<TypedArray>>;

/** Where a store keeps the indexes of its runs. They hold what was said, and can be made again at any time. */
function indexFolder(store: string): string {
  return join(dirname(store), 'view');
}

/** Where the index of a run is. */
export function indexFile(store: string, run: string): string {
  return join(indexFolder(store), `${run.replace(/[^\w-]/g, '_')}-${sha256(run).slice(0, 8)}.index`);
}

/** Removes all indexes of a store: for whoever takes something out of it. */
export function removeIndexes(store: string): void {
  if (!existsSync(indexFolder(store))) return;
  for (const name of readdirSync(indexFolder(store))) {
    if (/\.index(\.|$)/.test(name)) rmSync(join(indexFolder(store), name), { force: true });
  }
}

/** Writes an index, put in place whole; for its owner's eyes alone. */
export async function writeIndex(file: string, header: IndexHeader, columns: IndexColumns): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const names = Object.keys(layout) as (keyof IndexColumns)[];
  const head = Buffer.from(JSON.stringify({ header, lengths: names.map((name) => columns[name].length) }));
  const half = unfinishedName(file);
  await using handle = await open(half, 'w', 0o600);
  const size = Buffer.alloc(8);
  size.writeUInt32LE(head.length);
  await handle.write(size);
  let at = 8;
  const put = async (bytes: Uint8Array) => {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, from, Math.min(bytes.length - from, 1 << 26));
      from += bytesWritten;
    }
    at += bytes.length;
    const gap = Buffer.alloc((8 - (at % 8)) % 8);
    if (gap.length > 0) await handle.write(gap);
    at += gap.length;
  };
  await put(head);
  for (const name of names) {
    const { buffer, byteOffset, byteLength } = columns[name];
    await put(new Uint8Array(buffer, byteOffset, byteLength));
  }
  await handle.close();
  putInPlace(half, file);
}

/** Null where there is none, it is damaged, or it is of something else. */
export async function readIndex(
  file: string,
  of: IndexOf,
): Promise<{ readonly header: IndexHeader; readonly columns: IndexColumns } | null> {
  const bytes = await readFile(file).catch(() => null);
  if (bytes === null || bytes.length < 8) return null;
  const whole = bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
  try {
    let at = 8 + whole.readUInt32LE();
    const { header, lengths } = JSON.parse(whole.toString('utf8', 8, at)) as { header: IndexHeader; lengths: number[] };
    if (JSON.stringify(header.of) !== JSON.stringify(of)) return null;
    const columns: Record<string, TypedArray> = {};
    for (const [place, [name, Column]] of Object.entries(layout).entries()) {
      at = Math.ceil(at / 8) * 8;
      columns[name] = new Column(whole.buffer as ArrayBuffer, whole.byteOffset + at, lengths[place]!);
      at += columns[name].byteLength;
    }
    return at <= whole.length ? { header, columns: columns as unknown as IndexColumns } : null;
  } catch {
    return null;
  }
}
