import { makeNormalizer, type NormalizerStep, whiteSpace } from '../normalizer.ts';
import { abbreviations, titles } from './abbreviations.ts';
import { arithmetic, fractions } from './arithmetic.ts';
import { dates, monthName, monthPattern, times, weekdays } from './dates.ts';
import { alphanumerics, initialisms, isSpelled, saidAsWord, stressedWords } from './initialisms.ts';
import { spellMeasures } from './measures.ts';
import { money } from './money.ts';
import {
  amount,
  cardinal,
  digitByDigit,
  digitStrings,
  foreignNumbers,
  namingNumber,
  number,
  numberStart,
  ordinals,
  sayAmount,
  twoDigits,
  year,
  years,
} from './numbers.ts';
import { references, verses, webAddresses } from './references.ts';
import { anyOf, onlyWith, rewrite } from './rewrite.ts';
import { romanNumerals, romanValue } from './roman-numerals.ts';
import { streetAddresses } from './street-addresses.ts';

const yearRange = new RegExp(
  `${numberStart}(?<from>1\\d{3}|20\\d{2}) ?[-–] ?(?<to>1\\d{3}|20\\d{2}|'?\\d{2}|present)(?![\\d\\p{L}%]|[.,:]\\d)`,
  'gu',
);
const emergency = /(?<![\p{L}\d])9-1-1(?![\p{L}\d])/gu;
const evenSplit = /(?<![\p{L}\d])(?<share>50|60|70|80|90|24)-(?<rest>50|40|30|20|10|7)(?![\p{L}\d])/gu;
const ratio =
  /(?<![\p{L}\d]|\d[.,:])(?<first>\d{1,9}(?:\.\d{1,9})?)(?<colons>(?: ?: ?\d{1,9}(?:\.\d{1,9})?){1,4})(?![\d\p{L}])/gu;
const duration =
  /(?<=\b(?:in|time of|after|lasted|lasting|took) )(?<minutes>\d{1,3}):(?<seconds>[0-5]\d)(?![\d\p{L}]|[.,:]\d| ?(?:split|ratio))/giu;
const range = new RegExp(
  `${numberStart}(?<!\\d ?[-–] ?)(?<minus>-)?(?<from>${amount}) ?(?:-|–|\\.\\.\\.?) ?(?<to>${amount})(?![\\d\\p{L}]| ?[-–] ?\\d)`,
  'gu',
);

/** Two numbers with a dash or a colon between: years, scores, ratios, from and to. All are "to", except shares of a hundred. */
const ranges: NormalizerStep = {
  step: 'ranges, scores, ratios',
  apply(text) {
    let said = rewrite(text, emergency, () => 'nine one one');
    said = rewrite(said, evenSplit, ({ share, rest }) =>
      Number(share) + Number(rest) === 100 || rest === '7' ? `${cardinal(share!)} ${cardinal(rest!)}` : undefined,
    );
    said = rewrite(said, yearRange, ({ from, to }) => {
      if (to === 'present') return `${year(from!)} to present`;
      if (to!.length === 4)
        return Number(from) < Number(to) && Number(from) > 1000 ? `${year(from!)} to ${year(to!)}` : undefined;
      const short = to!.replace("'", '');
      return Number(short) > Number(from!.slice(2)) || to!.startsWith("'")
        ? `${year(from!)} to ${twoDigits(short)}`
        : undefined;
    });
    said = rewrite(said, duration, ({ minutes, seconds }) => `${cardinal(minutes!)} ${twoDigits(seconds!)}`);
    said = rewrite(said, ratio, ({ first, colons }) =>
      [first!, ...colons!.split(':').slice(1)].map((part) => sayAmount(part.trim())).join(' to '),
    );
    return rewrite(
      said,
      range,
      ({ minus, from, to }) => `${minus ? 'minus ' : ''}${sayAmount(from!)} to ${sayAmount(to!)}`,
    );
  },
};

