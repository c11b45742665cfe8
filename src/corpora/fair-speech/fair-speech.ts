import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { nonEmpty } from '../../base/option-kinds.ts';
import { someOf } from '../../base/printable.ts';
import { ageGroupOf, sexOf } from '../shared/attributes.ts';
import { dataSetKind, withoutSound } from '../shared/data-set-corpus.ts';
import { type DataSetFolder, dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';

const soundFolder = 'asr_fairness_audio';

/**
 * Fair-Speech (Veliche et al., Interspeech 2024) as it unpacks: `asr_fairness_audio/HASH.wav` and a TSV list beside it with
 * `hash_name transcription age gender first_language socioeconomic_bkgd ethnicity`. The list names no speakers, though one
 * person said many of the commands: intervals from this data set take each recording for a person of its own.
 *
 * @example { type: 'fair-speech', folder: '/data/fair-speech' }
 */
export const fairSpeech = dataSetKind({
  name: 'fair-speech',
  about: 'Fair-Speech: commands of 593 people in the USA with sex, age, first language, background and ethnicity',
  title: 'Fair-Speech',
  licence: 'Fair-Speech dataset licence (Meta)',
  layout: 'asr_fairness_audio/HASH.wav',
  caution: 'Fair-Speech names no speakers, so intervals take each recording for a person of its own',
  options: z.strictObject({
    ...dataSetOptions,
    list: nonEmpty()
      .optional()
      .describe('Name of the list of transcripts. Default: the only file that ends in .tsv, whatever it was saved as.'),
  }),
  signs: dataSetSigns([''], [{ path: soundFolder, options: {} }]),
  landmark: () => ({ roots: [''], holds: soundFolder }),
  async *list(folder, given, left) {
    const list = given.list ?? (await onlyList(folder));
    const sounds = new Set((await folder.list(soundFolder)).files);
    for await (const row of folder.rows(list, 'tsv')) {
      const name = row.text('hash_name')?.trim();
      if (name === undefined) {
        throw badInput(
          `${row.place()}: expected the column hash_name, but the columns are ${someOf(row.names)}; is it another list?`,
        );
      }
      if (!sounds.has(`${name}.wav`)) {
        left.add(withoutSound);
        continue;
      }
      yield {
        id: name,
        file: `${soundFolder}/${name}.wav`,
        reference: row.text('transcription')?.trim(),
        language: 'en',
        attributes: {
          sex: sexOf(row.text('gender')),
          ageGroup: ageGroupOf(row.text('age')),
          nativeLanguage: row.text('first_language'),
          socioeconomicGroup: row.text('socioeconomic_bkgd'),
          ethnicity: row.text('ethnicity'),
          country: 'USA',
          style: 'commands',
        },
        place: () => row.place('hash_name'),
      };
    }
  },
});

async function onlyList(folder: DataSetFolder): Promise<string> {
  const lists = (await folder.list('')).files.filter((name) => name.endsWith('.tsv'));
  if (lists.length === 1) return lists[0]!;
  throw badInput(
    `${folder.shownName}: expected one list that ends in .tsv beside ${soundFolder}, but found ${lists.length}; set list to its name`,
  );
}
