import { grouped } from '../../base/number-format.ts';
import type { Random } from '../../base/random.ts';
import type { Reason } from '../../model/reason.ts';
import { normalQuantile } from '../distributions.ts';
import { exactProportionInterval } from '../exact-intervals.ts';
import type { Interval } from '../interval.ts';
import { bcaCorrection, bootstrapLimits, noCorrection } from './bootstrap-interval.ts';
import {
  addSpreads,
  clusterSpread,
  defaultMinimumClusters,
  symmetricHalfLength,
  tooFewClusters,
} from './cluster-spread.ts';
import {
  type BootstrapOptions,
  columnSums,
  countNonemptyClusters,
  effectiveClusters,
  maxClusters,
  mergeClusters,
  pooledRate,
  type RateStatistic,
  rateDifference,
} from './clustered-counts.ts';
import { arrangeTables } from './random-of-data.ts';
import { planResampling, type ResamplingPlan, resamplePart, type Width } from './resampler.ts';

/** What is left to do for an interval: the resampling, and what follows from it. */
interface Preparation {
  /** One for each group that is resampled apart. */
  readonly plans: readonly ResamplingPlan[];
  readonly conclude: (sums: readonly Float64Array[]) => Interval;
}

/**
 * The bootstrap of a statistic of pooled rates, whole clusters resampled.
 *
 * By default symmetric intervals (`symmetricHalfLength`), for rates on a log scale, whose length is that of a t interval from
 * the clusters' own spread (`clusterSpread`); or plain BCa and percentile intervals, which are too short for few clusters.
 * How often intervals of level .95 hold the truth, 10,000 simulations with 500 resamples each (standard error .002);
 * `node bench/calibration/intervals.ts` makes the figures and says what the populations are:
 *
 * ```
 * speakers                  rate            difference of two systems  log ratio
 *                       default  BCa          default  BCa      default
 * poisson            10     .956  .904       .945  .894      .952
 * poisson            20     .953  .920       .949  .925      .954
 * equal              10     .939  .873       .955  .867      .944
 * equal              20     .940  .905       .950  .895      .947
 * beta               10     .952  .896       .950  .883      .952
 * beta               20     .952  .922       .949  .913      .950
 * rare               10     .955  .897       .955  .880      .955
 * rare               20     .958  .923       .948  .909      .952
 * unequal            10     .949  .833       .958  .844      .953
 * unequal            20     .944  .867       .949  .871      .954
 * 4-or-60            10     .945  .818       .954  .829      .949
 * 4-or-60            20     .942  .873       .949  .867      .953
 * mostly-4           10     .963  .788       .963  .820      .964
 * mostly-4           20     .949  .828       .948  .845      .956
 * clustered          10     .949  .874       .954  .887      .956
 * clustered          20     .948  .902       .947  .910      .950
 * clustered-4-or-60  20     .953  .889       .952  .905      .960
 * hard               20     .871  .750       .948  .812      .932
 * ```
 *
 * With 50 speakers, 2,000 simulations (standard error .005):
 *
 * ```
 * poisson            50     .954  .940       .950  .940      .954
 * equal              50     .946  .924       .940  .918      .942
 * beta               50     .952  .934       .947  .938      .953
 * rare               50     .950  .931       .950  .920      .951
 * unequal            50     .946  .896       .960  .914      .960
 * 4-or-60            50     .948  .904       .953  .910      .959
 * mostly-4           50     .950  .894       .948  .880      .960
 * clustered          50     .948  .926       .949  .932      .954
 * clustered-4-or-60  50     .962  .927       .946  .930      .958
 * hard               50     .862  .797       .934  .821      .938
 * ```
 *
 * Between groups of different speakers:
 *
 * ```
 * speakers of each          difference          log ratio
 *                           default  BCa         default
 * equal        20 and 20         .952  .905      .947
 * equal        20 and 60         .943  .911      .944
 * equal         4 and 60         .892  .799      .921
 * 4-or-60      20 and 20         .954  .892      .951
 * 4-or-60      20 and 60         .940  .896      .946
 * 4-or-60       4 and 60         .872  .773      .902
 * clustered    20 and 20         .949  .910      .949
 * clustered    20 and 60         .945  .918      .950
 * clustered     4 and 60         .913  .806      .929
 * ```
 *
 * What remains is skewness. In `hard` (difficulty and words with logarithmic standard deviations of 1) rare speakers carry
 * the rate: of 20 speakers they are often all absent, and nothing in the data tells. The samples that have one are recognized
 * by few degrees of freedom, and their intervals are long enough; it is the inconspicuous samples whose intervals miss. A
 * group of 4 speakers has an interval only where `minimumClusters` allows it.
 *
 * Where every cluster has the same rate (or differs alike) the resamples do too: there is no interval then, and the reason says so. Near
 * 0 and 1 proportions do better with `clusteredProportion`.
 *
 * @param tables one, or two that are resampled apart, of numerators and denominators in turn for each cluster
 */
