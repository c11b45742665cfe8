import type { Json, JsonObject } from '../base/json.ts';
import type { Finding } from '../model/finding.ts';
import type { FailureKind, Observation, Price } from '../model/observation.ts';
import type { RecognizerFailures, RunRecognizer, RunTally } from '../model/run.ts';
import type { TextSimilarity } from '../model/text-services.ts';
import type { ClipMeasurement, ClipQuality, Condition } from '../model/trial.ts';
import type { Utterance } from '../model/utterance.ts';

/** What a run is, before it has answers. */
export interface NewRun {
  readonly name: string;
  /** Hash of everything in the config that decides what is asked: the same again means the same run goes on. */
  readonly purpose: string;
  /** The config as plain data, so that the run can be reported and compared without its file. Holds no secrets. */
  readonly config: JsonObject;
  readonly seed: number;
  /** Answers stored before are not used. */
  readonly fresh: boolean;
  /** The run whose failures this one asks again. */
  readonly parent: string | null;
  readonly recognizers: readonly RunRecognizer[];
  readonly startedAtMs: number;
}

export interface RunRecord extends NewRun {
  /** Short and unique in the world, so that stores can be merged. */
  readonly id: string;
  readonly finishedAtMs: number | null;
  /** Whether the list of utterances is complete. */
  readonly utterancesComplete: boolean;
  /** Of those that were collected: what studies made stands behind them and is not counted. */
  readonly utteranceCount: number;
  /** When a person was taken out of it last: what it found is from before, and cannot be computed again. */
  readonly forgottenAtMs: number | null;
  /** Whether it was begun in another store: its config is somebody else's. */
  readonly merged: boolean;
  /** Whether it was to be reported and that was prevented. */
  readonly reportMissing: boolean;
}

/** A file or folder that was written of a run. */
export interface RunOutput {
  readonly run: string;
  readonly kind: 'report' | 'bundle' | 'export';
  readonly path: string;
}

/** Where a question stands: in which batch of which run, and where in it. */
export interface Place {
  readonly batch: number;
  readonly position: number;
}

/** One question as it is journaled. `recognizer` is an index into the run's recognizers; null asks for a measurement. */
export interface PlannedQuestion {
  readonly position: number;
  /** Key of the trial, or of the clip to be measured. 64 hexadecimal digits. */
  readonly key: string;
  /** Position of the utterance in the run; -1 for a question about none. */
  readonly utterance: number;
  /** -1 for a question about no sound and no text of the run. */
  readonly condition: number;
  readonly draw: number;
  readonly recognizer: number | null;
  readonly repeat: number;
  /** Whether an earlier question of the batch may have the same key: its answer is then this one's too. */
  readonly twin: boolean;
  /** For a measurement: keys of the measures of quality that are asked for; absent where none is. */
  readonly quality?: readonly string[];
  /**
   * What is asked where `recognizer` is null and it is no measurement: how near in meaning two texts are, or which texts are
   * worth speaking, whose hash the key is; or how long the run has been at work.
   */
  readonly asks?: 'similarity' | 'prediction' | 'elapsed';
}

/** How far the questions of a batch are. */
export interface BatchProgress {
  readonly answered: number;
  readonly reused: number;
  /** What recognizers are asked: the others are measurements. */
  readonly trials: { readonly planned: number; readonly answered: number };
}

export interface BatchRecord {
  readonly batch: number;
  readonly study: string;
  /** Null while it is being planned. */
  readonly keysHash: string | null;
  readonly size: number;
}

/** A call about to be made. */
export interface NewAttempt {
  readonly place: Place;
  readonly key: string;
  readonly sentAtMs: number;
  readonly reservedSeconds: number;
  readonly reservedPrice: Price | null;
}

/** How a call ended, or goes on for nothing. */
export interface AttemptEnd {
  readonly attempt: number;
  /**
   * `again`: it failed and will be tried again; `resumed`: it is under way, and an earlier call has paid; `recalled`: it was not made, and is
   * no call; `lost`: nobody knows whether it was made, and it counts as possibly paid.
   */
  readonly state: 'answered' | 'again' | 'failed' | 'resumed' | 'recalled' | 'lost';
  readonly price: Price | null;
  /** Nothing of the sound was heard by this call: its seconds do not count. */
  readonly unheard?: boolean;
  /** When it is tried again, where the service asked for a wait. */
  readonly againAtMs?: number;
}

/** A recognizer whose service asked to be left alone. */
export interface Wait {
  /** Its place in the run's list. */
  readonly recognizer: number;
  readonly untilMs: number;
}

