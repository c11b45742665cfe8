import type { Estimate } from '../../model/finding.ts';
import type { GateCheck } from '../../model/gate.ts';
import type { Reason } from '../../model/reason.ts';
import { computingOf, type TimeMeasure } from '../../studies/shared/computing-time.ts';
import { measured } from '../../studies/shared/estimates.ts';
import type { Look } from './looks.ts';
import type { GateFacts, GateTally } from './tally-trials.ts';
import type { Judged } from './verdicts.ts';

/** A number that a study of the run found: a threshold, words per minute. */
export interface StudiedNumber {
  readonly measure: 'thresholdDb' | 'hallucinatedWordsPerMinute';
  readonly recognizer: string;
  readonly condition: string | null;
  readonly estimate: Estimate;
}

/** What is counted and not sampled, and what studies found: held against its limit as it is. */
export function judgeFact(
  { measure, limit, recognizer, condition }: Pick<GateCheck, 'measure' | 'limit' | 'recognizer' | 'condition'>,
  tally: GateTally,
  studied: readonly StudiedNumber[],
  look: Look | undefined,
): Judged {
  if (measure === 'thresholdDb' || measure === 'hallucinatedWordsPerMinute') {
    const found = studied.filter(
      (one) => one.measure === measure && one.recognizer === recognizer && one.condition === condition,
    );
    return judgeStudied(found, limit);
  }
  const facts = tally.facts(recognizer, condition);
  const { value, n, method = 'count' } = factOf(measure as CountedMeasure, facts);
  const unknown = measure === 'pricePerMinute' ? 'no-price' : 'nothing-counted';
  const reason: Reason = { code: value === null ? unknown : 'not-sampled' };
  const estimate = measured(value, { utterances: 0, speakers: 0, pairs: n }, reason, method);
  if (value === null)
    return {
      value: estimate,
      upperBound: null,
      pValue: null,
      verdict: 'inconclusive',
      why: reason,
      moreSpeakers: null,
    };
  const judged = { value: estimate, upperBound: null, pValue: null };
  if (look === undefined || look.share === 1) return { ...judged, verdict: value <= limit ? 'pass' : 'fail' };
  // Were there no more of them until the end.
  const adds = measure !== 'realTimeFactor' && measure !== 'pricePerMinute';
  if (adds && value * look.share > limit) return { ...judged, verdict: 'fail' };
  return { ...judged, verdict: 'inconclusive', why: { code: 'at-the-end' }, moreSpeakers: null };
}

/** The number with the highest value, which is the worst. */
function judgeStudied(found: readonly StudiedNumber[], limit: number): Judged {
  const known = found.filter(({ estimate }) => estimate.value !== null);
  const worst = known.toSorted((a, b) => b.estimate.value! - a.estimate.value!)[0]?.estimate ?? found[0]?.estimate;
  if (worst === undefined || worst.value === null || worst.low === null) {
    const value = worst ?? measured(null, { utterances: 0, speakers: 0 }, { code: 'no-study' }, 'none');
    const why = value.reason ?? ({ code: 'no-interval' } as const);
    return { value, upperBound: null, pValue: null, verdict: 'inconclusive', why, moreSpeakers: null };
  }
  // Two-sided ends of the study: with 95 % each bound errs in 2.5 %.
  const verdict = worst.high! <= limit ? 'pass' : worst.low > limit ? 'fail' : 'inconclusive';
  const open = verdict === 'inconclusive' ? { why: { code: 'limit-inside' } as const, moreSpeakers: null } : {};
  return { value: worst, upperBound: worst.high, pValue: null, verdict, ...open };
}

type CountedMeasure = 'failures' | 'collapsed' | 'realTimeFactor' | 'pricePerMinute';

function factOf(
  measure: CountedMeasure,
  facts: GateFacts,
): { readonly value: number | null; readonly n: number; readonly method?: TimeMeasure } {
  const share = (part: number, of: number) => ({ value: of === 0 ? null : part / of, n: of });
  if (measure === 'failures') return share(facts.failed, facts.trials);
  if (measure === 'collapsed') return share(facts.collapsed, facts.answered);
  if (measure === 'pricePerMinute') {
    return { value: facts.pricedSeconds === 0 ? null : (60 * facts.price) / facts.pricedSeconds, n: facts.trials };
  }
  const { seconds, measure: method } = computingOf(facts.time);
  const { audioSeconds } = facts.time;
  return { value: audioSeconds === 0 ? null : seconds / audioSeconds, n: facts.trials - facts.failed, method };
}
