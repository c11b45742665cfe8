import { z } from 'zod';
import type { CorpusKind } from '../contract.ts';
import { dataSetCorpus, type LeftOut, type ListedUtterance } from '../shared/data-set-corpus.ts';
import { type DataSetFolder, dataSetOptions, openDataSetFolder } from '../shared/data-set-folder.ts';
import { signsOf } from '../shared/signs.ts';
import { sentenceOf } from './sentence.ts';
import { coreTestSpeakers, dialectRegions, readSpeakers, type TimitSpeaker } from './speakers.ts';

const options = z.strictObject({
  ...dataSetOptions,
  split: z
    .enum(['train', 'test', 'core-test', 'all'])
    .default('all')
    .describe('Which part; `core-test` is the 24 speakers of the core test set, without the sa sentences.'),
  sentences: z
    .array(z.enum(['sa', 'si', 'sx']))
    .min(1)
    .optional()
    .describe('Kinds of sentences: sa (two that all speakers say), si (diverse), sx (compact). Default: all.'),
});

/**
 * TIMIT (LDC93S1; Garofolo et al., NISTIR 4930) as it unpacks: `TIMIT/TRAIN/DR1/FCJF0/SA1.WAV` (NIST SPHERE) with
 * `SA1.TXT`, and `DOC/SPKRINFO.TXT` with sex, dialect region, ages, race and education. Names may be in small letters, as
 * some copies have them, and sounds may be WAV (`SA1.WAV.wav`). Words and phones with their times are not read.
 *
 * @example { type: 'timit', folder: '/data/TIMIT', split: 'core-test' }
 */
export const timit: CorpusKind<z.output<typeof options>> = {
  name: 'timit',
  about: 'TIMIT (LDC93S1): read sentences of 630 Americans with sex, age, dialect region, ethnicity and education',
  options,
  signs: signsOf(
    ['', 'TIMIT/', 'timit/'],
    [
      { path: 'TEST/DR1', options: {} },
      { path: 'test/dr1', options: {} },
    ],
  ),
  async open({ split, sentences, ...rest }, services) {
    const folder = await openDataSetFolder(rest, services.baseFolder, {
      title: 'TIMIT',
      roots: ['', 'TIMIT', 'timit', 'timit/TIMIT', 'data'],
      holds: ['TRAIN', 'TEST', 'train', 'test'],
    });
    const speakers = await readSpeakers(folder);
    const wanted = { split, kinds: new Set<string>(sentences ?? ['sa', 'si', 'sx']) };
    return dataSetCorpus(
      { name: 'timit', licence: 'LDC User Agreement', layout: 'TRAIN/DR1/FCJF0/SA1.WAV and SA1.TXT' },
      folder,
      (left) => listSentences(folder, wanted, speakers, left),
      services,
    );
  },
};

interface Wanted {
  readonly split: z.output<typeof options>['split'];
  readonly kinds: ReadonlySet<string>;
}

async function* listSentences(
  folder: DataSetFolder,
  { split, kinds }: Wanted,
  speakers: ReadonlyMap<string, TimitSpeaker>,
  left: LeftOut,
): AsyncGenerator<ListedUtterance> {
  const core = split === 'core-test';
  for (const part of (await folder.list('')).folders) {
    const name = part.toLowerCase();
    if (name !== 'train' && name !== 'test') continue;
    if (split !== 'all' && name !== (core ? 'test' : split)) continue;
    for await (const { path, files } of folder.walk(part)) {
      const [, region, speaker] = path.toLowerCase().split('/');
      if (region === undefined || speaker === undefined || (core && !coreTestSpeakers.has(speaker))) continue;
      for (const file of files) {
        const stem = /^(s[aix]\d+)\.(?:wav|sph|flac|wav\.wav)$/i.exec(file)?.[1];
        const prompt = stem?.toLowerCase();
        if (stem === undefined || prompt === undefined) continue;
        if (!kinds.has(prompt.slice(0, 2)) || (core && prompt.startsWith('sa'))) continue;
        const text = files.find((other) => other.toLowerCase() === `${prompt}.txt`);
        if (text === undefined) {
          left.add('sounds without their sentences (.TXT)');
          continue;
        }
        yield {
          id: `${region}-${speaker}-${prompt}`,
          file: `${path}/${file}`,
          reference: await sentenceOf(folder, `${path}/${text}`),
          language: 'en',
          speaker,
          attributes: {
            split: name,
            // The first letter of a speaker's name is the sex, as DOC/README says.
            sex: speaker.startsWith('f') ? 'female' : 'male',
            dialectRegion: dialectRegions[region],
            nativeLanguage: 'English',
            style: 'read',
            recordingDevice: 'headset',
            environment: 'sound booth',
            ...speakers.get(speaker),
          },
          tags: [prompt.slice(0, 2)],
          place: () => folder.shown(`${path}/${text}`),
        };
      }
    }
  }
}
