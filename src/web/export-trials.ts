import { badInput, messageOf } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { clean } from '../model/trial.ts';
import type { Utterance } from '../model/utterance.ts';
import { csvLine } from '../report/csv/render-csv.ts';
import {
  attributionText,
  createLicenceLedger,
  licenceIn,
  refuseWithoutDerivatives,
} from '../session/export/licences.ts';
import { trialRows } from '../session/run/trial-table.ts';
import { packageVersion } from '../session/version.ts';
import type { RunReader, RunRecord } from '../store/contract.ts';
import type { ClipFile, WantedClip } from './clips.ts';
import { attributeOfFacet } from './index-columns.ts';
import { normalizerOf } from './stored-run.ts';
import type { TrialIndex } from './trial-index.ts';

/** So many characters are sent at a time. */
const pieceLength = 1 << 16;

/**
 * Trials as lines of a file, the head first, then some hundred at a time, in the given order: the columns of the table of trials that a report has,
 * counted by the normalizer of the index. Whoever was forgotten meanwhile is left out.
 */
export function* exportLines(
  index: TrialIndex,
  rows: Iterable<number>,
  store: Pick<RunReader, 'utterances' | 'observation'>,
  run: Pick<RunRecord, 'id' | 'recognizers'>,
  form: 'csv' | 'jsonl',
): Generator<string> {
  const { columns, header } = index;
  const facets = header.attributes.map(({ name }) => name).filter((name) => name !== 'speaker' && name !== 'language');
  const table = trialRows(run, facets.map(attributeOfFacet).sort(), [normalizerOf(index)]);
  const names = table.columns.map(({ name }) => name);
  if (form === 'csv') yield csvLine(names);
  let known = { position: -1, utterance: undefined as Utterance | undefined };
  let text = '';
  for (const row of rows) {
    const position = columns.utterance[row]!;
    if (known.position !== position)
      known = { position, utterance: store.utterances(run.id, { from: position, limit: 1 })[0] };
    const { utterance } = known;
    const observation = store.observation(columns.answer[row]!);
    if (utterance === undefined || observation === null) continue;
    const values = table.valuesOf({
      ...{ utterance, observation, recognizer: columns.recognizer[row]! },
      ...{ conditionName: header.conditions[columns.condition[row]!]! },
      ...{ draw: columns.draw[row]!, repeat: columns.repeat[row]! },
    });
    text +=
      form === 'csv'
        ? csvLine(values, (place) => table.columns[place]!.shown === true)
        : `${JSON.stringify(Object.fromEntries(names.map((name, place) => [name, values[place]])))}\n`;
    if (text.length < pieceLength) continue;
    yield text;
    text = '';
  }
  yield text;
}

interface AudioExport {
  readonly store: Pick<RunReader, 'utterances' | 'observation'>;
  readonly run: Pick<RunRecord, 'id' | 'startedAtMs'>;
  readonly index: TrialIndex;
  /** The trials that are filtered, in their order. */
  readonly rows: Iterable<number>;
  file(wanted: WantedClip): Promise<ClipFile>;
}

/**
 * The clips of trials as a data set that Hugging Face `datasets` reads with the builder `audiofolder`, in one tar file: `audio/1.wav` and so on,
 * `metadata.jsonl` with one line for each clip and the chosen trials on it, ATTRIBUTION and README.md. Made clip by clip while it is sent.
 *
 * @throws EarwitnessError `bad-input` where a licence forbids changed copies, or the first clip cannot be made
 */
