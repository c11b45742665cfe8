import type { Comparison, Estimate } from '../../model/finding.ts';
import { farthest, inUnits, lackingUnits, type OpenVerdict, openInWords, type Reason } from '../../model/reason.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { normalQuantile } from '../../statistics/distributions.ts';

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
  /** With how many it is tested together, and its p value adjusted for; null where nobody counts them. */
  readonly among: number | null;
  /** What these are; comparisons if absent. */
  readonly family?: 'pair' | 'recognizer';
  /** An interval needs so many; absent where it needs them of each of two groups. */
  readonly minimumSpeakers?: number;
  /** Why there is no test, where there is none. */
  readonly reason?: Reason;
  /** So few make nearly all of it (`fewWhoDecide`); none if absent. */
  readonly few?: number;
}

/** So much of the variance of a difference is nearly all of it. */
const nearlyAll = 0.8;
/** More of all speakers are not a few. */
const maxFewShare = 0.25;
/** Standard deviations of all others. */
const farAway = 6;

/**
 * How few speakers make nearly all of the variance of a difference of two rates, as loops do: more speakers like these would not settle it. None where
 * many do. Of several each is far from all others, whose rate theirs is compared with: loops make the rate of all like themselves.
 *
 * @param clusters `paired`: the same place is the same speaker in both
 */
export function fewWhoDecide(first: ClusteredCounts, second: ClusteredCounts, clusters: 'paired' | 'separate'): number {
  const squaresWithout = (few: ReadonlySet<number>) => {
    const one = influences(first, (place) => few.has(place));
    const before = clusters === 'paired' ? 0 : one.length;
    const other = influences(second, (place) => few.has(before + place));
    const all = clusters === 'paired' ? one.map((own, place) => other[place]! - own) : [...one, ...other];
    return Array.from(all, (own) => own * own);
  };
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const squares = squaresWithout(new Set());
  const farthest = [...squares.keys()].toSorted((a, b) => squares[b]! - squares[a]!);
  const most = Math.max(1, maxFewShare * squares.filter((square) => square > 0).length);
  for (let count = 1; count <= most; count++) {
    const few = farthest.slice(0, count);
    const from = count === 1 ? squares : squaresWithout(new Set(few));
    const own = few.map((place) => from[place]!);
    const others = sum(from) - sum(own);
    const isFar = count === 1 || Math.min(...own) > (farAway ** 2 * others) / (squares.length - count);
    if (isFar && sum(own) > nearlyAll * (sum(own) + others)) return count;
  }
  return 0;
}

/** Of a pooled rate, cluster by cluster. */
function influences(counts: ClusteredCounts, isLeftOut: (place: number) => boolean): Float64Array {
  const kept = (values: Float64Array) => values.reduce((sum, own, at) => sum + (isLeftOut(at) ? 0 : own), 0);
  const rate = kept(counts.numerators) / kept(counts.denominators);
  const words = counts.denominators.reduce((sum, own) => sum + own, 0);
  return counts.numerators.map((own, place) => (own - rate * counts.denominators[place]!) / words);
}

/**
 * Why a comparison tells nothing, and about how many more speakers would settle it: standard errors shrink with the root of their
 * number, so that as many times as many are needed as what is lacking squared. That takes new speakers to be like these, and the
 * difference to be what was measured; where that is little more than chance, so is the number.
 *
 * @returns undefined where the rates themselves are not known, which has a reason of its own
 */
