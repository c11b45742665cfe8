import type { Estimate, SampleSize } from '../../model/finding.ts';
import type { GateCheck, GateVerdict } from '../../model/gate.ts';
import { farthest, lackingUnits, type Reason } from '../../model/reason.ts';
import type { Interval } from '../../statistics/interval.ts';
import type { Look } from './looks.ts';

export interface CheckSettings {
  readonly level: number;
  readonly minimumSpeakers?: number;
  readonly resamples?: number;
  readonly permutations?: number;
  /** Only verdicts are asked for: what cannot decide one is not computed, and its interval is null. */
  readonly verdictsOnly?: boolean;
  readonly seed: number;
  /** One of several times that the limits are judged while the run goes on; absent: once, at its end. */
  readonly look?: Look;
}

/** What a one-sided test may err at this look, that may err by `alpha` in all. */
export const errorNow = ({ look }: CheckSettings, alpha: number) => look?.errorOf(alpha) ?? alpha;

export type Judged = Pick<GateCheck, 'value' | 'before' | 'verdict' | 'upperBound' | 'pValue' | 'why' | 'moreSpeakers'>;

const order: readonly GateVerdict[] = ['fail', 'inconclusive', 'pass'];
const rank = (verdict: GateVerdict) => order.indexOf(verdict);

/** The worst first. */
export const byVerdict = (a: Pick<GateCheck, 'verdict'>, b: Pick<GateCheck, 'verdict'>) =>
  rank(a.verdict) - rank(b.verdict);

/** The worst of several verdicts; `inconclusive` of none. */
export function worstVerdict(checks: readonly Pick<GateCheck, 'verdict'>[]): GateVerdict {
  return order.find((verdict) => checks.some((check) => check.verdict === verdict)) ?? 'inconclusive';
}

export function isWorse(one: GateCheck, other: GateCheck): boolean {
  const size = ({ value }: GateCheck) => Math.abs(value.value ?? 0);
  return rank(one.verdict) - rank(other.verdict) < 0 || (one.verdict === other.verdict && size(one) > size(other));
}

export const minus = (end: number | null) => (end === null ? null : -end);

interface ToJudge {
  readonly limit: number;
  readonly value: Estimate;
  /** The same with every trial without a transcript as wholly wrong: the middle of what the upper bound is of. */
  readonly careful: number | null;
  readonly upperBound: number | null;
  readonly isFail: boolean;
  readonly pValue: number | null;
  readonly n: SampleSize;
  /** From which the upper bound is. */
  readonly sampled: Interval;
  readonly mayPass: boolean;
}

/** The verdict on one limit, with the reason and the speakers lacking where it is inconclusive. */
export function verdictOf({
  limit,
  value,
  careful,
  upperBound,
  isFail,
  pValue,
  n,
  sampled,
  mayPass: enough,
}: ToJudge): Judged {
  const about = { value, upperBound, pValue };
  if (isFail) return { ...about, verdict: 'fail' };
  if (upperBound !== null && upperBound <= limit) {
    if (enough) return { ...about, verdict: 'pass' };
    return { ...about, verdict: 'inconclusive', why: { code: 'few-before-end' }, moreSpeakers: null };
  }
  if (value.value === null || upperBound === null) {
    const why: Reason = (value.value === null ? value.reason : sampled.reason) ?? { code: 'no-interval' };
    return { ...about, verdict: 'inconclusive', why, moreSpeakers: lackingUnits(why) };
  }
  const middle = careful ?? value.value;
  if (value.value <= limit && middle > limit) {
    return { ...about, verdict: 'inconclusive', why: { code: 'failures-decide' }, moreSpeakers: null };
  }
  const distance = value.value > limit ? value.value - limit : limit - middle;
  const times = ((upperBound - middle) / distance) ** 2;
  const more = Math.ceil((times - 1) * n.speakers);
  // The interval that is shown stands for itself.
  const code = value.low !== null && value.low > limit ? 'alone-it-would-fail' : 'limit-inside';
  if (times <= farthest) return { ...about, verdict: 'inconclusive', why: { code }, moreSpeakers: Math.max(1, more) };
  return { ...about, verdict: 'inconclusive', why: { code, notBy: farthest }, moreSpeakers: null };
}
