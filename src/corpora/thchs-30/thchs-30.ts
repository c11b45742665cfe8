import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { oneOf } from '../../base/option-kinds.ts';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { type DataSetFolder, dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';
import { withoutWordBlanks } from '../shared/lines.ts';

/**
 * THCHS-30 (OpenSLR 18; Wang and Zhang, 2015) as it unpacks: `data_thchs30/data/A11_0.wav` with `A11_0.wav.trn` (words,
 * pinyin, phones, a line each), and a folder for each part with links to these. The names in the part's folder count;
 * sounds and words are read from `data`, so that copies without links are understood too. Blanks between words, which a
 * program put there, are taken out.
 *
 * @example { type: 'thchs-30', folder: '/data/data_thchs30', split: 'test' }
 */
export const thchs30 = dataSetKind({
  name: 'thchs-30',
  about: 'THCHS-30 (OpenSLR 18): Mandarin sentences with many syllables, read by 40 speakers',
  title: 'THCHS-30',
  licence: 'Apache-2.0',
  layout: 'test/D11_750.wav.trn and data/D11_750.wav',
  options: z.strictObject({
    ...dataSetOptions,
    split: oneOf(['train', 'dev', 'test']).describe('Which part.'),
  }),
  signs: dataSetSigns(['data_thchs30/'], [{ path: 'test', options: { split: 'test' } }]),
  landmark: ({ split }) => ({ roots: ['', 'data_thchs30'], holds: split }),
  async *list(folder, { split }, left) {
    const names = new Set((await folder.list('data')).files);
    for (const trn of (await folder.list(split)).files) {
      const [, stem, speaker] = /^(([A-D]\d+)_\d+)\.wav\.trn$/.exec(trn) ?? [];
      if (stem === undefined || speaker === undefined) continue;
      if (!names.has(`${stem}.wav`) || !names.has(trn)) {
        left.add('names whose sound or words are not in data/');
        continue;
      }
      yield {
        id: stem,
        file: `data/${stem}.wav`,
        reference: await wordsOf(folder, `data/${trn}`),
        language: 'zh',
        speaker,
        attributes: { split, nativeLanguage: 'Mandarin', style: 'read', environment: 'quiet office' },
        place: () => folder.shown(`data/${trn}`),
      };
    }
  },
});

async function wordsOf(folder: DataSetFolder, path: string): Promise<string> {
  for await (const { text } of folder.lines(path)) {
    if (/\p{Script=Han}/u.test(text)) return withoutWordBlanks(text);
    throw badInput(
      `${folder.shown(path)}:1:1: expected Chinese characters in the first line, but found ${JSON.stringify(text.slice(0, 60))}; unpack the data set again`,
    );
  }
  throw badInput(`${folder.shown(path)}: expected three lines of text, but it is empty; unpack the data set again`);
}
