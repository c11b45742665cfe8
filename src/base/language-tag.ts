import { badInput } from './errors.ts';

/** BCP 47 for a language that nobody has stated. */
export const undeterminedLanguage = 'und';

/** Min Nan where languages stand; elsewhere programs write it for what is not known. */
export const minNan = 'nan';

/** Tags found before: a list of a million rows names a few languages, and looking one up takes microseconds. */
const known = new Map<string, string | null>();

const bestKnown = 1000;

/**
 * A language as BCP 47 writes it: `en_us` and `EN-US` become `en-US`, the older `zh-yue` becomes `yue`, the name of a locale
 * `zh_CN.UTF-8` becomes `zh-CN`, and the English name `Japanese` becomes `ja`.
 *
 * @param place gives `file:line:column`, asked only for an error
 * @throws EarwitnessError `bad-input`: neither a well-formed tag nor a name
 */
export function languageTag(text: string, place: () => string): string {
  const tag = knownLanguageTag(text);
  if (tag === null) {
    throw badInput(
      `${place()}: expected a language like en or en-GB (BCP 47), or its English name, but found ${JSON.stringify(text.slice(0, 50))}; correct it`,
    );
  }
  return tag;
}

/** The same; null for what is neither a well-formed tag nor a name. */
export function knownLanguageTag(text: string): string | null {
  const before = known.get(text);
  if (before !== undefined) return before;
  const tag = tagOf(text.trim());
  if (known.size < bestKnown) known.set(text, tag);
  return tag;
}

/** Languages that were written after the code of Chinese, by the IANA Language Subtag Registry; Unicode's tags have no such form. */
const afterChinese =
  /^zh-(?:min-(?=nan))?(cdo|cjy|cmn|cnp|cpx|csp|czh|czo|gan|hak|hnm|hsn|luh|lzh|mnp|nan|sjc|wuu|yue)(?![^-])/i;

/** Of a program that was told no language (POSIX.1-2024, XBD 8.2). */
const noLocale = /^(?:c|posix)(?:$|[.@])/i;

function tagOf(text: string): string | null {
  if (noLocale.test(text)) return undeterminedLanguage;
  const locale = localeName.exec(text)?.groups;
  if (locale !== undefined) return tagOfLocale(locale);
  // No code of a language has more than three letters, though a tag may.
  if (/^\p{L}{4}/u.test(text)) return tagOfName(text.replace(windowsCountry, ''));
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-').replace(afterChinese, '$1'))[0] ?? undeterminedLanguage;
  } catch {
    return tagOfName(text);
  }
}

/**
 * What tells the name of a locale from a tag: a set of characters (`zh_CN.UTF-8`) or a modifier (`sr_RS@latin`) behind it (POSIX.1-2024,
 * XBD 8.2), or a script behind the country as Java writes it (`zh_TW_#Hant`).
 */
const localeName =
  /^(?<language>[A-Za-z]{2,3})(?<more>(?:[_-][A-Za-z0-9]+)*)(?=[.@]|_#)(?:_#(?<script>[A-Za-z]{4}))?(?:\.[A-Za-z0-9_:.-]+)?(?:@(?<modifier>[\w=;.-]+))?$/;

/** What Windows writes behind the name of a language: `German_Germany.1252`, `Chinese (Simplified)_China.936`. */
const windowsCountry = /(?: \([^()]+\))?_[\p{L} ]+(?:\.(?:\d+|utf-?8))?$/iu;

/** Modifiers of locales that say how the language is written; others are of money, sorting and messages. */
const scriptOfModifier: Readonly<Record<string, string>> = {
  arabic: 'Arab',
  cyrillic: 'Cyrl',
  devanagari: 'Deva',
  iqtelif: 'Latn',
  latin: 'Latn',
};

function tagOfLocale({ language, more, script, modifier = '' }: Record<string, string | undefined>): string | null {
  const name = modifier.toLowerCase();
  const written = script ?? (Object.hasOwn(scriptOfModifier, name) ? scriptOfModifier[name] : undefined);
  const variant = name === 'valencia' ? `-${name}` : '';
  return tagOf(`${language}${written === undefined ? '' : `-${written}`}${more}${variant}`);
}

/** Codes of two letters, then of three: what has both is found by the first. */
function* languageCodes(): Generator<string> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  yield* pairs;
  for (const pair of pairs) for (const letter of letters) yield pair + letter;
}

/** The usual names of languages that Unicode's table has under others. */
const otherNames: Readonly<Record<string, string>> = { mandarin: 'zh', farsi: 'fa' };

function tagOfName(text: string): string | null {
  // All names are asked one by one.
  if (!/\p{L}/u.test(text)) return null;
  const wanted = text.toLowerCase();
  if (Object.hasOwn(otherNames, wanted)) return otherNames[wanted]!;
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  for (const code of languageCodes()) {
    if (names.of(code)?.toLowerCase() === wanted) return Intl.getCanonicalLocales(code)[0]!;
  }
  return null;
}

/** The language that somebody named; null where it is named as the one that nobody knows: `und`, `C.UTF-8`. Errors as `languageTag`. */
export function statedLanguage(text: string | undefined, place: () => string): string | null {
  const tag = text === undefined ? undeterminedLanguage : languageTag(text, place);
  return tag === undeterminedLanguage ? null : tag;
}

/** One sentence about a language of which neither Unicode's data nor we know how it is written; none of others. */
export function unknownLanguageNotes(language: string | null): string[] {
  if (language === null || Intl.NumberFormat.supportedLocalesOf([longestTag(language)]).length > 0) return [];
  return [`nothing is known of how language ${language} is written: its texts are compared by their letters alone`];
}

/**
 * Whether a language is within another: `zh-CN` is in `zh` (RFC 4647, section 3.3.1: basic filtering).
 *
 * @param range a tag as `languageTag` gives it
 */
export function isInLanguage(language: string, range: string): boolean {
  const [whole, beginning] = [language.toLowerCase(), range.toLowerCase()];
  return whole === beginning || whole.startsWith(`${beginning}-`);
}

/** The longest beginning that is a BCP 47 tag, as it is usually written: `en-gb` is `en-GB`, `en-us-nyc` is `en-US`; `und` where none is. */
export function longestTag(language: string): string {
  const locale = localeName.exec(language)?.groups;
  if (locale !== undefined) return tagOfLocale(locale) ?? undeterminedLanguage;
  const parts = language.split(/[-_]/);
  for (let length = parts.length; length > 0; length--) {
    try {
      return Intl.getCanonicalLocales(parts.slice(0, length).join('-'))[0]!;
    } catch {
      // Not a tag: one part less.
    }
  }
  return undeterminedLanguage;
}
