import { type Attributes, knownText } from '../shared/attributes.ts';
import type { DataSetFolder } from '../shared/data-set-folder.ts';
import { tableLines } from '../shared/table-lines.ts';

/** What DOC/SPKRINFO.TXT says of a speaker. */
export type TimitSpeaker = Pick<Attributes, 'age' | 'ethnicity' | 'education'>;

/** DOC/README: where a speaker lived during childhood. */
export const dialectRegions: Readonly<Record<string, string>> = {
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
export const coreTestSpeakers: ReadonlySet<string> = new Set(
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

/** Speakers by their names in small letters (`fcjf0`); none where the table is not there. */
export async function readSpeakers(folder: DataSetFolder): Promise<ReadonlyMap<string, TimitSpeaker>> {
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
