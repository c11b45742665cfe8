import { grouped } from '../../base/number-format.ts';
import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate, SampleSize, Verdict } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { jointPairedTest } from '../../statistics/significance/joint-paired-test.ts';
import { holm } from '../../statistics/significance/multiplicity.ts';
import type { StudyContext } from '../contract.ts';
import { toEstimate } from './estimates.ts';
import { fewWhoDecide, openVerdict, type TestStrength } from './open-verdict.ts';
import { listed } from './wording.ts';

/** Two rates on the same trials, speaker by speaker: errors under words, or whatever is better the less there is of it. */
export interface Contrast {
  /** What it is compared with. */
  readonly first: ClusteredCounts;
  readonly second: ClusteredCounts;
  /** The speaker of each place in the counts; the places themselves if absent. */
  readonly clusters?: readonly number[];
  readonly n: SampleSize;
  /** Place of its family among `families`; 0 if absent. */
  readonly family?: number;
  /** Why there is no interval, whatever the counts give: a mean over parts of which one has too few speakers. The verdict is `cannot tell` then. */
  readonly withoutInterval?: Reason | undefined;
}

/** Comparisons that share their part of the error, as a report names them. */
export interface Family {
  readonly name: string;
  /** How much of the error it may have, beside the other families. */
  readonly weight: number;
}

/**
 * How the error is kept over all comparisons, in one sentence for the report.
 *
 * @example familiesInWords([{ name: 'clean audio', weight: 2 }, { name: 'single conditions', weight: 1 }], 0.95)
 */
export function familiesInWords(families: readonly Family[], level: number): string {
  const chance = `${Number((100 * (1 - level)).toFixed(2))} %`;
  const shares = families.map(({ name, weight }) => `${name} (${weight})`);
  const parts = families.length > 1 ? ` Each kind has its part of that, by weight: ${listed(shares)}.` : '';
  return `Where many are compared, some differ by chance alone. So all are tested together (speakers change sides, step-down maximum): even one false verdict has a chance of at most ${chance}.${parts} An interval is that of its comparison alone; where only the others leave it open, it is the wider one among them.`;
}

/** How comparisons are made; level, resamples and minimumSpeakers are those of `intervalOptions`. */
export interface ComparisonSettings {
  /** Confidence level, between 0 and 1: .95 allows a false verdict in one of twenty runs without any difference. */
  readonly level: number;
  /** Bootstrap resamples for each interval. */
  readonly resamples: number;
  /** With fewer speakers no interval is given, and the verdict is `cannot tell`. */
  readonly minimumSpeakers: number;
  /** Of the run: `StudyContext.seed`. */
  readonly seed: number;
  /** Most important first; one family if absent. */
  readonly families?: readonly Family[];
  readonly computing?: StudyContext['computing'];
  /** How many speakers there are; as many as the first comparison has places if absent. */
  readonly speakers?: number;
  /** So many first ones are told; the others only take part in the correction, because those were chosen out of all. All if absent. */
  readonly told?: number;
}

/**
 * Compares error rates: second minus first, so that less than 0 means that the second makes fewer errors. All comparisons are
 * tested jointly (`jointPairedTest`), so that the chance of any false verdict among them is at most 1 - level. A comparison is
 * `better` or `worse` only where the interval leaves out 0 and the corrected p value is at most 1 - level; otherwise it `cannot
 * tell`, and `open` says why. Each interval holds for its own comparison.
 *
 * Signs are drawn by what a pair did, so that it has one p value by itself in all studies of a run, whatever stands beside it.
 *
 * @param contrastOf makes the counts of one at a time, in order, so that those of all need not be in memory together
 * @returns a comparison for each item that is told, in their order
 * @throws RangeError for counts of other lengths than there are speakers, or that are not finite: faults of the caller
 * @example
 * const settings = { level: 0.95, resamples: 2000, minimumSpeakers: 10, seed: context.seed };
 * const [comparison] = compareAll(['narrow'], (name) => ({ first: counts.get('usual'), second: counts.get(name), n }), settings);
 * comparison.verdict; // 'worse': more errors than usual
 */
