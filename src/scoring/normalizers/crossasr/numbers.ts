import type { NormalizerStep } from '../normalizer.ts';
import { rewrite } from './rewrite.ts';

const decades = /(?<![\p{L}\d]|\d[.,'])(?<mark>')?(?<digits>\d{4}|\d{2})(?:'?s)(?!\p{L})/giu;
const decadeRange = /(?<=(?<![\p{L}\d])\d{4}'?s) ?[-–] ?(?='?(?:\d{2}|\d{4})'?s(?!\p{L}))/gu;
const shortYear = /(?<![\p{L}\d])'(?<digits>\d{2})(?!\d|\p{L}|'|[.,]\d)/gu;
const era = /(?<![\p{L}\d]|\d[.,])(?<digits>\d{1,4}) ?(?<era>B\.?C\.?E\.?|B\.?C\.?|C\.?E\.?|A\.?D\.?)(?![\p{L}\d])/gu;
const eraFirst = /(?<![\p{L}\d])A\.?D\.? (?<digits>\d{1,4})(?![\p{L}\d]|[.,]\d)/gu;
const bare = /(?<![\p{L}\d$€£#]|\d[.,:/]|(?:^|[\s(])\.)(?<digits>[12]\d{3})(?![\p{L}\d%°]|[.,:/]\d)/gu;

const letters = (written: string) => written.replaceAll('.', '').toLowerCase().split('').join(' ');

const yearBefore =
  /(?:\b(?:in|since|until|till|by|from|before|after|during|circa|around|year|years|early|late|mid|of|to|and|spring|summer|autumn|fall|winter|class|copyright|born|died|est|established|founded|the|january|february|march|april|may|june|july|august|september|october|november|december)\b[ .,-]*|[(,©] ?)$/i;
const strongYearBefore =
  /\b(?:in|since|until|till|by|during|circa|year|years|early|late|mid|spring|summer|autumn|fall|winter|class of|copyright|born|died|est|established|founded|the|to|than)\b[ .,-]*$/i;
const counted =
  /^ (?:(?!(?:was|is|has|as|this|its|thus|plus|across|versus|perhaps|always|does|his|hers|ours|theirs|us|yes|sees|saw|marks|marked|brings|remains|begins|starts|ends|seems|looks|gives|shows|becomes)\b)\p{Ll}+s|people|men|women|children|feet|other|more|new|different|or more|and more|million|billion|percent|dead|sheep|fish|staff|troops)(?!\p{L})/u;

/** Decades (1990s, '90s), years with an era (55 BC), two-digit years ('99) and four digits that the context makes a year. */
export const years: NormalizerStep = {
  step: 'years',
  apply(text) {
    let said = rewrite(text.replace(decadeRange, ' to '), decades, ({ mark, digits }) => {
      if (digits!.length === 4) return digits === '1000' ? 'thousands' : plural(year(digits!));
      return digits!.endsWith('0') && digits !== '00' ? plural(cardinal(digits!)) : mark && `${twoDigits(digits!)}s`;
    });
    said = rewrite(said, era, ({ digits, era: written }) => `${year(digits!)} ${letters(written!)}`);
    said = rewrite(said, eraFirst, ({ digits }) => `a d ${year(digits!)}`);
    said = rewrite(said, shortYear, ({ digits }) => twoDigits(digits!));
    return rewrite(said, bare, ({ digits }, { before, after }) =>
      readsAsYear(digits!, before, after) ? year(digits!) : undefined,
    );
  },
};

const start = String.raw`(?<![\p{L}\d]|\d[.,/:-])`;
const stop = String.raw`(?![\p{L}\d]|[-.,/:]\d)`;
const telephone = new RegExp(
  `${start}(?<plus>\\+)?(?:(?:\\d{1,3}[ .-])?(?:\\(\\d{2,4}\\)[ .-]?|\\d{3}[ .-])\\d{3}[ .-]\\d{4}|\\d{3}-\\d{4})(?!\\d)${stop}`,
  'gu',
);
const international = new RegExp(`${start}\\+\\d{1,3}(?:[ .-]?(?:\\(\\d{1,4}\\)|\\d{1,12})){1,8}${stop}`, 'gu');
const vanity = new RegExp(`${start}(?<code>1-)?(?<area>8\\d\\d)-(?<word>[A-Z]{4,12})(?!\\p{L})`, 'gu');
const grouped = new RegExp(`${start}(?:\\d{1,9}-){2,10}[\\dX]{1,9}(?!\\p{L})${stop}`, 'gu');
const codes = new RegExp(`${start}(?:\\d{5}-\\d{4}|\\d{4}(?: \\d{4}){2,4}|\\d{3} \\d{3} \\d{4})${stop}`, 'gu');
const network = new RegExp(`${start}\\d{1,3}(?:\\.\\d{1,3}){3}${stop}`, 'gu');
const version = new RegExp(`${start}(?<mark>[vV]\\.? ?)?(?<parts>\\d{1,9}(?:\\.\\d{1,9}){2,6})(?![\\d]|\\.\\d)`, 'gu');
const markedVersion =
  /(?<![\p{L}\d])(?:(?<mark>v\.?) ?(?=\d+\.\d)|(?<name>version|release|python|ubuntu|ios|android|macos|java|php|ruby|firefox|chrome|node) )(?<parts>\d{1,9}(?:\.\d{1,9}){0,6})(?![\d]|\.\d)/giu;
const identifier =
  /(?<=(?<![\p{L}])(?:call|calls|called|dial|dialed|phone|tel|fax|pin|code|zip|account|serial|isbn|issn|ssn|id|extension|ext)\.?:?(?: (?:number|no\.?|code|is|was|at))?(?: #)?:? )\d{3,}(?![\p{L}\d%°]|[.,/:-]\d| (?:people|times|\p{Ll}+s)(?!\p{L}))/giu;
const called =
  /(?<=(?<!\p{L})(?:call|calls|called|dial|dialed|phone|tel|fax|number|telephone):? (?:at |number )?)\d{2,6}(?:[- ]\d{2,8})+(?![\p{L}\d]|[.,:/-]\d)/giu;
const emergency =
  /(?<![\p{L}\d$€£]|\d[.,/:-])(?:911|999|112|411)(?= (?:emergency|emergencies|calls?|dispatch(?:er|ers)?|operators?|system)(?!\p{L}))/gu;
const bareLong = /(?<![\p{L}\d$€£¥]|\d[.,/:-])(?:\d{10,}|0\d{2,})(?![\p{L}\d]|[.,/:-]\d)/gu;

const sayDigits = (written: string) =>
  Array.from(written.matchAll(/\d|x$/gi), ([sign]) => (/\d/.test(sign) ? digitByDigit(sign) : 'x')).join(' ');

const sayParts = (written: string) => written.split('.').map(cardinal).join(' point ');

/**
 * Figures that name and do not count, digit by digit: telephone and card numbers, codes, addresses of the net (with "dot"),
 * ten figures and more without a sign unless round, figures with a leading zero. Versions by parts with "point".
 */
export const digitStrings: NormalizerStep = {
  step: 'telephone numbers, codes, versions',
  apply(text) {
    const plus = (written: string) => `${written.startsWith('+') ? 'plus ' : ''}${sayDigits(written)}`;
    let said = rewrite(
      text,
      vanity,
      ({ code, area, word }) => `${code ? 'one ' : ''}${digitByDigit(area!)} ${word!.toLowerCase()}`,
    );
    said = rewrite(said, telephone, (_, __, written) => plus(written));
    said = rewrite(said, international, (_, __, written) =>
      written.replaceAll(/\D/g, '').length < 7 ? undefined : plus(written),
    );
    said = rewrite(said, emergency, (_, __, written) => digitByDigit(written));
    said = rewrite(said, called, (_, __, written) => sayDigits(written));
    said = rewrite(said, codes, (_, __, written) => sayDigits(written));
    said = rewrite(said, grouped, (_, __, written) => sayDigits(written));
    said = rewrite(said, network, (_, __, written) => written.split('.').map(digitByDigit).join(' dot '));
    said = rewrite(
      said,
      markedVersion,
      ({ mark, name, parts }) => `${mark === undefined ? name : 'version'} ${sayParts(parts!)}`,
    );
    said = rewrite(said, version, ({ mark, parts }) => `${mark === undefined ? '' : 'version '}${sayParts(parts!)}`);
    said = rewrite(said, identifier, (_, __, written) => digitByDigit(written));
    return rewrite(said, bareLong, (_, __, written) =>
      /^[1-9]\d*000$/.test(written) ? cardinal(written) : digitByDigit(written),
    );
  },
};

/** Where a number may begin: not within a word or another number. */
export const numberStart = String.raw`(?<![\p{L}\d]|\d[.,])`;
/** A number with American signs: 5, 1,234.5, 12,34,567, .5. */
export const number = String.raw`(?:\d{1,3}(?:,\d{2,3})*,\d{3}(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?!\d|\.\d)`;
/** A number, a fraction or both: 3/4, 3 3/4. */
export const amount = String.raw`(?:(?:\d{1,6}[ -])?\d{1,6}\/\d{1,6}(?![\d/])|${number})`;
/** Words of size after a number. */
export const scaleWords = 'hundred|thousand|lakh|million|crore|billion|trillion|quadrillion|quintillion';

const vulgar = /(?<gap>(?<=\d) ?)?(?<sign>[¼½¾⅐-⅞↉])/gu;
const spacedGroups =
  /(?<![\p{L}\d.,:/-]|\d )\d{1,3}(?:(?:[\u00a0\u2007\u2009\u202f']\d{3})+| 000(?: 000)*)(?![\d,:/-]| \d)/gu;
const dottedGroups =
  /(?<![\p{L}\d.,])(?<whole>\d{1,3}(?:(?:\.\d{3}){2,}(?:,\d+)?|(?:\.\d{3})+,\d{1,2}))(?![\d.]|,\d)/gu;
const decimalComma =
  /(?<![\p{L}\d.,]|\d, ?)(?<whole>\d+),(?<decimals>\d{1,2}|(?!19|20)\d{4,})(?![\d.]|,\d|,? (?:and|or|&) )/gu;

/** Fraction signs and the number signs of other countries, where they can mean nothing else, as Americans write them. */
export const foreignNumbers: NormalizerStep = {
  step: 'fraction signs, European decimals and groups',
  apply(text) {
    let said = rewrite(text, vulgar, ({ gap, sign }) => {
      const parts = sign!.normalize('NFKC').replace('\u2044', '/');
      return gap === undefined ? parts : ` ${parts}`;
    });
    said = said.replace(spacedGroups, (written) => written.replaceAll(/[^\d]/gu, ','));
    said = rewrite(said, dottedGroups, ({ whole }) => whole!.replaceAll(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')));
    return said.replace(decimalComma, '$<whole>.$<decimals>');
  },
};

const irregular = new Map([
  ['one', 'first'],
  ['two', 'second'],
  ['three', 'third'],
  ['five', 'fifth'],
  ['eight', 'eighth'],
  ['nine', 'ninth'],
  ['twelve', 'twelfth'],
]);

const written = /(?<![\p{L}\d]|\d[.,])(?<number>\d{1,3}(?:,\d{3})+|\d+)(?<ending>st|nd|rd|th)(?<many>s?)(?!\p{L})/giu;

/** 1st, 22nd, 1,000th; 3/10ths and 2/5ths have become fractions before. */
export const ordinals: NormalizerStep = {
  step: 'ordinals',
  apply: (text) => rewrite(text, written, ({ number, many }) => `${ordinal(number!.replaceAll(',', ''))}${many}`),
};

const belowTwenty =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** Names of the powers of a thousand, short scale, up to 10^33. */
const scales =
  ' thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion'.split(
    ' ',
  );

function belowHundred(value: number): string {
  if (value < 20) return belowTwenty[value]!;
  const unit = value % 10;
  return unit === 0 ? tens[value / 10]! : `${tens[(value - unit) / 10]} ${belowTwenty[unit]}`;
}

function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  if (hundreds === 0) return belowHundred(rest);
  return `${belowTwenty[hundreds]} hundred${rest === 0 ? '' : ` ${belowHundred(rest)}`}`;
}

/** Each digit by its name: telephone numbers, decimals, codes. */
export function digitByDigit(digits: string): string {
  return Array.from(digits, (digit) => belowTwenty[Number(digit)]).join(' ');
}

/**
 * A whole number in American words, without "and" and hyphens; from 10^36 on digit by digit.
 *
 * @param digits ASCII digits alone, of any number; leading zeros do not count
 * @example cardinal('1234567') // 'one million two hundred thirty four thousand five hundred sixty seven'
 */
export function cardinal(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '');
  if (significant.length > 3 * scales.length) return digitByDigit(significant);
  const words: string[] = [];
  for (let end = significant.length, power = 0; end > 0; end -= 3, power++) {
    const value = Number(significant.slice(Math.max(0, end - 3), end));
    if (value > 0) words.unshift(power === 0 ? belowThousand(value) : `${belowThousand(value)} ${scales[power]}`);
  }
  return words.length === 0 ? 'zero' : words.join(' ');
}

/** The last two digits of a year, a minute: `05` is "oh five". */
export function twoDigits(digits: string): string {
  const value = Number(digits);
  if (value === 0) return 'oh oh';
  return value < 10 ? `oh ${belowTwenty[value]}` : belowHundred(value);
}

/**
 * A number that names instead of counting (house, flight, road, model): in pairs from the end, hundreds as such, five and
 * more digits one by one.
 *
 * @example namingNumber('221') // 'two twenty one'
 */
export function namingNumber(digits: string): string {
  if (digits.startsWith('0') && digits.length > 1) return digitByDigit(digits);
  if (digits.length < 3 || /^\d000$/.test(digits)) return cardinal(digits);
  if (digits.length > 4) return digitByDigit(digits);
  const head = cardinal(digits.slice(0, -2));
  return digits.endsWith('00') ? `${head} hundred` : `${head} ${twoDigits(digits.slice(-2))}`;
}

/**
 * A place in an order, in words.
 *
 * @param digits ASCII digits alone
 * @example ordinal('103') // 'one hundred third'
 */
export function ordinal(digits: string): string {
  const words = cardinal(digits).split(' ');
  const last = words.pop()!;
  return [...words, irregular.get(last) ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)].join(' ');
}

/**
 * A fraction in words: halves and quarters by name, others by ordinals.
 *
 * @example fraction('3', '4') // 'three quarters'
 */
export function fraction(above: string, below: string): string {
  const one = Number(above) === 1;
  const count = cardinal(above);
  if (Number(below) === 1 || Number(below) === 0) return `${count} over ${cardinal(below)}`;
  if (Number(below) === 2) return one ? 'one half' : `${count} halves`;
  const part = Number(below) === 4 ? 'quarter' : ordinal(below);
  return `${count} ${one ? part : plural(part)}`;
}

/**
 * A number as it was written, in words: groups, decimals, fractions, a sign.
 *
 * @example sayAmount('-1,234.50') // 'minus one thousand two hundred thirty four point five zero'
 */
export function sayAmount(written: string): string {
  const sign = /^[-–+]/.exec(written)?.[0];
  if (sign !== undefined) return `${sign === '+' ? 'plus' : 'minus'} ${sayAmount(written.slice(1))}`;
  const parts = /^(?:(?<whole>\d+)[ -])?(?<above>\d+)\/(?<below>\d+)$/.exec(written)?.groups;
  if (parts) {
    const part = fraction(parts.above!, parts.below!);
    if (parts.whole === undefined) return part;
    return `${cardinal(parts.whole)} and ${part.replace(/^one (?=half|quarter)/, 'a ')}`;
  }
  const [whole = '', decimals] = written.replaceAll(',', '').split('.');
  if (decimals !== undefined) return `${whole === '' ? '' : `${cardinal(whole)} `}point ${digitByDigit(decimals)}`;
  return whole.length > 1 && whole.startsWith('0') ? digitByDigit(whole) : cardinal(whole);
}

/**
 * A year as Americans say it.
 *
 * @param digits one to four ASCII digits
 * @example year('1905') // 'nineteen oh five'
 */
export function year(digits: string): string {
  const value = Number(digits);
  if (value < 1010 || value % 1000 === 0 || (value > 2000 && value < 2010)) return cardinal(digits);
  const century = cardinal(digits.slice(0, 2));
  return value % 100 === 0 ? `${century} hundred` : `${century} ${twoDigits(digits.slice(2))}`;
}

/** More than one of what the words name: "nineties", "two thousands", "sixes". */
function plural(words: string): string {
  if (words.endsWith('y')) return `${words.slice(0, -1)}ies`;
  return words.endsWith('x') ? `${words}es` : `${words}s`;
}

// 1100 to 1599 count more often than they name a year, unless the words before say so; from 1600 to 2099 the other way.
function readsAsYear(digits: string, before: string, after: string): boolean {
  const value = Number(digits);
  const marked = yearBefore.test(before);
  const strong = strongYearBefore.test(before);
  if (value < 1010 || (value > 2099 && !/\byears? $/i.test(before))) return false;
  if (counted.test(after)) return strong && value > 1799 && value % 100 !== 0;
  return value >= 1600 || marked;
}
