import type { SampleSize } from '../../model/finding.ts';
import type { Interval } from '../../statistics/interval.ts';
import { varianceInterval } from '../../statistics/variance-interval.ts';
import type { Design } from './design.ts';
import type { Tally } from './tally.ts';

/** How much the word error rate of a recognizer in a condition changes from draw to draw. */
export interface DrawSpread {
  readonly recognizer: number;
  readonly condition: number;
  /** One word error rate for each draw that was answered. */
  readonly rates: readonly number[];
  /** WERV: the variance of those rates (divisor: one less than their number). */
  readonly variance: Interval;
  readonly n: SampleSize;
}

/**
 * Speech Robust Bench's measure of stability, WERV (its program; the paper's third version leaves it out): the variance of the
 * corpus' word error rate over draws of the same random condition. Utterances are drawn independently of each other, so
 * this variance is also within speakers, and intervals that resample speakers with all their draws hold it already; the
 * rate of k draws together has a kth part of it.
 */
export function drawSpreads(tally: Tally, design: Design, level: number): DrawSpread[] {
  const whole = tally.slices.whole();
  return design.conditions.flatMap((_, condition) =>
    design.recognizers.flatMap((_, recognizer): DrawSpread[] => {
      const draws = design.draws(condition, recognizer);
      if (draws < 2) return [];
      const place = tally.series.words(recognizer, condition);
      const rates = Array.from({ length: draws }, (_, draw) => tally.drawn(place, draw)).flatMap(({ errors, words }) =>
        words > 0 ? [errors / words] : [],
      );
      const totals = tally.slices.whole().counts(place)?.totals(whole.rows);
      const speakers = whole.rows.filter((row) => (whole.counts(place)?.words(row) ?? 0) > 0 && whole.isSpeaker(row));
      const n = { utterances: totals?.utterances ?? 0, speakers: speakers.length, words: totals?.words ?? 0 };
      return [{ recognizer, condition, rates, variance: varianceInterval(rates, { level }), n }];
    }),
  );
}
