import { z } from 'zod';
import { failureKinds } from '../../model/observation.ts';

const failure = z.strictObject({
  match: z
    .strictObject({
      utterance: z.string().optional().describe('Only this utterance.'),
      condition: z.string().optional().describe('Only this condition.'),
      repeat: z.int().min(0).optional().describe('Only this repeat.'),
    })
    .default({})
    .describe('Which calls fail; all of them where nothing is said.'),
  how: z
    .enum(['error', 'throw', 'exit', 'abort', 'hang', 'spin', 'garbage', 'huge'])
    .default('error')
    .describe(
      'error: fails with kind; throw: throws something else; exit: ends the process; abort: crashes it; hang: never answers, even when given up; spin: keeps the processor and answers nothing; garbage: answers with no transcript; huge: answers with megabytes.',
    ),
  kind: z.enum(failureKinds).default('error').describe('Kind of failure, for how: error.'),
  times: z
    .int()
    .min(1)
    .optional()
    .describe('Fails the first so many calls of each trial, then answers. Default: always.'),
  retryable: z
    .boolean()
    .optional()
    .describe('Whether asking again can help. Default: yes with times or "unavailable".'),
  retryAfterSeconds: z.number().min(0).optional().describe('What it asks for, as a service does with Retry-After.'),
});

const answers = z.record(z.string(), z.string());

export const scriptedOptions = z.strictObject({
  answers: answers
    .default({})
    .describe(
      'What it answers, by "utterance", "utterance|condition" or "utterance|condition|repeat"; the most exact one counts. With hearsSound, {samples} {rate} {hash} in an answer stand for facts of the sound.',
    ),
  file: z.string().optional().describe('JSON file with further answers; those in answers go before it.'),
  rule: z
    .enum(['echo-id', 'drop-words'])
    .optional()
    .describe('echo-id: answers with the id. drop-words: the answer without a random share of its words.'),
  dropShares: z
    .record(z.string(), z.number().min(0).max(1))
    .default({})
    .describe('For drop-words: share of words lost by condition, and "*" for all others. Default: none.'),
  seed: z.int().default(1).describe('For drop-words.'),
  default: z.string().optional().describe('Answer where there is no other. Default: the failure unknown-utterance.'),
  delaySeconds: z.number().min(0).max(3600).default(0).describe('How long every answer takes.'),
  failures: z.array(failure).default([]).describe('Calls that fail; the first that matches counts.'),
  countsFolder: z
    .string()
    .optional()
    .describe('Folder in which calls that failed are counted, so that "times" outlives a process that dies.'),
  hugeCharacters: z.int().min(1).max(500_000_000).default(20_000_000).describe('Length of an answer with how: huge.'),
  concurrency: z.int().min(1).max(10_000).default(1).describe('Calls taken at once.'),
  pinned: z.boolean().default(true).describe('false: every run asks anew, as for a hosted service.'),
  hearsSound: z.boolean().default(false).describe('true: it is given the sound, as a real engine is.'),
});

export type ScriptedOptions = z.infer<typeof scriptedOptions>;
export type ScriptedFailure = ScriptedOptions['failures'][number];
