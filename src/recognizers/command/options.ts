import { z } from 'zod';

export const commandOptions = z.strictObject({
  program: z
    .array(z.string())
    .min(1)
    .refine(([program]) => program?.trim() !== '', { error: 'expected a program, but its name is empty', path: [0] })
    .describe(
      'Program and arguments, no shell. {wav} stands for the path of a 16-bit WAV file, {sampleRate} and {language} for those; without {wav} the file comes on standard input.',
    ),
  sampleRate: z
    .int()
    .min(1000)
    .max(384_000)
    .default(16_000)
    .describe('Rate of the WAV file in Hz; clips are resampled.'),
  output: z.enum(['text', 'json']).default('text').describe('What it prints to standard output.'),
  textPath: z
    .string()
    .min(1)
    .default('text')
    .describe('With output json: where the transcript stands, members and positions with dots: results.0.transcript.'),
  wordsPath: z
    .string()
    .min(1)
    .optional()
    .describe('With output json: where the words stand, a list of {text, start, end, confidence}, in seconds.'),
  timeLimitSeconds: z.number().positive().max(86_400).default(60).describe('Killed when it takes longer.'),
  concurrency: z.int().min(1).max(256).default(1).describe('How many run at once.'),
  usesProcessor: z.boolean().default(true).describe("Whether it works on this machine's processor, not elsewhere."),
  environment: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable'))
    .default([])
    .describe('Names of environment variables it may see, besides PATH, HOME, LANG, LC_ALL and TMPDIR. Keys go here.'),
  maxOutputBytes: z.int().min(1).max(100_000_000).default(1_000_000).describe('Killed when it prints more.'),
  version: z
    .string()
    .min(1)
    .optional()
    .describe('Version of program and model. Given, answers are kept from run to run; else every run asks anew.'),
});

export type CommandOptions = z.infer<typeof commandOptions>;