export function clusterBootstrap(
  tables: readonly Float64Array[],
  statistic: RateStatistic,
  options: BootstrapOptions,
): Interval {
  const { prepared, turned } = prepareData(tables, statistic, options);
  if ('value' in prepared) return turned(prepared);
  return turned(prepared.conclude(prepared.plans.map(resampleAll)));
}

/** Data whose random numbers are their own are put in their order first; `turned` takes back that two rates changed places. */
function prepareData(
  tables: readonly Float64Array[],
  statistic: RateStatistic,
  options: BootstrapOptions,
): { readonly prepared: Interval | Preparation; readonly turned: (interval: Interval) => Interval } {
  const { random } = options;
  if (typeof random !== 'function') {
    return { prepared: prepare(tables, statistic, options, random), turned: (interval) => interval };
  }
  const arranged = arrangeTables(tables, (2 * statistic.rates) / tables.length);
  const prepared = prepare(arranged.tables, statistic, options, random(arranged.tables));
  return { prepared, turned: (interval) => (arranged.turned ? opposite(interval) : interval) };
}

/** Of the first rate less the second what is known of the second less the first. */
function opposite(interval: Interval): Interval {
  // 0 - x, so that nothing becomes -0.
  const negative = (value: number | null) => (value === null ? null : 0 - value);
  return {
    ...interval,
    value: negative(interval.value),
    low: negative(interval.high),
    high: negative(interval.low),
  };
}

