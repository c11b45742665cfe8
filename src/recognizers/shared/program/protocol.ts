import type { JsonObject } from '../../../base/json.ts';
import type { FailureKind } from '../../../model/observation.ts';

// The protocol of recognizer processes (docs/protocol.md) as types, for programs that speak it.

/** One clip of a batch. `samples`: how many of the raw ones behind the line are its own; `wav`: where it lies instead. */
export interface AskedClip {
  readonly id: number;
  /** BCP 47 tag. */
  readonly language: string;
  readonly samples?: number;
  readonly wav?: string;
}

/**
 * What a recognizer process is told: one line of JSON each. With `bytes`, so many raw bytes follow the line: mono samples, 32-bit floats
 * with the lowest byte first, at the rate that it named.
 */
export type ToProgram =
  | { readonly say: 'hello'; readonly protocol: number }
  | { readonly say: 'open'; readonly worker: number; readonly device?: string }
  | { readonly say: 'recognize'; readonly clips: readonly AskedClip[]; readonly bytes?: number }
  | { readonly say: 'stream'; readonly id: number; readonly language: string }
  | { readonly say: 'chunk'; readonly id: number; readonly samples: number; readonly bytes: number }
  | { readonly say: 'end'; readonly id: number }
  | { readonly say: 'cancel'; readonly id: number }
  | { readonly say: 'ping'; readonly id: number }
  | { readonly say: 'close' };

/** How a recognizer process introduces itself, completed. */
export interface ProgramHello {
  readonly say: 'hello';
  readonly protocol: number;
  readonly does?: 'recognize' | 'speak' | 'embed' | 'predict' | undefined;
  /** What it is: part of its identity. */
  readonly name: string;
  /** Of program and model together: part of its identity. */
  readonly version: string;
  /** BCP 47 tags of what it hears; absent: it takes whatever it is given. */
  readonly languages?: readonly string[] | undefined;
  /** Hz; what it is sent has this rate. */
  readonly sampleRate: number;
  /** Where it computes: `cpu`, `cuda:0`. */
  readonly device?: string | undefined;
  /** How it is given clips: as raw samples behind the line, or as the path of a 16-bit WAV file. */
  readonly audio: 'frames' | 'wav';
  /** How many clips it takes at once. */
  readonly batch: number;
  /** Whether it hears a clip while it is spoken. */
  readonly streams: boolean;
  /** About the model (parameters, training hours, hashes of its files): part of its identity. */
  readonly facts: JsonObject;
}

/** What a recognizer process says, completed. Further members of a line are passed over. */
export type FromProgram =
  | ProgramHello
  | { readonly say: 'opened' }
  | {
      readonly say: 'transcript';
      readonly id: number;
      readonly text: string;
      readonly words?: readonly unknown[] | undefined;
      readonly details?: JsonObject | undefined;
    }
  | {
      readonly say: 'partial';
      readonly id: number;
      readonly text: string;
      readonly words?: readonly unknown[] | undefined;
    }
  | {
      readonly say: 'failure';
      /** Absent: it cannot go on at all. */
      readonly id?: number | undefined;
      readonly kind: FailureKind;
      readonly message: string;
      /** Whether asking again can help. */
      readonly retryable: boolean;
      readonly retryAfterSeconds?: number | undefined;
    }
  | { readonly say: 'pong'; readonly id: number };
