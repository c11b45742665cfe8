import { longestTag } from '../../../base/language-tag.ts';
import { lowerOf, writtenAlike } from './written.ts';

/** How a language says a sign behind a figure. */
export interface SaidName {
  /** A text with each of its forms behind a figure in one. */
  readonly alike: (text: string) => string;
  /** What a sign is said as. */
  readonly name: string;
  /** Whether it is said before the figure: `%25` is `yüzde 25` in Turkish. */
  readonly isBefore: boolean;
}

/** What the forms differ by: numbers of each plural that a language may have. */
const numbers = [100, 0, 1, 2, 3, 5, 11, 21, 1.5];
const styles = {
  '%': { style: 'unit', unit: 'percent', unitDisplay: 'long' },
  // With two digits of cents every number would have the plural of fractions.
  '€': { style: 'currency', currency: 'EUR', currencyDisplay: 'name', minimumFractionDigits: 0 },
} as const;
/** Where CLDR writes the sign even in full. */
const own: Readonly<Record<string, string>> = { ko: '퍼센트', vi: 'phần trăm' };
const found = new Map<string, Readonly<Record<string, SaidName>>>();
const maxKept = 1000;

/**
 * What % and € are called in a language, from CLDR (`Intl`); none where it does not know the language.
 *
 * @example namesOf('de')['%'].name // 'prozent'
 */
export function namesOf(language: string | undefined): Readonly<Record<string, SaidName>> {
  const tag = language ?? '';
  const known = found.get(tag);
  if (known !== undefined) return known;
  const made = makeNames(tag);
  if (found.size < maxKept) found.set(tag, made);
  return made;
}

function makeNames(tag: string): Record<string, SaidName> {
  const names: Record<string, SaidName> = {};
  const longest = longestTag(tag);
  try {
    if (tag === '' || Intl.NumberFormat.supportedLocalesOf(longest).length === 0) return names;
  } catch {
    return names;
  }
  for (const [sign, style] of Object.entries(styles)) {
    const format = new Intl.NumberFormat(longest, { ...style, numberingSystem: 'latn' });
    const parts = numbers.map((number) => format.formatToParts(number));
    const forms = parts.map((one) =>
      one
        .filter(({ type }) => type === 'unit' || type === 'currency')
        .map(({ value }) => writtenAlike(lowerOf(value.trim(), tag), tag))
        .join(' '),
    );
    const name = (sign === '%' && own[longest.split('-')[0]!]) || forms[0]!;
    if (!/^[\p{L}\p{M} ]+$/u.test(name)) continue;
    const isBefore = parts[0]![0]!.type === 'unit';
    // The currency's code is written for its name.
    const all = [...new Set([name, ...forms, ...(sign === '€' ? ['eur'] : [])])]
      .filter((form) => /^[\p{L}\p{M} ]+$/u.test(form))
      .sort((a, b) => b.length - a.length);
    const pattern = new RegExp(`(?<=\\d) ?(?:${all.join('|')})(?![\\p{L}\\p{M}])`, 'gu');
    names[sign] = { name, isBefore, alike: isBefore ? (text) => text : (text) => text.replace(pattern, ` ${name}`) };
  }
  return names;
}
