import type { JsonObject } from '../../base/json.ts';
import type { CorpusChannels } from '../../corpora/shared/with-channels.ts';
import type { GateOptions } from '../../model/gate.ts';
import type { Price } from '../../model/observation.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import type { CorpusConfig } from './written-config.ts';

// A config after it was checked: plain JSON data, so that it can be hashed, stored and sent to other processes.

/** The forms in which every trial of a run can be written. */
export const trialForms = ['csv', 'jsonl', 'parquet'] as const;

export type TrialForm = (typeof trialForms)[number];

/** A member that the config names, with options that its own schema has accepted and completed. */
export interface ConfiguredMember {
  /** A name from the catalog, or the path of a module of the user's own, meant from the config's folder. */
  readonly type: string;
  readonly options: JsonObject;
  /** For a module of the user's own: SHA-256 of its file, a part of the member's identity. Null for ours. */
  readonly moduleHash: string | null;
}

export interface ConfiguredStudy extends ConfiguredMember {
  /** What the user calls it, unlike all others; absent where it has no name of its own. */
  readonly name?: string;
}

export interface ConfiguredCorpus extends ConfiguredMember {
  /** Which of its utterances are used; null: all. */
  readonly select: NonNullable<CorpusConfig['select']> | null;
  /** Attributes that every utterance gets, over its own; absent where there is none. */
  readonly mark?: Readonly<Record<string, string>>;
  /** What is heard of files with several channels; absent where nobody has chosen. */
  readonly channels?: CorpusChannels;
}

export interface ConfiguredRecognizer extends ConfiguredMember {
  /** What is absent is for the member or the engine to say. */
  readonly limits: {
    readonly concurrency?: number;
    readonly perSecond?: number;
    readonly perMinute?: number;
    readonly timeLimitSeconds?: number;
    readonly openTimeLimitSeconds?: number;
    readonly attempts?: number;
  };
  /** Pinned by the user; null: every run has its own, where the recognizer needs one. */
  readonly epoch: string | null;
  /** Null: as the member declares. */
  readonly isolate: 'process' | 'none' | null;
  readonly pricePerMinute: Price | null;
  readonly facts: JsonObject;
}

export interface ConfiguredSynthesizer extends ConfiguredMember {
  /** Absent: as is known of it. */
  readonly pricePerMillionCharacters?: Price;
}

export interface Config {
  readonly name: string | null;
  readonly seed: number;
  /** Meant from the config's folder, like every relative path here. */
  readonly store: string;
  /** In the order in which their utterances follow each other; at least one. */
  readonly corpora: readonly ConfiguredCorpus[];
  readonly synthesizers: Readonly<Record<string, ConfiguredSynthesizer>>;
  /** Collections of sounds that steps name; absent where there is none. */
  readonly sounds?: Readonly<Record<string, ConfiguredMember>>;
  readonly recognizers: Readonly<Record<string, ConfiguredRecognizer>>;
  readonly studies: readonly ConfiguredStudy[];
  /** Models that measure how near in meaning texts are; absent where there is none. */
  readonly embedders?: Readonly<Record<string, ConfiguredMember>>;
  /** Models that tell from texts alone which of them will fail; absent where there is none. */
  readonly predictors?: Readonly<Record<string, ConfiguredMember>>;
  /** Measures of quality of the clips; absent where there is none. */
  readonly quality?: readonly ConfiguredMember[];
  /** SHA-256 of the user's own normalizers, by the path that a study names; absent where there is none. */
  readonly normalizers?: Readonly<Record<string, string>>;
  /** Of the user's own, beside the catalog's. */
  readonly ladders: readonly Ladder[];
  /** Absent where it is the usual one, and in what older versions kept. */
  readonly perturbationRateHz?: number;
  readonly budget: { readonly calls?: number; readonly audioMinutes?: number; readonly money?: Price };
  /** Absent in what older versions kept. `maxShare` is from 0 to 1. */
  readonly failures?: { readonly maxShare: number };
  /** Absent where nothing is limited. */
  readonly gate?: GateOptions;
  /** Absent where nothing is said: `auto`. */
  readonly executor?: ExecutorChoice;
  /** Where audio lies between a run and its workers, a folder by its absolute path; absent: the store's server. */
  readonly clips?: string;
  /** Null: one for each core. */
  readonly workers: number | null;
  readonly report: {
    readonly folder: string;
    readonly sound: boolean;
    readonly transcripts: boolean;
    readonly history?: boolean | undefined;
    /** Absent in what older versions kept. */
    readonly trials?: readonly TrialForm[];
  };
}

/** Where calls are made. */
export const executors = ['auto', 'here', 'processes', 'queue'] as const;
export type ExecutorChoice = (typeof executors)[number];

/** A config and where it came from. */
export interface LoadedConfig {
  readonly config: Config;
  /** Relative paths in the config are meant from here. */
  readonly baseFolder: string;
  /** The file it was read from, as it was given; null where it was given as data. */
  readonly file: string | null;
}
