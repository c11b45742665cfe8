import { unspaced } from '../../base/scripts.ts';
import { openLetters } from '../alignment/open-words.ts';
import { makeNormalizer, type Normalizer, type NormalizerStep, whiteSpace } from './normalizer.ts';
import { replaceUntil, withoutRemarks as withoutKnownRemarks } from './written/remarks.ts';
import { replaceSigns } from './written/said-signs.ts';
import { lowerOf, writtenAlike } from './written/written.ts';

/** A mark behind its letter that no letter of its own stands for, as é does for e and its accent; not one that nobody sees. */
const spellingMark = /\p{L}(?!\p{Default_Ignorable_Code_Point})\p{M}/u;

const bracketed = /[<[][^>\]]*[>\]]/gu;
const parenthesized = /\([^)]+?\)/gu;

const lower: NormalizerStep = { step: 'lower case', apply: (text) => text.toLowerCase() };
const withoutRemarks: readonly NormalizerStep[] = [
  { step: 'drop <...> and [...]', apply: dropBracketed },
  { step: 'drop (...)', apply: dropParenthesized },
];
const oneBlank: NormalizerStep = {
  step: 'runs of white space to one blank',
  apply: (text) => text.replace(whiteSpace, ' '),
};

const steps: readonly NormalizerStep[] = [
  lower,
  ...withoutRemarks,
  {
    step: 'compose, marks, symbols and punctuation to blanks',
    apply: (text) =>
      text
        .normalize('NFKC')
        .replace(/[\p{M}\p{S}\p{P}]/gu, ' ')
        .toLowerCase(),
  },
  oneBlank,
];

/**
 * Text as Whisper's basic normalizer leaves it (A. Radford et al., "Robust speech recognition via large-scale weak
 * supervision", 2022, appendix C; the program's own habit where the two differ): lower case; `<...>`, `[...]` and `(...)`
 * dropped with what they hold; compatibility forms composed (NFKC: ligatures, full width, Roman and circled numerals);
 * each mark, symbol and punctuation sign replaced by a blank; runs of white space by one blank.
 *
 * Known traps, kept for comparability: an apostrophe divides a word (`don't` gives `don t`), scripts that write vowels as marks
 * lose them and their words come apart (Devanagari, Thai: `plain` keeps them; pointed Arabic and Hebrew: `basicUnpointed`), a dotted
 * capital I comes apart (`basicTurkic`), and zero-width characters stay.
 *
 * @example basicText("It's [noise] TEN o’clock!") // 'it s ten o clock '
 * @internal
 */
export function basicText(text: string): string {
  return steps.reduce((changed, { apply }) => apply(changed), text);
}

/** For any language written with spaces and without vowel signs: case and punctuation do not count. */
export const basic = makeNormalizer({
  name: 'basic',
  version: 1,
  about:
    'Any language: lower case, bracketed remarks dropped, punctuation and symbols to blanks, as Whisper’s basic normalizer.',
  steps,
});

/**
 * Letters with a full stop each, also doubled, and with blanks between where the last has one too: `U.S.A.`, `z.B.`, `EE. UU.`, `О.О.Н.`, `K. D.`. Two
 * sentences of which one ends and one begins with a letter (`vitamin C. I like it`) are none, nor are short words (`SO. I`).
 */
const initials =
  /(?<![\p{L}\p{N}.])(\p{L})\1?(?:(?:\.(\p{L})\2?(?![\p{L}\p{M}]))+\.?|(?:\. (\p{L})\3?(?=\.))+\.)(?![\p{L}\p{N}])/gu;
const mayBeInitials = /\p{L}\. ?\p{L}{1,2}(?![\p{L}\p{M}])/u;

/** Letters with full stops as open ones: each by itself, or one word where the other text has it. */
function withOpenLetters(text: string): string {
  const stop = text.indexOf('.');
  if (stop < 0 || stop === text.length - 1 || !mayBeInitials.test(text)) return text;
  return text.replace(initials, (found) => `${openLetters(found.split(/[. ]+/).filter((one) => one !== ''))} `);
}

/** The steps of our own normalizers: what is written in two ways is written in one, and full-width brackets are brackets. */
const ownSteps = (...changes: readonly NormalizerStep[]): readonly NormalizerStep[] => [
  { step: 'lower case, as the language has it', apply: lowerOf },
  {
    step: 'drop <...>, [...] and remarks in (...) and *...*, full width too',
    apply: withoutKnownRemarks,
  },
  { step: 'one writing of apostrophes, digits, grouped numbers, letters with two codes', apply: writtenAlike },
  { step: 'letters with full stops marked: one word where the other text has it', apply: withOpenLetters },
  {
    step: 'signs that are said to words, other symbols and punctuation to blanks',
    apply: replaceSigns,
  },
  ...changes,
];

