import { join } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import { readTextLines } from '../shared/text-lines.ts';

/** Longest text of one sound, in UTF-16 units: what is longer is no transcript of one utterance. */
const longestText = 100_000;

/** Endings of files that hold the words of the sound of the same name, the first that is there counts. */
const endings = ['txt', 'lab', 'trn'];

/** Files of a folder by their names with the ending in lower case, so that `A.TXT` is found for `A.WAV`. */
export type SideFiles = ReadonlyMap<string, string>;

/** @param files names of the files in one folder */
export function sideFilesOf(files: readonly string[]): SideFiles {
  const found = new Map<string, string>();
  for (const name of files) {
    const match = /^(.+)\.([^.]+)$/.exec(name);
    const ending = match?.[2]?.toLowerCase();
    if (match !== null && endings.includes(ending!)) found.set(`${match[1]}.${ending}`, name);
  }
  return found;
}

/**
 * The words that stand in a file beside a sound: `.txt` or `.lab` (all lines), `.trn` (its first line, without the id in
 * parentheses that NIST puts at its end). Null where there is no such file, or a `.lab` holds times (HTK labels), which may
 * be sounds and not words.
 *
 * @param stem name of the sound without its extension
 * @throws EarwitnessError `bad-input`: not UTF-8, too long
 */
export async function readSideText(
  folder: string,
  stem: string,
  files: SideFiles,
  shownFolder: string,
): Promise<string | null> {
  for (const ending of endings) {
    const name = files.get(`${stem}.${ending}`);
    if (name === undefined) continue;
    const lines: string[] = [];
    let length = 0;
    for await (const line of readTextLines(join(folder, name), `${shownFolder}/${name}`)) {
      length += line.text.length;
      if (length > longestText) {
        throw new EarwitnessError(
          'bad-input',
          `${shownFolder}/${name}: expected the words of one sound, but it has more than ${longestText} characters; is it another kind of file?`,
        );
      }
      lines.push(line.text.trim());
      if (ending === 'trn' && lines[0] !== '') break;
    }
    const written = lines.filter((line) => line !== '');
    if (ending === 'trn') return (written[0] ?? '').replace(/\s*\([^()]*\)$/, '');
    if (ending === 'lab' && written.length > 0 && written.every((line) => /^\d+\s+\d+\s+\S/.test(line))) continue;
    return written.join(' ');
  }
  return null;
}
