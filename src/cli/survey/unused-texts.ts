import { join, posix } from 'node:path';
import { printable } from '../../base/printable.ts';
import { beginningOf, endingOf, type SoundTree } from './sound-tree.ts';

/** Endings of files in which people keep words that were said. */
const textEndings = new Set(
  'txt csv tsv tab psv json jsonl ndjson lst list trn trans stm ctm srt vtt textgrid eaf docx xlsx'.split(' '),
);
/** What such files are called where no words are in them. */
const aboutOther = /^(?:readme|licen[cs]e|copying|change|package|tsconfig|requirements|earwitness)/i;
const soundPath = /[^\s"',;|]+\.(?:wav|flac|mp3|ogg|oga|opus|sph|aiff?|au|m4a|webm|mp4|aac|wma|amr)\b/i;
const maxShown = 4;

/**
 * What to say of recordings without words where there are files that may hold these: a list whose paths lead nowhere, or a format that
 * is not read. Somebody who has transcripts should not learn from a report that they were passed over.
 *
 * @returns one sentence or two for people; null where there is no such file
 * @example await unusedTexts(tree) // 'Not used, though they may hold references: list.csv (no audio file here is called "x/a.wav"). …'
 */
export async function unusedTexts(tree: SoundTree): Promise<string | null> {
  const found = tree.others.filter((path) => textEndings.has(endingOf(path)) && !aboutOther.test(posix.basename(path)));
  if (found.length === 0) return null;
  const shown = await Promise.all(
    found.slice(0, maxShown).map(async (path) => {
      const named = soundPath.exec((await beginningOf(join(tree.root, path))) ?? '')?.[0];
      const why = named === undefined ? '' : ` (no audio file here is called "${printable(named, 60)}")`;
      return `${printable(path, 60)}${isHere(named, tree) ? '' : why}`;
    }),
  );
  const more = found.length > maxShown ? ` and ${found.length - maxShown} more` : '';
  return `Not used, though they may hold references: ${shown.join(', ')}${more}. What is read: manifests (.csv, .tsv, .jsonl) with a column of existing audio files and one of text, and a text file beside each recording (a.txt for a.wav).`;
}

function isHere(named: string | undefined, { sounds }: SoundTree): boolean {
  return named !== undefined && sounds.some((sound) => posix.basename(sound) === posix.basename(named));
}
