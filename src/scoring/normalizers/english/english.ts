import { dropBracketed, dropParenthesized } from '../bracketed-remarks.ts';
import { makeNormalizer, type NormalizerStep } from '../normalizer.ts';
import { splitWords, whiteSpace } from '../split-words.ts';
import { expandEndings, expandFixedContractions, expandTitles } from './contractions.ts';
import { dropFillers } from './fillers.ts';
import { blanksAroundDigits, centsAndOnes, halvesAsDecimals } from './numbers.ts';
import { readNumbers } from './read-numbers.ts';
import { americanSpelling } from './spelling/american-spelling.ts';
import { dropSymbolsAndAccents } from './symbols.ts';
import { blank } from './word-edges.ts';

// Only from the beginning of a run of blanks: from each of them, a run that no apostrophe follows takes square time.
const blanksBeforeApostrophe = new RegExp(`(?<!${blank})${blank}+'`, 'gu');

const steps: readonly NormalizerStep[] = [
  { step: 'lower case', apply: (text) => text.toLowerCase() },
  { step: 'drop <...> and [...]', apply: dropBracketed },
  { step: 'drop (...)', apply: dropParenthesized },
  { step: 'drop fillers', apply: dropFillers },
  { step: 'no blank before an apostrophe', apply: (text) => text.replace(blanksBeforeApostrophe, "'") },
  { step: 'contractions', apply: expandFixedContractions },
  { step: 'titles', apply: expandTitles },
  { step: "'s, 'd, n't, ...", apply: expandEndings },
  { step: 'no commas in numbers', apply: (text) => text.replace(/(\p{Nd}),(\p{Nd})/gu, '$1$2') },
  { step: 'no periods but in numbers', apply: (text) => text.replace(/\.([^0-9]|$)/gu, ' $1') },
  { step: 'accents, symbols and punctuation', apply: dropSymbolsAndAccents },
  { step: 'and a half', apply: halvesAsDecimals },
  { step: 'blanks around digits', apply: blanksAroundDigits },
  { step: 'numbers in digits', apply: (text) => readNumbers(splitWords(text)).join(' ') },
  { step: 'cents, and 1 as a word', apply: centsAndOnes },
  { step: 'American spelling', apply: americanSpelling },
  {
    step: 'no symbols but in numbers',
    apply: (text) => text.replace(/[.$¢€£]([^0-9])/gu, ' $1').replace(/([^0-9])%/gu, '$1 '),
  },
  { step: 'runs of white space to one blank', apply: (text) => text.replace(whiteSpace, ' ') },
];

/**
 * Text as Whisper's English normalizer leaves it (A. Radford et al., "Robust speech recognition via large-scale weak
 * supervision", 2022, appendix C; where that and the program differ, the program: openai-whisper 20250625).
 *
 * It makes fair what two recognizers may write either way, and does harm where texts mean something else: each step's
 * function says what it gets wrong. The known traps, kept because the published error rates have them:
 *
 * - `mm` is a filler, `20 mm` gives `20`
 * - `21 st` gives `21 saint` (`21st` stays), `Main St` gives `main saint`
 * - `10:00` gives `10 0`, `1:05` gives `one 5`, `2024-03-05` gives `2024 3 5`
 * - `Anna's hat` gives `anna is hat`, `1980's` gives `1980 is`
 * - `it’s` with a typographic apostrophe gives `it s`, so write `'` on both sides
 * - `one two three` gives `123`, `O'Neil` gives `0 neil`, `-8` gives `8` while `minus eight` gives `-8`
 * - other languages lose marks that spell their vowels
 *
 * @example englishText("Mr. O'Brien won't pay $20.50 (laughs) for the colour.") // 'mister 0 brien will not pay $20.50 for the color'
 * @internal
 */
export function englishText(text: string): string {
  return steps.reduce((changed, { apply }) => apply(changed), text);
}

/** For English: how it is written does not count. */
export const english = makeNormalizer({
  name: 'english',
  version: 2,
  about:
    'English, as Whisper’s English normalizer: contractions, titles, numbers, currency, American spelling; possessive ’s becomes “is”, “10:00” becomes “10 0”.',
  steps,
});
