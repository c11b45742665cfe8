import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { list, oneOf } from '../../base/option-kinds.ts';
import { type Attributes, knownText } from '../shared/attributes.ts';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { type DataSetFolder, dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';
import { tableLines } from '../shared/lines.ts';

/** DOC/README: where a speaker lived during childhood. */
const dialectRegions: Readonly<Record<string, string>> = {
  dr1: 'New England',
  dr2: 'Northern',
  dr3: 'North Midland',
  dr4: 'South Midland',
  dr5: 'Southern',
  dr6: 'New York City',
  dr7: 'Western',
  dr8: 'Army Brat (moved around)',
};

/** DOC/TESTSET.DOC: two men and one woman of each dialect region. */
const coreTestSpeakers: ReadonlySet<string> = new Set(
  `mdab0 mwbt0 felc0 mtas1 mwew0 fpas0 mjmp0 mlnt0 fpkt0 mlll0 mtls0 fjlm0
   mbpm0 mklt0 fnlp0 mcmj0 mjdh0 fmgd0 mgrt0 mnjm0 fdhc0 mjln0 mpam0 fmld0`.split(/\s+/),
);

/** Names that the header of SPKRINFO.TXT gives to its codes. */
const ethnicities: Readonly<Record<string, string>> = {
  WHT: 'White',
  BLK: 'Black',
  AMR: 'American Indian',
  SPN: 'Spanish-American',
  ORN: 'Oriental',
};

const degrees: Readonly<Record<string, string>> = {
  HS: 'high school',
  AS: 'associate degree',
  BS: "bachelor's degree",
  MS: "master's degree",
  PHD: 'doctorate',
};

const tables = ['DOC/SPKRINFO.TXT', 'doc/spkrinfo.txt', 'SPKRINFO.TXT', 'spkrinfo.txt'];

/**
 * TIMIT (LDC93S1; Garofolo et al., NISTIR 4930) as it unpacks: `TIMIT/TRAIN/DR1/FCJF0/SA1.WAV` (NIST SPHERE) with
 * `SA1.TXT`, and `DOC/SPKRINFO.TXT` with sex, dialect region, ages, race and education. Names may be in small letters, as
 * some copies have them, and sounds may be WAV (`SA1.WAV.wav`). Words and phones with their times are not read.
 *
 * @example { type: 'timit', folder: '/data/TIMIT', split: 'core-test' }
 */
export const timit = dataSetKind({
  name: 'timit',
  about: 'TIMIT (LDC93S1): read sentences of 630 Americans with sex, age, dialect region, ethnicity and education',
  title: 'TIMIT',
  licence: 'LDC User Agreement',
  layout: 'TRAIN/DR1/FCJF0/SA1.WAV and SA1.TXT',
  options: z.strictObject({
    ...dataSetOptions,
    split: oneOf(['train', 'test', 'core-test', 'all'])
      .default('all')
      .describe('Which part; `core-test` is the 24 speakers of the core test set, without the sa sentences.'),
    sentences: list(oneOf(['sa', 'si', 'sx']), 1)
      .optional()
      .describe('Kinds of sentences: sa (two that all speakers say), si (diverse), sx (compact). Default: all.'),
  }),
  signs: dataSetSigns(
    ['', 'TIMIT/', 'timit/'],
    [
      { path: 'TEST/DR1', options: {} },
      { path: 'test/dr1', options: {} },
    ],
  ),
  landmark: () => ({
    roots: ['', 'TIMIT', 'timit', 'timit/TIMIT', 'data'],
    holds: ['TRAIN', 'TEST', 'train', 'test'],
  }),
  async *list(folder, { split, sentences }, left) {
    const speakers = await readSpeakers(folder);
    const kinds = new Set<string>(sentences ?? ['sa', 'si', 'sx']);
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
  },
});

/**
 * The sentence in a `.TXT` of TIMIT: first and last sample, then the words (`0 46797 She had your dark suit …`).
 *
 * @throws EarwitnessError `bad-input`: another form
 */
async function sentenceOf(folder: DataSetFolder, path: string): Promise<string> {
  for await (const { text, number } of folder.lines(path)) {
    if (text.trim() === '') continue;
    const words = /^\s*\d+\s+\d+\s+(\S.*)$/.exec(text)?.[1];
    if (words !== undefined) return words.trim();
    throw badInput(
      `${folder.shown(path)}:${number}:1: expected two sample numbers and a sentence, but found ${JSON.stringify(text.slice(0, 60))}; is it another file?`,
    );
  }
  throw badInput(`${folder.shown(path)}: expected two sample numbers and a sentence, but it is empty; copy it again`);
}

/** What DOC/SPKRINFO.TXT says of a speaker. */
type TimitSpeaker = Pick<Attributes, 'age' | 'ethnicity' | 'education'>;

/** Speakers by their names in small letters (`fcjf0`); none where the table is not there. */
async function readSpeakers(folder: DataSetFolder): Promise<ReadonlyMap<string, TimitSpeaker>> {
  const speakers = new Map<string, TimitSpeaker>();
  for (const path of tables) {
    if (!(await folder.has(path))) continue;
    for await (const { fields } of tableLines(folder, path, { comment: ';' })) {
      const [id = '', sex = '', , , recorded = '', born = '', , race = '', education = ''] = fields;
      const age = ageAt(born, recorded);
      const ethnicity = named(ethnicities, race);
      const degree = named(degrees, education);
      speakers.set(`${sex}${id}`.toLowerCase(), { age, ethnicity, education: degree });
    }
    break;
  }
  return speakers;
}

function named(names: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(names, code) ? names[code] : knownText(code);
}

/** Whole years between two days of the twentieth century, each written `month/day/year`. */
function ageAt(born: string, recorded: string): string | undefined {
  const from = dayOf(born);
  const to = dayOf(recorded);
  if (from === null || to === null) return undefined;
  const hadBirthday = to.month > from.month || (to.month === from.month && to.day >= from.day);
  const years = to.year - from.year - (hadBirthday ? 0 : 1);
  return years > 0 ? `${years}` : undefined;
}

function dayOf(text: string): { readonly month: number; readonly day: number; readonly year: number } | null {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d\d)$/.exec(text) ?? [];
  return year === undefined ? null : { month: Number(month), day: Number(day), year: Number(year) };
}
