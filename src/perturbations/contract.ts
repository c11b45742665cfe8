import type { Clip } from '../audio/clip.ts';
import type { SoundCodecs } from '../audio/codecs/sound-codec.ts';
import type { SoundCollection } from '../audio/sound-collection.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Random } from '../base/random.ts';
import type { Schema } from '../base/schema.ts';
import type { FittingSpeakers, LossGradient } from '../model/attack.ts';
import type { Transcript } from '../model/observation.ts';
import type { Step } from '../model/trial.ts';
import type { Utterance } from '../model/utterance.ts';

/**
 * How times in the changed sound map back to the sound before: pairs [heard, original] in seconds, rising, read as a
 * piecewise linear function.
 */
export type TimeMap = readonly (readonly [heardSeconds: number, originalSeconds: number])[];

/** What a perturbation gives back. */
export interface Perturbed {
  /**
   * A new clip: the input is never changed. Values beyond [-1, 1] may occur between steps. Its samples lie in memory of their
   * own, which is given back when nobody needs them any more: not in that of an asset, nor of another call's result. Where
   * nothing changes, the clip given.
   */
  readonly clip: Clip;
  /** What was done, measured: achieved SNR before clipping, chunks dropped, samples clipped, … small and plain. */
  readonly facts: JsonObject;
  /** Absent: times are unchanged. */
  readonly timeMap?: TimeMap;
  /** Whether every sample is known to be a number and not infinite. Absent: they are looked through. */
  readonly finite?: boolean;
}

/** What is outside of a clip and can be mixed into it or done to it: opened by whoever runs the perturbations. */
export interface AssetServices {
  /**
   * A collection of sounds by the name that the config gives it under `sounds`, or a folder of sound files by its path.
   *
   * @throws EarwitnessError `bad-config` where there is none, `bad-input` where it holds no sound
   */
  sounds(nameOrFolder: string): Promise<SoundCollection>;
  /**
   * An encoder and decoder that are not pure code (WebAssembly, a program).
   *
   * @throws EarwitnessError `missing-program` where it is not installed
   */
  codec<Name extends keyof SoundCodecs>(name: Name): Promise<SoundCodecs[Name]>;
  /**
   * A recognizer of the config by its name, for sounds that are made against it. Absent where there is no config.
   *
   * @throws EarwitnessError `bad-config` where there is none, or it has no gradient that always is the same
   */
  attacked?(name: string): Promise<AttackedRecognizer>;
  /**
   * Clips of some speakers of the run, for what is fitted once and then used on clips of all others. Absent where there is no config.
   *
   * @throws EarwitnessError `bad-config` where there are no such speakers, or no others
   */
  fitting?(choice: FittingChoice): Promise<FittingSet>;
}

/** What is fitted on: clips that have a speaker and a reference. */
export interface FittingChoice {
  readonly speakers: FittingSpeakers;
  /** Of each speaker at most so many, drawn by the seed of the run; null: all. */
  readonly clipsPerSpeaker: number | null;
}

/** Clips that something is fitted on, and where it is kept. */
export interface FittingSet {
  /** What the clips are and what is said in them, and the seed of the run: part of every key of what is fitted. */
  readonly identity: JsonObject;
  /** Of the run: everything random in a fit is drawn from it. */
  readonly seed: number;
  /** No clip of theirs may be changed with what is fitted here. */
  readonly speakers: ReadonlySet<string>;
  /** In an order that depends on what they are and on the seed alone. */
  readonly clips: readonly FittingClip[];
  /** What a transcript has to do with that of the clean clip: edits between their characters, and characters of that one. */
  characterErrors(
    clean: string,
    heard: string,
    language: string,
  ): { readonly errors: number; readonly characters: number };
  /**
   * What was fitted by a recipe on these clips: as it is kept, or made now, going on from where it was stopped. Asked again, also
   * meanwhile, it is the same one.
   *
   * @param recipe all that it depends on besides the clips: perturbation with version, recognizer, parameters
   */
  fit(recipe: JsonObject, make: (services: FitServices) => Promise<Fitted>): Promise<Fitted>;
  /** What is there of that fit. */
  state(recipe: JsonObject): Promise<FitState>;
}