// biome-ignore lint/suspicious/noMisleadingCharacterClass: each variation selector is meant by itself
const unseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\u{fe00}-\u{fe0f}\ufeff]/gu;
const compatible = /[\u2100-\u2149\u2160-\u217f\u3371-\u33df\ufb00-\ufb06\uff01-\uff5e\u{1d400}-\u{1d7ff}]+/gu;
const circled = /[\u2460-\u249b]/g;
const otherDigits = /(?!\d)\p{Nd}/gu;
const decimalDigit = /\p{Nd}/u;

/** One sign for each meaning: digits of any script, quotation marks, hyphens, blanks, full-width and squared letters. */
const characters: NormalizerStep = {
  step: 'one form of each character',
  apply: (text) => (/[^ -~]/.test(text) ? fold(text) : text.replaceAll('`', "'").replace(/ {2,}/g, ' ').trim()),
};

const written = /[&+=@%‰°±§№∞¢£€¥₹©]|~(?= ?[\p{L}\d])/gu;
const names: Readonly<Record<string, string>> = {
  '&': 'and',
  '+': 'plus',
  '=': 'equals',
  '@': 'at',
  '%': 'percent',
  '‰': 'per mille',
  '°': 'degrees',
  '±': 'plus or minus',
  '§': 'section',
  '№': 'number',
  '~': 'approximately',
  '∞': 'infinity',
  '©': 'copyright',
  '¢': 'cents',
  '£': 'pounds',
  '€': 'euros',
  '¥': 'yen',
  '₹': 'rupees',
};
const per =
  /(?<=(?:^|[^\p{L}])(?:meters?|kilometers?|miles?|liters?|grams?|kilograms?|dollars?|euros?|pounds?|percent|times|seconds?|minutes?|hours?|days?|nights?|weeks?|months?)) ?\/ ?(?=\p{L})/gu;
const repeated = /(?<!(?<!\p{L})[A-Z])([&+=@~])\1+/gu;
const sharp = /(?<=(?<!\p{L})[ACDFGJ])#(?!\p{L})/gu;
const grade = /(?<=(?<![\p{L}\d])[A-F])-(?=$|[ .,;!?)])/gu;

/** Signs that are said: & "and", + "plus", = "equals", @ "at", % "percent". Others are punctuation. */
const symbols: NormalizerStep = {
  step: 'signs',
  apply: (text) =>
    rewrite(
      text.replace(per, ' per ').replace(repeated, ' ').replace(sharp, ' sharp').replace(grade, ' minus'),
      written,
      (_, __, sign) => ` ${names[sign]} `,
    ).replaceAll(/ {2,}/g, ' '),
};

const name = anyOf(weekdays.keys());
const weekday = new RegExp(`(?<!\\p{L})(?<name>${name})(?!\\p{L})(?<dot>\\.)?`, 'giu');
const loneMonth = new RegExp(`(?<!\\p{L})(?<month>${monthPattern})`, 'giu');
const monthRange = new RegExp(`(?<=(?<!\\p{L})(?:${monthPattern})\\.?) ?[-–] ?(?=(?:${monthPattern}))`, 'giu');
const dateAfter = new RegExp(`^,? (?:${monthPattern}|(?:the )?\\d|the (?:\\p{L}+ ){1,2}of ${monthPattern})`, 'iu');
const otherMonth = new RegExp(`^ to ${monthPattern}`, 'iu');
const otherDay = new RegExp(`^ ?[-–/&,] ?(?:and )?(?:${name})(?!\\p{L})`, 'iu');
const otherDayBefore = new RegExp(`(?:${name})\\.? ?[-–/&,] ?(?:and )?$`, 'iu');
const words = new Set(['sat', 'sun']);