function prepare(
  tables: readonly Float64Array[],
  statistic: RateStatistic,
  options: BootstrapOptions,
  random: Random,
): Interval | Preparation {
  const { level = 0.95, resamples = 2000, minimumClusters = defaultMinimumClusters } = options;
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  if (!(Number.isInteger(resamples) && resamples > 0)) {
    throw new RangeError(`expected a whole number of resamples above 0, but got ${grouped(resamples)}`);
  }
  const plain = options.method ?? (options.smallSample === 'none' ? 'BCa' : null);
  const name = `${plain ?? 'symmetric'} bootstrap over clusters, ${grouped(resamples)} resamples`;
  const without = (value: number | null, reason: Reason): Interval => {
    return { value, low: null, high: null, level, reason, method: name };
  };
  const width = (2 * statistic.rates) / tables.length;
  if (tables.some((table) => table.length === 0)) return without(null, { code: 'nothing-counted' });
  const sums = tables.map((table) => columnSums(table, width));
  const rates = new Float64Array(statistic.rates);
  const evaluate = (from: readonly Float64Array[], place: number): number => {
    for (let rate = 0; rate < rates.length; rate++) {
      const columns = tables.length === 2 ? from[rate]! : from[0]!;
      const column = place + (tables.length === 2 ? 0 : 2 * rate);
      rates[rate] = columns[column]! / columns[column + 1]!;
    }
    return statistic.of(rates);
  };
  if (sums.some((columns) => columns.some((sum, column) => column % 2 === 1 && !(sum > 0)))) {
    return without(null, { code: 'no-denominator' });
  }
  if (statistic.needsErrors && sums.some((columns) => columns.some((sum) => !(sum > 0)))) {
    return without(null, { code: 'no-ratio' });
  }
  const value = evaluate(sums, 0);
  const refusal = tooFewClusters(tables, width, minimumClusters);
  if (refusal !== null) return without(value, refusal);

  const groups = tables.map((table) =>
    table.length / width > maxClusters ? mergeClusters(table, width, maxClusters, random) : table,
  );
  const merged = tables
    .filter((table) => table.length / width > maxClusters)
    .map((table) => `, ${table.length / width} clusters merged at random into ${maxClusters}`)
    .join('');
  const columns = Array.from({ length: width }, (_, column) => column);
  const positive = statistic.needsErrors ? columns : columns.filter((column) => column % 2 === 1);
  const together = statistic === rateDifference ? sameWords(groups) : null;
  const isOneRate = together !== null || statistic === pooledRate;
  const plan = (times: number) =>
    together === null
      ? groups.map((table) => planResampling(table, width as Width, positive, times, random))
      : [planResampling(together, 2, [1], times, random)];
  const valuesOf = (resampled: readonly Float64Array[]): Float64Array => {
    const [drawn] = resampled as readonly [Float64Array];
    const columns = isOneRate ? 2 : width;
    return Float64Array.from({ length: drawn.length / columns }, (_, resample) =>
      isOneRate ? drawn[2 * resample]! / drawn[2 * resample + 1]! : evaluate(resampled, resample * width),
    );
  };
  const plans = plan(resamples);

  const conclude = (resampled: readonly Float64Array[]): Interval => {
    const replicates = valuesOf(resampled);
    const calibrated = (): Pick<Interval, 'low' | 'high' | 'method'> => {
      const slopes = statistic.slopes(rates);
      const scale = scaleOf(statistic, groups[0]!, value, level);
      const spread = addSpreads(
        groups.map((table, group) => {
          const own = groups.length === 2 ? [slopes[group]!] : slopes;
          return clusterSpread(
            table,
            width,
            sums[group]!,
            own.map((slope) => slope * scale.slope),
            statistic.proportional,
          );
        }),
      );
      const half = symmetricHalfLength(replicates.map(scale.distance), level, spread);
      const ends = {
        low: Math.max(scale.widest.low, scale.end(-half)),
        high: Math.min(scale.widest.high, scale.end(half)),
      };
      const reached = groups.some(exceedsWords)
        ? withinResamples(ends, replicates, level, () => valuesOf(plan(farMore * resamples).map(resampleAll)))
        : ends;
      if (reached !== ends && statistic === pooledRate) {
        reached.low = Math.max(reached.low, lowOfClipped(groups[0]!, options));
      }
      const mended = reached.low === ends.low && reached.high === ends.high ? '' : ', ends where resamples come to';
      return {
        ...reached,
        method: `${name}${scale.name}, length by t with ${spread.degreesOfFreedom.toFixed(1)} degrees of freedom${mended}${merged}`,
      };
    };
    const uncalibrated = (): Pick<Interval, 'low' | 'high' | 'method'> => {
      replicates.sort();
      const correction =
        plain === 'BCa'
          ? bcaCorrection(replicates, value, ...leaveOneOut(groups, width, sums, positive, value, evaluate))
          : noCorrection;
      const deviate = normalQuantile((1 + level) / 2);
      return { ...bootstrapLimits(replicates, deviate, correction), method: `${name}${merged}` };
    };
    evaluate(sums, 0);
    const size = Math.max(Math.abs(value), statistic.needsErrors ? 1 : 0, ...rates.map(Math.abs));
    if (allAlike(replicates, 1e-12 * size)) {
      return without(
        value,
        statistic.rates === 1
          ? { code: 'same-rate', have: countNonemptyClusters(groups[0]!, width) }
          : { code: 'alike' },
      );
    }
    return { value, level, ...(plain === null ? calibrated() : uncalibrated()) };
  };
  return { plans, conclude };
}

/** Of two rates that have the same words, differences and words in one table: half as much to add up; null where words differ. */
function sameWords(groups: readonly Float64Array[]): Float64Array | null {
  const [table] = groups;
  if (groups.length !== 1 || table === undefined) return null;
  const differences = new Float64Array(table.length / 2);
  for (let place = 0; place < table.length; place += 4) {
    if (table[place + 1] !== table[place + 3]) return null;
    differences[place / 2] = table[place + 2]! - table[place]!;
    differences[place / 2 + 1] = table[place + 1]!;
  }
  return differences;
}

function resampleAll(plan: ResamplingPlan): Float64Array {
  return resamplePart(plan, 0, plan.seeds.length / 2);
}

/** Whether nothing differs but by rounding: sums of the same counts in another order may differ in the last digits. */
function allAlike(replicates: Float64Array, rounding: number): boolean {
  return replicates.every((replicate) => Math.abs(replicate - replicates[0]!) <= rounding);
}

/** Whether a cluster has more errors than words, as a recognizer makes them that is caught in a loop. */
function exceedsWords(table: Float64Array): boolean {
  return table.some((count, place) => place % 2 === 0 && count > table[place + 1]!);
}

/** So many times as many resamples are drawn where an interval ends at the farthest of them. */
const farMore = 10;
/** The farthest on either side are so much of what a level leaves out: 20 of 20,000 for 95 %. */
const shareOfFarthest = 1 / 50;

