import type { NormalizerStep } from '../normalizer.ts';
import { cardinal } from './cardinals.ts';
import { anyOf, rewrite } from './rewrite.ts';

const books =
  `Genesis Exodus Leviticus Deuteronomy Joshua Judges Ruth Samuel Kings Chronicles Ezra Nehemiah Esther Job Psalm
  Psalms Proverbs Ecclesiastes Isaiah Jeremiah Lamentations Ezekiel Daniel Hosea Joel Amos Jonah Micah Habakkuk Zechariah
  Malachi Matthew Mark Luke John Acts Romans Corinthians Galatians Ephesians Philippians Colossians Thessalonians Timothy
  Titus Hebrews James Peter Jude Revelation Surah`.split(/\s+/);
const verse = new RegExp(
  `(?<=(?<!\\p{L})(?:${anyOf(books)}) )(?<chapter>[1-9]\\d{0,2}):(?<first>[1-9]\\d{0,2})(?: ?[-–] ?(?<last>[1-9]\\d{0,2}))?(?![\\d:%]|[.,]\\d| ?[ap]\\.?m)`,
  'gu',
);

/** Chapter and verse: John 3:16 "three sixteen", Psalm 23:1-6 "twenty three one to six". */
export const verses: NormalizerStep = {
  step: 'chapters and verses',
  apply: (text) =>
    rewrite(text, verse, ({ chapter, first, last }) => {
      const until = last === undefined ? '' : ` to ${cardinal(last)}`;
      return `${cardinal(chapter!)} ${cardinal(first!)}${until}`;
    }),
};