export interface FittingClip {
  readonly reference: string;
  /** BCP 47 tag. */
  readonly language: string;
  read(): Promise<Clip>;
}

/** What a fit is given while it is made. */
export interface FitServices {
  readonly checkpoint: Checkpoint;
  /** Ends it, with its reason. */
  readonly signal: AbortSignal | undefined;
  /** Is told how many passes through the recognizer are done, of at most so many. */
  told(passes: number, maxPasses: number): void;
}

/** A sound that was fitted. */
export interface Fitted extends Clip {
  /** How it was fitted and how well: part of the facts of every sound it is used on. */
  readonly facts: JsonObject;
}

/** A recognizer that sounds are made against. */
export interface AttackedRecognizer {
  /** All that its answers depend on, as in the keys of those: part of the key of every sound made against it. */
  readonly identity: JsonObject;
  /**
   * Opened with the first call, closed with the run.
   *
   * @throws EarwitnessError `bad-config` where its network cannot be differentiated
   */
  gradient(): Promise<LossGradient>;
  /**
   * What it writes of a sound; one call at a time. These calls are no trials: the run's budget does not count them, and whoever makes them
   * keeps to a limit of its own.
   *
   * @param language BCP 47 tag
   * @throws EarwitnessError `bad-input` where it gives none; the signal's reason
   */
  recognize(clip: Clip, language: string, signal?: AbortSignal): Promise<Transcript>;
}

/** Where a step that takes long keeps how far it is, by the sound that it makes. */
export interface Checkpoint {
  /** What was kept last; null: nothing, or of another kind. */
  load(): Promise<Float64Array | null>;
  /** In place of what was kept before. */
  save(values: Float64Array): Promise<void>;
}

/** The sounds that a step may use, as they were loaded: for reports, and no part of any key. */
export interface LoadedSounds {
  /** As the step calls the collection. */
  readonly collection: string;
  readonly sounds: number;
  /** The published collection that they are, by number and names of their files: `ms-snsd`, `musan-music`, …; null: another one. */
  readonly dataSet: string | null;
  /** Of rooms chosen by class: what they were classed by, over the class. */
  readonly rooms?: {
    readonly by: 'rt60Seconds' | 'srmr';
    readonly mean: number;
    readonly least: number;
    readonly most: number;
  };
}

/** Something that is fitted before the first clip is changed. */
export interface PlannedFit {
  readonly source: string;
  readonly clips: number;
  /** Times that the recognizer is asked at most, from the beginning. */
  readonly maxPasses: number;
  /** How far it is; the same key is the same fit. */
  state(): Promise<FitState>;
}

export interface FitState {
  readonly key: string;
  readonly state: 'kept' | 'begun' | 'none';
}

/** Assets that were opened, and what they are: part of every key. */
export interface Prepared<Assets> {
  readonly identity: Json;
  readonly assets: Assets;
  /** Where they are sounds of a collection. */
  readonly loaded?: LoadedSounds;
  /** What takes long and is needed for every clip alike. Done before the first one; `apply` waits for it where nobody did. */
  begin?(): Promise<void>;
  /** What `begin` fits. */
  readonly fit?: PlannedFit;
}

/** What was said in a clip, as it was written down; no reference where nobody has. */
export interface SaidText extends Pick<Utterance, 'language'> {
  readonly reference?: string | undefined;
}

/** What a perturbation is given beside clip and parameters. */
export interface PerturbationServices<Assets = unknown> {
  readonly random: Random;
  /** What `prepare` gave; undefined where there is no `prepare`. */
  readonly assets: Assets;
  /** Whose sound it is: given to perturbations that read what was said. */
  readonly said?: SaidText;
  /** Who speaks, where that is known: what was fitted on somebody refuses to change a clip of theirs. */
  readonly speaker?: string | undefined;
  /** Given to costly ones, where anything is kept. */
  readonly checkpoint?: Checkpoint;
  /** Is told by costly ones how often the recognizer was asked, of so many times at most. */
  readonly told?: (done: number, of: number) => void;
  /** Ends what takes long, with its reason. */
  readonly signal?: AbortSignal;
}

