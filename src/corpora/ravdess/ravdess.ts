import { z } from 'zod';
import type { CorpusKind } from '../contract.ts';
import { dataSetCorpus, type ListedUtterance } from '../shared/data-set-corpus.ts';
import { type DataSetFolder, dataSetOptions, dataSetSigns, openDataSetFolder } from '../shared/data-set-folder.ts';

const emotions: Readonly<Record<string, string>> = {
  '01': 'neutral',
  '02': 'calm',
  '03': 'happy',
  '04': 'sad',
  '05': 'angry',
  '06': 'fearful',
  '07': 'disgust',
  '08': 'surprised',
};

const intensities: Readonly<Record<string, string>> = { '01': 'normal', '02': 'strong' };

const statements: Readonly<Record<string, string>> = {
  '01': 'Kids are talking by the door',
  '02': 'Dogs are sitting by the door',
};

const channels = { speech: '01', song: '02' } as const;

const options = z.strictObject({
  ...dataSetOptions,
  channel: z.enum(['speech', 'song']).default('speech').describe('Whether the sentences are spoken or sung.'),
});

/**
 * RAVDESS (Livingstone and Russo, PLOS ONE 2018; Zenodo 1188976) as it unpacks: `Actor_01/03-01-06-01-02-01-12.wav`. The
 * name of a file holds modality, channel, emotion, intensity, statement, repetition and actor (odd: male). Files of other
 * modalities (video) are passed over.
 *
 * @example { type: 'ravdess', folder: '/data/Audio_Speech_Actors_01-24' }
 */
export const ravdess: CorpusKind<z.output<typeof options>> = {
  name: 'ravdess',
  about: 'RAVDESS: two sentences in eight acted emotions by 24 North American actors, 12 of each sex',
  options,
  signs: dataSetSigns([''], [{ path: 'Actor_01', options: {} }]),
  async open({ channel, ...rest }, services) {
    const folder = await openDataSetFolder(rest, services.baseFolder, { title: 'RAVDESS', roots: [''], holds: '.' });
    return dataSetCorpus(
      { name: 'ravdess', licence: 'CC BY-NC-SA 4.0', layout: 'Actor_01/03-01-06-01-02-01-12.wav' },
      folder,
      () => listSounds(folder, channels[channel]),
      services,
    );
  },
};

async function* listSounds(folder: DataSetFolder, channel: string): AsyncGenerator<ListedUtterance> {
  for await (const { path, files } of folder.walk('')) {
    for (const file of files) {
      const match = /^(03-(\d\d)-(\d\d)-(\d\d)-(\d\d)-\d\d-(\d\d))\.(?:wav|flac)$/.exec(file);
      if (match === null || match[2] !== channel) continue;
      const [, id = '', , emotion = '', intensity = '', statement = '', actor = ''] = match;
      const file_ = path === '' ? file : `${path}/${file}`;
      yield {
        id,
        file: file_,
        reference: statements[statement],
        language: 'en',
        speaker: `actor-${actor}`,
        attributes: {
          sex: Number(actor) % 2 === 1 ? 'male' : 'female',
          ageGroup: '21-33',
          accent: 'North American',
          emotion: emotions[emotion],
          emotionIntensity: intensities[intensity],
          style: 'acted',
          environment: 'studio',
        },
        place: () => folder.shown(file_),
      };
    }
  }
}