/** An observation to be kept, and the question it answers. */
export interface NewAnswer {
  readonly place: Place;
  readonly key: string;
  readonly utteranceId: string;
  readonly speaker: string | null;
  readonly observation: Observation;
}

/** What one measure said of a clip. `key` is the hash of everything that decides its values. */
export interface MeasuredClipQuality extends ClipQuality {
  readonly key: string;
  readonly measure: string;
}

/** What the journal says has been spent in a run: calls made or possibly made, reservations counted where the end is unknown. */
export interface Spent {
  readonly calls: number;
  readonly audioSeconds: number;
  readonly money: Readonly<Record<string, number>>;
  /** What of it was spent on speech. */
  readonly speech: Readonly<Record<string, number>>;
}

/** Where calls stand that are no trial's: those by which speech is bought. */
export const speechPlace: Place = { batch: -1, position: -1 };

/** What a predictor said of the texts of a pool, in their order. */
export interface StoredPrediction {
  readonly determinable: Float64Array;
  readonly failing: Float64Array;
  /** How long it took. */
  readonly seconds: number;
}

/** A question of a run with its answer. */
export interface AnsweredQuestion extends PlannedQuestion {
  readonly observation: Observation | null;
  readonly measurement: ClipMeasurement | null;
  readonly similarity: TextSimilarity | null;
  readonly prediction: StoredPrediction | null;
  readonly elapsedSeconds: number | null;
}

/** What a run was to ask: kept before it asked anything, and never changed. */
export interface FrozenPlan {
  readonly plan: JsonObject;
  /** `hashJson` of the plan. */
  readonly hash: string;
  /** By this machine's clock. */
  readonly frozenAtMs: number;
}

/** Something that the studies of a run were told besides its utterances and answers. */
export interface Material {
  /** What it is: a text that a study read, the words that a recognizer knows, … */
  readonly kind: string;
  /** Unique among those of its kind. */
  readonly name: string;
  /** `hashJson` of the value. */
  readonly hash: string;
  readonly value: Json;
}

/** One recognizer of one run. */
export interface Side {
  readonly run: string;
  /** Its index in the run. */
  readonly recognizer: number;
}

/** A trial of a run and what it gave, asked by whichever studies. */
export interface StoredTrial {
  readonly utterance: Utterance;
  /** Of the utterance in the run. */
  readonly position: number;
  /** By which `observation` finds it again. */
  readonly answer: number;
  readonly conditionName: string;
  readonly draw: number;
  /** Its index in the run. */
  readonly recognizer: number;
  readonly repeat: number;
  readonly observation: Observation;
}

/** Two answers to the same question: paired by utterance, condition, draw and repeat. */
export interface PairedAnswers {
  readonly utterance: Utterance;
  readonly conditionName: string;
  readonly draw: number;
  readonly repeat: number;
  readonly before: Observation;
  readonly after: Observation;
}

/** What all answers of a recognizer have in common that transcripts of different sounds do not. */
export interface OddAnswers {
  readonly recognizer: string;
  readonly answers: number;
  readonly odd: 'no word' | 'same first line';
}

/** Answers of a recognizer that say which language was heard, of utterances in one language. */
export interface HeardLanguage {
  readonly recognizer: string;
  /** BCP 47. */
  readonly spoken: string;
  /** As the recognizer writes it: `de`, `german`. */
  readonly heard: string;
  readonly answers: number;
}

/** A condition that cannot be applied to some clips, whoever is asked. */
export interface InapplicableCondition {
  readonly condition: string;
  readonly utterances: number;
  /** Of the first. */
  readonly message: string;
}

/** Trials of a recognizer that failed in one way. */
export interface FailuresOfKind {
  readonly recognizer: string;
  readonly kind: FailureKind;
  readonly count: number;
}

