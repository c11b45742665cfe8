import { z } from 'zod';
import type { JsonObject } from '../../../base/json.ts';
import { printable } from '../../../base/printable.ts';
import { failureKinds } from '../../../model/observation.ts';
import type { FromProgram } from './protocol.ts';

const id = z.int().min(0);
const shortText = z.string().min(1).max(500);

const helloLine = z.object({
  say: z.literal('hello'),
  protocol: z.int().min(1),
  name: shortText,
  version: shortText,
  languages: z.array(shortText).max(1000).optional(),
  sampleRate: z.int().min(1000).max(384_000).default(16_000),
  device: shortText.optional(),
  audio: z.enum(['frames', 'wav']).default('frames'),
  batch: z.int().min(1).max(1024).default(1),
  streams: z.boolean().default(false),
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
  id: id.optional(),
  kind: z.enum(failureKinds).default('error'),
  message: z.string(),
  retryable: z.boolean().default(false),
  retryAfterSeconds: z.number().min(0).optional(),
});

const pongLine = z.object({ say: z.literal('pong'), id });

const lines = z.discriminatedUnion('say', [helloLine, openedLine, transcriptLine, partialLine, failureLine, pongLine]);

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
