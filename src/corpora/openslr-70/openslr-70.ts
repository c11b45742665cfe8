import { z } from 'zod';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';
import { readLineIndex } from '../shared/lines.ts';

const index = {
  names: ['line_index_female.tsv', 'line_index_male.tsv', 'line_index.tsv'],
  delimiter: '\t',
  nameAt: 0,
};

/**
 * The crowdsourced corpus of Nigerian English (OpenSLR 70; Google, 2019) as it unpacks: `en_ng_female/` and `en_ng_male/`, each
 * with `line_index.tsv`, or `line_index_female.tsv` and `line_index_male.tsv` above.
 *
 * @example { type: 'openslr-70', folder: '/data/slr70' }
 */
export const openslr70 = dataSetKind({
  name: 'openslr-70',
  about: 'OpenSLR 70: Nigerian English, read by people of known sex',
  title: 'OpenSLR 70',
  licence: 'CC BY-SA 4.0',
  layout: 'en_ng_female/line_index.tsv and en_ng_female/ngf_02121_00012345678.wav',
  options: z.strictObject(dataSetOptions),
  signs: dataSetSigns(
    [''],
    [
      { path: 'en_ng_female', options: {} },
      { path: 'line_index_female.tsv', options: {} },
    ],
  ),
  landmark: () => ({ roots: [''], holds: '.' }),
  async *list(folder, _, left) {
    for await (const { stem, group, speaker, file, text, place } of readLineIndex(folder, index, left)) {
      yield {
        id: stem,
        file,
        reference: text,
        language: 'en',
        speaker,
        attributes: {
          sex: group.endsWith('f') ? 'female' : 'male',
          accent: 'Nigerian',
          country: 'Nigeria',
          style: 'read',
        },
        place,
      };
    }
  },
});
