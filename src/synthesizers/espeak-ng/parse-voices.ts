import type { Voice } from '../contract.ts';

/** A voice with the name of its file, which alone is unambiguous. */
export interface EspeakVoice extends Voice {
  readonly file: string;
}

/**
 * Reads the table that `espeak-ng --voices` prints. Voices are named by their language; where two speak the same, by their
 * file. Those of MBROLA are left out: they are listed even where they are not installed.
 */
export function parseVoices(table: string): EspeakVoice[] {
  const rows = table
    .split('\n')
    .slice(1)
    .map((line) => /^\s*\d+\s+(\S+)\s+\S*?\/?([MF-])\s+(\S+)\s+(\S+)/.exec(line))
    .filter((match) => match !== null)
    .map(([, language, sex, title, file]) => ({ language: language!, sex: sex!, title: title!, file: file! }))
    .filter(({ file }) => !file.startsWith('mb/'));
  const count = new Map<string, number>();
  for (const { language } of rows) count.set(language, (count.get(language) ?? 0) + 1);
  return rows.map(({ language, sex, title, file }) => ({
    name: count.get(language) === 1 ? language : file,
    language: languageTag(language),
    attributes: { ...attribute('sex', sexes[sex]), ...attribute('accent', /\((.+)\)$/.exec(title)?.[1]) },
    file,
  }));
}

const sexes: Readonly<Record<string, string>> = { M: 'male', F: 'female' };

function attribute(key: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [key]: value.replaceAll('_', ' ') };
}

/** The longest beginning that is a BCP 47 tag, as it is usually written: `en-gb` is `en-GB`, `en-us-nyc` is `en-US`. */
function languageTag(language: string): string {
  const parts = language.split('-');
  for (let length = parts.length; length > 0; length--) {
    try {
      return Intl.getCanonicalLocales(parts.slice(0, length).join('-'))[0]!;
    } catch {
      // Not a tag: one part less.
    }
  }
  return 'und';
}
