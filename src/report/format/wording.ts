import { pValuePhrase } from '../../base/number-format.ts';
import { visibleText } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { Comparison, SampleSize, Statement, Verdict } from '../../model/finding.ts';
import { openInBrief } from '../../model/reason.ts';

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

/**
 * The same in brief, with the normalizer: words are those of all conditions of a mean, and nobody adds them up.
 *
 * @example sizeInBrief({ utterances: 44, speakers: 22, words: 748, normalizer: 'plain-english' }) // '44 utterances, 22 speakers; normalizer plain-english'
 */
export function sizeInBrief({ words: _, normalizer, ...counts }: SampleSize): string {
  return `${formatSampleSize(counts)}${normalizer === undefined ? '' : `; normalizer ${visibleText(normalizer)}`}`;
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

/** A verdict as it stands on every screen. */
export interface ShownVerdict extends VerdictWording {
  readonly verdict: Verdict;
}

/** What stands in the place of a verdict: a mark and its word, which say of an open one whether it is for too few, or no difference at all. */
export function verdictIn({ verdict, open }: Pick<Comparison, 'verdict' | 'open'>): ShownVerdict {
  return { verdict, ...verdictWording[verdict], ...(verdict === 'cannot tell' && openInBrief(open)) };
}

/** The same of a statement: of its comparison, unless it says another. */
export function verdictOf({ verdict, comparison }: Statement): ShownVerdict | null {
  if (comparison !== undefined && (verdict ?? comparison.verdict) === comparison.verdict) return verdictIn(comparison);
  return verdict === undefined ? null : verdictIn({ verdict });
}

/** Why its interval is wider than it would be alone; null where it is not. */
export function whyWider({ open }: Comparison): string | null {
  if (open?.reason.code === 'not-significant' && open.reason.low !== undefined) {
    return `wider than resampling alone: the test does not leave out 0 (${pValuePhrase(open.reason.pValue)})`;
  }
  if (open?.reason.code !== 'corrected') return null;
  const { among, family = 'comparison' } = open.reason;
  return `wider than alone: ${among === null ? `several ${family}s` : counted(among, family)} were made at once, so chance has as many tries`;
}

/** Whether a text is one of the verdicts. */
export function isVerdict(text: unknown): text is Verdict {
  return typeof text === 'string' && Object.hasOwn(verdictWording, text);
}
