import { z } from 'zod';
import { oneOf } from '../../base/option-kinds.ts';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';

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

/**
 * RAVDESS (Livingstone and Russo, PLOS ONE 2018; Zenodo 1188976) as it unpacks: `Actor_01/03-01-06-01-02-01-12.wav`. The
 * name of a file holds modality, channel, emotion, intensity, statement, repetition and actor (odd: male). Files of other
 * modalities (video) are passed over.
 *
 * @example { type: 'ravdess', folder: '/data/Audio_Speech_Actors_01-24' }
 */
export const ravdess = dataSetKind({
  name: 'ravdess',
  about: 'RAVDESS: two sentences in eight acted emotions by 24 North American actors, 12 of each sex',
  title: 'RAVDESS',
  licence: 'CC BY-NC-SA 4.0',
  layout: 'Actor_01/03-01-06-01-02-01-12.wav',
  options: z.strictObject({
    ...dataSetOptions,
    channel: oneOf(['speech', 'song']).default('speech').describe('Whether the sentences are spoken or sung.'),
  }),
  signs: dataSetSigns([''], [{ path: 'Actor_01', options: {} }]),
  landmark: () => ({ roots: [''], holds: '.' }),
  async *list(folder, { channel }) {
    for await (const { path, files } of folder.walk('')) {
      for (const file of files) {
        const match = /^(03-(\d\d)-(\d\d)-(\d\d)-(\d\d)-\d\d-(\d\d))\.(?:wav|flac)$/.exec(file);
        if (match === null || match[2] !== channels[channel]) continue;
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
  },
});
