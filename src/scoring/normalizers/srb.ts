import { makeNormalizer, type NormalizerStep } from './normalizer.ts';

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
export const srb = makeNormalizer({
  name: 'srb',
  version: 1,
  about: 'As Speech Robust Bench: lower case, ASCII punctuation deleted, which runs words together (9:30 gives 930).',
  steps,
});
