import type { NormalizerStep } from '../normalizer.ts';
import { sayAlphanumeric, spelledInSmallLetters } from './initialisms.ts';
import { cardinal, ordinal } from './numbers.ts';
import { anyOf, rewrite, wordSet, wordTable } from './rewrite.ts';

const books = wordSet(`
  Genesis Exodus Leviticus Deuteronomy Joshua Judges Ruth Samuel Kings Chronicles Ezra Nehemiah Esther Job Numbers Psalm
  Psalms Proverbs Ecclesiastes Isaiah Jeremiah Lamentations Ezekiel Daniel Hosea Joel Amos Jonah Micah Habakkuk Zechariah
  Malachi Matthew Mark Luke John Acts Romans Corinthians Galatians Ephesians Philippians Colossians Thessalonians Timothy
  Titus Hebrews James Peter Jude Revelation Surah`);
const shortened = wordTable(`
  Gen Genesis|Ex Exodus|Exod Exodus|Lev Leviticus|Num Numbers|Deut Deuteronomy|Josh Joshua|Judg Judges|Sam Samuel|Chron Chronicles
  Neh Nehemiah|Ps Psalm|Pss Psalms|Prov Proverbs|Eccl Ecclesiastes|Isa Isaiah|Jer Jeremiah|Lam Lamentations|Ezek Ezekiel|Dan Daniel|Hos Hosea
  Mic Micah|Hab Habakkuk|Zech Zechariah|Mal Malachi|Matt Matthew|Mt Matthew|Mk Mark|Lk Luke|Jn John|Rom Romans|Cor Corinthians
  Gal Galatians|Eph Ephesians|Phil Philippians|Col Colossians|Thess Thessalonians|Tim Timothy|Heb Hebrews|Jas James|Pet Peter
  Rev Revelation`);
/** These are names of people as well. */
const alsoPeople = new Set(['Dan', 'Tim', 'Phil', 'Sam', 'Josh', 'Pet', 'Rom', 'Mal', 'Num', 'Ex']);
const book = new RegExp(
  `(?<![\\p{L}.])(?<short>${anyOf(shortened.keys())})(?<dot>\\.)?(?= [1-9]\\d{0,2}:[1-9]\\d{0,2}(?!\\d| ?[ap]\\.?m))`,
  'gu',
);
const numbered =
  /(?<![\p{L}\d.,])(?<number>[123])(?= (?:Samuel|Kings|Chronicles|Corinthians|Thessalonians|Timothy|Peter|John) [1-9]\d?:[1-9])/gu;
const verse = new RegExp(
  `(?<=(?<!\\p{L})(?:${anyOf(books)}) )(?<chapter>[1-9]\\d{0,2}):(?<first>[1-9]\\d{0,2})(?: ?[-–] ?(?<last>[1-9]\\d{0,2}))?(?![\\d:%]|[.,]\\d| ?[ap]\\.?m)`,
  'gu',
);

/** Chapter and verse: John 3:16 "three sixteen", Ps. 23:1-6 "psalm twenty three one to six". */
export const verses: NormalizerStep = {
  step: 'chapters and verses',
  apply: (text) =>
    rewrite(inFull(text), verse, ({ chapter, first, last }) => {
      const until = last === undefined ? '' : ` to ${cardinal(last)}`;
      return `${cardinal(chapter!)} ${cardinal(first!)}${until}`;
    }),
};

