import type { NormalizerStep } from '../normalizer.ts';
import { cardinal } from './cardinals.ts';
import { ordinal } from './ordinals.ts';
import { anyOf, rewrite } from './rewrite.ts';

const books =
  `Genesis Exodus Leviticus Deuteronomy Joshua Judges Ruth Samuel Kings Chronicles Ezra Nehemiah Esther Job Numbers Psalm
  Psalms Proverbs Ecclesiastes Isaiah Jeremiah Lamentations Ezekiel Daniel Hosea Joel Amos Jonah Micah Habakkuk Zechariah
  Malachi Matthew Mark Luke John Acts Romans Corinthians Galatians Ephesians Philippians Colossians Thessalonians Timothy
  Titus Hebrews James Peter Jude Revelation Surah`.split(/\s+/);
const shortened: ReadonlyMap<string, string> = new Map(
  `Gen Genesis|Ex Exodus|Exod Exodus|Lev Leviticus|Num Numbers|Deut Deuteronomy|Josh Joshua|Judg Judges|Sam Samuel|Chron Chronicles
Neh Nehemiah|Ps Psalm|Pss Psalms|Prov Proverbs|Eccl Ecclesiastes|Isa Isaiah|Jer Jeremiah|Lam Lamentations|Ezek Ezekiel|Dan Daniel|Hos Hosea
Mic Micah|Hab Habakkuk|Zech Zechariah|Mal Malachi|Matt Matthew|Mt Matthew|Mk Mark|Lk Luke|Jn John|Rom Romans|Cor Corinthians
Gal Galatians|Eph Ephesians|Phil Philippians|Col Colossians|Thess Thessalonians|Tim Timothy|Heb Hebrews|Jas James|Pet Peter
Rev Revelation`
    .split(/[|\n]/)
    .map((entry) => entry.split(' ') as [string, string]),
);
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

function inFull(text: string): string {
  const books = rewrite(text, book, ({ short, dot }) =>
    dot === undefined && alsoPeople.has(short!) ? undefined : shortened.get(short!),
  );
  return rewrite(books, numbered, ({ number }) => ordinal(number!));
}

/** Chapter and verse: John 3:16 "three sixteen", Ps. 23:1-6 "psalm twenty three one to six". */
export const verses: NormalizerStep = {
  step: 'chapters and verses',
  apply: (text) =>
    rewrite(inFull(text), verse, ({ chapter, first, last }) => {
      const until = last === undefined ? '' : ` to ${cardinal(last)}`;
      return `${cardinal(chapter!)} ${cardinal(first!)}${until}`;
    }),
};
