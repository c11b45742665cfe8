import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { oneOf } from '../../base/option-kinds.ts';
import { parseAge, sexOf } from '../shared/attributes.ts';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';
import { idAndText, tablePairs } from '../shared/lines.ts';

/**
 * speechocean762 (OpenSLR 101; Zhang et al., Interspeech 2021) as it unpacks, in Kaldi's layout: `SPLIT/wav.scp`, `text`,
 * `utt2spk`, `spk2age`, `spk2gender`, and `WAVE/SPEAKER0001/000010011.WAV`. Scores of pronunciation are not read.
 *
 * @example { type: 'speechocean762', folder: '/data/speechocean762', split: 'test' }
 */
export const speechocean762 = dataSetKind({
  name: 'speechocean762',
  about: 'speechocean762 (OpenSLR 101): English read by 250 children and adults who speak Mandarin, with age and sex',
  title: 'speechocean762',
  licence: 'free for commercial and non-commercial use (OpenSLR 101)',
  layout: 'test/wav.scp and WAVE/SPEAKER0003/000030012.WAV',
  options: z.strictObject({
    ...dataSetOptions,
    split: oneOf(['train', 'test']).describe('Which part.'),
  }),
  signs: dataSetSigns(['', 'speechocean762/'], [{ path: 'WAVE/SPEAKER0001', options: { split: 'test' } }]),
  landmark: ({ split }) => ({ roots: ['', 'speechocean762'], holds: `${split}/wav.scp` }),
  /** 2,500 lines a part: held in memory. */
  async *list(folder, { split }) {
    const [texts, speakers, ages, sexes] = await Promise.all(
      ['text', 'utt2spk', 'spk2age', 'spk2gender'].map((name) => tablePairs(folder, `${split}/${name}`)),
    );
    const list = `${split}/wav.scp`;
    for await (const { text: line, number } of folder.lines(list)) {
      const found = idAndText(line);
      if (found === null) continue;
      const place = () => `${folder.shown(list)}:${number}:1`;
      if (found.text === '' || found.text.endsWith('|')) {
        throw badInput(
          `${place()}: expected an id and the path of a sound, but found ${JSON.stringify(line.slice(0, 60))}; correct the line`,
        );
      }
      const speaker = speakers!.get(found.id);
      yield {
        id: found.id,
        file: found.text,
        reference: texts!.get(found.id),
        language: 'en',
        speaker,
        attributes: {
          split,
          age: parseAge(ages!.get(speaker ?? '')),
          sex: sexOf(sexes!.get(speaker ?? '')),
          nativeLanguage: 'Mandarin',
          style: 'read',
          recordingDevice: 'phone',
        },
        place,
      };
    }
  },
});
