import { unspaced } from '../../base/scripts.ts';
import { makeNormalizer, type Normalizer, type NormalizerStep, whiteSpace } from './normalizer.ts';

/** A mark behind its letter that no letter of its own stands for, as é does for e and its accent. */
const spellingMark = /\p{L}\p{M}/u;

const bracketed = /[<[][^>\]]*[>\]]/gu;
const parenthesized = /\([^)]+?\)/gu;

/** @param signs what becomes a blank once the text is composed */
function stepsWith(signs: RegExp, what: string): readonly NormalizerStep[] {
  return [
    { step: 'lower case', apply: (text) => text.toLowerCase() },
    { step: 'drop <...> and [...]', apply: dropBracketed },
    { step: 'drop (...)', apply: dropParenthesized },
    {
      step: `compose, ${what} to blanks`,
      apply: (text) => text.normalize('NFKC').replace(signs, ' ').toLowerCase(),
    },
    { step: 'runs of white space to one blank', apply: (text) => text.replace(whiteSpace, ' ') },
  ];
}

const steps = stepsWith(/[\p{M}\p{S}\p{P}]/gu, 'marks, symbols and punctuation');

/**
 * Text as Whisper's basic normalizer leaves it (A. Radford et al., "Robust speech recognition via large-scale weak
 * supervision", 2022, appendix C; the program's own habit where the two differ): lower case; `<...>`, `[...]` and `(...)`
 * dropped with what they hold; compatibility forms composed (NFKC: ligatures, full width, Roman and circled numerals);
 * each mark, symbol and punctuation sign replaced by a blank; runs of white space by one blank.
 *
 * Known traps, kept for comparability: an apostrophe divides a word (`don't` gives `don t`), scripts that write vowels as marks
 * lose them and their words come apart (Devanagari, Thai, pointed Hebrew: `basicMarks` keeps them), a dotted capital I comes apart, and
 * zero-width characters stay.
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

/** A mark without a letter before it is none of a word: an emoji's. Joiners stand between letter and mark in Bengali. */
const signsAndTheirMarks = /[\p{S}\p{P}]\p{M}*|(?<![\p{L}\p{M}\u200c\u200d])\p{M}+/gu;

/**
 * The same, but marks of letters stay: for languages that write vowels as marks, whose words Whisper's normalizer divides at each of them.
 *
 * @example
 * basicMarks.words('नमस्ते, दुनिया!') // ['नमस्ते', 'दुनिया'], of which `basic` makes ['नमस', 'त', 'द', 'न', 'य']
 */
export const basicMarks = makeNormalizer({
  name: 'basic-marks',
  version: 1,
  about:
    'As basic, but vowel signs and other marks stay: Hindi, Bengali, Tamil, Thai, … (basic divides their words there).',
  steps: stepsWith(signsAndTheirMarks, 'symbols and punctuation'),
});

const charactersAndWords = new RegExp(
  `[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}\u200c\u200d])+`,
  'gu',
);

/**
 * The same, and each character of a script without blanks between words is a word by itself, with the marks that belong to it: its WER is
 * the character error rate that is usual for Japanese, Thai, Lao, Burmese, Khmer and Tibetan. Words in other scripts stay whole.
 *
 * @example basicCharacters.words('今日はNHKを見た。') // ['今', '日', 'は', 'nhk', 'を', '見', 'た']
 */
export const basicCharacters = makeNormalizer({
  name: 'basic-characters',
  version: 1,
  about: 'As basic-marks, with characters as units in Japanese, Thai, Lao, Burmese, Khmer, Tibetan; other words whole.',
  steps: stepsWith(signsAndTheirMarks, 'symbols and punctuation'),
  split: (text) => text.match(charactersAndWords) ?? [],
  hasCharacterWords: true,
});

/**
 * A text without `<...>` and `[...]`, whichever of the closing signs comes first, as both of Whisper's normalizers have
 * it: `a [b> c` is `a  c`.
 */
export function dropBracketed(text: string): string {
  return removeUntil(text, Math.max(text.lastIndexOf('>'), text.lastIndexOf(']')), bracketed);
}

/** A text without `(...)`; empty parentheses stay. */
export function dropParenthesized(text: string): string {
  return removeUntil(text, text.lastIndexOf(')'), parenthesized);
}

// An opening bracket that nothing closes would be searched to the end of the text, a text of such in square time: the
// search stops at the last closing one.
function removeUntil(text: string, lastClosing: number, pattern: RegExp): string {
  return text.slice(0, lastClosing + 1).replace(pattern, '') + text.slice(lastClosing + 1);
}

/** Sees references, and tells of those whose words a normalizer cannot find. */
interface WordWatch {
  see(reference: string, language?: string): void;
  /**
   * What was seen, each as a sentence without its end, with the normalizer that is made for such texts and the tag of one of their languages.
   *
   * @param showsWord whether one of the words may be shown
   */
  told(
    showsWord: boolean,
  ): readonly { readonly sentence: string; readonly better: string; readonly language: string }[];
}

const stretch = new RegExp(`[${unspaced}]{4,}`, 'u');
const kanaOrOther = new RegExp(`(?!\\p{Script=Han})[${unspaced}]`, 'u');

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
  let marked = 0;
  let markedWord = '';
  let joined = 0;
  let joinedWord = '';
  let others = 0;
  return {
    see(reference, language) {
      seen++;
      const whole = stretch.test(reference)
        ? normalizer.words(reference, language).find((word) => stretch.test(word))
        : undefined;
      if (whole !== undefined) {
        joined++;
        if (kanaOrOther.test(reference)) others++;
        if (joinedWord === '') joinedWord = whole;
      }
      // Most texts have no mark at all: only the others are composed.
      if (!spellingMark.test(reference) || !spellingMark.test(reference.normalize('NFKC'))) return;
      const word = reference.split(/\s+/).find((one) => spellingMark.test(one.normalize('NFKC'))) ?? reference;
      const left = normalizer.words(word, language);
      if (left.some((one) => /\p{M}/u.test(one))) return;
      marked++;
      if (markedWord === '') markedWord = `${word} becomes ${left.join(' ') || 'nothing'}`;
    },
    told(showsWord) {
      const shown = (word: string) => (showsWord ? ` (${word})` : '');
      const found: { sentence: string; better: string; language: string }[] = [];
      if (joined > 0) {
        found.push({
          sentence: `${joined} of ${seen} references have no blanks between words (as Chinese and Thai), and the normalizer ${normalizer.name} takes each stretch for one word: one wrong character makes all of it wrong${shown(joinedWord)}`,
          ...(others > 0 ? { better: 'basic-characters', language: 'ja' } : { better: 'chinese', language: 'zh' }),
        });
      }
      if (marked > 0) {
        found.push({
          sentence: `${marked} of ${seen} references write vowels as marks (as Hindi and Thai do), which the normalizer ${normalizer.name} drops as Whisper's does: they do not count, and words come apart${shown(markedWord)}`,
          better: 'basic-marks',
          language: 'hi',
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
