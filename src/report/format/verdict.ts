import type { Verdict } from '../../model/finding.ts';

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
    meaning:
      'Interval and corrected test do not both show a difference; the reason is given beside it. This does not mean that the two are equal.',
  },
};

/** Whether a text is one of the verdicts. */
export function isVerdict(text: unknown): text is Verdict {
  return typeof text === 'string' && Object.hasOwn(verdictWording, text);
}
