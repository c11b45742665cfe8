import { z } from 'zod';

/** Options of `folder`. */
export const folderOptions = z.strictObject({
  folder: z.string().min(1).describe('The folder, looked through with all folders in it.'),
  extensions: z
    .array(z.string().regex(/^\.?[A-Za-z0-9]+$/))
    .min(1)
    .optional()
    .describe(
      'What names of audio files end in. Default: wav, flac, mp3, ogg, oga, opus, sph, nist, aif, aiff, au, m4a, webm.',
    ),
  pattern: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'A regular expression for the path of a sound inside the folder (with / between folders), whose named groups give id, speaker, language, and attributes under any other name.',
    ),
  speaker: z
    .enum(['none', 'parent', 'top'])
    .optional()
    .describe(
      'Which folder is named after the speaker: the one that holds the sound (parent) or the first inside the folder (top). Default: none, but LibriSpeech names tell theirs.',
    ),
  attributes: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A TSV or CSV file with a column `speaker` (or `id`); its other columns become attributes of that speaker.',
    ),
  texts: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A folder like this one with the words: of a/1.wav those of a/1.txt (.lab, .trn) in it. Default: they stand beside the sounds.',
    ),
  language: z.string().optional().describe('Language of the utterances. Default: und (not known).'),
  allowOutside: z
    .boolean()
    .optional()
    .describe(
      'Whether symbolic links to sounds outside of the folder are followed. Default: false, they are left out.',
    ),
});

export type FolderOptions = z.infer<typeof folderOptions>;
