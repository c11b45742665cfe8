import { z } from 'zod';

const column = (about: string) => z.string().min(1).nullable().optional().describe(about);

/** Options of `manifest`. */
export const manifestOptions = z.strictObject({
  file: z.string().min(1).describe('The list of utterances, a TSV, CSV or JSONL file.'),
  format: z.enum(['tsv', 'csv', 'jsonl']).optional().describe('Its format. Default: what its name ends in says.'),
  header: z
    .array(z.string().min(1))
    .min(1)
    .refine((names) => new Set(names).size === names.length, 'expected different names')
    .optional()
    .describe('Names of the columns in their order, where the first line of the list does not name them.'),
  columns: z
    .strictObject({
      id: column(
        'Unique name of the utterance. Default: the path without its extension, with its stretch if it has one.',
      ),
      path: column('Path of the sound file.'),
      reference: column('The words that were said.'),
      speaker: column('Who speaks.'),
      language: column('BCP 47 tag: en, en-GB.'),
      start: column('Where the utterance begins in its file, in seconds.'),
      end: column('Where it ends in its file, in seconds.'),
      duration: column('How long it is, in seconds; used with `start` only.'),
      tags: column('Tags, separated by comma or semicolon; in JSONL a list.'),
    })
    .optional()
    .describe('Which column holds what, where its name does not tell; null: none does.'),
  attributes: z
    .array(z.string().min(1))
    .optional()
    .describe('Columns that become attributes of the utterance. Default: every column that is nothing else.'),
  missing: z
    .array(z.string())
    .optional()
    .describe(
      'Texts that mean "not known" in every column but id, path and reference. Default: "", NA, N/A, NaN, nan, null.',
    ),
  delimiter: z.string().length(1).optional().describe('What separates fields. Default: a tab in TSV, a comma in CSV.'),
  quotes: z
    .enum(['csv', 'literal'])
    .optional()
    .describe(
      'Whether fields may stand in double quotes (csv) or a quote is a character like any other (literal). Default: csv in CSV, literal in TSV.',
    ),
  language: z
    .string()
    .optional()
    .describe('Language of utterances for which the list says none. Default: und (not known).'),
  soundFolder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder from which paths of sounds are meant. Default: the folder of the list, or clips/, wavs/, wav/ or audio/ beside it where the sounds are there.',
    ),
  soundPrefix: z
    .string()
    .min(1)
    .optional()
    .describe(
      'What paths begin with on the machine where the list was made, with the last /: it is taken away, and what is left is meant from soundFolder. /data/speech/',
    ),
  soundEnding: z
    .string()
    .regex(/^\.[A-Za-z0-9]{1,8}$/, 'expected an ending like ".wav"')
    .optional()
    .describe('Appended to the paths of a list that names its sounds without ending: .wav'),
  absentSounds: z
    .enum(['asked', 'left out'])
    .optional()
    .describe(
      'What becomes of rows whose sounds are not there: asked, and each is a failure; or left out, counted in a warning. Default: asked.',
    ),
  allowOutside: z
    .boolean()
    .optional()
    .describe('Whether sounds may lie outside of their folder (absolute paths, .., symbolic links). Default: false.'),
});

export type ManifestOptions = z.infer<typeof manifestOptions>;
