import { longestTag } from '../../../base/language-tag.ts';
import { scriptOf } from '../../../base/scripts.ts';
import { asciiDigits } from './digits.ts';
import { tables, type WrittenTable } from './tables.ts';

/** A change of characters. */
export type Rewrite = (text: string) => string;

const asIs: Rewrite = (text) => text;

/** What a language makes one of. */
interface Written {
  readonly lower: Rewrite;
  readonly alike: Rewrite;
  /** Of these what is written in ASCII. */
  readonly asciiAlike: Rewrite;
  readonly apostrophes: Rewrite;
  readonly joins: Rewrite;
  readonly groups: Rewrite;
  /** Whether a joiner between two Arabic letters parts a word: not in Arabic itself. */
  readonly keepsJoiners: boolean;
}

const found = new Map<string, Written>();
/** Tags come from lists of others' making: no more than so many are kept. */
const maxKept = 1000;

/** What is written of a language, made when its first text comes. */
function writtenOf(language: string | undefined): Written {
  const tag = language ?? '';
  const known = found.get(tag);
  if (known !== undefined) return known;
  const made = makeWritten(tag);
  if (found.size < maxKept) found.set(tag, made);
  return made;
}

function makeWritten(tag: string): Written {
  const longest = longestTag(tag);
  const primary = scriptOf(tag) === null ? 'und' : new Intl.Locale(longest).language;
  const own: WrittenTable = tables[primary] ?? {};
  // Of Cyrillic and Arabic letters of these languages Turkic capitals are not asked.
  const capitals = scriptOf(tag) === 'Latn' ? own.capitals : undefined;
  return {
    lower: capitals === undefined ? (text) => text.toLowerCase() : lowerWith(capitals),
    alike: rewriter([own.alike, tables['*']!.alike].join('|')),
    asciiAlike: rewriter(
      (own.alike ?? '')
        .split('|')
        .filter((entry) => /^[!-~]+ /.test(entry))
        .join('|'),
    ),
    apostrophes: apostropheRule(own.apostrophe),
    joins: own.joins === undefined ? asIs : withoutBetweenLetters(own.joins),
    groups: groupRule(primary === 'und' ? null : longest),
    keepsJoiners: primary !== 'ar',
  };
}

function lowerWith(capitals: string): Rewrite {
  const change = rewriter(capitals);
  return (text) => change(text.normalize('NFC')).toLowerCase();
}

/**
 * Every writing of a list (`ß ss|œ oe`) as what stands for it.
 *
 * @example rewriter('ß ss')('straße') // 'strasse'
 */
export function rewriter(alike: string): Rewrite {
  const pairs = new Map<string, string>();
  for (const entry of alike.split('|')) {
    const blank = entry.indexOf(' ');
    // The first that says something of a writing: that of the language before that of all.
    if (blank > 0 && !pairs.has(entry.slice(0, blank))) pairs.set(entry.slice(0, blank), entry.slice(blank + 1));
  }
  if (pairs.size === 0) return asIs;
  const longestFirst = [...pairs.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map((one) => one.replaceAll(/[.*+?^$|()[\]{}\\]/g, '\\$&')).join('|'), 'gu');
  const needed = new RegExp(`[${[...new Set(longestFirst.map(rarestOf))].join('')}]`);
  return (text) => (needed.test(text) ? text.replace(pattern, (writing) => pairs.get(writing)!) : text);
}

/** The character of a writing that the fewest texts have: without it the writing is not in a text. */
function rarestOf(writing: string): string {
  const characters = [...writing];
  const mark = characters.find((one) => /[\u0300-\u036f\u200c\u200d]/.test(one));
  // Of Latin letters the one farthest from ASCII; of other scripts the first.
  const found = mark ?? (characters[0]! < '\u0370' ? characters.toSorted().at(-1)! : characters[0]!);
  return /[\\\]^-]/.test(found) ? `\\${found}` : found;
}

/** Signs that are typed for an apostrophe, or for a letter that looks like one; [U] 6.2, 7.1 and 7.8. */
const signs = "'\u0091\u0092\u1fbd\u1fbf`´ʹʻʼʽʾʿˋˊ՚׳‘’‛′＇ꞌꞋ\u07f4\u07f5";
const anySign = new RegExp(`[${signs}]`, 'g');
const otherSign = new RegExp(`[${signs.slice(1)}]`, 'g');
const letter = '[\\p{L}\\p{M}]';

