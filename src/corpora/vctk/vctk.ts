import { z } from 'zod';
import { oneOf } from '../../base/option-kinds.ts';
import { type Attributes, parseAge, sexOf } from '../shared/attributes.ts';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { type DataSetFolder, dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';
import { tableLines } from '../shared/lines.ts';

const soundFolders = ['wav48_silence_trimmed', 'wav48'];

/**
 * The CSTR VCTK Corpus (Yamagishi, Veaux and MacDonald, Edinburgh DataShare, versions 0.80 and 0.92) as it unpacks:
 * `wav48_silence_trimmed/p225/p225_001_mic1.flac` (0.80: `wav48/p225/p225_001.wav`), `txt/p225/p225_001.txt`, and
 * `speaker-info.txt` with age, sex, accent and region.
 *
 * @example { type: 'vctk', folder: '/data/VCTK-Corpus-0.92' }
 */
export const vctk = dataSetKind({
  name: 'vctk',
  about: 'VCTK: newspaper sentences read by 110 speakers of English with age, sex, accent and region',
  title: 'VCTK',
  licence: 'CC BY 4.0',
  layout: 'wav48_silence_trimmed/p225/p225_001_mic1.flac and txt/p225/p225_001.txt',
  options: z.strictObject({
    ...dataSetOptions,
    microphone: oneOf(['mic1', 'mic2'])
      .default('mic1')
      .describe('Which microphone of version 0.92: mic1 (DPA 4035) or mic2 (Sennheiser MKH 800). 0.80 has one.'),
  }),
  signs: dataSetSigns(
    ['', 'VCTK-Corpus-0.92/', 'VCTK-Corpus/'],
    soundFolders.map((path) => ({ path, options: {} })),
  ),
  landmark: () => ({ roots: ['', 'VCTK-Corpus-0.92', 'VCTK-Corpus'], holds: soundFolders }),
  async *list(folder, { microphone }, left) {
    const speakers = await readSpeakers(folder);
    for (const top of soundFolders) {
      for (const speaker of (await folder.list(top)).folders) {
        const texts = new Set((await folder.list(`txt/${speaker}`)).files);
        for (const file of (await folder.list(`${top}/${speaker}`)).files) {
          const [, stem, heard] = /^([ps]\d+_\d+)(?:_(mic[12]))?\.(?:flac|wav)$/.exec(file) ?? [];
          if (stem === undefined || (heard !== undefined && heard !== microphone)) continue;
          if (!texts.has(`${stem}.txt`)) {
            left.add('sounds without a text, as all of speaker p315');
            continue;
          }
          const lines: string[] = [];
          for await (const { text } of folder.lines(`txt/${speaker}/${stem}.txt`)) lines.push(text.trim());
          yield {
            id: stem,
            file: `${top}/${speaker}/${file}`,
            reference: lines.filter((line) => line !== '').join(' '),
            language: 'en',
            speaker,
            attributes: {
              ...speakers.get(speaker),
              style: 'read',
              recordingDevice: devices[microphone],
              environment: 'hemi-anechoic chamber',
            },
            place: () => folder.shown(`${top}/${speaker}/${file}`),
          };
        }
      }
    }
  },
});

const devices = { mic1: 'DPA 4035', mic2: 'Sennheiser MKH 800' } as const;

/** `ID AGE GENDER ACCENTS REGION COMMENTS`, divided by blanks; version 0.80 writes 225 for p225. */
async function readSpeakers(folder: DataSetFolder): Promise<ReadonlyMap<string, Attributes>> {
  const speakers = new Map<string, Attributes>();
  for await (const { fields } of tableLines(folder, 'speaker-info.txt', {}, 5)) {
    const [id = '', age, sex, accent, region] = fields;
    if (!/^[ps]?\d+$/.test(id)) continue;
    speakers.set(/^\d/.test(id) ? `p${id}` : id, {
      age: parseAge(age),
      sex: sexOf(sex),
      accent: accent?.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '),
      dialectRegion: region?.replace(/\s*\([^()]*\)\s*$/, ''),
    });
  }
  return speakers;
}