/** What a store tells of its runs. */
export interface RunReader {
  /** All runs, newest first. */
  runs(): readonly RunRecord[];
  /** @param wanted an id, the beginning of one, or `last` */
  run(wanted: string): RunRecord | null;
  /** Another text once what is kept of the run itself has changed: its end, its findings and warnings, whom it forgot. */
  stateOf(id: string): string;
  /** Null while the run is not finished. */
  findings(id: string): readonly Finding[] | null;
  /** Null of a run that was made before they were kept. */
  warnings(id: string): readonly string[] | null;
  /** In the order of the corpus; those that studies made stand behind. */
  utterances(runId: string, range: { readonly from: number; readonly limit: number }): readonly Utterance[];
  /** Where an utterance stands in that order, by its id; null: it is not in the run. */
  positionOf(runId: string, utterance: string): number | null;
  /** Every condition that was asked about, `clean` among them. */
  conditions(runId: string): readonly Condition[];
  /** Null for runs of versions that kept none. */
  frozenPlan(runId: string): FrozenPlan | null;
  /** What the sounds of utterances were, by their positions. */
  sounds(runId: string, range: { readonly from: number; readonly limit: number }): ReadonlyMap<number, JsonObject>;
  /** How many trials were answered, failed, or were answered before. */
  tally(runId: string): RunTally;
  /** What failed and why, of recognizers with failed trials, in the order of the run's recognizers. */
  failures(runId: string): readonly RecognizerFailures[];
  /** How many trials failed in which way, counted as in `tally`: in the order of the run's recognizers, the most frequent kind first. */
  failureKinds(runId: string): readonly FailuresOfKind[];
  /** Every trial that is answered or failed, once each: by utterance, condition, draw, repeat, then recognizer. */
  trials(runId: string): Iterable<StoredTrial>;
  /** What a trial gave; null where it is not there any more. */
  observation(answer: number): Observation | null;
  /** Pairs in the order of the first side, and how many questions only one side has answers to. */
  pairs(
    before: Side,
    after: Side,
  ): {
    readonly unpaired: {
      readonly onlyBefore: number;
      readonly onlyAfter: number;
      /** With the ids of the first few utterances; conditions of which there are none are left out. */
      readonly conditions: readonly {
        readonly condition: string;
        readonly onlyBefore: number;
        readonly onlyAfter: number;
        readonly utterances: readonly string[];
      }[];
    };
    readonly pairs: Iterable<PairedAnswers>;
  };
  batches(runId: string): readonly BatchRecord[];
  /** How many questions of a batch are answered, how many of these by an answer stored before the run, and the trials among them. */
  progress(runId: string, batch: number): BatchProgress;
  /** Recognizers that are left alone at that time because their services asked for it. */
  waits(runId: string, nowMs: number): readonly Wait[];
  spent(runId: string): Spent;
  /** What has been written, or what was to be and has not been. */
  outputs(written: boolean): readonly RunOutput[];
}

/** What is strange about the answers of a run. */
export interface OddAnswersReader {
  /** Recognizers all of whose answers have no word, or begin with the same line, which stands before others in most. */
  oddAnswers(runId: string): readonly OddAnswers[];
  /** Answers of a run that are read without some of what stands beside their transcripts, which earlier versions kept however deep it was. */
  leftOut(runId: string): number;
  heardLanguages(runId: string): readonly HeardLanguage[];
  /** In the order of the conditions. */
  inapplicable(runId: string): readonly InapplicableCondition[];
}

/** What is kept of a run itself, from its beginning to its end. */
export interface RunKeeper {
  /** @param id that it has already, where it was begun elsewhere */
  createRun(run: NewRun, id?: string): RunRecord;
  /**
   * Before a run is gone on with: no other program may until this store is closed.
   *
   * @throws EarwitnessError `store-busy` where another does
   */
  takeRun(id: string): void;
  /** Keeps what the studies found: a finished run can be reported anywhere, without its recordings and recognizers. */
  finishRun(id: string, finishedAtMs: number, findings: readonly Finding[]): void;
  /** Keeps where a report, a bundle or a copy of a run is to be written, or that it has been. */
  noteOutput(output: RunOutput, written: boolean): void;
  /** Keeps what a run warns of, in place of what it warned of before. */
  keepWarnings(id: string, warnings: readonly string[]): void;
}