/**
 * Ends that hardly any resample comes to, taken back to the mean of the farthest: one cluster far from all others leaves hardly a degree of
 * freedom, and t is long on both sides (`bench/calibration/loops.ts`, `design/intervals.md`). The one farthest resample would jump by a
 * whole loop from seed to seed.
 *
 * @param more of the same resamples, asked for where an end lies near the farthest
 */
function withinResamples(ends: Ends, replicates: Float64Array, level: number, more: () => Float64Array): Ends {
  const near = replicates.toSorted();
  const place = Math.min(near.length, 10);
  if (ends.low >= near[place - 1]! && ends.high <= near.at(-place)!) return ends;
  const sorted = more().sort();
  const farthest = Math.max(1, Math.round(shareOfFarthest * (1 - level) * sorted.length));
  const meanOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    low: Math.max(ends.low, meanOf(sorted.subarray(0, farthest))),
    high: Math.min(ends.high, meanOf(sorted.subarray(-farthest))),
  };
}

/**
 * The low end of the same rate where each cluster that has more errors than words has no more of them than the worst of the others: errors were
 * only taken away, so that the rate is no lower than that.
 */
function lowOfClipped(table: Float64Array, options: BootstrapOptions): number {
  let most = 0;
  for (let place = 0; place < table.length; place += 2) {
    const rate = table[place]! / table[place + 1]!;
    if (rate <= 1) most = Math.max(most, rate);
  }
  const clipped = table.map((count, place) =>
    place % 2 === 0 ? Math.min(count, (most === 0 ? 1 : most) * table[place + 1]!) : count,
  );
  return clusterBootstrap([clipped], pooledRate, options).low ?? Number.NEGATIVE_INFINITY;
}

interface Ends {
  low: number;
  high: number;
}

/** In what distances from the estimate are measured. */
interface Scale {
  readonly name: string;
  /** By how much it changes with the statistic. */
  readonly slope: number;
  readonly distance: (replicate: number) => number;
  /** What lies at a distance. */
  readonly end: (distance: number) => number;
  /** Beyond these there is nothing. */
  readonly widest: { readonly low: number; readonly high: number };
}

/**
 * Rates are measured by their logarithm, because a rate twice as high varies twice as much. Where no cluster exceeds 1, a
 * rate above one half is measured by what it lacks of 1: shares of errors and of successes then have intervals that
 * mirror each other. Such an interval ends where that of as many wholly right and wrong speakers does, so that one odd speaker does
 * not take it to 0 or 1.
 */
function scaleOf(statistic: RateStatistic, table: Float64Array, value: number, level: number): Scale {
  const unlimited = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const plain: Scale = {
    name: '',
    slope: 1,
    distance: (replicate) => replicate - value,
    end: (distance) => value + distance,
    widest: unlimited,
  };
  if (statistic.rates === 2) return plain;
  let shares = true;
  for (let place = 0; place < table.length; place += 2) {
    if (table[place]! < 0) return plain;
    if (table[place]! > table[place + 1]!) shares = false;
  }
  const widest = shares ? widestShare(value, effectiveClusters(table, 2), level) : unlimited;
  if (shares && value > 0.5 && value < 1) {
    return {
      name: ' on the log scale of what is lacking',
      slope: 1 / (1 - value),
      distance: (replicate) => Math.log((1 - replicate) / (1 - value)),
      end: (distance) => 1 - (1 - value) * Math.exp(-distance),
      widest,
    };
  }
  if (value <= 0) return plain;
  return {
    name: ' on the log scale',
    slope: 1 / value,
    distance: (replicate) => Math.log(replicate / value),
    end: (distance) => value * Math.exp(distance),
    widest,
  };
}

function widestShare(value: number, clusters: number, level: number): Scale['widest'] {
  const { low, high } = exactProportionInterval(Math.min(1, value) * clusters, clusters, level);
  return { low: low!, high: high! };
}

/** The values without each cluster in turn, group by group. Where nothing is left to divide by, it is the value itself. */
function leaveOneOut(
  groups: readonly Float64Array[],
  width: number,
  sums: readonly Float64Array[],
  positive: readonly number[],
  value: number,
  evaluate: (sums: readonly Float64Array[], place: number) => number,
): Float64Array[] {
  return groups.map((table, group) => {
    const rest = new Float64Array(width);
    const all = sums.map((columns, index) => (index === group ? rest : columns));
    return Float64Array.from({ length: table.length / width }, (_, cluster) => {
      for (let column = 0; column < width; column++)
        rest[column] = sums[group]![column]! - table[cluster * width + column]!;
      return positive.every((column) => rest[column]! > 0) ? evaluate(all, 0) : value;
    });
  });
}
