import { grouped, pValuePhrase } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import type { Comparison, Estimate, OpenVerdict } from '../../model/finding.ts';
import { resamplesAlike } from '../../statistics/bootstrap/cluster-bootstrap.ts';
import { defaultMinimumClusters, lackingClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import { normalQuantile } from '../../statistics/distributions.ts';

/** `.05` */
function levelInWords(alpha: number): string {
  return String(Number(alpha.toFixed(6))).replace(/^0/, '');
}

const tooFew = 'too few';

/** What is known of a test, to say why it tells nothing. */
export interface TestStrength {
  readonly pValue: number | null;
  readonly adjustedPValue: number | null;
  /** What p cannot be less than with so many speakers. */
  readonly minPValue?: number | null;
  /** Speakers whose counts differ, where p rests on these. */
  readonly differing?: number;
  /** The statistic, and from where on it would be told apart. */
  readonly statistic?: number | null;
  readonly critical?: number | null;
  /** With what it is tested together, and its p value adjusted for: `15 comparisons`. */
  readonly among: string | null;
  /** An interval needs so many; absent where it needs them of each of two groups. */
  readonly minimumSpeakers?: number;
  /** Why there is no test, where there is none. */
  readonly reason?: string;
}

/** Of more times as many speakers nobody can say anything. */
const farthest = 50;

/**
 * Why a comparison tells nothing, and about how many more speakers would settle it: standard errors shrink with the root of their
 * number, so that as many times as many are needed as what is lacking squared. That takes new speakers to be like these, and the
 * difference to be what was measured; where that is little more than chance, so is the number.
 *
 * @returns undefined where the rates themselves are not known, which has a reason of its own
 */
export function openVerdict(difference: Estimate, test: TestStrength): OpenVerdict | undefined {
  const { value, low, high, level, n } = difference;
  const { pValue, adjustedPValue, minPValue, among, minimumSpeakers = 0 } = test;
  const alpha = 1 - level + 1e-12;
  if (value === null) return undefined;
  const unit = n.speakers > 0 ? 'speaker' : 'recording';
  const speakers = n.speakers > 0 ? n.speakers : n.utterances;
  const enough = Math.max(minimumSpeakers, minSpeakers(1 - level));
  const needed = (times: number, least = 0): number | null => {
    const lacking = Math.max(times * speakers, least) - speakers;
    return Number.isFinite(times) && times <= farthest ? roundUp(lacking) : null;
  };

  if (low === null && speakers < minimumSpeakers) {
    const text = `${tooFew} ${unit}s: ${grouped(speakers)} of ${neededForVerdict(minimumSpeakers, level).those}`;
    return { why: 'design', text, unit, more: needed(1, enough) };
  }
  if (pValue === null) {
    const text = difference.reason ?? test.reason;
    return text === undefined ? undefined : { why: 'design', text, unit, more: lackingClusters(text) };
  }
  if (test.differing === 0)
    return { why: 'design', text: `both have the same errors for every ${unit}`, unit, more: null };
  if (minPValue != null && minPValue > alpha) {
    const { differing = speakers } = test;
    const these = differing === 1 ? `this 1 ${unit}` : `these ${counted(differing, unit)}`;
    const who = differing < speakers ? `only ${grouped(differing)} of ${counted(speakers, unit)} differ, and ` : '';
    const text = `${who}no arrangement of ${these} could reach p ≤ ${levelInWords(1 - level)}`;
    const times = minSpeakers(1 - level) / differing;
    return { why: 'design', text, unit, more: needed(times, enough) };
  }
  if (low === null && difference.reason !== undefined && difference.reason !== resamplesAlike) {
    return { why: 'design', text: difference.reason, unit, more: lackingClusters(difference.reason) };
  }
  const holdsNothing = low !== null && high !== null && low <= 0 && high >= 0;
  const half = value > 0 ? value - (low ?? 0) : (high ?? 0) - value;
  const times = Math.max(holdsNothing ? (half / Math.abs(value)) ** 2 : 1, timesForTest(test, alpha));
  if (holdsNothing) return { why: 'interval', text: 'the interval holds 0', unit, more: needed(times, enough) };
  if (adjustedPValue !== null && adjustedPValue <= alpha) return undefined;
  if (pValue <= alpha) {
    return {
      why: 'correction',
      text: `too close to call among ${among ?? 'all comparisons'} (${pValuePhrase(pValue, 'p', minPValue)} by itself)`,
      unit,
      more: needed(times, enough),
    };
  }
  return {
    why: 'test',
    text: `not significant: ${pValuePhrase(pValue)}`,
    unit,
    more: needed(times, enough),
  };
}

/**
 * With how few speakers a paired test can reach a level: 2 / 2^n must be at most that.
 *
 * @example minSpeakers(0.05) // 6
 */
export function minSpeakers(alpha: number): number {
  return Math.ceil(1 - Math.log2(alpha) - 1e-9);
}

/**
 * How many speakers a verdict on a paired difference needs, and what of it needs them.
 *
 * @example neededForVerdict(5, 0.95).words // 'a paired test needs 6'
 * @example neededForVerdict(5, 0.95).those // 'the 6 that a paired test needs'
 */
export function neededForVerdict(
  minimumSpeakers: number,
  level: number,
): { readonly speakers: number; readonly words: string; readonly those: string } {
  const test = minSpeakers(1 - level);
  const [speakers, needs, usual] =
    test > minimumSpeakers
      ? [test, 'a paired test needs', '']
      : [minimumSpeakers, 'an interval needs', unlessUsual(minimumSpeakers)];
  return { speakers, words: `${needs} ${speakers}${usual}`, those: `the ${speakers} that ${needs}${usual}` };
}

/**
 * Ends a number of speakers that an interval needs where somebody chose another than the usual.
 *
 * @example unlessUsual(5) // ' (by default 10)'
 */
export function unlessUsual(minimumSpeakers: number): string {
  return minimumSpeakers === defaultMinimumClusters ? '' : ` (by default ${defaultMinimumClusters})`;
}

/** The same as one sentence's end: `the interval holds 0; about 24 more speakers would settle it`. */
export function openInWords({ why, text, more, unit }: OpenVerdict): string {
  // How many there are of how many says it.
  if (text.startsWith(tooFew)) return text;
  if (more === null)
    return why === 'interval' ? `${text}; even ${farthest} times as many ${unit}s might not settle it` : text;
  return `${text}; ${why === 'design' ? '' : 'about '}${counted(more, `more ${unit}`)} would ${why === 'design' ? 'do' : 'settle it'}`;
}

/** A sentence that follows those of a comparison without a verdict; empty where there is one. */
export function whyOpen({ verdict, open }: Pick<Comparison, 'verdict' | 'open'>): string {
  return verdict !== 'cannot tell' || open === undefined ? '' : ` No verdict: ${openInWords(open)}.`;
}

/** By how many times the speakers would have to be more for the test to be told apart. */
function timesForTest({ pValue, adjustedPValue, statistic, critical }: TestStrength, alpha: number): number {
  if (statistic != null && critical != null) return (critical / statistic) ** 2;
  if (pValue === null || adjustedPValue === null) return 1;
  if (adjustedPValue <= alpha) return 1;
  // What it was multiplied by, the same for a p value that would do.
  const wanted = (alpha * pValue) / adjustedPValue;
  const deviate = (p: number) => normalQuantile(1 - p / 2);
  return (deviate(wanted) / deviate(pValue)) ** 2;
}

/** Up, to two digits. */
function roundUp(count: number): number {
  const whole = Math.max(1, Math.ceil(count - 1e-9));
  const step = 10 ** Math.max(0, Math.floor(Math.log10(whole)) - 1);
  return Math.ceil(whole / step) * step;
}
