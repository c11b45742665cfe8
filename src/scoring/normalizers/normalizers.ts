import { badConfig } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';
import { withSpellings } from '../spellings/spellings.ts';
import { basic, basicCharacters, basicMarks, basicTurkic, basicUnpointed, none, plain } from './basic.ts';
import { byLanguage } from './by-language.ts';
import { chinese } from './chinese/chinese.ts';
import { crossasr } from './crossasr/crossasr.ts';
import { dictation } from './dictation/dictation.ts';
import { english } from './english/english.ts';
import { makeNormalizer, type Normalizer, type NormalizerStep, splitWords } from './normalizer.ts';
import { plainEnglish } from './plain-english/plain-english.ts';

const separators = /[-:,;.]/g;

const aequevoxSteps: readonly NormalizerStep[] = [
  { step: 'delete %HESITATION', apply: (text) => text.replaceAll('%HESITATION', '') },
  { step: '- : , ; . to blanks', apply: (text) => text.replace(separators, ' ') },
  {
    // Word by word: at the end of a word a Greek sigma has another small form.
    step: 'lower case',
    apply: (text) =>
      splitWords(text)
        .map((word) => word.toLowerCase())
        .join(' '),
  },
];

/**
 * Tokens as AequeVox compares transcripts (S. S. Rajan, S. Udeshi and S. Chattopadhyay, "AequeVox: automated fairness
 * testing of speech recognition systems", FASE 2022, arXiv 2110.09843; the published program's comparison of two
 * transcripts): the marker `%HESITATION` deleted where it stands in capitals, divided at `-`, `:`, `,`, `;`, `.` and white
 * space, then lower case.
 *
 * Known traps, kept so that its tables can be compared: `? ! ' " ( ) / % $` stay in the tokens (`things?` is not `things`), as
 * does every other sign; numbers, contractions and spellings count as they are written, so that how a recognizer formats
 * text counts as a disagreement; a marker within a word leaves it whole.
 *
 * @example aequevox.words('Please %HESITATION call Stella: 6:30, O.K.?') // ['please', 'call', 'stella', '6', '30', 'o', 'k', '?']
 */
const aequevox = makeNormalizer({
  name: 'aequevox',
  version: 1,
  about:
    'As AequeVox: %HESITATION deleted, divided at - : , ; . and white space, lower case; other signs stay in the words.',
  steps: aequevoxSteps,
});

/** The 32 signs of ASCII that are neither letter, digit nor blank, as Python's `string.punctuation` lists them. */
const asciiPunctuation = /[!-/:-@[-`{-~]/g;

const steps: readonly NormalizerStep[] = [
  { step: 'lower case', apply: (text) => text.toLowerCase() },
  { step: 'delete ASCII punctuation', apply: (text) => text.replace(asciiPunctuation, '') },
];

/**
 * What Speech Robust Bench scores (M. A. Shah et al., "Speech Robust Bench: a robustness benchmark for speech recognition",
 * arXiv 2403.07937; its program does it in its evaluation, the paper has no section about it): lower case, and the 32 signs
 * of ASCII punctuation deleted, not replaced by blanks.
 *
 * Known traps, kept so that its tables can be compared: words run together (`mother-in-law` gives `motherinlaw`, `9:30`
 * gives `930`), `don't` gives `dont`; punctuation beyond ASCII stays and counts as an error (`¿`, `“`, `’`, `—`, `…`); numbers,
 * spellings, fillers and accents count as they are written.
 *
 * @example srb.words("Mother-in-law's «here», don't!") // ['motherinlaws', '«here»', 'dont']
 */
const srb = makeNormalizer({
  name: 'srb',
  version: 1,
  about: 'As Speech Robust Bench: lower case, ASCII punctuation deleted, which runs words together (9:30 gives 930).',
  steps,
});

export type { Normalizer } from './normalizer.ts';

/** Every normalizer by its name. A new one is a file beside this one and a line here. */
export const normalizers: Readonly<Record<string, Normalizer>> = Object.freeze({
  'by-language': byLanguage,
  none,
  basic,
  plain,
  'basic-unpointed': basicUnpointed,
  'basic-turkic': basicTurkic,
  'basic-characters': basicCharacters,
  'basic-marks': basicMarks,
  english,
  'plain-english': plainEnglish,
  srb,
  crossasr,
  aequevox,
  chinese,
  dictation,
});

/**
 * The normalizer of this name, with the matters of taste that follow it behind a + (`by-language+sharp-s+yo`).
 *
 * @throws EarwitnessError `bad-config` for a name that none has, with the nearest that one has
 * @example normalizerNamed('basic').words('Hello, Variant!') // ['hello', 'variant']
 */
export function normalizerNamed(name: string): Normalizer {
  const [own = '', ...tastes] = name.split('+');
  const found = Object.hasOwn(normalizers, own) ? normalizers[own] : undefined;
  if (found) return tastes.length === 0 ? found : withSpellings(found, { tastes, lists: [] });
  const names = Object.keys(normalizers);
  const nearest = nearestName(own, names);
  throw badConfig(
    `expected the name of a normalizer (${names.join(', ')}), but got ${JSON.stringify(printable(own, 40))}${nearest === null ? '' : `; did you mean "${nearest}"?`}`,
  );
}

/** The same of a name that stands in a finding; null where there is none here. */
export function normalizerOfFinding(name: string): Normalizer | null {
  try {
    return normalizerNamed(name);
  } catch {
    return null;
  }
}
