import { visibleText } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { Comparison, SampleSize, Verdict } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';

/**
 * How much data stands behind a number, in words.
 *
 * @example formatSampleSize({ utterances: 160, speakers: 16, words: 1412 }) // '160 utterances, 16 speakers, 1,412 words'
 */
export function formatSampleSize(n: SampleSize): string {
  if (n.ratings !== undefined) {
    const by = n.listeners ? counted(n.listeners, 'listener') : 'listeners unknown';
    const clips = n.utterances > 0 ? [counted(n.utterances, 'utterance')] : [];
    return [counted(n.ratings, 'rating'), by, ...clips].join(', ');
  }
  const parts =
    n.unit === 'recording'
      ? [counted(n.utterances, 'recording')]
      : [counted(n.utterances, 'utterance'), n.speakers > 0 ? counted(n.speakers, 'speaker') : 'speakers unknown'];
  if (n.words !== undefined) {
    const made = n.normalizer === undefined ? '' : ` (normalizer ${visibleText(n.normalizer)})`;
    parts.push(counted(n.words, 'word') + made);
  }
  if (n.pairs !== undefined) parts.push(counted(n.pairs, 'pair'));
  return parts.join(', ');
}

/** How a verdict is worded and marked, in every format. The mark is never the only carrier: the word always stands by it. */
interface VerdictWording {
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

/** `too close to call among 36 comparisons`: why an interval on one side of 0 is no verdict; null where the interval shows it. */
export function whyOpenInBrief({ open }: Comparison): string | null {
  return open?.reason.code === 'corrected' ? reasonText({ ...open.reason, pValue: null }) : null;
}

/** Whether a text is one of the verdicts. */
export function isVerdict(text: unknown): text is Verdict {
  return typeof text === 'string' && Object.hasOwn(verdictWording, text);
}