/** What stands before a number: pattern of the written form, and the words for one and for more of it. */
const table: readonly (readonly [written: string, one: string, many: string])[] = [
  ['[Nn]os?\\.|Nos?|№', 'number', 'numbers'],
  ['#', 'number', 'numbers'],
  ['[Pp]p?\\.|pp', 'page', 'pages'],
  ['§§?', 'section', 'sections'],
  ['[Ss]ecs?\\.|[Ss]ects?\\.', 'section', 'sections'],
  ['¶¶?|[Pp]aras?\\.', 'paragraph', 'paragraphs'],
  ['[Cc]h(?:ap)?s?\\.', 'chapter', 'chapters'],
  ['[Vv]ols?\\.|Vol', 'volume', 'volumes'],
  ['[Ff]igs?\\.|Fig', 'figure', 'figures'],
  ['[Tt]ab\\.', 'table', 'tables'],
  ['[Ee]qs?\\.|[Ee]qns?\\.', 'equation', 'equations'],
  ['[Aa]rts?\\.', 'article', 'articles'],
  ['[Oo]p\\.', 'opus', 'opus'],
  ['[Aa]pps?\\.', 'appendix', 'appendices'],
  ['[Ee]x(?:s|amp)?\\.', 'example', 'examples'],
  ['[Rr]ef\\.', 'reference', 'references'],
  ['[Rr]m\\.', 'room', 'rooms'],
  ['[Ff]lt?\\.', 'floor', 'floors'],
  ['[Ee]xt\\.', 'extension', 'extensions'],
  ['[Vv]v?\\.', 'verse', 'verses'],
  ['[Ll]l\\.', 'lines', 'lines'],
  ['[Ee]pi?\\.', 'episode', 'episodes'],
  ['c\\.|[Cc]a\\.', 'circa', 'circa'],
  ['[Aa]pprox\\.?|[~≈]', 'approximately', 'approximately'],
  ['[Ee]st\\. (?:in )?(?=1\\d{3}|20\\d{2})', 'established', 'established'],
  ['b\\. (?=1\\d{3}|20\\d{2})', 'born', 'born'],
  ['d\\. (?=1\\d{3}|20\\d{2})', 'died', 'died'],
  ['[Mm]ax\\.', 'maximum', 'maximum'],
  ['[Mm]in\\.', 'minimum', 'minimum'],
  ['[Aa]vg\\.', 'average', 'average'],
  ['[Tt]el\\.', 'telephone', 'telephone'],
];
const patterns = table.map(([written, one, many]) => ({
  pattern: new RegExp(`(?<![\\p{L}\\d])(?<mark>${written}):? ?(?=[-+$£€]?\\.?\\d|(?:[IVXLC]{2,}|V|X)(?!\\p{L}))`, 'gu'),
  one,
  many,
}));
const further = /^\d[\d.]* ?(?:[-–,&]|and|to) ?\d/;
const century = /(?<=\d(?:st|nd|rd|th)) c\.(?!\p{L})/giu;
const millions = /(?<![\p{L}\d]|\d[.,])(\d+\.\d+|(?!3M )\d+(?=M \p{Ll}))M(?![\p{L}\d])/gu;
const sizes = /(?<=\d) ?(bn|mln|mn)(?![\p{L}\d])/gu;
const thousands =
  /(?<=(?<![\p{L}\d]|\d[.,])\d{1,3}(?:\.\d)?) ?[kK](?= (?:people|users|followers|views|viewers|subscribers|members|downloads|copies|jobs|words|likes|votes|visitors|customers|employees|fans|students|homes|dollars|euros|pounds)(?!\p{L}))/gu;
