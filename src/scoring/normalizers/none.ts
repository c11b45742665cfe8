import type { Normalizer } from './normalizer.ts';
import { splitWords } from './split-words.ts';

/** Words exactly as they were written. */
export const none: Normalizer = {
  name: 'none',
  version: 1,
  about: 'Splits at white space and changes nothing: letter case and punctuation count.',
  words: splitWords,
};
