import type { Comparison, Estimate } from '../../model/finding.ts';
import { type RateContrast, rateContrast } from '../../statistics/fairness/rate-contrast.ts';
import { holm } from '../../statistics/significance/holm.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { Design } from './design.ts';
import { type Gathered, gather } from './gather.ts';
import { judged, verdictOf } from './judged.ts';
import type { DisparityOptions } from './options.ts';
import type { Subgroup } from './subgroups.ts';
import type { Tally } from './tally.ts';

/** What one recognizer loses from the first domain to another, for one group. */
export interface DomainShift {
  readonly recognizer: number;
  readonly domain: number;
  /** Null: everybody. */
  readonly group: Subgroup | null;
  /** The two rates, the first domain's first. */
  readonly wordErrorRates: readonly [number | null, number | null];
  /** Rate in the domain less that in the first. */
  readonly change: Estimate;
  /** The group's change less that of everybody; null for everybody. */
  readonly excess: Comparison | null;
}

/**
 * How much more some groups lose than all do, from one recording or condition to another (FairLENS, section 4.3). Speakers
 * may have been recorded in both or in one. Corrected after Holm over all groups, recognizers and domains.
 */
export function domainShifts(tally: Tally, design: Design, options: DisparityOptions): DomainShift[] {
  const { domains, subgroups, survey, recognizers } = design;
  const settings = { level: options.level, minimumClusters: options.minimumSpeakers };
  const shifts = recognizers.flatMap((_, recognizer) =>
    domains.slice(1).flatMap((__, offset) => {
      const domain = offset + 1;
      const at = (group: Subgroup | null, place: number) => gather(survey, group, tally.domain(recognizer, place));
      const everybody = [at(null, 0), at(null, domain)] as const;
      const rows = [null, ...subgroups].map((group) => {
        const mine = group === null ? everybody : ([at(group, 0), at(group, domain)] as const);
        const change = [
          { counts: mine[1].counts, weight: 1 },
          { counts: mine[0].counts, weight: -1 },
        ];
        const excess = [
          ...change,
          { counts: everybody[1].counts, weight: -1 },
          { counts: everybody[0].counts, weight: 1 },
        ];
        return {
          recognizer,
          domain,
          group,
          wordErrorRates: [rateOf(mine[0]), rateOf(mine[1])] as const,
          n: sizeOf(mine),
          change: rateContrast(change, settings),
          excess: group === null ? null : rateContrast(excess, settings),
        };
      });
      return rows;
    }),
  );
  const tested = shifts.map(({ group, excess }) => (group?.counted === true ? (excess?.pValue ?? null) : null));
  const adjusted = holm(tested);
  const count = tested.filter((pValue) => pValue !== null).length;
  return shifts.map(({ n, change, excess, ...rest }, place) => ({
    ...rest,
    change: toEstimate(change, n),
    excess: excess === null ? null : compared(excess, rest.group!, n, adjusted[place]!, count),
  }));
}

function compared(
  contrast: RateContrast,
  group: Subgroup,
  n: Gathered['n'],
  adjustedPValue: number | null,
  count: number,
): Comparison {
  const difference = toEstimate(contrast, n);
  const test = `t test from the spread of speakers, Holm correction over ${count}`;
  if (!group.counted) return judged(difference, group, undefined, test);
  const reason = contrast.reason;
  return {
    difference,
    pValue: contrast.pValue,
    adjustedPValue,
    test,
    verdict: verdictOf(difference, adjustedPValue),
    ...(reason === undefined ? {} : { reason }),
  };
}

function rateOf({ counts, n }: Gathered): number | null {
  return n.words === 0 ? null : counts.numerators.reduce((sum, errors) => sum + errors, 0) / n.words;
}

function sizeOf([one, other]: readonly [Gathered, Gathered]): Gathered['n'] {
  return {
    utterances: one.n.utterances + other.n.utterances,
    speakers: Math.max(one.n.speakers, other.n.speakers),
    words: one.n.words + other.n.words,
    pairs: one.n.pairs + other.n.pairs,
  };
}
