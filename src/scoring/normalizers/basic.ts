import { dropBracketed, dropParenthesized } from './bracketed-remarks.ts';
import { makeNormalizer, type NormalizerStep } from './normalizer.ts';
import { whiteSpace } from './split-words.ts';

const markSymbolPunctuation = /[\p{M}\p{S}\p{P}]/gu;

const steps: readonly NormalizerStep[] = [
  { step: 'lower case', apply: (text) => text.toLowerCase() },
  { step: 'drop <...> and [...]', apply: dropBracketed },
  { step: 'drop (...)', apply: dropParenthesized },
  {
    step: 'compose, marks, symbols and punctuation to blanks',
    apply: (text) => text.normalize('NFKC').replace(markSymbolPunctuation, ' ').toLowerCase(),
  },
  { step: 'runs of white space to one blank', apply: (text) => text.replace(whiteSpace, ' ') },
];

/**
 * Text as Whisper's basic normalizer leaves it (A. Radford et al., "Robust speech recognition via large-scale weak
 * supervision", 2022, appendix C; the program's own habit where the two differ): lower case; `<...>`, `[...]` and `(...)`
 * dropped with what they hold; compatibility forms composed (NFKC: ligatures, full width, Roman and circled numerals);
 * each mark, symbol and punctuation sign replaced by a blank; runs of white space by one blank.
 *
 * Known traps, kept for comparability: an apostrophe divides a word (`don't` gives `don t`), decomposable scripts lose
 * vowel signs (Devanagari, Thai, pointed Hebrew: use another normalizer for these), a dotted capital I comes apart, and
 * zero-width characters stay.
 *
 * @example basicText("It's [noise] TEN o’clock!") // 'it s ten o clock '
 * @internal
 */
export function basicText(text: string): string {
  return steps.reduce((changed, { apply }) => apply(changed), text);
}

/** For any language written with spaces: case and punctuation do not count. */
export const basic = makeNormalizer({
  name: 'basic',
  version: 1,
  about:
    'Any language: lower case, bracketed remarks dropped, punctuation and symbols to blanks, as Whisper’s basic normalizer.',
  steps,
});
