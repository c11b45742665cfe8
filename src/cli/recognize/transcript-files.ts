import { basename, extname, join } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import type { TranscriptForm } from './transcript-form.ts';

/**
 * The file that each sound's transcript goes into: its name, with the ending of the form, in the folder.
 *
 * @throws EarwitnessError `bad-usage` where two sounds have one name
 */
export function transcriptFiles(
  sounds: readonly string[],
  folder: string,
  form: TranscriptForm,
): ReadonlyMap<string, string> {
  const bySound = new Map<string, string>();
  const byFile = new Map<string, string>();
  for (const sound of sounds) {
    const file = join(folder, `${basename(sound, extname(sound))}.${form}`);
    const other = byFile.get(file);
    if (other !== undefined) {
      throw new EarwitnessError('bad-usage', `${other} and ${sound} would both be written to ${file}; rename one`);
    }
    byFile.set(file, sound);
    bySound.set(sound, file);
  }
  return bySound;
}
