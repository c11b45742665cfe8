import { z } from 'zod';

/** Options of `sentences`. */
export const sentencesOptions = z
  .strictObject({
    texts: z.array(z.string()).min(1).optional().describe('The texts to be spoken.'),
    file: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A file with one text on each line, or (.jsonl) one object with a member `text`, whose other members become attributes.',
      ),
    folder: z.string().min(1).optional().describe('A folder of such files (.txt, .jsonl).'),
    grammar: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A file with a grammar (JSGF), or a published one by its name (aequevox/gcp-robust): the texts are what its public rules can say.',
      ),
    sample: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Of a grammar that can say more, so many texts are drawn; 10,000 if absent.'),
    seed: z.int().min(0).optional().describe('Of the texts that are drawn from a grammar.'),
    normalizer: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe('Spells texts out before they are spoken: a name (crossasr), or a module of your own (./mine.ts).'),
    synthesizer: z.string().min(1).describe('Who speaks: the name of a synthesizer of the config.'),
    voices: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('Its voices that speak each text. Default: all, or all of `language`.'),
    oneVoice: z
      .int()
      .min(0)
      .optional()
      .describe('A seed: each text is spoken by one of the voices alone, drawn at random, the same for the same seed.'),
    maxCharacters: z
      .int()
      .min(1)
      .optional()
      .describe('Longer texts are cut at the last blank before, and their reference with them.'),
    language: z.string().optional().describe('Only voices of this language (BCP 47; en takes in en-GB).'),
  })
  .refine(
    ({ texts, file, folder, grammar }) =>
      [texts, file, folder, grammar].filter((given) => given !== undefined).length === 1,
    { message: 'expected exactly one of texts, file, folder and grammar' },
  );

export type SentencesOptions = z.infer<typeof sentencesOptions>;