/** One sign for all: the letter apostrophe where it is part of a word, else that of ASCII. */
function apostropheRule(where: WrittenTable['apostrophe']): Rewrite {
  if (where === undefined) return (text) => text.replace(otherSign, "'");
  // Between two letters of Cyrillic a quotation mark is one too: no quotation begins there.
  const inside = `(?<=${letter})[${signs}](?=${letter})|(?<=\\p{Script=Cyrillic})["”“](?=\\p{Script=Cyrillic})`;
  const pattern = new RegExp(
    {
      inside,
      start: `${inside}|[${signs}](?=${letter})`,
      anywhere: `${inside}|(?<=${letter})[${signs}]|[${signs}](?=${letter})`,
    }[where],
    'gu',
  );
  return (text) => text.replace(pattern, 'ʼ').replace(anySign, (sign) => (sign === 'ʼ' ? sign : "'"));
}

function withoutBetweenLetters(joins: string): Rewrite {
  const pattern = new RegExp(`(?<=[\\p{L}\\p{M}\\p{N}])[${joins}](?=\\p{L})`, 'gu');
  return (text) => text.replace(pattern, '');
}

/** Signs of trade are no letters, as NFKC has them; `1.º` is `1º`, and `n°` `nº`; `2½` is `2 1/2` and no 21, `10²` no 102. */
function withoutLetterlike(text: string): string {
  return text
    .replace(/[℠™℡℅]/g, ' ')
    .replaceAll('№', 'no.')
    .replace(/(?<=\d)[¼-¾⅐-⅞]/g, ' $&')
    .replace(/(?<=\d)[²³¹⁰⁴-⁹]+/g, (power) => `^${power}`)
    .replace(/(?<=\d)\.(?=[ºª])/g, '')
    .replace(/(?<=(?<!\p{L})n)°/gu, 'º');
}

/** Blanks that keep a line together part groups of three digits, in any language (ISO 80000-1), as apostrophes do (Switzerland). */
const blankOfGroups = /(?<=\p{Nd})[\u00a0\u202f\u2009\u2007](?=\p{Nd}{3}(?!\p{Nd}))/gu;
const anyGroup = "'";
/** An address of the internet is no number, nor one of thousands. */
const octet = '(?:1\\d\\d|2[0-4]\\d|25[0-5]|[1-9]?\\d)';
const octets = `(?:${octet}\\.){3}${octet}(?!\\d|\\.\\d)`;

/**
 * Numbers without the signs that part thousands, by what a language takes for its decimal sign (CLDR, from `Intl`): 1.250 is 1250 in German
 * and 1,250 in Hindi; where the decimal sign is a comma, a blank parts thousands too (elsewhere before three zeros), else groups of two are read (12,34,567): India writes them in every language.
 * Where nobody knows the language, a full stop or comma parts thousands if the number has two.
 */
function groupRule(tag: string | null): Rewrite {
  const edge = (sign: string) => `(?<![\\d.,]|\\d[${sign}])`;
  const number = (sign: string, three: string) =>
    `${edge(sign)}(?!${octets})[1-9]\\d{0,2}(?:([${sign}])\\d{${three}})(?:\\1\\d{${three}})*(?!\\d|\\1\\d)`;
  const plain = (written: string) => written.replace(/\D/g, '');
  const manifold = new RegExp(
    `(?<![\\d.,])(?!${octets})[1-9]\\d{0,2}(?:\\.\\d{3}){2,}(?![\\d.])|(?<![\\d.,])[1-9]\\d{0,2}(?:,\\d{3}){2,}(?![\\d,])`,
    'g',
  );
  // Three zeros with a blank before them are no number of their own.
  const zeros = /(?<![\d.,] ?)[1-9]\d{0,2}(?: \d{3})* 000(?! ?\d|,\d)/g;
  const decimal = decimalOf(tag);
  const usual = new RegExp(
    number(decimal === null ? anyGroup : `${anyGroup}${decimal === ',' ? '. ' : ','}`, '3'),
    'gu',
  );
  const paired = decimal === '.' ? /(?<![\d.,])\d{1,2}(?:,\d{2})+,\d{3}(?![\d,])/g : null;
  return (text) => {
    const whole = text.includes(' 000') ? text.replace(zeros, plain) : text;
    const changed = (paired === null ? whole : whole.replace(paired, plain)).replace(usual, plain);
    return decimal === null ? changed.replace(manifold, plain) : changed;
  };
}

function decimalOf(tag: string | null): string | null {
  try {
    if (tag === null || Intl.NumberFormat.supportedLocalesOf(tag).length === 0) return null;
    const parts = new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).formatToParts(0.5);
    return parts.find(({ type }) => type === 'decimal')?.value ?? null;
  } catch {
    return null;
  }
}

