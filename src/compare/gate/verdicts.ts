import type { Estimate, SampleSize } from '../../model/finding.ts';
import type { GateCheck, GateVerdict } from '../../model/gate.ts';
import { resamplesAlike } from '../../statistics/bootstrap/cluster-bootstrap.ts';
import { lackingClusters } from '../../statistics/bootstrap/cluster-spread.ts';
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

export type Judged = Pick<
  GateCheck,
  'value' | 'before' | 'verdict' | 'upperBound' | 'pValue' | 'why' | 'open' | 'moreSpeakers'
>;

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

/** So many times the speakers there are nobody can say anything of. */
const farthest = 50;

function codeOf(reason: string, moreSpeakers: number | null): Pick<Judged, 'open'> {
  if (moreSpeakers !== null) return { open: 'few' };
  return reason === resamplesAlike ? { open: 'alike' } : {};
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
    const why = 'too few speakers for a pass before the end';
    return { ...about, verdict: 'inconclusive', open: 'few', why, moreSpeakers: null };
  }
  if (value.value === null || upperBound === null) {
    const reason = (value.value === null ? value.reason : sampled.reason) ?? 'there is no interval';
    const why = reason.replaceAll('clusters (speakers)', 'speakers');
    const moreSpeakers = lackingClusters(reason);
    return { ...about, verdict: 'inconclusive', why, moreSpeakers, ...codeOf(reason, moreSpeakers) };
  }
  const middle = careful ?? value.value;
  if (value.value <= limit && middle > limit) {
    const why = 'trials without a transcript decide: were all their words wrong, it would be above the limit';
    return { ...about, verdict: 'inconclusive', why, moreSpeakers: null };
  }
  const distance = value.value > limit ? value.value - limit : limit - middle;
  const times = ((upperBound - middle) / distance) ** 2;
  const more = Math.ceil((times - 1) * n.speakers);
  // The interval that is shown stands for itself.
  const isAlone = value.low !== null && value.low > limit;
  const why = isAlone
    ? 'alone it would fail, and does not after correcting for all limits'
    : 'the limit lies inside the interval';
  const close = { ...about, verdict: 'inconclusive', open: isAlone ? 'correction' : 'interval' } as const;
  if (times <= farthest) return { ...close, why, moreSpeakers: Math.max(1, more) };
  const never = `${why}; even ${farthest} times as many speakers might not decide`;
  return { ...close, why: never, moreSpeakers: null };
}
