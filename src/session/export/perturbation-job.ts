import type { WavOptions } from '../../audio/encode-wav.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Condition } from '../../model/condition.ts';
import type { ClipMeasurement } from '../../model/measurement.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Config, ConfiguredMember } from '../config/config.ts';

// Plain data, because it is sent to threads.

/** What changing sounds depends on, but for the sounds. */
export interface PerturbationJob {
  readonly baseFolder: string;
  /** Null: utterances name sound files of their own. */
  readonly config: Pick<Config, 'corpora' | 'synthesizers' | 'sounds'> | null;
  readonly conditions: readonly Condition[];
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
export type PerturbedSound =
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
  | { readonly condition: number; readonly failure: string };

/** What a thread answers. `fatal`: nothing more can be written, or the program has a fault. */
export type TaskAnswer =
  | { readonly id: number; readonly sounds: readonly PerturbedSound[] }
  | {
      readonly id: number;
      readonly fatal: { readonly code: string | null; readonly message: string; readonly stack: string };
    };

/** How a measurement stands in a column of its own. */
export function factsOf({ levelDbfs, clippedShare, sampleHash, facts, quality }: ClipMeasurement): JsonObject {
  const measured = quality === undefined ? {} : { quality: quality as unknown as JsonObject };
  return { levelDbfs, clippedShare, sampleHash, steps: facts, ...measured };
}