const versus = /(?<=\p{L}'?s? )v\. (?=\p{Lu})/gu;

/** Shortened words that point at a number: No. 5 "number five", pp. 3-7 "pages three to seven", § 5 "section five", ~5 "approximately five". */
export const references: NormalizerStep = {
  step: 'No., p., §, approx. before a number',
  apply(text) {
    let said = text
      .replace(versus, 'versus ')
      .replace(century, ' century')
      .replace(millions, '$1 million')
      .replace(thousands, ' thousand')
      .replace(sizes, (_, short) => (short === 'bn' ? ' billion' : ' million'));
    for (const { pattern, one, many } of patterns) {
      if (!pattern.test(said)) continue;
      pattern.lastIndex = 0;
      said = rewrite(said, pattern, ({ mark }, { after }) => {
        const doubled = /^(?:§§|¶¶|pp\.?)$/.test(mark!) || /[^s]s\.?$/.test(mark!);
        return `${doubled || further.test(after) ? many : one} `;
      });
    }
    return said;
  },
};

function inFull(text: string): string {
  const books = rewrite(text, book, ({ short, dot }) =>
    dot === undefined && alsoPeople.has(short!) ? undefined : shortened.get(short!),
  );
  return rewrite(books, numbered, ({ number }) => ordinal(number!));
}

const endings =
  'com|org|net|edu|gov|mil|int|info|biz|io|co|ai|app|dev|tv|me|ly|gg|fm|eu|us|uk|ca|de|fr|it|es|nl|be|ch|at|se|no|fi|dk|pl|ru|jp|cn|in|au|nz|br|mx|za|ie|js|py|ts|rs|cpp|txt|pdf|doc|docx|xls|xlsx|ppt|csv|json|xml|html|htm|css|md|jpg|jpeg|png|gif|svg|wav|mp3|mp4|zip|exe';
const label = String.raw`[\p{L}\d](?:[\p{L}\d_-]{0,62}[\p{L}\d])?`;
const email = new RegExp(
  `(?<![\\p{L}\\d._%+@-])(?<local>[\\p{L}\\d_%+-]{1,64}(?:\\.[\\p{L}\\d_%+-]{1,64}){0,8})@(?<host>${label}(?:\\.${label}){1,8})`,
  'gu',
);
const url = /(?<![\p{L}\d@./])(?:(?<scheme>https?|ftp):\/\/)(?<rest>[^\s"<>()[\]{}]{1,2000}[\p{L}\d/])/giu;
const host = new RegExp(
  `(?<![\\p{L}\\d@./_-])(?<host>(?:www\\.${label}(?:\\.${label}){0,8}|(?:${label}\\.){1,8}(?:${endings})))(?![\\p{L}\\d_@-]|\\.\\p{L})(?<path>(?:\\/[\\p{L}\\d_.~%&=?#+-]*)*)`,
  'gu',
);
const mention = /(?<![\p{L}\d@.])(?<sign>[@#])(?<name>\p{L}[\p{L}\d_]{0,80})/gu;

const signs: Readonly<Record<string, string>> = {
  '.': 'dot',
  '/': 'slash',
  '@': 'at',
  ':': 'colon',
  '-': 'dash',
  _: 'underscore',
  '?': 'question mark',
  '=': 'equals',
  '&': 'and',
  '#': 'hash',
  '%': 'percent',
  '+': 'plus',
  '~': 'tilde',
};

// Names within an address are read as words where they can be; "www", "io" and "pdf" letter by letter.
function sayPart(part: string): string {
  if (/^\p{L}+$/u.test(part)) {
    const small = part.toLowerCase();
    return small === 'www' || spelledInSmallLetters.has(small) ? small.split('').join(' ') : small;
  }
  return sayAlphanumeric(part);
}

function sayAddress(address: string): string {
  return (address.match(/[\p{L}\p{M}\d]+|[^\p{L}\p{M}\d]/gu) ?? [])
    .map((part) => (/^[\p{L}\p{M}\d]/u.test(part) ? sayPart(part) : (signs[part] ?? '')))
    .filter((words) => words !== '')
    .join(' ');
}

const camelCase = (name: string) => name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' ');

/** Electronic addresses as they are dictated: "jane dot doe at example dot com". `@name` is "at name", `#name` "hashtag name". */
export const webAddresses: NormalizerStep = {
  step: 'addresses of the net',
  apply(text) {
    if (!/[@.#]/.test(text)) return text;
    let said = rewrite(text, url, ({ scheme, rest }) => {
      const letters = scheme!.toLowerCase().split('').join(' ');
      return `${letters} colon slash slash ${sayAddress(rest!)}`;
    });
    said = rewrite(said, email, ({ local, host: domain }) => `${sayAddress(local!)} at ${sayAddress(domain!)}`);
    said = rewrite(said, host, ({ host: domain, path }) => {
      // "end.In" is two sentences that lack a blank.
      if (/\.\p{Lu}\p{Ll}/u.test(domain!)) return undefined;
      const tail = path!.replace(/[.?/]+$/, (end) =>
        end.startsWith('/') && path!.length > 1 ? '' : end.replaceAll(/[.?/]/g, ''),
      );
      return sayAddress(domain! + tail);
    });
    return rewrite(said, mention, ({ sign, name }) => `${sign === '@' ? 'at' : 'hashtag'} ${camelCase(name!)}`);
  },
};
