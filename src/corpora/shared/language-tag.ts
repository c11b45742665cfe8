import { EarwitnessError } from '../../base/errors.ts';

/** BCP 47 for a language that nobody has stated. */
export const undeterminedLanguage = 'und';

/** Tags found before: a list of a million rows names a few languages, and looking one up takes microseconds. */
const known = new Map<string, string>();

const bestKnown = 1000;

/**
 * A language as BCP 47 writes it: `en_us` and `EN-US` become `en-US`.
 *
 * @param place gives `file:line:column`, asked only for an error
 * @throws EarwitnessError `bad-input`: not a well-formed tag
 */
export function languageTag(text: string, place: () => string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  try {
    const tag = Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'))[0] ?? undeterminedLanguage;
    if (known.size < bestKnown) known.set(text, tag);
    return tag;
  } catch {
    throw new EarwitnessError(
      'bad-input',
      `${place()}: expected a language like en or en-GB (BCP 47), but found ${JSON.stringify(text.slice(0, 50))}; correct it`,
    );
  }
}