export function compareAll<Item>(
  items: readonly Item[],
  contrastOf: (item: Item) => Contrast,
  settings: ComparisonSettings,
): Comparison[] {
  const { level, resamples, minimumSpeakers, seed, families = [{ name: 'all', weight: 1 }] } = settings;
  const { told: shown = items.length } = settings;
  const [initial] = items;
  if (initial === undefined) return [];
  const speakers = settings.speakers ?? contrastOf(initial).first.numerators.length;
  const bootstrap = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const differences: Estimate[] = [];
  const few: number[] = [];
  const joint = jointPairedTest(
    items.length,
    (place) => {
      const { first, second, clusters, n, family = 0, withoutInterval: reason } = contrastOf(items[place]!);
      if (place < shown) {
        const interval = differenceInterval(first, second, bootstrap);
        const told = reason === undefined ? interval : { ...interval, low: null, high: null, reason };
        differences.push(toEstimate(told, n));
        few.push(fewWhoDecide(first, second, 'paired'));
      }
      return { first: placed(first, clusters, speakers), second: placed(second, clusters, speakers), family };
    },
    {
      level,
      familyWeights: families.map(({ weight }) => weight),
      onProgress: (done, of) => settings.computing?.('comparing recognizers', done, of),
      random: createRandom({ seed, use: 'sign flips', speakers }),
      randomOfComparison: randomOfData(seed),
    },
  );
  const among = joint.tested > 1 ? joint.tested : null;
  return joint.comparisons.slice(0, shown).map(({ reason, ...tested }, place) => {
    const why = tested.pValue === null && reason !== undefined ? { reason } : {};
    const { pValue, minPValue } = tested;
    const strength = { ...tested, among, minimumSpeakers, few: few[place]! };
    return toComparison(
      differences[place]!,
      { pValue, minPValue, test: joint.test, ...why },
      tested.adjustedPValue,
      null,
      strength,
    );
  });
}

/** Counts at the places of their speakers. */
function placed(counts: ClusteredCounts, clusters: readonly number[] | undefined, speakers: number): ClusteredCounts {
  if (clusters === undefined && counts.numerators.length === speakers) return counts;
  const spread = (values: Float64Array) => {
    const all = new Float64Array(speakers);
    values.forEach((value, place) => {
      const speaker = clusters?.[place] ?? place;
      if (speaker >= speakers) throw new RangeError(`expected ${speakers} speakers, but got one at place ${speaker}`);
      all[speaker]! += value;
    });
    return all;
  };
  return { ...counts, numerators: spread(counts.numerators), denominators: spread(counts.denominators) };
}

/** What a test says by itself. */
interface Tested {
  readonly pValue: number | null;
  readonly minPValue?: number | null;
  readonly test: string;
  readonly reason?: Reason;
}

/**
 * A difference and its test with a verdict.
 *
 * @param correction how the p value was adjusted, in words; null where it was not, or `test` says so
 * @param strength what more is known of the test, to say why it tells nothing
 * @example toComparison(difference, { pValue: 0.004, test: 'permutation of speakers between groups' }, 0.012, 'Holm correction over 3')
 */
export function toComparison(
  difference: Estimate,
  { pValue, minPValue, test, reason = difference.reason }: Tested,
  adjustedPValue: number | null,
  correction: string | null,
  strength: Partial<TestStrength> = {},
): Comparison {
  const verdict = judge(difference, adjustedPValue);
  const open =
    verdict === 'cannot tell'
      ? openVerdict(difference, {
          ...{ pValue, adjustedPValue, minPValue: minPValue ?? null, among: null },
          ...(reason === undefined ? {} : { reason }),
          ...strength,
        })
      : undefined;
  return {
    difference,
    pValue,
    adjustedPValue,
    ...(minPValue === undefined ? {} : { minPValue }),
    test: correction === null ? test : `${test}, ${correction}`,
    verdict,
    ...(open === undefined ? {} : { open }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/**
 * What a difference with its interval and a p value allow to say: `better` where less than 0, `worse` where more.
 *
 * Interval and test must agree, or nothing is claimed. Where all speakers differ alike (from no error to none right, say) there
 * is no interval, but a test: its word stands alone.
 *
 * @param adjustedPValue after correction for what is compared together; null where there is no test
 * @example judge({ value: -0.04, low: -0.06, high: -0.02, level: 0.95, n, method }, 0.003) // 'better'
 */
export function judge({ value, low, high, level, reason }: Estimate, adjustedPValue: number | null): Verdict {
  if (value === null || adjustedPValue === null || adjustedPValue > 1 - level + 1e-12) return 'cannot tell';
  if (reason?.code === 'alike' && value !== 0) return value < 0 ? 'better' : 'worse';
  if (low === null || high === null) return 'cannot tell';
  if (high < 0) return 'better';
  return low > 0 ? 'worse' : 'cannot tell';
}

/**
 * P values corrected for all of them together, and how a report names that: over how many comparisons it was made, which those
 * without a test are none of.
 *
 * @param why they are not tested jointly, for readers who see that elsewhere
 * @example correctByHolm([0.01, null, 0.3], 'each asks trials of its own')
 * // { adjusted: [0.02, null, 0.3], correction: 'Holm correction over 2 (each asks trials of its own)' }
 */
export function correctByHolm(
  pValues: readonly (number | null)[],
  why: string,
): {
  readonly adjusted: readonly (number | null)[];
  readonly correction: string;
} {
  const tested = pValues.filter((pValue) => pValue !== null).length;
  return {
    adjusted: holm(pValues),
    correction: `Holm correction over ${grouped(tested)}${tested > 1 ? ` (${why})` : ''}`,
  };
}
