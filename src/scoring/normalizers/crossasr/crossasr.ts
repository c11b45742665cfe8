import { makeNormalizer } from '../normalizer.ts';
import { abbreviations } from './abbreviations.ts';
import { alphanumerics } from './alphanumerics.ts';
import { arithmetic } from './arithmetic.ts';
import { capitalsAlone } from './capitals.ts';
import { characters } from './characters.ts';
import { dates } from './dates.ts';
import { dayNames } from './day-names.ts';
import { digitStrings } from './digit-strings.ts';
import { fractions } from './fractions.ts';
import { initialisms } from './initialisms.ts';
import { measures } from './measures.ts';
import { money } from './money.ts';
import { namingNumbers } from './naming-numbers.ts';
import { numbers } from './numbers.ts';
import { ordinals } from './ordinals.ts';
import { ranges } from './ranges.ts';
import { references } from './references.ts';
import { onlyWith } from './rewrite.ts';
import { romanNumerals } from './roman-numerals.ts';
import { americanNumbers, lettersOnly } from './spoken.ts';
import { streetAddresses } from './street-addresses.ts';
import { symbols } from './symbols.ts';
import { times } from './times.ts';
import { titles } from './titles.ts';
import { verses } from './verses.ts';
import { webAddresses } from './web-addresses.ts';
import { foreignNumbers } from './written-numbers.ts';
import { years } from './years.ts';

const figure = /\d/;

/**
 * English as a careful American reader says it: each step finds one class of written forms by its shape and the words
 * around it, and spells it out; later steps see what earlier ones left.
 *
 * It does what the text preprocessing of CrossASR does (M. H. Asyrofi et al., ICSME 2020, section II; non-standard words
 * after E. Flint et al., W-NUT 2017): lower case, punctuation out, abbreviations, numbers, dates and currency spelled out,
 * mr to mister, mrs to missus. Its texts have lost their apostrophes without a trace ("europes", "dont"), so these do here;
 * accents stay as they do there. Unlike there a hyphen divides ("twenty one", "well known"), "and" within a number goes,
 * and the same text always gives the same words. What stands in brackets stays.
 *
 * Meant for English. A sign that can mean several things is read by its surroundings alone ("3-2" is "three to two"
 * whether score or range, "12/25" a date, "7/8" a fraction); a year is two pairs of figures, a plural noun after it makes it
 * a number. Normalizing the words again changes nothing.
 *
 * @example crossasr.words('Mr. Smith paid $5.50 on May 3rd.')
 * // ['mister', 'smith', 'paid', 'five', 'dollars', 'and', 'fifty', 'cents', 'on', 'may', 'third']
 */
export const crossasr = makeNormalizer({
  name: 'crossasr',
  version: 4,
  about: 'English spelled out as CrossASR does: numbers, dates, money and abbreviations in words, punctuation out.',
  steps: [
    characters,
    capitalsAlone,
    webAddresses,
    onlyWith(/[\d\u00bc-\u00be\u2150-\u2189]/, foreignNumbers),
    onlyWith(/[A-Z.]|\b(?:st|blvd|hwy|pkwy)\b/, streetAddresses),
    onlyWith(figure, dates),
    onlyWith(/[A-Z]/, dayNames),
    onlyWith(/\d:\d/, verses),
    onlyWith(figure, times),
    onlyWith(figure, money),
    onlyWith(/[\dVX]/, references),
    onlyWith(figure, digitStrings),
    onlyWith(/[\d²³√=<>≤≥≠≈÷^]/, arithmetic),
    onlyWith(/[\d%‰]|\bper /, measures),
    onlyWith(figure, fractions),
    onlyWith(figure, ranges),
    onlyWith(figure, namingNumbers),
    onlyWith(figure, years),
    onlyWith(figure, ordinals),
    onlyWith(/[IVXLCDMW]|\b[ivxlc]+\b/, romanNumerals),
    titles,
    abbreviations,
    onlyWith(figure, alphanumerics),
    initialisms,
    onlyWith(figure, numbers),
    symbols,
    lettersOnly,
    americanNumbers,
  ],
});
