import type { AlignedWord } from '../model/finding.ts';
import type { Condition } from '../model/trial.ts';
import type { IndexHeader, RowColumns } from '../web/index-columns.ts';
import type { TrialIndex } from '../web/trial-index.ts';
import type { Heard } from '../web/trial-page.ts';

/** What the pages of a written folder load first of a run. */
export interface FolderIndex {
  readonly header: IndexHeader;
  /** Each has a script of its own. */
  readonly columns: readonly (keyof RowColumns)[];
  readonly conditions: readonly Condition[];
  readonly transcripts: boolean;
  /** Names of clips that can be played. */
  readonly audio: readonly string[];
  /** Rows, or utterances, of one script. */
  readonly shard: number;
}

/** Words are those that are counted; 0: they are those of the text as it is written; null: there are none, or they are not shown. */
type FolderWords = string | 0 | null;

export type FolderUtterance = readonly [
  id: string,
  language: string,
  reference: string | null,
  words: FolderWords,
  speaker: string | null,
];

/** `edits` has one sign for each aligned word: `=`, `s`, `d` or `i`. */
export type FolderTrial = readonly [
  transcript: string | null,
  failure: string | null,
  edits: string | null,
  words: FolderWords,
  starts?: readonly (number | null)[],
];

/** Numbers in base 64; or the one that all of them are, null for NaN. */
export type PackedColumn = readonly [kind: keyof typeof kinds, length: number, values: string | number | null];

const kinds = {
  ...{ u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, i32: Int32Array },
  f32: Float32Array,
} as const;

/** What `packed` of the server made of a column, in the numbers that it chose. */
export function unpacked([kind, length, values]: PackedColumn) {
  return typeof values === 'string'
    ? new kinds[kind](bytesOf(values))
    : new kinds[kind](length).fill(values ?? Number.NaN);
}

/** A callback for each sign takes twenty times as long: a million trials have 50 MB of columns. */
export function bytesOf(base64: string): ArrayBuffer {
  const signs = atob(base64);
  const bytes = new Uint8Array(signs.length);
  for (let at = 0; at < signs.length; at++) bytes[at] = signs.charCodeAt(at);
  return bytes.buffer;
}

/** Texts behind each other as UTF-8, and where each begins: told apart by zeros, as an array for each of a million takes seconds. */
export function textColumn(texts: readonly string[]): { readonly starts: Uint32Array; readonly all: Uint8Array } {
  const all = new TextEncoder().encode(texts.map((text) => `${text.replaceAll('\0', ' ')}\0`).join(''));
  const starts = new Uint32Array(texts.length + 1);
  for (let at = 0; at < texts.length; at++) starts[at + 1] = all.indexOf(0, starts[at]) + 1;
  return { starts, all };
}

/** The words of a reference that are counted; null: there is none. */
export function saidWords([, , reference, words]: FolderUtterance): readonly string[] | null {
  return words === 0 ? (reference ?? '').split(' ') : (words?.split(' ').filter((word) => word !== '') ?? null);
}

/** What a recognizer made of a clip. */
export function heardFrom(
  { header, columns }: Pick<TrialIndex, 'header' | 'columns'>,
  row: number,
  [transcript, failure, edits, words, starts = []]: FolderTrial,
  utterance: FolderUtterance,
): Heard {
  const seconds = columns.seconds[row]!;
  const heard = words === 0 ? (transcript ?? '').split(' ') : (words?.split(' ') ?? []);
  return {
    recognizer: header.recognizers[columns.recognizer[row]!]!,
    seconds: Number.isNaN(seconds) ? null : seconds,
    aligned: edits === null ? null : alignedBy(edits, saidWords(utterance), heard),
    ...{ transcript, failure, starts },
  };
}

/** Without words their places are empty; what was heard in the place of another word is not the same. */
function alignedBy(edits: string, said: readonly string[] | null, heard: readonly string[]): AlignedWord[] {
  let [reference, hypothesis] = [0, 0];
  return [...edits].map((edit) => ({
    reference: edit === 'i' ? null : (said?.[reference++] ?? ''),
    hypothesis: edit === 'd' ? null : (heard[hypothesis++] ?? (edit === '=' ? '' : ' ')),
  }));
}
