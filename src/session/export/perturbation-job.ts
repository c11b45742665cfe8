import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { WavOptions } from '../../audio/encode-wav.ts';
import type { JsonObject } from '../../base/json.ts';
import { keepPersonal, makeFolder, personal } from '../../base/on-disk.ts';
import type { ClipMeasurement, Condition } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Config, ConfiguredMember } from '../config/config.ts';
import { cannotWrite } from './write-whole.ts';

// Plain data, because it is sent to threads.

/** What changing sounds depends on, but for the sounds. */
export interface PerturbationJob {
  readonly baseFolder: string;
  /** Null: utterances name sound files of their own. */
  readonly config: Pick<Config, 'corpora' | 'synthesizers' | 'sounds' | 'recognizers'> | null;
  readonly conditions: readonly Condition[];
  /** Where some are made against a recognizer of the config: the folder beside its store that keeps such sounds and fits; null: it has no store yet. */
  readonly against?: { readonly made: string | null };
  readonly seed: number;
  readonly draw: number;
  /** Measures of what is made. */
  readonly quality: readonly ConfiguredMember[];
  readonly format: WavOptions['format'];
  /** Whether a file that is there and is another is overwritten. */
  readonly force: boolean;
}

/** One sound and what it is to become. */
export interface PerturbationTask {
  readonly utterance: Utterance;
  readonly wanted: readonly WantedSound[];
}

export interface WantedSound {
  /** Which condition of the job. */
  readonly condition: number;
  /** The file to write; null where the bytes themselves, or nothing, is wanted. */
  readonly output: string | null;
  readonly bytes: boolean;
  /** What the output was when it was made before: it is left alone where it is still that. */
  readonly before: { readonly key: string; readonly fileHash: string } | null;
}

/** What became of one wanted sound, in their order. */
export type PerturbedSound = {
  /** What the user should know of what it was made with; each thread says it once. */
  readonly warnings?: readonly string[];
} & (
  | {
      readonly condition: number;
      /** What the samples depend on. */
      readonly key: string;
      /** Of the clip before it was written; 16-bit files are rounded from it. Null where the output was there already. */
      readonly measurement: ClipMeasurement | null;
      /** SHA-256 of the written file; null where none was written. */
      readonly fileHash: string | null;
      readonly bytes: Uint8Array<ArrayBuffer> | null;
      readonly failure?: undefined;
    }
  | { readonly condition: number; readonly failure: string }
);

/** How a measurement stands in a column of its own. */
export function factsOf({ levelDbfs, clippedShare, sampleHash, facts, quality }: ClipMeasurement): JsonObject {
  const measured = quality === undefined ? {} : { quality: quality as unknown as JsonObject };
  return { levelDbfs, clippedShare, sampleHash, steps: facts, ...measured };
}

/** What is remembered of a file that was made. */
interface MadeFile {
  readonly key: string;
  readonly fileHash: string;
  readonly measurement: ClipMeasurement;
}

/** Remembers beside the sounds what they are, so that the work can be gone on with. */
export interface MadeRecord {
  find(path: string): MadeFile | null;
  add(path: string, file: MadeFile): void;
}

/** Hidden, so that no reader of the folder takes it for data. */
const recordName = '.earwitness-perturb.jsonl';

/**
 * Opens the record of a folder; it need not be there.
 *
 * @param readBefore whether what was made before is looked at
 */
export async function openMadeRecord(folder: string, readBefore: boolean): Promise<MadeRecord> {
  const path = join(folder, recordName);
  // Lines are kept as text: parsed they would take several times as much.
  const lines = new Map<string, string>();
  const text = readBefore ? await readFile(path, 'utf8').catch(() => '') : '';
  for (const line of text.split('\n')) {
    const name = parsed(line)?.file;
    if (typeof name === 'string') lines.set(name, line);
  }
  const nameOf = (file: string) => relative(folder, file).split(sep).join('/');
  let opened = false;
  return {
    find(file) {
      const line = lines.get(nameOf(file));
      return line === undefined ? null : (parsed(line) as unknown as MadeFile);
    },
    add(file, { key, fileHash, measurement }) {
      try {
        if (!opened) {
          makeFolder(dirname(path), personal.folder);
          keepPersonal(path);
        }
        // A line that was cut off when the program was killed ends here.
        appendFileSync(
          path,
          `${opened ? '' : '\n'}${JSON.stringify({ file: nameOf(file), key, fileHash, measurement })}\n`,
        );
        opened = true;
      } catch (error) {
        throw cannotWrite(path, error);
      }
    },
  };
}

/** Null for a line that is none of ours. */
function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    const known = value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
    const whole =
      typeof known.key === 'string' && typeof known.fileHash === 'string' && typeof known.measurement === 'object';
    return whole ? known : null;
  } catch {
    return null;
  }
}
