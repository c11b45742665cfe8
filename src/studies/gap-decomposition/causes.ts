/** What causes belong to. */
export const causeKinds = ['recording', 'delivery', 'text'] as const;

/** One of `causeKinds`. */
export type CauseKind = (typeof causeKinds)[number];

/** Causes that are measured, or counted in texts. */
export const causeNames = [
  'noise',
  'level',
  'bandwidth',
  'speech-rate',
  'pitch',
  'length',
  'rarity',
  'unknown-words',
  'same-text',
] as const;

/** One of `causeNames`. */
export type CauseName = (typeof causeNames)[number];

/** Of each cause what it belongs to, what it is, and what it needs. */
export const causeFacts: Readonly<
  Record<CauseName, { readonly kind: CauseKind; readonly about: string; readonly needs: string }>
> = {
  noise: {
    kind: 'recording',
    about: 'Signal-to-noise ratio in decibels, estimated from the clip',
    needs: 'noise-level under `quality` in the config',
  },
  level: {
    kind: 'recording',
    about: 'Level of the speech in decibels (of the whole clip where noise-level is not measured)',
    needs: 'sound',
  },
  bandwidth: {
    kind: 'recording',
    about: 'Up to which frequency there is sound, in kilohertz',
    needs: 'bandwidth under `quality` in the config',
  },
  'speech-rate': {
    kind: 'delivery',
    about: 'Letters of the reference for each second of speech (of the whole clip where active-level is not measured)',
    needs: 'sound',
  },
  pitch: {
    kind: 'delivery',
    about: 'Median fundamental frequency, in octaves',
    needs: 'pitch under `quality` in the config',
  },
  length: { kind: 'text', about: 'Logarithm of the number of words', needs: 'references of unequal length' },
  rarity: {
    kind: 'text',
    about: 'Mean of the negative logarithm of the words’ frequency, by the list or the references',
    needs: 'references',
  },
  'unknown-words': {
    kind: 'text',
    about: 'Share of the words that the recognizer cannot write',
    needs: 'a recognizer that tells its vocabulary',
  },
  'same-text': {
    kind: 'text',
    about: 'Errors that other speakers have on the same text, against what their group has on average',
    needs: 'texts that at least 3 other speakers have read',
  },
};
