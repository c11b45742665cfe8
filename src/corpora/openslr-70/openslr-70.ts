import { z } from 'zod';
import type { CorpusKind } from '../contract.ts';
import { dataSetCorpus, type LeftOut, type ListedUtterance } from '../shared/data-set-corpus.ts';
import { type DataSetFolder, dataSetOptions, dataSetSigns, openDataSetFolder } from '../shared/data-set-folder.ts';
import { readLineIndex } from '../shared/lines.ts';

const options = z.strictObject(dataSetOptions);

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
export const openslr70: CorpusKind<z.output<typeof options>> = {
  name: 'openslr-70',
  about: 'OpenSLR 70: Nigerian English, read by people of known sex',
  options,
  signs: dataSetSigns(
    [''],
    [
      { path: 'en_ng_female', options: {} },
      { path: 'line_index_female.tsv', options: {} },
    ],
  ),
  async open(given, services) {
    const folder = await openDataSetFolder(given, services.baseFolder, {
      title: 'OpenSLR 70',
      roots: [''],
      holds: '.',
    });
    return dataSetCorpus(
      {
        name: 'openslr-70',
        licence: 'CC BY-SA 4.0',
        layout: 'en_ng_female/line_index.tsv and en_ng_female/ngf_02121_00012345678.wav',
      },
      folder,
      (left) => listSounds(folder, left),
      services,
    );
  },
};

async function* listSounds(folder: DataSetFolder, left: LeftOut): AsyncGenerator<ListedUtterance> {
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
}
