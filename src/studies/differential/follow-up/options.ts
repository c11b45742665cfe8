import { z } from 'zod';

const shrinking = z
  .strictObject({
    causes: z
      .int()
      .min(0)
      .max(1000)
      .default(20)
      .describe('Causes of failures that are told; the first example of each is cut down. 0: none'),
    textsEach: z.int().min(0).max(10_000).default(40).describe('Texts that may be spoken to cut one of them down'),
    texts: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(400)
      .describe('Texts that may be spoken to cut all of them down, on top of what stop allows'),
  })
  .describe('Failures are read as few causes, and for each a failed text is cut down to the shortest that still fails');

const mutation = z
  .strictObject({
    texts: z
      .int()
      .min(0)
      .max(100_000)
      .default(0)
      .describe(
        'New texts that are spoken by each voice, on top of what stop allows: so many that are predicted to fail, and as many at random. 0: none',
      ),
    candidates: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(2000)
      .describe('New texts that are made for each voice, of which the predictor chooses'),
    maxSwaps: z.int().min(1).max(20).default(2).describe('Words that are swapped in a text at most'),
    alternatives: z
      .array(z.array(z.string().min(1).max(200)).min(2).max(1000))
      .max(10_000)
      .default([])
      .describe(
        'Words that may stand for each other, as in a grammar: [[monday, tuesday]]. Other words are swapped for such of the corpus that are as frequent and as long',
      ),
  })
  .describe('New texts are made of failed ones by swapping words. They are never counted with those of the corpus');

/** Options of what follows the search: spread into those of the study. */
export const followUpOptions = { shrinking: shrinking.prefault({}), mutation: mutation.prefault({}) };

export type ShrinkingOptions = z.infer<typeof shrinking>;
export type MutationOptions = z.infer<typeof mutation>;

/** What is asked after the search. */
export interface FollowUpOptions {
  readonly shrinking: ShrinkingOptions;
  readonly mutation: MutationOptions;
}
