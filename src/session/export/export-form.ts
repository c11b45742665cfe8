import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { badUsage } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { makeFolder, personal } from '../../base/on-disk.ts';
import type { ClipMeasurement, Condition } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { datasetCard, isLicenceKey, licenceIn } from './licences.ts';
import { factsOf } from './perturbation-job.ts';
import { cannotWrite, writeWhole } from './write-whole.ts';

/** File systems end at 255 bytes for one name; endings and temporary names come on top. */
const longestName = 150;

/**
 * The path below a folder, without ending, of the sound of an utterance. Different ids have different paths: slashes stay
 * folders, whatever else is not plain is written as its bytes in percent, and what is too long ends in its hash.
 *
 * @example soundName('train/a b') // 'train/a%20b'
 * @example soundName('../x') // '%2E%2E/x'
 */
export function soundName(utteranceId: string): string {
  return utteranceId.split('/').map(safePart).join('/');
}

function safePart(part: string): string {
  const bytes = new TextEncoder().encode(part);
  let safe = '';
  for (const [place, byte] of bytes.entries()) {
    const character = String.fromCharCode(byte);
    // A dot or a hyphen in front hides a file, or looks like an option.
    const plain = /[A-Za-z0-9_]/.test(character) || (/[.@+-]/.test(character) && place > 0);
    safe += plain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  if (safe === '') return '%';
  // Windows drops a dot at the end and keeps some names for devices.
  if (safe.endsWith('.')) safe = `${safe.slice(0, -1)}%2E`;
  if (/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(safe)) safe = `%${safe.charCodeAt(0).toString(16)}${safe.slice(1)}`;
  return safe.length <= longestName ? safe : `${safe.slice(0, longestName - 18)}%%${sha256(part).slice(0, 16)}`;
}

/**
 * The folder of each condition beside others: `aequevox/noise:3` becomes `aequevox.noise.3`. Letters, digits, `_` and single
 * dots alone, which every file system and the split names of Hugging Face `datasets` allow.
 *
 * @throws EarwitnessError `bad-usage` where two conditions would share a folder
 */
export function conditionFolders(conditions: readonly Condition[]): string[] {
  return distinct(
    conditions,
    conditions.map(({ name }) => safeName(name)),
  );
}

/**
 * The split of each condition in a data set, named as Speech Robust Bench names its own: `srb/gnoise:3` becomes `gnoise.3`.
 * Where two ladders have a family of the same name, the ladder stands before it.
 *
 * @throws EarwitnessError `bad-usage` where two conditions would share a split
 * @example splitNames([{ name: 'srb/gnoise:3', steps: [], rung: { family: 'srb/gnoise', rank: 3, label: '' } }]) // ['gnoise.3']
 */
export function splitNames(conditions: readonly Condition[]): string[] {
  const short = conditions.map(({ name, rung }) => safeName(rung ? name.slice(name.indexOf('/') + 1) : name));
  const uses = Map.groupBy(short, (name) => name);
  return distinct(
    conditions,
    conditions.map(({ name }, index) => (uses.get(short[index]!)!.length === 1 ? short[index]! : safeName(name))),
  );
}

function safeName(name: string): string {
  const parts = name.split(/[/:.\\]+/).map((part) => part.replaceAll(/[^A-Za-z0-9_]/g, '_'));
  return (
    parts
      .filter((part) => part !== '')
      .join('.')
      .slice(0, 150) || '_'
  );
}

function distinct(conditions: readonly Condition[], names: string[]): string[] {
  const owners = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const { name: condition } = conditions[index]!;
    // Some file systems do not tell capitals from small letters.
    const other = owners.get(name.toLowerCase());
    if (other !== undefined) {
      throw badUsage(
        `expected conditions whose folders differ, but ${JSON.stringify(other)} and ${JSON.stringify(condition)} would both be ${name}; make them separately, or rename one`,
      );
    }
    owners.set(name.toLowerCase(), condition);
  }
  return names;
}

/** An utterance and the name that its sounds have. */
export interface NamedUtterance {
  readonly utterance: Utterance;
  /** Path below the output's folder, without ending. */
  readonly name: string;
}

