import type { ChannelChoice, ChannelFacts } from '../audio/channels.ts';
import type { Clip } from '../audio/clip.ts';
import type { JsonObject } from '../base/json.ts';
import type { Schema } from '../base/schema.ts';
import type { Utterance } from '../model/utterance.ts';

/** An opened collection of utterances. */
export interface Corpus {
  /** In a fixed order; can be opened again and gives the same. */
  utterances(): AsyncIterable<Utterance>;
  /** What the sound of one of its utterances depends on; null where it has none. Part of every key: no names, no paths. */
  soundIdentity(utterance: Utterance): Promise<JsonObject | null>;
  /**
   * @throws EarwitnessError `bad-input` where the sound cannot be read
   */
  clip(utterance: Utterance): Promise<Clip>;
  close(): Promise<void>;
}

/** What a corpus that speaks needs of a synthesizer; made by the entries, so that families stay apart. */
export interface SpeechSource {
  readonly voices: readonly {
    readonly name: string;
    readonly language: string;
    readonly attributes: Readonly<Record<string, string>>;
  }[];
  identity(): JsonObject;
  speak(text: string, voice: string): Promise<Clip>;
}

/** What is meant of a sound file: all of it if nothing is said. */
interface FilePart {
  readonly startSeconds?: number;
  readonly endSeconds?: number;
  readonly channel?: ChannelChoice;
}

export interface CorpusServices {
  /** Relative paths in options are meant from here (the folder of the config). */
  readonly baseFolder: string;
  /** Sound files, see decoders/contract. */
  readonly sounds: {
    read(path: string, part?: FilePart): Promise<Clip>;
    identity(path: string, part?: FilePart): Promise<JsonObject>;
    channels(path: string): Promise<ChannelFacts>;
  };
  /** A synthesizer by the name it has in the config. */
  speech(name: string): Promise<SpeechSource>;
  /**
   * What makes words of a text, by its name or the path of a module of the user's own; absent where nothing normalizes.
   *
   * @throws EarwitnessError `bad-config` where there is none
   */
  normalizer?(name: string): Promise<{ words(text: string, language?: string): string[] }>;
  /** Something the user should know that does not stop the work. */
  warn(message: string): void;
}

/** One format or data set: what a member's folder exports. */
export interface CorpusKind<Options = unknown> {
  readonly name: string;
  readonly about: string;
  /** A strict zod object without `type`; every option described. */
  readonly options: Schema<Options>;
  /** By what a folder is known that holds this data set: `init` suggests the options of the first path that is there. */
  readonly signs?: readonly { readonly path: string; readonly options: JsonObject }[];
  open(options: Options, services: CorpusServices): Promise<Corpus>;
}
