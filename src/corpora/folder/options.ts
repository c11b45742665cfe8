import { createContext, Script } from 'node:vm';
import { z } from 'zod';
import { badConfig, messageOf } from '../../base/errors.ts';
import { list, matching, nonEmpty, oneOf } from '../../base/option-kinds.ts';
import { emptyReference } from '../shared/empty-reference.ts';

/** The named groups that a pattern finds in a path, without those that are empty; null where it does not match. */
export type PathGroups = Readonly<Record<string, string>> | null;

/** Longer paths are cut before they are matched. */
const longestPath = 1024;

/** A pattern of a reasonable kind needs microseconds a path; one that tries all ways to divide a text needs years. */
const timeLimitMs = 2000;

/** Paths matched under one time limit. */
const pathsAtOnce = 1000;

const matchAll = new Script(`(() => {
  const expression = new RegExp(pattern, 'u');
  return JSON.stringify(JSON.parse(paths).map((path) => {
    const match = expression.exec(path);
    return match === null ? null : Object.fromEntries(Object.entries(match.groups).filter(([, text]) => text));
  }));
})()`);

/**
 * Matches paths against a regular expression that came from a config. It runs under a time limit, so that a pattern
 * with catastrophic backtracking ends with a sentence and not with a hang.
 *
 * @throws EarwitnessError `bad-config`: no regular expression, no named groups
 * @returns gives the groups of each path; throws EarwitnessError `bad-config` where the pattern takes too long
 * @example pathMatcher('^(?<speaker>[^/]+)/')(['anna/1.wav']) // [{ speaker: 'anna' }]
 */
export function pathMatcher(pattern: string): (paths: readonly string[]) => readonly PathGroups[] {
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    throw badConfig(`pattern: expected a regular expression, but ${messageOf(error)}; correct it`, { cause: error });
  }
  if (!/\(\?<[A-Za-z_]/.test(pattern)) {
    throw badConfig(
      `pattern: expected named groups like (?<speaker>[^/]+), but ${JSON.stringify(pattern.slice(0, 100))} has none; name what it finds`,
    );
  }
  // Strings go in and a string comes out: nothing of ours can be reached from inside.
  const inside = { pattern, paths: '[]' };
  const context = createContext(inside);
  return (paths) => {
    const found: PathGroups[] = [];
    for (let from = 0; from < paths.length; from += pathsAtOnce) {
      const some = paths.slice(from, from + pathsAtOnce).map((path) => path.slice(0, longestPath));
      inside.paths = JSON.stringify(some);
      let text: string;
      try {
        text = matchAll.runInContext(context, { timeout: timeLimitMs });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        throw badConfig(
          `pattern: expected an answer within ${timeLimitMs / 1000} s, but ${JSON.stringify(pattern.slice(0, 100))} took longer on ${some.length} paths like ${JSON.stringify(some[0]?.slice(0, 100))}; avoid repeats inside of repeats, like (a+)+`,
          { cause: error },
        );
      }
      found.push(...(JSON.parse(text) as PathGroups[]));
    }
    return found;
  };
}

/** Options of `folder`. */
export const folderOptions = z.strictObject({
  folder: nonEmpty().describe('The folder, looked through with all folders in it.'),
  extensions: list(matching(/^\.?[A-Za-z0-9]+$/), 1)
    .optional()
    .describe(
      'What names of audio files end in; of two files that differ in that alone, the one whose ending stands first here is used. Default: wav, flac, mp3, ogg, oga, opus, sph, nist, aif, aiff, au, m4a, webm.',
    ),
  pattern: nonEmpty(1000)
    .optional()
    .describe(
      'A regular expression for the path of a sound inside the folder (with / between folders), whose named groups give id, speaker, language, and attributes under any other name.',
    ),
  speaker: oneOf(['none', 'parent', 'top'])
    .optional()
    .describe(
      'Which folder is named after the speaker: the one that holds the sound (parent) or the first inside the folder (top). Default: none, but LibriSpeech names tell theirs.',
    ),
  attributes: nonEmpty()
    .optional()
    .describe(
      'A table with a column `speaker` (or `id`), or one of audio files (`path`, `file`, or `id` beside `speaker`); its other columns become attributes of that speaker or file.',
    ),
  texts: nonEmpty()
    .optional()
    .describe(
      'A folder like this one with the words: of a/1.wav those of a/1.txt (.lab, .TextGrid, .srt, .json, …) in it. Default: they stand beside the sounds.',
    ),
  tier: nonEmpty()
    .optional()
    .describe(
      'The tier of the words in a TextGrid of Praat or annotations of ELAN. Default: the only one that holds any.',
    ),
  emptyReference,
  language: z.string().optional().describe('Language of the utterances. Default: und (not known).'),
  allowOutside: z
    .boolean()
    .optional()
    .describe(
      'Whether symbolic links to sounds outside of the folder are followed. Default: false, they are left out.',
    ),
});

export type FolderOptions = z.infer<typeof folderOptions>;
