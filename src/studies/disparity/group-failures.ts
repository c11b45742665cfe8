import { createRandom } from '../../base/random.ts';
import type { Comparison } from '../../model/finding.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { dealGroups } from '../../statistics/fairness/deal-groups.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { Design } from './design.ts';
import { gather, unitsOf } from './gather.ts';
import { judged } from './judged.ts';
import type { DisparityOptions } from './options.ts';
import type { Subgroup } from './subgroups.ts';
import type { Tally } from './tally.ts';

/** Trials of a group that failed, beside those of everybody. */
export interface GroupFailures {
  readonly group: Subgroup;
  readonly recognizer: number;
  readonly failed: number;
  readonly asked: number;
  /** Share of the group's trials that failed less that of everybody's; tested as gaps of errors are. */
  readonly gap: Comparison;
}

/**
 * Whether failures hit some groups more than others: they are left out of error rates, so that a recognizer that gives up on a
 * group would look fair to it. Recognizers that never failed have no row.
 */
export function groupFailures(tally: Tally, design: Design, options: DisparityOptions, seed: number): GroupFailures[] {
  const { survey, subgroups, counted, recognizers } = design;
  const { level, resamples, minimumSpeakers, permutations } = options;
  const failing = recognizers.flatMap((_, recognizer) =>
    survey.rows.clusters.some((__, row) => tally.failures(recognizer).errors(row) > 0) ? [recognizer] : [],
  );
  if (failing.length === 0) return [];
  const dealt = dealGroups(
    unitsOf(
      design,
      failing.map((recognizer) => tally.failures(recognizer)),
    ),
    { permutations, random: createRandom({ seed, study: 'disparity', what: 'failures' }) },
  );
  return subgroups.flatMap((group, place) =>
    failing.map((recognizer, outcome): GroupFailures => {
      const counts = tally.failures(recognizer);
      const mine = gather(survey, group, counts);
      const shares = [gather(survey, null, counts), mine].map((one) => ({ ...one.counts, proportion: true }));
      const interval = differenceInterval(shares[0]!, shares[1]!, {
        level,
        resamples,
        minimumClusters: minimumSpeakers,
        random: randomOfData(seed),
      });
      const n = { utterances: mine.n.utterances, speakers: mine.n.speakers };
      const cell = dealt.cells[outcome]![counted.indexOf(place)];
      return {
        group,
        recognizer,
        failed: mine.counts.numerators.reduce((sum, failed) => sum + failed, 0),
        asked: mine.n.words,
        gap: judged(toEstimate(interval, n), group, cell, dealt.test),
      };
    }),
  );
}
