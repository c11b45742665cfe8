import { makeNormalizer } from './normalizer.ts';

/** Words exactly as they were written. */
export const none = makeNormalizer({
  name: 'none',
  version: 1,
  about: 'Splits at white space and changes nothing: letter case and punctuation count.',
  steps: [],
});
