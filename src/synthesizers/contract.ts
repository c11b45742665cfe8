import type { Clip } from '../audio/clip.ts';
import type { JsonObject } from '../base/json.ts';
import type { Schema } from '../base/schema.ts';
import type { Price } from '../model/observation.ts';

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
   * @param beginCall of an engine with `charges`: is called before each call that may be charged for, and gives what to call once that
   * is answered
   * @throws EarwitnessError `bad-input` where the text cannot be spoken; what `beginCall` throws: then nothing is called
   */
  speak(text: string, voice: string, signal?: AbortSignal, beginCall?: BeginCall): Promise<Clip>;
  /** Of an engine that somebody charges for. */
  readonly charges?: {
    /** Characters that are counted of a text. */
    characters(text: string): number;
    /** As public pages told it; null where none is known. */
    pricePerMillionCharacters(voice: string): Price | null;
  };
  close(): Promise<void>;
}

/** Begins a call; what it gives is told that it was answered, and how many characters the service counted, where it says. */
export type BeginCall = () => (characters?: number) => void;

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
