import type { ClipMeasurement } from '../../model/measurement.ts';
import type { Utterance } from '../../model/utterance.ts';

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