/** What a run asks and is answered, kept before and after each call. */
export interface Journal {
  addUtterances(runId: string, firstPosition: number, utterances: readonly Utterance[]): void;
  completeUtterances(runId: string): void;
  addCondition(runId: string, index: number, condition: Condition): void;
  /** Starts (or starts over) the plan of a batch: what was planned of it is forgotten, answers are not. */
  beginBatch(runId: string, batch: number, study: string): void;
  /** Journals questions, linking each with an answer stored before: of any run, or of this one only for a fresh run. */
  plan(runId: string, batch: number, questions: readonly PlannedQuestion[]): void;
  completeBatch(runId: string, batch: number, keysHash: string, size: number): void;
  /** Questions of a batch that have no answer yet, in order. */
  open(
    runId: string,
    batch: number,
    range: { readonly recognizer: number | null; readonly after: number; readonly limit: number },
  ): readonly PlannedQuestion[];
  /** How many of them there are. */
  countOpen(runId: string, batch: number, recognizer: number | null): number;
  /** How many recognitions are open in all batches, each once however many studies ask it. */
  countOpenRecognitions(runId: string, recognizer: number): number;
  answers(
    runId: string,
    batch: number,
    range: { readonly from: number; readonly limit: number },
  ): readonly AnsweredQuestion[];
  /** Links the open questions of a batch with answers that have been stored since it was planned. */
  linkBatch(runId: string, batch: number): void;
  /** Links one question with an answer that has been stored since it was planned; false where there is none. */
  linkStored(runId: string, place: Place): boolean;
  /**
   * Journals calls before they are made, keeps how calls ended and what they gave: all of it together.
   * @returns the numbers of the calls that begin
   */
  record(
    runId: string,
    entries: {
      readonly begin?: readonly NewAttempt[];
      readonly end?: readonly AttemptEnd[];
      readonly answers?: readonly NewAnswer[];
    },
  ): readonly number[];
  /** Whether a question has failed, in any run. */
  failedBefore(key: string): boolean;
  /**
   * Settles the calls that an earlier, killed process made and never heard the end of.
   *
   * @param mayCost for each recognizer of the run: whether its calls may have been paid
   * @returns how many of them may have been paid
   */
  loseAttempts(runId: string, mayCost: readonly boolean[]): number;
  /** The calls of a run that have no end yet. */
  openAttempts(runId: string): readonly number[];
  /** Those of them that were not made are no calls. */
  recallAttempts(runId: string, unmade: readonly number[]): void;
  /** Journals how long a run has been at work; what is stored already stays as it is. */
  saveElapsed(key: string, seconds: number): void;
  /** The longest time that a run has journaled; 0 where it has journaled none. */
  elapsed(runId: string): number;
}

/** What was measured and computed beside answers: it serves every run of the store. */
export interface Measurements {
  saveClip(clip: {
    readonly hash: string;
    readonly sound: string;
    readonly utteranceId: string;
    readonly speaker: string | null;
    readonly measurement: ClipMeasurement;
  }): void;
  clip(hash: string): ClipMeasurement | null;
  /** Adds to what was measured of a clip; a measure that is stored already stays as it is. */
  saveQuality(clip: string, results: readonly MeasuredClipQuality[]): void;
  /** Which of these measures (by their keys) are stored for a clip. */
  storedQuality(clip: string, keys: readonly string[]): ReadonlySet<string>;
  /** Keeps how near in meaning two texts are; what is stored already stays as it is. */
  saveSimilarity(key: string, similarity: TextSimilarity): void;
  /** Keeps what was predicted; what is stored already stays as it is. */
  savePrediction(key: string, prediction: StoredPrediction): void;
}

/** What a bundle needs beside the answers: the plan, and what studies were told. */
export interface EvidenceKeeper {
  /** Keeps what a run is to ask; a plan that is kept already stays, and comes back. */
  freezePlan(runId: string, plan: JsonObject, frozenAtMs: number): FrozenPlan;
  /**
   * Keeps what a study was told; told something else of the same kind and name, the later stays.
   *
   * @returns the hash of the value
   */
  keepMaterial(runId: string, kind: string, name: string, value: Json): string;
  materials(runId: string): Iterable<Material>;
  /** Keeps what the sounds of utterances (by their positions) were; what is kept already stays as it is. */
  saveSounds(runId: string, sounds: readonly { readonly utterance: number; readonly identity: JsonObject }[]): void;
  /** For each question of a batch, in order: when it was asked, where a call was journaled; and whether by another run. */
  askedTimes(runId: string, batch: number): Iterable<{ readonly askedAtMs: number | null; readonly earlier: boolean }>;
}

/** Hashes of files that have not changed. */
export interface FileHashes {
  /** SHA-256 of a file, as long as its size and time of change are the same. */
  fileHash(path: string, size: number, changedNs: string): string | null;
  rememberFileHash(path: string, size: number, changedNs: string, hash: string): void;
}

/**
 * Where answers live. Everything it is told in one call is kept or not kept together, and is safe against the death of
 * this program once the call has returned. One program at a time may write; any number may read.
 */
export interface Store
  extends RunReader,
    OddAnswersReader,
    RunKeeper,
    Journal,
    Measurements,
    EvidenceKeeper,
    FileHashes {
  /** Another number once another program has written something. */
  version(): number;
  /** Reads, and reads anew where the connection to a server broke meanwhile: what came row by row ended with it. */
  unbroken<Result>(read: () => Promise<Result>): Promise<Result>;
  close(): void;
}

export interface OpenOptions {
  /** Readers never wait for the writer and take no lock. */
  readonly readonly?: boolean;
  /** To delete: of a store that several programs may write, no other is at it meanwhile, and what goes is overwritten. */
  readonly alone?: boolean;
  /** Told that a server does not answer, and that it does again. */
  readonly tell?: (message: string) => void;
}