/**
 * For any language written with spaces: as basic, but what has two writings is one (`writtenAlike`, by the language of the text), and marks
 * of letters stay, at which Whisper's normalizer divides the words of languages that write vowels as marks.
 *
 * @example
 * plain.words('नमस्ते, दुनिया!') // ['नमस्ते', 'दुनिया'], of which `basic` makes ['नमस', 'त', 'द', 'न', 'य']
 */
export const plain = makeNormalizer({
  name: 'plain',
  version: 4,
  about:
    'Any language with blanks between words: as basic, but what is written in two ways is one (apostrophes, digits, invisible characters, …), and vowel signs stay.',
  steps: ownSteps(),
});

/** `plain` by its earlier name, for configs that have it. */
export const basicMarks: Normalizer = {
  ...plain,
  name: 'basic-marks',
  version: 6,
  about: 'plain by its earlier name.',
};

/**
 * The same without points of letters, which most texts of these languages leave out: Arabic, Hebrew, Persian, Urdu. A letter that the
 * joining stroke (U+0640) lengthens is the letter.
 *
 * @example basicUnpointed.words('مُحَمَّد') // ['محمد'], of which `basic` makes four
 */
export const basicUnpointed = makeNormalizer({
  name: 'basic-unpointed',
  version: 5,
  about: 'As plain, but points of Arabic and Hebrew letters are dropped, with or without which a word is the same.',
  steps: ownSteps({
    step: 'drop points and joining strokes',
    apply: (text) => text.replace(/(?<=\p{L})[\p{M}\u0640]+/gu, ''),
  }),
});

/**
 * The same with the lower case of Turkic languages: I is a capital ı, İ a capital i.
 *
 * @example basicTurkic.words('IŞIK İstanbul') // ['ışık', 'istanbul']
 */
export const basicTurkic = makeNormalizer({
  name: 'basic-turkic',
  version: 5,
  about: 'As plain, but I is the capital of ı, and İ that of i: Turkish, Azerbaijani, …',
  steps: [
    {
      step: 'ı for I, i for İ',
      apply: (text) => text.normalize('NFC').replace(/[Iİ]/g, (capital) => (capital === 'I' ? 'ı' : 'i')),
    },
    ...ownSteps(),
  ],
});

const charactersAndWords = new RegExp(
  `[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}\u200c\u200d])+|[\\p{S}\\p{P}]`,
  'gu',
);

/**
 * As plain, and each character of a script without blanks between words is a word by itself, with the marks that belong to it: in
 * Japanese its WER is the character error rate that is usual there; in Thai, Lao, Burmese, Khmer and Tibetan that has marks as characters of
 * their own, as the CER has them. Words in other scripts stay whole.
 *
 * @example basicCharacters.words('今日はNHKを見た。') // ['今', '日', 'は', 'nhk', 'を', '見', 'た']
 */
export const basicCharacters = makeNormalizer({
  name: 'basic-characters',
  version: 6,
  about: 'As plain, with characters as units in Japanese, Thai, Lao, Burmese, Khmer, Tibetan; other words whole.',
  steps: ownSteps(),
  split: (text) => text.match(charactersAndWords) ?? [],
  hasCharacterWords: true,
});

/**
 * A text without `<...>` and `[...]`, whichever of the closing signs comes first, as both of Whisper's normalizers have
 * it: `a [b> c` is `a  c`.
 */
export function dropBracketed(text: string): string {
  return replaceUntil(text, Math.max(text.lastIndexOf('>'), text.lastIndexOf(']')), bracketed, '');
}

/** A text without `(...)`; empty parentheses stay. */
export function dropParenthesized(text: string): string {
  return replaceUntil(text, text.lastIndexOf(')'), parenthesized, '');
}

/** Sees utterances, and tells of those whose words a normalizer cannot find. */
interface WordWatch {
  see(reference: string, language?: string, hypothesis?: string): void;
  /**
   * What was seen, each as a sentence without its end, with the normalizer that is made for such texts and the tag of their language, where
   * the script tells one.
   *
   * @param showsWord whether one of the words may be shown
   */
  told(
    showsWord: boolean,
  ): readonly { readonly sentence: string; readonly better: string; readonly language: string | null }[];
}