export async function exportAudio(options: AudioExport): Promise<AsyncIterable<Uint8Array>> {
  const { store, run, index, rows } = options;
  const clips = clipsOfRows(index, rows);
  const utteranceOf = ({ position }: WantedClip) => store.utterances(run.id, { from: position, limit: 1 })[0];
  const ledger = createLicenceLedger();
  for (const { wanted } of clips) {
    const utterance = utteranceOf(wanted);
    if (utterance?.sound !== undefined) ledger.addUtterance(utterance);
  }
  if (clips.some(({ wanted }) => wanted.conditionName !== clean.name))
    refuseWithoutDerivatives(ledger.declared(), 'filter for the condition clean, or save the trials without audio');
  if (clips.length === 0) throw badInput('expected trials to save, but the filters hold for none');
  const first = await options.file(clips[0]!.wanted);
  return parts(first);

  async function* parts(begun: ClipFile) {
    const lines: string[] = [];
    const problems: string[] = [];
    const seconds = Math.floor(run.startedAtMs / 1000);
    for (const [place, { wanted, rows: own }] of clips.entries()) {
      let file: ClipFile;
      try {
        file = place === 0 ? begun : await options.file(wanted);
      } catch (error) {
        problems.push(
          `${own.length} trials of ${utteranceOf(wanted)?.id ?? 'somebody who was forgotten'}: ${messageOf(error)}`,
        );
        continue;
      }
      const name = `audio/${place + 1}.wav`;
      yield* tarFile(name, file.wav, seconds);
      lines.push(JSON.stringify(metadataOf(name, wanted, file, utteranceOf(wanted), own)));
    }
    const texts = {
      'metadata.jsonl': lines.map((line) => `${line}\n`).join(''),
      ATTRIBUTION: attributionText(ledger.declared(), `earwitness ${packageVersion()}`),
      'README.md': readme(run.id, lines.length, problems),
    };
    for (const [name, text] of Object.entries(texts)) yield* tarFile(name, new TextEncoder().encode(text), seconds);
    yield new Uint8Array(2 * blockBytes);
  }

  function metadataOf(
    name: string,
    { conditionName, draw }: WantedClip,
    { seconds, sampleRate, attacks, facts, same }: ClipFile,
    utterance: Utterance | undefined,
    own: readonly number[],
  ): JsonObject {
    const { columns, header } = index;
    const attributes = header.attributes.flatMap(({ name }) => (['speaker', 'language'].includes(name) ? [] : [name]));
    return {
      file_name: name,
      id: utterance?.id ?? '',
      text: utterance?.reference ?? null,
      ...{ speaker_id: utterance?.speaker ?? '', language: utterance?.language ?? '', condition: conditionName, draw },
      ...{ duration_seconds: seconds, sampling_rate: sampleRate, adversarial: attacks.join(', ') },
      as_recognized: same === null ? 'unknown' : same ? 'yes' : 'no',
      licence: utterance === undefined ? '' : (licenceIn(utterance.attributes) ?? ''),
      facts: JSON.stringify(facts),
      attributes: Object.fromEntries(attributes.map((one) => [one, utterance?.attributes[one] ?? ''])),
      trials: own.map((row): JsonObject => {
        const observation = store.observation(columns.answer[row]!);
        const count = (value: number) => (value < 0 ? null : value);
        return {
          ...{ recognizer: header.recognizers[columns.recognizer[row]!]!, repeat: columns.repeat[row]! },
          transcript: observation?.transcript?.text ?? null,
          failure: observation?.failure?.kind ?? '',
          ...{ words: count(columns.words[row]!), errors: count(columns.errors[row]!) },
        };
      }) as readonly Json[],
    };
  }
}

/** Every clip once, in the order of the first trial on it. Repeats have the same audio. */
function clipsOfRows({ columns, header }: TrialIndex, rows: Iterable<number>) {
  const clips = new Map<string, { readonly wanted: WantedClip; readonly rows: number[] }>();
  for (const row of rows) {
    const [position, condition, draw] = [columns.utterance[row]!, columns.condition[row]!, columns.draw[row]!];
    const key = `${position}.${condition}.${draw}`;
    const wanted = { position, conditionName: header.conditions[condition]!, draw };
    const known = clips.get(key) ?? { wanted, rows: [] };
    known.rows.push(row);
    clips.set(key, known);
  }
  return [...clips.values()];
}

function readme(run: string, clips: number, problems: readonly string[]): string {
  const left =
    problems.length === 0
      ? ''
      : `\nThe audio of these could not be made, and they are left out:\n\n${problems.map((one) => `- ${one}\n`).join('')}`;
  return `Trials of run ${run} with their audio, ${clips} clips, saved by Earwitness. Licences: see ATTRIBUTION.

\`datasets.load_dataset('audiofolder', data_dir='.')\` reads them. Columns: \`text\` is the reference; \`trials\` are the filtered trials on
the clip, with what each recognizer wrote; \`adversarial\` names the attacks that made a clip be misheard; \`as_recognized\` says whether the
samples are those that the recognizers received; \`facts\` are what each step did, as JSON.
${left}`;
}

const blockBytes = 512;

/** A file of a tar archive (POSIX.1-1988 ustar), with nobody's name on it. */
function* tarFile(name: string, content: Uint8Array, modifiedSeconds: number): Generator<Uint8Array> {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'ascii');
  header.write(name, 0, 'ascii');
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(content.length, 124, 12);
  octal(modifiedSeconds, 136, 12);
  // The sum is made with blanks in its own place.
  header.write('        ', 148, 'ascii');
  header.write('0', 156, 'ascii');
  header.write('ustar\x0000', 257, 'ascii');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  yield header;
  yield content;
  yield new Uint8Array((blockBytes - (content.length % blockBytes)) % blockBytes);
}
