import type { FolderTrial, FolderUtterance, PackedColumn } from '../browser/folder-data.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import type { RunRecord } from '../store/contract.ts';
import { heardBy } from './heard.ts';
import { type RunView, utterancesOf } from './shuffled-run.ts';
import type { Heard } from './trial-page.ts';
import type { NumberArray } from './view-files.ts';

export type Put = (name: string, content: string) => void;

/** Rows of one script: a page of a list loads a few of them. */
export const shardRows = 2000;

interface Shards {
  readonly view: RunView;
  readonly run: RunRecord;
  readonly name: string;
  readonly normalizer: Normalizer;
  readonly transcripts: boolean;
}

export function writeUtterances(
  {
    view,
    run,
    name,
    normalizer,
    transcripts,
    speakers,
    languages,
  }: Shards & { readonly speakers: boolean; readonly languages: boolean },
  put: Put,
): void {
  let shard: FolderUtterance[] = [];
  let position = 0;
  const flush = () => {
    const file = `${name}/utterances-${Math.ceil(position / shardRows) - 1}.js`;
    if (shard.length > 0) put(file, script(file, shard));
    shard = [];
  };
  for (const { id, language, reference, speaker } of utterancesOf(view, run.id)) {
    const words = reference === undefined ? null : normalizer.words(reference, language).join(' ');
    const spoken = [id, languages ? language : 'und'] as const;
    const counted = words !== '' && words === reference ? 0 : words;
    const texts = transcripts ? ([reference ?? null, counted] as const) : ([null, null] as const);
    shard.push([...spoken, ...texts, speakers ? (speaker ?? null) : null]);
    position++;
    if (shard.length === shardRows) flush();
  }
  flush();
}

const stepSigns = { same: '=', substitution: 's', deletion: 'd', insertion: 'i' } as const;

export function writeTrials({ view, run, name, normalizer, transcripts }: Shards, put: Put): void {
  let shard: FolderTrial[] = [];
  let row = 0;
  let said = { position: -1, words: null as readonly string[] | null };
  const flush = () => {
    const file = `${name}/trials-${Math.ceil(row / shardRows) - 1}.js`;
    if (shard.length > 0) put(file, script(file, shard));
    shard = [];
  };
  for (const { utterance, position, observation } of view.trials(run.id)) {
    const { language, reference } = utterance;
    if (said.position !== position)
      said = { position, words: reference === undefined ? null : normalizer.words(reference, language) };
    shard.push(
      told(
        heardBy('', observation, said.words, { normalizer, language }),
        observation.failure?.kind ?? null,
        transcripts,
      ),
    );
    row++;
    if (shard.length === shardRows) flush();
  }
  flush();
}

/** Transcript, failure, edits, words where they are others than the transcript's, and when they begin. Why something failed may hold paths and words. */
function told({ transcript, aligned, starts }: Heard, failure: string | null, transcripts: boolean): FolderTrial {
  const steps =
    aligned === null
      ? null
      : aligned
          .map(
            (pair) =>
              stepSigns[
                pair.reference === null
                  ? 'insertion'
                  : pair.hypothesis === null
                    ? 'deletion'
                    : pair.reference === pair.hypothesis
                      ? 'same'
                      : 'substitution'
              ],
          )
          .join('');
  if (!transcripts) return [null, failure, steps, null];
  const words = (aligned ?? []).flatMap(({ hypothesis }) => (hypothesis === null ? [] : [hypothesis])).join(' ');
  const rounded = starts.map((start) => (start === null ? null : Math.round(start * 1000) / 1000));
  const shown = [transcript, failure, steps, words === transcript ? 0 : words] as const;
  return rounded.length > 0 ? [...shown, rounded] : shown;
}

/** A value as a script that puts it where the page looks. Nothing in it can end the script, or be read as anything but data. */
export function script(name: string, value: unknown): string {
  const literal = JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `earwitness.put(${JSON.stringify(name)},${literal});\n`;
}

const integerKinds = [
  ['u8', Uint8Array, 0, 0xff],
  ['i8', Int8Array, -0x80, 0x7f],
  ['u16', Uint16Array, 0, 0xffff],
  ['i16', Int16Array, -0x8000, 0x7fff],
  ['u32', Uint32Array, 0, 0xffffffff],
  ['i32', Int32Array, -0x80000000, 0x7fffffff],
] as const;

/** A column in the smallest numbers that hold it, in base 64; one value where all are the same. */
export function packed(column: NumberArray): PackedColumn {
  let [least, most] = [Infinity, -Infinity];
  for (const value of column) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const constant = column.every((value) => Object.is(value, column[0]));
  const real = column instanceof Float32Array;
  const [kind, Kind] = real
    ? (['f32', Float32Array] as const)
    : (integerKinds.find(([, , low, high]) => least >= low && most <= high) ?? integerKinds[4]);
  const first = column[0] ?? 0;
  if (constant) return [kind, column.length, Number.isNaN(first) ? null : first];
  const { buffer, byteOffset, byteLength } = Kind.from(column);
  return [kind, column.length, Buffer.from(buffer, byteOffset, byteLength).toString('base64')];
}