/** Shortened names of days and months; "sat", "sun", "wed", "mar" and "dec" only where a date or another day is near. */
const dayNames: NormalizerStep = {
  step: 'names of days and months',
  apply(text) {
    const days = rewrite(text, weekday, ({ name: short, dot }, { before, after }) => {
      const full = weekdays.get(short!.toLowerCase());
      if (!/^\p{Lu}/u.test(short!)) return undefined;
      const near = dateAfter.test(after) || otherDay.test(after) || otherDayBefore.test(before);
      const sure = dot !== undefined && !words.has(short!.toLowerCase());
      return near || sure || /\b(?:on|last|next|this|every) $/i.test(before) ? full : undefined;
    });
    const ranged = days.replace(/(?<=day) ?[-–] ?(?=\p{L}+day(?!\p{L}))/gu, ' to ');
    return rewrite(ranged.replace(monthRange, ' to '), loneMonth, ({ month }, { before, after }) => {
      if (!/^\p{Lu}/u.test(month!) || /^(?:may|june|july)$/i.test(month!)) return undefined;
      if (month!.endsWith('.') || /^Sept$/i.test(month!)) return monthName(month!);
      const near =
        /\b(?:in|since|until|till|by|last|next|this|early|late|mid)[ -]$/i.test(before) ||
        /^ \d/.test(after) ||
        otherMonth.test(after);
      return near && month!.length < 5 ? monthName(month!) : undefined;
    });
  },
};