/** A sound that was made, as an export writes it. */
export interface ExportedSound {
  readonly utterance: Utterance;
  readonly name: string;
  /** Which condition, by its place in the list. */
  readonly condition: number;
  readonly measurement: ClipMeasurement;
  /** The WAV file, where the form asks for it. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
}

/** How a perturbed corpus is written. */
export interface ExportForm {
  /** Whether it wants the bytes of each WAV file; else these are written where `output` says. */
  readonly wantsBytes: boolean;
  /** The file of a sound; null where sounds are no files. */
  output(name: string, condition: number): string | null;
  /** Files besides the sounds that it will write, so that none is overwritten unasked. */
  readonly files: readonly string[];
  /** Given in the order of utterances, and of conditions within each. */
  add(sound: ExportedSound): Promise<void>;
  /** What was begun becomes whole. */
  finish(): Promise<void>;
  /** What was begun is taken away. */
  abandon(): Promise<void>;
}

/** What is known of a corpus before its sounds are made. */
export interface CorpusSurvey {
  readonly utterances: number;
  /** Attributes that any utterance has, in alphabetical order. */
  readonly attributes: readonly string[];
  readonly hasReferences: boolean;
}

/** A column of the metadata beside the sound itself. */
export interface ExportColumn {
  readonly name: string;
  /** As Hugging Face `datasets` calls it. */
  readonly type: 'string' | 'int64' | 'float64';
  value(sound: ExportedSound): string | number | null;
}

/** Names that `datasets` gives a meaning, and that sound has in the two forms. */
const taken = ['file_name', 'audio', 'label', 'metadata'];

/**
 * The columns of an export. Attributes of utterances have columns of their own; one whose name another column has is called
 * `attribute_…`. What perturbations say of what they did is JSON in the column `facts`, because it differs from condition to
 * condition and the columns of all splits must be the same.
 */
export function exportColumns(
  conditions: readonly Condition[],
  survey: CorpusSurvey,
  chance: { readonly seed: number; readonly draw: number },
): ExportColumn[] {
  const text = (name: string, value: ExportColumn['value']): ExportColumn => ({ name, type: 'string', value });
  const whole = (name: string, value: ExportColumn['value']): ExportColumn => ({ name, type: 'int64', value });
  const conditionOf = ({ condition }: ExportedSound) => conditions[condition]!;
  const columns: ExportColumn[] = [
    text('id', ({ utterance }) => utterance.id),
    ...(survey.hasReferences ? [text('text', ({ utterance }) => utterance.reference ?? null)] : []),
    text('speaker_id', ({ utterance }) => utterance.speaker ?? null),
    text('language', ({ utterance }) => utterance.language),
    text('condition', (sound) => conditionOf(sound).name),
    whole('severity', (sound) => severityOf(conditionOf(sound))),
    text('severity_label', (sound) => conditionOf(sound).rung?.label ?? null),
    whole('seed', () => chance.seed),
    whole('draw', () => chance.draw),
    { name: 'duration_seconds', type: 'float64', value: ({ measurement }) => measurement.durationSeconds },
    whole('sampling_rate', ({ measurement }) => measurement.sampleRate),
    text('licence', ({ utterance }) => licenceIn(utterance.attributes)),
    text('adversarial', ({ measurement }) =>
      measurement.facts.some(({ adversarial }) => adversarial === true) ? 'yes' : null,
    ),
    text('tags', ({ utterance }) => utterance.tags.join(';')),
    text('facts', ({ measurement }) => JSON.stringify(factsOf(measurement))),
  ];
  const names = new Set([...taken, ...columns.map(({ name }) => name)]);
  for (const key of survey.attributes) {
    if (isLicenceKey(key)) continue;
    let name = names.has(key) ? `attribute_${key}` : key;
    while (names.has(name)) name = `${name}_`;
    names.add(name);
    columns.push(
      text(name, ({ utterance: { attributes } }) => (Object.hasOwn(attributes, key) ? attributes[key]! : null)),
    );
  }
  return columns;
}

/** Rank of a rung, 0 for the clean sound; null for steps that stand on no ladder. */
function severityOf({ rung, steps }: Condition): number | null {
  return rung?.rank ?? (steps.length === 0 ? 0 : null);
}

/** The features of Hugging Face `datasets` for these columns. */
export function huggingFaceFeatures(columns: readonly ExportColumn[]): JsonObject {
  return Object.fromEntries(columns.map(({ name, type }) => [name, { dtype: type, _type: 'Value' }]));
}

/**
 * Sounds as WAV files: one file, a folder, or a folder with one for each condition.
 *
 * @param folders of the conditions; null where there is but one condition, whose sounds lie in the output itself
 * @param file the one file to write; null where the output is a folder
 */
export function soundFilesForm(output: string, folders: readonly string[] | null, file: string | null): ExportForm {
  return {
    wantsBytes: false,
    files: [],
    output: (name, condition) =>
      file ?? join(output, ...(folders === null ? [] : [folders[condition]!]), `${name}.wav`),
    async add() {},
    async finish() {},
    async abandon() {},
  };
}

/** Everything is made and nothing is written. */
export const discardForm: ExportForm = {
  wantsBytes: false,
  files: [],
  output: () => null,
  async add() {},
  async finish() {},
  async abandon() {},
};

/**
 * A folder of WAV files with `metadata.jsonl`, as Hugging Face `datasets` reads it with the builder `audiofolder`: one folder
 * and one split for each condition, which README.md names.
 *
 * JSON lines and not CSV, because `datasets` guesses the types of CSV: a speaker called 007 would become the number 7, one
 * called NA nobody. From JSON it takes the types that it finds in each file, which must be the same in all: therefore an
 * unknown speaker or attribute is an empty text, and seconds always have a decimal point.
 */
export function audioFolderForm(
  output: string,
  splits: readonly string[],
  columns: readonly ExportColumn[],
): ExportForm {
  const metadataOf = (condition: number) => join(output, splits[condition]!, 'metadata.jsonl');
  const card = join(output, 'README.md');
  const files = splits.map((_, condition) => metadataOf(condition));
  const unfinished = (path: string) => `${path}.part`;
  const handles = new Map<number, FileHandle>();

  const handleOf = async (condition: number): Promise<FileHandle> => {
    const known = handles.get(condition);
    if (known) return known;
    makeFolder(join(output, splits[condition]!), personal.folder);
    const handle = await open(unfinished(metadataOf(condition)), 'w', personal.file);
    handles.set(condition, handle);
    return handle;
  };
  const closeAll = async () => {
    for (const handle of handles.values()) await handle.close();
    handles.clear();
  };
  return {
    wantsBytes: false,
    files: [...files, card],
    output: (name, condition) => join(output, splits[condition]!, `${name}.wav`),
    async add(sound) {
      const path = metadataOf(sound.condition);
      try {
        await (await handleOf(sound.condition)).write(line(sound, columns));
      } catch (error) {
        throw cannotWrite(path, error);
      }
    },
    async finish() {
      const written = [...handles.keys()].sort((a, b) => a - b);
      await closeAll();
      for (const condition of written) {
        await rename(unfinished(metadataOf(condition)), metadataOf(condition)).catch((error: unknown) => {
          throw cannotWrite(metadataOf(condition), error);
        });
      }
      const paths = written.map((condition) => [splits[condition]!, `${splits[condition]}/**`] as const);
      if (paths.length > 0) await writeWhole(card, datasetCard(paths));
    },
    async abandon() {
      const written = [...handles.keys()];
      await closeAll();
      for (const condition of written) await rm(unfinished(metadataOf(condition)), { force: true });
    },
  };
}

function line(sound: ExportedSound, columns: readonly ExportColumn[]): string {
  const members = columns.map((column) => {
    const value = column.value(sound);
    // An unknown reference stays null: empty would say that nothing was said.
    const written = value === null && column.type === 'string' && column.name !== 'text' ? '' : value;
    const json = column.type === 'float64' && Number.isInteger(written) ? `${written}.0` : JSON.stringify(written);
    return `${JSON.stringify(column.name)}:${json}`;
  });
  return `{${[`"file_name":${JSON.stringify(`${sound.name}.wav`)}`, ...members].join(',')}}\n`;
}