export function openVerdict(difference: Estimate, test: TestStrength): OpenVerdict | undefined {
  const { value, low, high, level, n } = difference;
  const { pValue, adjustedPValue, minPValue, among, family, reason, minimumSpeakers = 0 } = test;
  const alpha = 1 - level + 1e-12;
  if (value === null) return undefined;
  const unit = n.speakers > 0 ? 'speaker' : 'recording';
  const speakers = n.speakers > 0 ? n.speakers : n.utterances;
  const enough = Math.max(minimumSpeakers, minSpeakers(1 - level));
  const needed = (times: number, least = 0): number | null => {
    const lacking = Math.max(times * speakers, least) - speakers;
    return Number.isFinite(times) && times <= farthest ? roundUp(lacking) : null;
  };
  const open = (why: Reason, more: number | null): OpenVerdict => ({ reason: inUnits(why, unit), more, unit });
  const settledBy = (why: Reason, more: number | null): OpenVerdict =>
    test.few ? { ...open(why, null), decidedBy: { count: test.few, what: unit } } : open(why, more);

  if (low === null && speakers < minimumSpeakers) {
    const { speakers: need, by, usual } = neededForVerdict(minimumSpeakers, level);
    return open({ code: 'few-for-verdict', need, have: speakers, by, ...usual, unit }, needed(1, enough));
  }
  if (pValue === null) {
    const why = difference.reason ?? reason;
    return why && open(why, lackingUnits(why));
  }
  if (test.differing === 0) return open({ code: 'unchanged', unit }, null);
  if (minPValue != null && minPValue > alpha) {
    const { differing = speakers } = test;
    const times = minSpeakers(1 - level) / differing;
    return settledBy({ code: 'few-differ', differing, of: speakers, alpha: 1 - level, unit }, needed(times, enough));
  }
  if (low === null && difference.reason !== undefined && difference.reason.code !== 'alike') {
    return open(difference.reason, lackingUnits(difference.reason));
  }
  const holdsNothing = low !== null && high !== null && low <= 0 && high >= 0;
  const half = value > 0 ? value - (low ?? 0) : (high ?? 0) - value;
  const timesOfTest = timesForTest(test, alpha);
  const times = Math.max(holdsNothing ? (half / Math.abs(value)) ** 2 : 1, timesOfTest);
  const more = needed(times, enough);
  if (holdsNothing) return settledBy({ code: 'holds-nothing' }, more);
  if (adjustedPValue !== null && adjustedPValue <= alpha) return undefined;
  const ends = askedByTest(difference, timesOfTest);
  if (pValue > alpha) return settledBy({ code: 'not-significant', pValue, ...ends }, more);
  const least = minPValue == null ? {} : { minPValue };
  return settledBy({ code: 'corrected', among, ...(family && { family }), pValue, ...least, ...ends }, more);
}

/**
 * The interval that a difference has by its test, among those it was tested with: the test would take so many times the speakers to tell it, so that 0 is the root of
 * that from the difference, in units of the interval that it asks for. Its other end is as much further out as that one is.
 */
function askedByTest({ value, low, high }: Estimate, times: number): { readonly low?: number; readonly high?: number } {
  if (value === null || low === null || high === null || !Number.isFinite(times)) return {};
  const toZero = Math.abs(value) * Math.sqrt(times);
  const wider = toZero / (value > 0 ? value - low : high - value);
  return value > 0
    ? { low: value - toZero, high: value + wider * (high - value) }
    : { low: value - wider * (value - low), high: value + toZero };
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
 */
export function neededForVerdict(minimumSpeakers: number, level: number) {
  const test = minSpeakers(1 - level);
  if (test > minimumSpeakers) return { speakers: test, by: 'test', words: `a paired test needs ${test}` } as const;
  const words = `an interval needs ${minimumSpeakers}${unlessUsual(minimumSpeakers)}`;
  const usual = minimumSpeakers !== defaultMinimumClusters && { usual: defaultMinimumClusters };
  return { speakers: minimumSpeakers, by: 'interval', usual, words } as const;
}

/**
 * Ends a number of speakers that an interval needs where somebody chose another than the usual.
 *
 * @example unlessUsual(5) // ' (by default 10)'
 */
export function unlessUsual(minimumSpeakers: number): string {
  return minimumSpeakers === defaultMinimumClusters ? '' : ` (by default ${defaultMinimumClusters})`;
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
