import { makeNormalizer, type NormalizerStep } from './normalizer.ts';
import { splitWords } from './split-words.ts';

const separators = /[-:,;.]/g;

const steps: readonly NormalizerStep[] = [
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
export const aequevox = makeNormalizer({
  name: 'aequevox',
  version: 1,
  about:
    'As AequeVox: %HESITATION deleted, divided at - : , ; . and white space, lower case; other signs stay in the words.',
  steps,
});