/** One way of changing a sound: data (name, version, parameters) and a pure function. */
export interface Perturbation<Parameters extends JsonObject = JsonObject, Assets = unknown> {
  /** Kebab-case, the name of its folder. */
  readonly name: string;
  /** Raised whenever the samples it gives for some input change: it is part of every key. */
  readonly version: number;
  /** One sentence: what one hears. */
  readonly about: string;
  /** Units in the names (`snrDb`, `cutoffHz`), a description and a range on each. */
  readonly parameters: Schema<Parameters>;
  /** Whether it draws random numbers. Where nothing does, another draw would give the same sound. */
  readonly random: boolean;
  /** Parameters at which nothing changes, for the family's shared test; null if there are none. */
  readonly identity: NoInfer<Parameters> | null;
  /** Parameters of an ordinary case, for the family's shared test and the documentation. */
  readonly example: NoInfer<Parameters>;
  /** Parameters that only name assets: keys hold what `prepare` says they are, and not these. */
  readonly assetParameters?: readonly (keyof Parameters & string)[];
  /** Parameters that what is drawn does not depend on: at all their values a clip has the same draws. Absent: none. */
  drawnWithout?(parameters: Parameters): readonly (keyof Parameters & string)[];
  /** Whether reference and language of the utterance decide the sound: then they are part of its key. Absent: they do not. */
  readsText?(parameters: Parameters): boolean;
  /** Whether its sounds are made to be misheard: files of them say so. */
  readonly adversarial?: true;
  /** Whether a sound takes so long to make that it is kept beside the store, and made on from where it was stopped. */
  readonly costly?: true;
  /** Of costly ones that are made against a recognizer: how often it is asked for a sound at most. */
  passes?(parameters: Parameters): number;
  /** Opens what is needed besides the clip, once for each condition. */
  prepare?(parameters: Parameters, services: AssetServices): Promise<Prepared<Assets>>;
  /** A promise only where something has to be read or an engine has to be asked. */
  apply(clip: Clip, parameters: Parameters, services: PerturbationServices<Assets>): Perturbed | Promise<Perturbed>;
}

/** A perturbation that needs nothing but the clip. */
export interface PlainPerturbation<Parameters extends JsonObject = JsonObject>
  extends Omit<Perturbation<Parameters>, 'prepare' | 'assetParameters' | 'apply'> {
  apply(clip: Clip, parameters: Parameters, services: { readonly random: Random }): Perturbed;
}

/** A perturbation whose parameters are typed by their schema. */
export function perturbation<Parameters extends JsonObject, Assets>(
  made: Perturbation<Parameters, Assets>,
): Perturbation<Parameters, Assets> {
  return made;
}

/** As `perturbation`, of one that needs nothing but the clip. */
export function plainPerturbation<Parameters extends JsonObject>(
  made: PlainPerturbation<Parameters>,
): PlainPerturbation<Parameters> {
  return made;
}

/** A family of scenarios from least to most destructive. */
export interface LadderFamily {
  /** `noise`; scenarios are named `<ladder>/<family>:<rank>`. */
  readonly name: string;
  readonly about: string;
  /** What the rungs' labels measure: `SNR (dB)`. */
  readonly axis: string;
  /** Rank 1 first, the mildest. In a run, `sounds` is what the steps take from outside, as it was loaded. */
  readonly rungs: readonly {
    readonly label: string;
    readonly steps: readonly Step[];
    readonly sounds?: readonly LoadedSounds[];
  }[];
}

/** A published (or own) table of severities, as data. */
export interface Ladder {
  /** `aequevox` */
  readonly name: string;
  readonly about: string;
  /** Paper and section, or program, that it comes from. */
  readonly source: string;
  /** The rate in Hz that its severities were published for: clips are brought to it first. Absent: that of the config. */
  readonly rateHz?: number;
  readonly families: readonly LadderFamily[];
}
