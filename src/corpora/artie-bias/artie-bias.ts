import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { flag } from '../../base/option-kinds.ts';
import { clipStem, commonVoiceAttributes } from '../shared/attributes.ts';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';

const list = 'artie-bias-corpus.tsv';

/**
 * The Artie Bias Corpus (Meyer et al., LREC 2020): 1,712 clips of Common Voice, chosen because their speakers gave sex,
 * age group or accent, as it unpacks: `artie-bias-corpus.tsv` with the clips beside it. Ids are the names of the clips
 * with their endings, as published outputs of recognizers name them.
 *
 * @example { type: 'artie-bias', folder: '/data/artie-bias-corpus' }
 */
export const artieBias = dataSetKind({
  name: 'artie-bias',
  about: 'Artie Bias Corpus: 1,712 clips of Common Voice with sex, age group and accent',
  title: 'the Artie Bias Corpus',
  licence: 'CC0 1.0',
  layout: 'artie-bias-corpus.tsv and common_voice_en_17779714.mp3',
  options: z.strictObject({
    ...dataSetOptions,
    sounds: flag(true).describe(
      'Whether the clips lie beside the list; false where only outputs of recognizers are studied.',
    ),
  }),
  signs: dataSetSigns([''], [{ path: list, options: {} }]),
  landmark: () => ({ roots: ['', 'artie-bias-corpus'], holds: list }),
  async *list(folder, { sounds }) {
    const names = new Map(sounds ? (await folder.list('')).files.map((name) => [clipStem(name), name]) : []);
    for await (const row of folder.rows(list, 'tsv')) {
      const id = row.text('path') ?? '';
      const name = names.get(clipStem(id));
      if (sounds && name === undefined) {
        throw badInput(
          `${row.place('path')}: expected the clip beside the list, but it is not there; put the clips there, or set sounds: false where only outputs are studied`,
        );
      }
      yield {
        id,
        file: name,
        reference: row.text('sentence')?.trim(),
        language: 'en',
        speaker: row.text('client_id')?.trim() || undefined,
        attributes: commonVoiceAttributes(row),
        place: () => row.place('path'),
      };
    }
  },
});
