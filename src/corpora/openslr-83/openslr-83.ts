import { z } from 'zod';
import { list } from '../../base/option-kinds.ts';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';
import { readLineIndex } from '../shared/lines.ts';

/** First two letters of a name; the third is the sex. */
const accents = {
  ir: 'Irish',
  mi: 'Midlands',
  no: 'Northern',
  sc: 'Scottish',
  so: 'Southern',
  we: 'Welsh',
} as const;

const names = ['irish', 'midlands', 'northern', 'scottish', 'southern', 'welsh'] as const;

const index = { names: ['line_index_all.csv', 'line_index.csv'], delimiter: ', ', nameAt: 1 };

/**
 * The crowdsourced corpora of British and Irish English (OpenSLR 83; Demirsahin et al., LREC 2020) as they unpack: a folder
 * for each archive (`midlands_english_female/…`) or all in one, with `line_index_all.csv` above or `line_index.csv` in each.
 *
 * @example { type: 'openslr-83', folder: '/data/slr83', accents: ['midlands', 'scottish'] }
 */
export const openslr83 = dataSetKind({
  name: 'openslr-83',
  about: 'OpenSLR 83: six accents of Britain and Ireland, read by 120 people of known sex',
  title: 'OpenSLR 83',
  licence: 'CC BY-SA 4.0',
  layout: 'line_index_all.csv and midlands_english_female/mif_02484_00012345678.wav',
  options: z.strictObject({
    ...dataSetOptions,
    accents: list(z.enum(names), 1).optional().describe('Only these accents. Default: all that are there.'),
  }),
  signs: dataSetSigns(
    [''],
    [
      { path: 'line_index_all.csv', options: {} },
      { path: 'midlands_english_female', options: {} },
    ],
  ),
  landmark: () => ({ roots: [''], holds: '.' }),
  async *list(folder, given, left) {
    const wanted = new Set<string>(given.accents ?? names);
    for await (const { stem, group, speaker, file, text, place } of readLineIndex(folder, index, left)) {
      const code = group.slice(0, 2);
      const accent = Object.hasOwn(accents, code) ? accents[code as keyof typeof accents] : undefined;
      if (accent === undefined || !wanted.has(accent.toLowerCase())) continue;
      yield {
        id: stem,
        file,
        reference: text,
        language: 'en',
        speaker,
        attributes: { sex: group.endsWith('f') ? 'female' : 'male', accent, nativeLanguage: 'English', style: 'read' },
        place,
      };
    }
  },
});
