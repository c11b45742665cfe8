import type { Clip } from '../audio/clip.ts';
import type { JsonObject } from '../base/json.ts';
import type { Schema } from '../base/schema.ts';

export interface Voice {
  /** Unique in its synthesizer. */
  readonly name: string;
  /** BCP 47 tag. */
  readonly language: string;
  /** `sex`, `accent`, …: become attributes of the utterances it speaks. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** An opened engine that speaks texts. */
export interface Synthesizer {
  /** Engine, version, content hashes, settings: what can change the sound. Never local paths. */
  readonly identity: JsonObject;
  voices(): Promise<readonly Voice[]>;
  /**
   * @param voice a name from `voices()`
   * @throws EarwitnessError `bad-input` where the text cannot be spoken
   */
  speak(text: string, voice: string, signal?: AbortSignal): Promise<Clip>;
  close(): Promise<void>;
}

export interface SynthesizerServices {
  readonly baseFolder: string;
  fileHash(path: string): Promise<string>;
  /** The value of an environment variable, as far as it may be read: keys are nowhere else. */
  environment(name: string): string | undefined;
  /** Says what people should know of sounds that were made all the same. */
  warn?(message: string): void;
}

/** One way of making speech from text: what a member's folder exports. */
export interface SynthesizerKind<Options = unknown> {
  readonly name: string;
  readonly about: string;
  /** A strict zod object without `type`; every option described. */
  readonly options: Schema<Options>;
  open(options: Options, services: SynthesizerServices): Promise<Synthesizer>;
  readiness(services: SynthesizerServices): Promise<{ ready: boolean; found: string; install?: string }>;
}
