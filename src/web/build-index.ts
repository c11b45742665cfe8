import { failureKinds } from '../model/observation.ts';
import { conditionsInWords } from '../model/trial.ts';
import { align, countEdits } from '../scoring/alignment/align.ts';
import { errors as errorsOf } from '../scoring/edit-counts.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import type { RunReader, RunRecord, StoredTrial } from '../store/contract.ts';
import {
  type FileColumns,
  facetName,
  type IndexHeader,
  type IndexOf,
  type RowColumns,
  searched,
} from './index-columns.ts';
import { Growing, type NumberArray } from './view-files.ts';

const pageSize = 500;
const toldEvery = 1000;
/** With more recognizers each is compared with the first so many alone. */
const maxCompared = 8;

/** The index of a run's trials, as `buildIndex` puts it into columns. */
export interface BuiltIndex {
  readonly header: IndexHeader;
  readonly columns: RowColumns;
  /** Besides the texts, which were handed on, and orders. */
  readonly others: Omit<FileColumns, 'text' | 'orders'>;
}

export interface BuildOptions {
  readonly normalizer: Normalizer;
  /** Takes the transcripts as they are searched, one after the other: they are the larger part. Null: no words are needed. */
  readonly putText: ((bytes: Uint8Array) => void) | null;
  /** Is called now and then with how many trials are done, and waited for. */
  told(done: number): void | Promise<void>;
}

/** Scores every trial of a run and puts what can be filtered and sorted by into columns. Takes some 20 s for a million trials. */
export async function buildIndex(
  store: Pick<RunReader, 'utterances' | 'trials' | 'conditions'>,
  run: Pick<RunRecord, 'id' | 'recognizers'>,
  of: IndexOf,
  { normalizer, putText, told }: BuildOptions,
): Promise<BuiltIndex> {
  const about = readUtterances(store, run.id);
  const u16 = () => new Growing(Uint16Array);
  const u32 = () => new Growing(Uint32Array);
  const i32 = () => new Growing(Int32Array);
  const f32 = () => new Growing(Float32Array);
  const rows = {
    ...{ utterance: u32(), condition: u16(), recognizer: u16(), draw: u16(), repeat: u16() },
    ...{ failure: new Growing(Uint8Array), answer: u32(), words: i32(), errors: i32(), insertions: i32() },
    ...{ loss: f32(), disagreement: f32(), seconds: f32(), textStart: u32() },
    ...{ confusionStart: u32(), confusions: u32(), pairs: u32(), saidStart: u32(), said: u32() },
  };
  let textLength = 0;
  const called = conditionsInWords(store.conditions(run.id));
  const conditions = new Map(store.conditions(run.id).map(({ name }, place) => [name, place]));
  const encoder = new TextEncoder();
  const lexicon = new Map([['', 0]]);
  const placeOf = (word: string) => {
    const place = lexicon.get(word) ?? lexicon.size;
    lexicon.set(word, place);
    return place;
  };
  const known = new Map<number, number>();
  const pairOf = (reference: string, hypothesis: string) => {
    const [from, to] = [placeOf(reference), placeOf(hypothesis)];
    const key = from * 2 ** 26 + to;
    const place = known.get(key) ?? known.size;
    if (place < known.size) return place;
    known.set(key, place);
    rows.pairs.push(from);
    rows.pairs.push(to);
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
    if (putText !== null) {
      rows.confusionStart.push(rows.confusions.length);
      if (edits !== null && errorsOf(edits) > 0) {
        for (const { reference: word, hypothesis } of align(reference.words!, words!))
          if (word !== hypothesis) rows.confusions.push(pairOf(word ?? '', hypothesis ?? ''));
      }
      rows.textStart.push(textLength);
      const text = encoder.encode(transcript === undefined ? '' : searched(transcript.text));
      textLength += text.length;
      putText(text);
    }
    if (rows.utterance.length % toldEvery === 0) await told(rows.utterance.length);
  }
  endGroup();
  rows.textStart.push(textLength);
  rows.confusionStart.push(rows.confusions.length);
  while (rows.saidStart.length <= about.count) rows.saidStart.push(rows.said.length);

  const { codes, ...aboutTexts } = about.columns;
  const columns: RowColumns = {
    ...{ utterance: rows.utterance.done(), condition: rows.condition.done(), recognizer: rows.recognizer.done() },
    ...{ draw: rows.draw.done(), repeat: rows.repeat.done(), failure: rows.failure.done(), answer: rows.answer.done() },
    ...{ words: rows.words.done(), errors: rows.errors.done(), insertions: rows.insertions.done(), codes },
    ...{ disagreement: rows.disagreement.done(), seconds: rows.seconds.done() },
    loss: lossFromClean(rows, conditions.get('clean') ?? -1),
  };
  return {
    header: {
      ...{ of, rows: columns.utterance.length, utterances: about.count },
      normalizer: `${normalizer.name}@${normalizer.version}`,
      ...{ recognizers: run.recognizers.map(({ name }) => name), conditions: [...conditions.keys()] },
      called: [...conditions.keys()].map((name) => called[name] ?? name),
      ...{ failureKinds: [...failureKinds], attributes: about.attributes },
    },
    columns,
    others: {
      ...{ textStart: rows.textStart.done(), ...aboutTexts },
      ...{ confusionStart: rows.confusionStart.done(), confusions: rows.confusions.done(), pairs: rows.pairs.done() },
      ...{ saidStart: rows.saidStart.done(), said: rows.said.done() },
      lexicon: encoder.encode([...lexicon.keys()].join('\n')),
    },
  };
}

/** Share of words that differ; 0 where neither has any. */
function differenceOf(a: readonly string[], b: readonly string[]): number {
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 0 : errorsOf(countEdits(a, b)) / longer;
}

/** WER less that of the clean clip, by utterance, recognizer and repeat; every draw has the same clean clip. */
function lossFromClean(
  rows: Record<'utterance' | 'condition' | 'recognizer' | 'repeat' | 'words' | 'errors', Growing<NumberArray>>,
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

/** What is known of the utterances of a run: codes of their attributes, and the text that is searched. */
function readUtterances(store: Pick<RunReader, 'utterances'>, run: string) {
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