/** Lower case; apostrophes leave nothing behind ("europes"), every other sign a blank. */
const lettersOnly: NormalizerStep = {
  step: 'lower case, punctuation out',
  apply: (text) =>
    text
      .toLowerCase()
      .normalize('NFC')
      .replaceAll(/(?<=\p{L})'(?=\p{L})/gu, '')
      .replaceAll(/[^\p{L}\p{M}\p{Nd}]+/gu, ' ')
      .trim(),
};

const small =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth|(?:twen|thir|for|fif|six|seven|eigh|nine)tieth';
const numberWord = `(?:${small}|a|hundred|thousand|million|billion|trillion)`;
const upToNinetyNine = `(?:${small})(?: (?:${small}))?(?: |$)`;
const afterHundred = new RegExp(
  `(?<=(?:^| )${numberWord} hundred) and (?=${upToNinetyNine}(?!hundred|half |quarters? |and ))`,
  'g',
);
const afterThousand = new RegExp(
  `(?<=(?:^| )${numberWord} (?:thousand|million|billion|trillion)) and (?=${upToNinetyNine}(?!hundred|thousand|million|billion|trillion|half |quarters? |and ))`,
  'g',
);

/** "One hundred and five" and 105 come out the same; "two thousand and three thousand" stay two numbers. */
const americanNumbers: NormalizerStep = {
  step: 'no "and" within a number',
  apply: (text) => text.replace(afterHundred, ' ').replace(afterThousand, ' '),
};

const word = /\p{Lu}{2,}(?:'\p{Lu}+)?/gu;
const lowerCase = /\p{Ll}/u;

const meansNothing = (written: string) =>
  !isSpelled(written, true) &&
  !saidAsWord.has(written) &&
  (romanValue(written) === undefined || /[LCDM]/.test(written));

/** In a text of capitals alone these say nothing: words come back with a first capital, initialisms and Roman numerals stay. */
const capitalsAlone: NormalizerStep = {
  step: 'capitals alone',
  apply(text) {
    if (lowerCase.test(text)) return text;
    const words = text.match(word) ?? [];
    if (
      words.length < 2 ||
      !words.some((written) => (written.length > 3 || stressedWords.has(written)) && meansNothing(written))
    ) {
      return text;
    }
    return text.replace(word, (written) =>
      meansNothing(written) ? written.charAt(0) + written.slice(1).toLowerCase() : written,
    );
  },
};

const signed = new RegExp(`(?<![\\p{L}\\d)\\]] ?)(?<sign>[-–+])(?<written>${number})`, 'gu');
const plain = new RegExp(`${numberStart}(?<written>${number})`, 'gu');
const pastWord = /(?<= |^)(?<sign>[-–])(?<written>\d+(?:\.\d+)?)(?!\d)(?= |[.,;!?)]|$)/gu;
const many = /(?<![\p{L}\d]|\d[.,])(?<digits>\d+)'?s(?!\p{L})/gu;
const rest = /\d+/g;

/** Every number that no other step took: 1,234,567, 3.14 "three point one four", -5 "minus five"; stray figures in any case. */
const numbers: NormalizerStep = {
  step: 'numbers',
  apply(text) {
    let said = rewrite(text, many, ({ digits }) => pluralOf(cardinal(digits!)));
    said = rewrite(said, signed, ({ sign, written }) => `${sign === '+' ? 'plus' : 'minus'} ${sayAmount(written!)}`);
    said = rewrite(said, pastWord, ({ written }) => `minus ${sayAmount(written!)}`);
    said = rewrite(said, plain, ({ written }) => sayAmount(written!));
    return rewrite(said, rest, (_, __, digits) =>
      digits.length > 1 && digits.startsWith('0') ? digitByDigit(digits) : cardinal(digits),
    );
  },
};

const named =
  /(?<=(?<!\p{L})(?:flight|room|suite|apartment|apt\.?|highway|interstate|route|boeing|airbus|bus|train|area|building|fahrenheit|gate|exit|locker|studio|model|form|box|us|u s) )(?<number>\d{3,4})(?<letter>[A-Z])?(?![\p{L}\d%°]|[.,:/-]\d| (?:people|\p{Ll}+s)(?!\p{L}))/giu;

const paragraphs = /(?<![\p{L}\d$€£]|\d[.,])(?<number>\d{3})(?<parts>(?:\((?:[a-zA-Z]|\d{1,2})\)){1,3})/gu;

const sayPart = (part: string) => (/\d/.test(part) ? cardinal(part) : part.toLowerCase());

/** Numbers that name what stands before them, in pairs: Boeing 747 "seven forty seven", Room 101 "room one oh one", 401(k) "four oh one k". */
const namingNumbers: NormalizerStep = {
  step: 'numbers that name',
  apply: (text) =>
    rewrite(
      rewrite(
        text,
        named,
        ({ number, letter }) => `${namingNumber(number!)}${letter ? ` ${letter.toLowerCase()}` : ''}`,
      ),
      paragraphs,
      ({ number, parts }) => [namingNumber(number!), ...parts!.slice(1, -1).split(')(').map(sayPart)].join(' '),
    ),
};

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
    onlyWith(/[\d%‰]|\bper /, spellMeasures),
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

function pluralOf(words: string): string {
  if (words.endsWith('y')) return `${words.slice(0, -1)}ies`;
  return `${words}${words.endsWith('x') ? 'es' : 's'}`;
}

// Unicode keeps the ten digits of a script side by side, so the value follows from the place in the run.
function digitValue(digit: string): string {
  const point = digit.codePointAt(0)!;
  let first = point;
  while (point - first < 70 && decimalDigit.test(String.fromCodePoint(first - 1))) first--;
  return String((point - first) % 10);
}

function fold(text: string): string {
  return text
    .normalize('NFC')
    .replace(unseen, '')
    .replace(circled, (sign) => ` ${sign.normalize('NFKC')} `)
    .replace(compatible, (signs) => signs.normalize('NFKC'))
    .replace(otherDigits, digitValue)
    .replace(/[\u2018\u2019\u201b\u02bc\u0060\u00b4]/g, "'")
    .replace(/[\u201c-\u201f\u00ab\u00bb\u2039\u203a]/g, '"')
    .replace(/[\u2010-\u2012\u2212\ufe63]/g, '-')
    .replace(/[\u2014\u2015]/g, ' \u2014 ')
    .replace(/\u2026/g, '...')
    .replace(/\u00b5/g, '\u03bc')
    .replace(/(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3})/g, "'")
    .replace(whiteSpace, ' ')
    .trim();
}