// What has no width and no sound: Unicode's Default_Ignorable_Code_Point and format characters, but for joiners.
const unseen = /(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const joiner = /[\u200c\u200d]/;
const viramas = '\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2';
/** Letters that join to none behind them (Joining_Type right): a joiner there changes nothing. */
const unjoined = 'اآأإدذرزژوؤةەڈڑےٱۆۇۈ';
const persianJoiner = `(?<=[\\p{Script=Arabic}\\p{M}])(?<![${unjoined}])\u200c+(?=\\p{Script=Arabic})`;
/** Before a virama, in Bengali, a joiner is spelling: র‍্য is another word than র্য. */
const joinersOfWords = new RegExp(
  `${persianJoiner}|(?<=\\p{Script=Bengali})\u200d(?=[${viramas}])|([\u200c\u200d])`,
  'gu',
);
const joinersOfArabic = /[\u200c\u200d]/g;

// Most texts have none of these, and are not searched for each.
const isAscii = /^[\0-\x7f]*$/;
const figure = /\d/;
const numberWithSigns = /\d[.,' ]\d/;
const asciiMark = /['`:]/;
/** Where signs, blanks and superscripts stand that are looked for one by one. */
const signsBeyondAscii = /[\x80-\xbf\u2000-\u218f]/;
const letterlike = /[℠™℡℅№º°ª¼-¾⅐-⅞²³¹⁰⁴-⁹]/;
const firmBlank = /[\u00a0\u202f\u2009\u2007]/;
// biome-ignore lint/suspicious/noMisleadingCharacterClass: ranges of code points are meant
const seldom = /[\u00ad\u034f\u0600-\uffff]/;
const mayBeUnseen =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: ranges of code points are meant
  /[\u00ad\u034f\u0600-\u061c\u06dd\u070f\u0890-\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]/;
const arabicSign = /[\u060c\u066b\u066c]/;
const arabicSigns = /(?<=\d)[\u060c\u066b\u066c](?=\d)/g;

/** Small letters by the rules of a language: ı for I in Turkish. */
export function lowerOf(text: string, language: string | undefined): string {
  return writtenOf(language).lower(text);
}

/**
 * A text in small letters with one writing for what has several: compatibility forms (NFKC), characters that nobody sees, signs for the
 * apostrophe, digits of every script (Unicode's value), letters with two code points, joiners, grouped numbers. What differs by
 * language stands in `tables`; what is a matter of taste in `tastes`.
 *
 * @param language BCP 47 tag; absent: what is the same in all languages
 * @example writtenAlike('п’ять 1 250', 'uk') // 'пʼять 1250'
 */
export function writtenAlike(text: string, language: string | undefined): string {
  const written = writtenOf(language);
  if (isAscii.test(text)) {
    const plain = written.asciiAlike(asciiMark.test(text) ? written.joins(written.apostrophes(text)) : text);
    return figure.test(plain) && numberWithSigns.test(plain) ? written.groups(plain) : plain;
  }
  // NFKC makes a common blank of the others, and of an acute accent a blank with a mark.
  const mayHaveSigns = signsBeyondAscii.test(text);
  const own = mayHaveSigns && letterlike.test(text) ? withoutLetterlike(text) : text;
  const apart = mayHaveSigns && firmBlank.test(own) ? own.replace(blankOfGroups, "'") : own;
  const one = written.joins(written.apostrophes(apart));
  let changed = one.normalize('NFKC');
  if (changed !== one) changed = changed.toLowerCase();
  if (seldom.test(changed) && mayBeUnseen.test(changed)) changed = changed.replace(unseen, '');
  changed = written.alike(asciiDigits(changed));
  if (joiner.test(changed)) {
    changed = changed.replace(written.keepsJoiners ? joinersOfWords : joinersOfArabic, (kept, other) =>
      other === undefined && written.keepsJoiners ? kept[0]! : '',
    );
  }
  if (arabicSign.test(changed))
    changed = changed.replace(arabicSigns, (sign) => ({ '\u066b': '.', '\u060c': ',' })[sign] ?? '');
  return numberWithSigns.test(changed) ? written.groups(changed) : changed;
}

/** What `writtenAlike` makes equal, one kind after the other, each on the text that those before it left: by which errors of spelling are told. */
export const writtenKinds: readonly {
  readonly name: string;
  readonly change: (text: string, language: string | undefined) => string;
}[] = [
  { name: 'capitals', change: lowerOf },
  { name: 'invisible characters', change: (text) => text.replace(unseen, '') },
  {
    name: 'apostrophes',
    change: (text, language) => writtenOf(language).apostrophes(text.replace(blankOfGroups, "'")),
  },
  { name: 'digits', change: asciiDigits },
  { name: 'compatibility forms', change: (text) => text.normalize('NFKC') },
  { name: 'grouped numbers', change: (text, language) => writtenOf(language).groups(text) },
  { name: 'letters with two codes', change: writtenAlike },
];
