import type { Row } from '../../system/delimited-rows.ts';
import { type Attributes, ageGroupOf, knownText, sexOf } from './attributes.ts';

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