/** Shorter ones may be words that somebody divided, unless most texts are one. */
const stretch = new RegExp(`[${unspaced}]{4,}`, 'u');
const shortText = new RegExp(`^\\P{L}*[${unspaced}]{2,3}\\P{L}*$`, 'u');
/** What a script says of a language, and the normalizer that finds its words. */
const byScript: readonly (readonly [script: RegExp, better: string, language: string | null])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'basic-characters', 'ja'],
  [/\p{Script=Han}/u, 'chinese', 'zh'],
  [/\p{Script=Thai}/u, 'basic-characters', 'th'],
  [/\p{Script=Lao}/u, 'basic-characters', 'lo'],
  [/\p{Script=Khmer}/u, 'basic-characters', 'km'],
  [/\p{Script=Myanmar}/u, 'basic-characters', 'my'],
  [/\p{Script=Tibetan}/u, 'basic-characters', 'bo'],
  [/\p{Script=Arabic}/u, 'basic-unpointed', 'ar'],
  [/\p{Script=Hebrew}/u, 'basic-unpointed', 'he'],
  [/\p{Script=Devanagari}/u, 'plain', 'hi'],
  [/\p{Script=Bengali}/u, 'plain', 'bn'],
  [/\p{Script=Tamil}/u, 'plain', 'ta'],
  [/\p{Script=Telugu}/u, 'plain', 'te'],
  [/./su, 'plain', null],
];

/**
 * Watches for texts whose words a normalizer cannot find. Devanagari, Thai, Tamil, pointed Arabic and Hebrew write vowels as marks, which
 * Whisper's normalizers drop: a rate without them is lower than a reader of these scripts would say, over words that came apart. Chinese,
 * Japanese and Thai put no blanks between words: a sentence that counts as one word is wrong as a whole for one wrong character.
 *
 * @example
 * const watch = watchWords(basic);
 * watch.see('नमस्ते');
 * watch.told(false)[0].sentence // '1 of 1 references write vowels as marks (as …), which the normalizer basic drops as …'
 */
export function watchWords(normalizer: Normalizer): WordWatch {
  let seen = 0;
  const marked = { count: 0, word: '', shown: '' };
  const joined = { count: 0, short: 0, word: '', text: '' };
  const advice = (word: string) => {
    const [, better, language] = byScript.find(([script]) => script.test(word))!;
    return { better, language };
  };
  return {
    see(reference, language, hypothesis = '') {
      seen++;
      // Words that somebody divided in the references alone stand beside whole sentences.
      const text = [reference, hypothesis].find((one) => stretch.test(one)) ?? reference;
      const long = stretch.test(text);
      if (long || shortText.test(text)) {
        const divided = normalizer.words(text, language);
        const word = divided.find((one) => (long ? stretch : shortText).test(one));
        if (word !== undefined) {
          joined.count++;
          if (!long) joined.short++;
          // Kana tell Japanese from Chinese, and stand in most of its sentences.
          if (joined.word === '' || advice(text).language === 'ja') Object.assign(joined, { word, text });
        }
      }
      // Most texts have no mark at all: only the others are composed.
      if (!spellingMark.test(reference) || !spellingMark.test(reference.normalize('NFKC'))) return;
      const word = reference.split(/\s+/).find((one) => spellingMark.test(one.normalize('NFKC'))) ?? reference;
      const left = normalizer.words(word, language);
      const isMarked = (words: readonly string[]) => words.some((one) => /\p{M}/u.test(one));
      // Some are one letter with the letter before them, and are none there.
      if (isMarked(left) || !isMarked(plain.words(word, language))) return;
      // Without its points a word is the same word.
      if (left.length === 1 && advice(word).better === 'basic-unpointed') return;
      marked.count++;
      if (marked.word === '') Object.assign(marked, { word, shown: `${word} becomes ${left.join(' ') || 'nothing'}` });
    },
    told(showsWord) {
      const shown = (word: string) => (showsWord ? ` (${word})` : '');
      const found: { sentence: string; better: string; language: string | null }[] = [];
      if (joined.count > joined.short || (joined.short > 0 && 2 * joined.short >= seen)) {
        found.push({
          sentence: `${joined.count} of ${seen} utterances are in scripts without blanks between words (as Chinese and Thai), and the normalizer ${normalizer.name} takes each stretch for one word: one wrong character makes all of it wrong${shown(joined.word)}`,
          ...advice(joined.text),
        });
      }
      if (marked.count > 0) {
        found.push({
          sentence: `${marked.count} of ${seen} references write vowels as marks (as Hindi and Thai do), which the normalizer ${normalizer.name} drops as Whisper's does: they do not count, and words come apart${shown(marked.shown)}`,
          ...advice(marked.word),
        });
      }
      return found;
    },
  };
}

/** Words exactly as they were written. */
export const none = makeNormalizer({
  name: 'none',
  version: 1,
  about: 'Splits at white space and changes nothing: letter case and punctuation count.',
  steps: [],
});
