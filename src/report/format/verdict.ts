import type { Comparison, Verdict } from '../../model/finding.ts';

/** How a verdict is worded and marked, in every format. The mark is never the only carrier: the word always stands by it. */
export interface VerdictWording {
  readonly word: string;
  readonly mark: string;
  /** For readers who wonder what the word claims. */
  readonly meaning: string;
}

/** The one place where verdicts are worded. */
export const verdictWording: Readonly<Record<Verdict, VerdictWording>> = {
  better: {
    word: 'better',
    mark: '✓',
    meaning: 'The interval of the difference lies wholly on the better side, and the corrected test agrees.',
  },
  worse: {
    word: 'worse',
    mark: '✗',
    meaning: 'The interval of the difference lies wholly on the worse side, and the corrected test agrees.',
  },
  'cannot tell': {
    word: 'cannot tell',
    mark: '?',
    meaning: 'These data do not tell them apart. That is not the same as being equal.',
  },
};

/** Whether a text is one of the verdicts. */
export function isVerdict(text: unknown): text is Verdict {
  return typeof text === 'string' && Object.hasOwn(verdictWording, text);
}

/** The p-value by which a comparison is judged: the corrected one where there is one. */
export function decidingPValue(comparison: Comparison): { readonly value: number; readonly name: string } | null {
  if (comparison.adjustedPValue !== null) return { value: comparison.adjustedPValue, name: 'adjusted p' };
  if (comparison.pValue !== null) return { value: comparison.pValue, name: 'p' };
  return null;
}
