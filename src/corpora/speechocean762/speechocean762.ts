import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import type { CorpusKind } from '../contract.ts';
import { type Attributes, parseAge, sexOf } from '../shared/attributes.ts';
import { dataSetCorpus, type ListedUtterance } from '../shared/data-set-corpus.ts';
import { type DataSetFolder, dataSetOptions, dataSetSigns, openDataSetFolder } from '../shared/data-set-folder.ts';
import { idAndText, tableLines } from '../shared/lines.ts';

const options = z.strictObject({
  ...dataSetOptions,
  split: z.enum(['train', 'test']).describe('Which part.'),
});

/**
 * speechocean762 (OpenSLR 101; Zhang et al., Interspeech 2021) as it unpacks, in Kaldi's layout: `SPLIT/wav.scp`, `text`,
 * `utt2spk`, `spk2age`, `spk2gender`, and `WAVE/SPEAKER0001/000010011.WAV`. Scores of pronunciation are not read.
 *
 * @example { type: 'speechocean762', folder: '/data/speechocean762', split: 'test' }
 */
export const speechocean762: CorpusKind<z.output<typeof options>> = {
  name: 'speechocean762',
  about: 'speechocean762 (OpenSLR 101): English read by 250 children and adults who speak Mandarin, with age and sex',
  options,
  signs: dataSetSigns(['', 'speechocean762/'], [{ path: 'WAVE/SPEAKER0001', options: { split: 'test' } }]),
  async open({ split, ...rest }, services) {
    const folder = await openDataSetFolder(rest, services.baseFolder, {
      title: 'speechocean762',
      roots: ['', 'speechocean762'],
      holds: `${split}/wav.scp`,
    });
    const [speakerOf, age, sex] = await Promise.all(
      ['utt2spk', 'spk2age', 'spk2gender'].map((name) => readPairs(folder, `${split}/${name}`)),
    );
    const texts = await readPairs(folder, `${split}/text`);
    return dataSetCorpus(
      {
        name: 'speechocean762',
        licence: 'free for commercial and non-commercial use (OpenSLR 101)',
        layout: 'test/wav.scp and WAVE/SPEAKER0003/000030012.WAV',
      },
      folder,
      () =>
        listSplit(folder, split, texts, (id) => {
          const speaker = speakerOf!.get(id);
          const about =
            speaker === undefined ? {} : { age: parseAge(age!.get(speaker)), sex: sexOf(sex!.get(speaker)) };
          return { speaker, about };
        }),
      services,
    );
  },
};

/** 2,500 lines a part: held in memory. */
async function* listSplit(
  folder: DataSetFolder,
  split: string,
  texts: ReadonlyMap<string, string>,
  speakerOf: (id: string) => { readonly speaker: string | undefined; readonly about: Attributes },
): AsyncGenerator<ListedUtterance> {
  const list = `${split}/wav.scp`;
  for await (const { text: line, number } of folder.lines(list)) {
    const found = idAndText(line);
    if (found === null) continue;
    const place = () => `${folder.shown(list)}:${number}:1`;
    if (found.text === '' || found.text.endsWith('|')) {
      throw new EarwitnessError(
        'bad-input',
        `${place()}: expected an id and the path of a sound, but found ${JSON.stringify(line.slice(0, 60))}; correct the line`,
      );
    }
    const { speaker, about } = speakerOf(found.id);
    yield {
      id: found.id,
      file: found.text,
      reference: texts.get(found.id),
      language: 'en',
      speaker,
      attributes: { split, ...about, nativeLanguage: 'Mandarin', style: 'read', recordingDevice: 'phone' },
      place,
    };
  }
}

async function readPairs(folder: DataSetFolder, path: string): Promise<ReadonlyMap<string, string>> {
  const pairs = new Map<string, string>();
  for await (const { fields } of tableLines(folder, path, {}, 2)) pairs.set(fields[0]!, fields[1] ?? '');
  return pairs;
}
