import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { someOf } from '../../base/printable.ts';
import { capitalized, parseAge, sexOf } from '../shared/attributes.ts';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';

/** The archive's elicitation paragraph: 69 words that hold most sounds of English (accent.gmu.edu, "how to use this site"). */
export const passage = [
  'Please call Stella.',
  'Ask her to bring these things with her from the store:',
  'Six spoons of fresh snow peas, five thick slabs of blue cheese, and maybe a snack for her brother Bob.',
  'We also need a small plastic snake and a big toy frog for the kids.',
  'She can scoop these things into three red bags, and we will go meet her Wednesday at the train station.',
].join(' ');

const list = 'speakers_all.csv';

const soundFolders = ['recordings/recordings', 'recordings', ''];

/**
 * The Speech Accent Archive (Weinberger, George Mason University) as it is packed with a table of its speakers:
 * `speakers_all.csv` (age, sex, native language, birthplace, country, age at which English was begun) and
 * `recordings/english1.mp3`. Everybody reads the same paragraph.
 *
 * @example { type: 'speech-accent-archive', folder: '/data/speech-accent-archive' }
 */
export const speechAccentArchive = dataSetKind({
  name: 'speech-accent-archive',
  about: 'Speech Accent Archive: one paragraph of English read by 2,140 people from 177 countries',
  title: 'the Speech Accent Archive',
  licence: 'CC BY-NC-SA 2.0',
  layout: 'speakers_all.csv and recordings/english1.mp3',
  options: z.strictObject(dataSetOptions),
  signs: dataSetSigns([''], [{ path: list, options: {} }]),
  landmark: () => ({ roots: ['', 'speech-accent-archive'], holds: list }),
  async *list(folder, _, left) {
    const sounds = new Map<string, string>();
    for (const path of soundFolders) {
      for (const name of (await folder.list(path)).files) {
        const stem = /^(.+)\.(?:mp3|wav|flac)$/i.exec(name)?.[1];
        if (stem !== undefined && !sounds.has(stem)) sounds.set(stem, path === '' ? name : `${path}/${name}`);
      }
    }
    for await (const row of folder.rows(list, 'csv')) {
      const name = row.text('filename')?.trim();
      if (name === undefined) {
        throw badInput(
          `${row.place()}: expected the column filename, but the columns are ${someOf(row.names)}; is it another table?`,
        );
      }
      const file = sounds.get(name);
      if (file === undefined) {
        left.add('speakers whose recordings are not there');
        continue;
      }
      yield {
        id: name,
        file,
        reference: passage,
        language: 'en',
        // One recording for each speaker.
        speaker: name,
        attributes: {
          sex: sexOf(row.text('sex')),
          age: parseAge(row.text('age')),
          nativeLanguage: capitalized(row.text('native_language')),
          birthplace: row.text('birthplace'),
          country: countryOf(row.text('country')),
          style: 'read',
        },
        ownAttributes: { ageOfOnset: row.text('age_onset')?.replace(/\.0$/, '') },
        place: () => row.place('filename'),
      };
    }
  },
});

/** Countries stand in small letters, two of them as letters of their own. */
function countryOf(text: string | undefined): string | undefined {
  const written = text?.trim();
  return written === 'usa' || written === 'uk' ? written.toUpperCase() : capitalized(written);
}
