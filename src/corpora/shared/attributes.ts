import type { Row } from '../../system/delimited-rows.ts';

/** Texts that mean "not known" in tables of others' making. */
export const usuallyMissing: readonly string[] = ['', 'NA', 'N/A', 'NaN', 'nan', 'null'];

/**
 * Names of attributes that mean the same in every data set, so that groups can be compared across them. What a data set
 * says beside these keeps its own name. docs/corpora.md says which data set gives what.
 */
export const attributeNames = {
  corpus: 'the data set: `librispeech`, `timit`, …',
  licence: 'its licence, as its owner names it',
  split: 'the part of the data set: `test`, `dev-clean`, …',
  sex: '`female`, `male`, or as the speaker says',
  age: 'in years, a whole number',
  ageGroup: 'a range in years: `20-29`, `under 19`, `90+`',
  accent: 'the accent, in words',
  dialectRegion: 'the region where the speaker grew up, or whose dialect the speaker has',
  nativeLanguage: 'first language, by its English name',
  country: 'country of the speaker',
  birthplace: 'place of birth, as written',
  ethnicity: 'as the speaker says',
  education: 'highest degree',
  socioeconomicGroup: 'as the speaker says',
  skinType: 'on the Fitzpatrick scale, 1 to 6',
  emotion: 'the acted emotion',
  emotionIntensity: '`normal` or `strong`',
  style: '`read`, `prepared`, `spontaneous`, `commands` or `acted`',
  recordingDevice: '`headset`, `lapel`, `binaural`, `array`, or the microphone by name',
  environment: 'where it was recorded',
} as const;

type AttributeName = keyof typeof attributeNames;

/** What is known of a speaker or a recording; what is undefined is left out. */
export type Attributes = Readonly<Partial<Record<AttributeName, string | undefined>>>;

const notKnown = new Set([
  '',
  '?',
  'na',
  'n/a',
  'nan',
  'null',
  'none',
  'unknown',
  'undisclosed',
  'do not wish to say',
  'prefer not to say',
  'do_not_wish_to_say',
]);

/** A text as it is known, trimmed; undefined where it means "not known" or "not said". */
export function knownText(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return notKnown.has(trimmed.toLowerCase()) || /^\?+$/.test(trimmed) ? undefined : trimmed;
}

const sexes: Readonly<Record<string, string>> = {
  f: 'female',
  female: 'female',
  female_feminine: 'female',
  woman: 'female',
  m: 'male',
  male: 'male',
  male_masculine: 'male',
  man: 'male',
};

/**
 * The sex of a speaker in one spelling; what is neither female nor male is kept in lower case as it was said.
 *
 * @example sexOf('F') // 'female'
 * @example sexOf('Non-Binary') // 'non-binary'
 */
export function sexOf(text: string | undefined): string | undefined {
  const said = knownText(text)?.toLowerCase();
  if (said === undefined) return undefined;
  return Object.hasOwn(sexes, said) ? sexes[said] : said;
}

/**
 * An age in whole years; undefined where the text is no number from 1 to 120.
 *
 * @example parseAge('27.0') // '27'
 */
export function parseAge(text: string | undefined): string | undefined {
  const said = knownText(text);
  const years = said !== undefined && /^\d{1,3}(?:\.\d+)?$/.test(said) ? Math.floor(Number(said)) : 0;
  return years >= 1 && years <= 120 ? `${years}` : undefined;
}

/** Common Voice's names of age groups and the ranges its profile page gives for them. */
const decades: Readonly<Record<string, string>> = {
  teens: 'under 19',
  twenties: '19-29',
  thirties: '30-39',
  fourties: '40-49',
  forties: '40-49',
  fifties: '50-59',
  sixties: '60-69',
  seventies: '70-79',
  eighties: '80-89',
  nineties: '90+',
};

/**
 * A range of ages in one spelling. Ranges differ between data sets and are not made to fit each other.
 *
 * @example ageGroupOf('18 - 22') // '18-22'
 * @example ageGroupOf('fourties') // '40-49'
 */
export function ageGroupOf(text: string | undefined): string | undefined {
  const said = knownText(text)?.toLowerCase();
  if (said === undefined) return undefined;
  if (Object.hasOwn(decades, said)) return decades[said];
  return said.replace(/^(\d{1,3})\s*[-–]\s*(\d{1,3})$/, '$1-$2');
}

/**
 * A name with capital letters at the beginning of its words, where it has none at all.
 *
 * @example capitalized('south korea') // 'South Korea'
 */
export function capitalized(text: string | undefined): string | undefined {
  const said = knownText(text);
  if (said === undefined || said !== said.toLowerCase()) return said;
  return said.replace(/(?<=^|[\s(,-])\p{Ll}/gu, (letter) => letter.toUpperCase());
}

/** Common Voice's codes of English accents until 2021 and the names that its profile page shows for them. */
const accents: Readonly<Record<string, string>> = {
  african: 'Southern African (South Africa, Zimbabwe, Namibia)',
  australia: 'Australian English',
  bermuda: 'West Indies and Bermuda (Bahamas, Bermuda, Jamaica, Trinidad)',
  canada: 'Canadian English',
  england: 'England English',
  hongkong: 'Hong Kong English',
  indian: 'India and South Asia (India, Pakistan, Sri Lanka)',
  ireland: 'Irish English',
  malaysia: 'Malaysian English',
  newzealand: 'New Zealand English',
  philippines: 'Filipino',
  scotland: 'Scottish English',
  singapore: 'Singaporean English',
  southatlandtic: 'South Atlantic (Falkland Islands, Saint Helena)',
  us: 'United States English',
  wales: 'Welsh English',
};

/**
 * What a row of a Common Voice list says of its speaker. Releases until 2021 have codes in a column `accent`, later ones
 * names in `accents`.
 */
export function commonVoiceAttributes(row: Row): Attributes {
  const accent = knownText(row.text('accents')) ?? knownText(row.text('accent'));
  return {
    sex: sexOf(row.text('gender')),
    ageGroup: ageGroupOf(row.text('age')),
    accent: accent !== undefined && Object.hasOwn(accents, accent) ? accents[accent] : accent,
    style: 'read',
  };
}

/** The name of a clip without folder and ending: its id. */
export function clipStem(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.[A-Za-z0-9]{1,5}$/, '');
}
