import { z } from 'zod';
import type { JsonObject } from '../../../base/json.ts';
import { printable } from '../../../base/printable.ts';
import { failureKinds } from '../../../model/observation.ts';

/** The version of the protocol that this program speaks (docs/protocol.md). */
export const protocolVersion = 1;

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

const id = z.int().min(0);
const shortText = z.string().min(1).max(500);

const helloLine = z.object({
  say: z.literal('hello'),
  protocol: z.int().min(1),
  /** What it is: part of its identity. */
  name: shortText,
  /** Of program and model together: part of its identity. */
  version: shortText,
  /** BCP 47 tags of what it hears; absent: it takes whatever it is given. */
  languages: z.array(shortText).max(1000).optional(),
  /** Hz; what it is sent has this rate. */
  sampleRate: z.int().min(1000).max(384_000).default(16_000),
  /** Where it computes: `cpu`, `cuda:0`. */
  device: shortText.optional(),
  /** How it is given clips: as raw samples behind the line, or as the path of a 16-bit WAV file. */
  audio: z.enum(['frames', 'wav']).default('frames'),
  /** How many clips it takes at once. */
  batch: z.int().min(1).max(1024).default(1),
  /** Whether it hears a clip while it is spoken. */
  streams: z.boolean().default(false),
  /** About the model (parameters, training hours, hashes of its files): part of its identity. */
  facts: z.record(z.string(), z.json()).default({}),
});

const openedLine = z.object({ say: z.literal('opened') });

const transcriptLine = z.object({
  say: z.literal('transcript'),
  id,
  text: z.string(),
  words: z.array(z.unknown()).optional(),
  details: z.record(z.string(), z.json()).optional(),
});

const partialLine = z.object({
  say: z.literal('partial'),
  id,
  text: z.string(),
  words: z.array(z.unknown()).optional(),
});

const failureLine = z.object({
  say: z.literal('failure'),
  /** Absent: it cannot go on at all. */
  id: id.optional(),
  kind: z.enum(failureKinds).default('error'),
  message: z.string(),
  /** Whether asking again can help. */
  retryable: z.boolean().default(false),
  retryAfterSeconds: z.number().min(0).optional(),
});

const pongLine = z.object({ say: z.literal('pong'), id });

const lines = z.discriminatedUnion('say', [helloLine, openedLine, transcriptLine, partialLine, failureLine, pongLine]);

/** How a recognizer process introduces itself, completed. */
export type ProgramHello = z.output<typeof helloLine>;

/** What a recognizer process says, completed. Further members of a line are passed over. */
export type FromProgram = z.output<typeof lines>;

/**
 * Reads one line of a recognizer process.
 *
 * @returns the message, or what is wrong with the line, as the end of a sentence
 */
export function readLine(line: string): { readonly message: FromProgram } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // No JSON: said below.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return {
      problem: `printed ${quoted(line)} where only lines of the protocol may stand; what is for people belongs on standard error`,
    };
  const read = lines.safeParse(value);
  if (read.success) return { message: read.data };
  const { say } = value as JsonObject;
  const kind = lines.options.find(({ shape }) => shape.say.value === say);
  if (kind === undefined)
    return {
      problem: `said ${quoted(line)}, but \`say\` is none of ${lines.options.map(({ shape }) => shape.say.value).join(', ')}`,
    };
  const [issue] = read.error.issues;
  return {
    problem: `said ${quoted(line)}, but ${issue === undefined ? 'it is not of that form' : `${issue.path.join('.')}: ${issue.message}`}`,
  };
}

function quoted(line: string): string {
  return JSON.stringify(printable(line.trim(), 120));
}
