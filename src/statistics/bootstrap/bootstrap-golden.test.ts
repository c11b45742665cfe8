// Values of scipy and R in goldens/statistics, whose README tells how they were made.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { golden } from '../../base/testing/golden.ts';
import { acceleration, bootstrapInterval, type Statistic } from './bootstrap-interval.ts';
import { differenceInterval, logRatioInterval } from './difference-interval.ts';
import { rateInterval } from './rate-interval.ts';

const folder = golden('statistics/');
// biome-ignore lint/suspicious/noExplicitAny: the golden files are read as they are
const load = (name: string): any => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const data = load('data.json');
const python = load('python.json').bootstrap;
const r = load('r.json').bootstrap;

/** Within a range over seeds, or its own width on either side. */
function within(actual: number | null, [least, greatest]: readonly [number, number], where: string): void {
  const slack = greatest - least;
  assert.ok(
    actual! >= least - slack && actual! <= greatest + slack,
    `${where}: ${actual}, not ${least} to ${greatest}`,
  );
}

const statistics: Record<string, 'mean' | Statistic> = {
  mean: 'mean',
  median(values) {
    const sorted = values.toSorted();
    const half = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
  },
  variance_n(values) {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  },
};

test('BCa and percentile intervals of a mean, a median and a variance lie where scipy’s lie over seeds.', () => {
  let checked = 0;
  for (const sample of Object.keys(data.bootstrap)) {
    for (const [name, statistic] of Object.entries(statistics)) {
      const ranges = python[sample][name]?.scipy_bootstrap_95_over_seeds;
      if (!ranges) continue;
      const values = Float64Array.from(data.bootstrap[sample]);
      const resamples = statistic === 'mean' ? 50_000 : 15_000;
      for (const method of ['BCa', 'percentile'] as const) {
        const random = createRandom(['golden', sample, name]);
        const interval = bootstrapInterval(values, statistic, { method, resamples, smallSample: 'none', random });
        // Fewer resamples than scipy's vary more: a hundredth of the interval's length is allowed for.
        const extra = 0.01 * (interval.high! - interval.low!);
        for (const end of ['low', 'high'] as const) {
          const [least, greatest] = ranges[method][end];
          within(interval[end], [least - extra, greatest + extra], `${sample} ${name} ${method} ${end}`);
        }
        checked++;
      }
    }
  }
  assert.ok(checked >= 12, `${checked} checked`);
});

test('The BCa interval of a mean is near R’s, whose quantiles are interpolated otherwise.', () => {
  for (const sample of ['n12', 'n40_skewed']) {
    const values = Float64Array.from(data.bootstrap[sample]);
    const options = { resamples: 50_000, smallSample: 'none', random: createRandom(sample) } as const;
    const interval = bootstrapInterval(values, 'mean', options);
    const { min, max } = r[sample].boot_ci_95;
    within(interval.low, [min[6], max[6]], `${sample} low`);
    within(interval.high, [min[7], max[7]], `${sample} high`);
  }
});

test('Where all values without one observation agree, the acceleration is undefined and the interval says so.', () => {
  assert.equal(python.n100_rates.median.jackknife_acceleration, null);
  const values = Float64Array.from(data.bootstrap.n100_rates);
  const interval = bootstrapInterval(values, statistics.median!, { resamples: 500, random: createRandom(1) });
  assert.match(interval.method, /acceleration is 0\/0/);
});

interface GoldenSpeaker {
  readonly words: number[];
  readonly errors: number[];
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const speakers = (keep: (index: number) => boolean) => {
  const kept: GoldenSpeaker[] = data.clusters.filter((_: GoldenSpeaker, index: number) => keep(index));
  return {
    numerators: Float64Array.from(kept, ({ errors }) => sum(errors)),
    denominators: Float64Array.from(kept, ({ words }) => sum(words)),
  };
};

test('Acceleration, BCa and percentile intervals of a pooled rate by speaker are scipy’s and R’s.', () => {
  const counts = speakers(() => true);
  const golden = python.clustered_pooled_rate;
  const all = { errors: sum([...counts.numerators]), words: sum([...counts.denominators]) };
  const leaveOneOut = counts.numerators.map(
    (errors, index) => (all.errors - errors) / (all.words - counts.denominators[index]!),
  );
  assert.ok(Math.abs(acceleration([leaveOneOut])! / golden.jackknife_acceleration - 1) < 1e-9);
  for (const method of ['BCa', 'percentile'] as const) {
    const interval = rateInterval(counts, { resamples: 100_000, method, random: createRandom('golden') });
    assert.ok(Math.abs(interval.value! - golden.rate) < 1e-12);
    for (const end of ['low', 'high'] as const) within(interval[end], golden['95_over_seeds'][method][end], method);
  }
});

test('Differences and log ratios of groups of different speakers lie where numpy’s percentiles lie over seeds.', () => {
  const golden = python.clustered_pooled_rate.even_minus_odd_speakers;
  const even = speakers((index) => index % 2 === 0);
  const odd = speakers((index) => index % 2 === 1);
  const options = { resamples: 100_000, method: 'percentile', clusters: 'separate', minimumClusters: 2 } as const;
  const difference = differenceInterval(odd, even, { ...options, random: createRandom('groups') });
  const ratio = logRatioInterval(odd, even, { ...options, random: createRandom('groups') });
  assert.ok(Math.abs(difference.value! - golden.difference) < 1e-12);
  assert.ok(Math.abs(ratio.value! - golden.log2_ratio) < 1e-12);
  const least = golden['percentile95_difference_low/high_log2_low/high (min over seeds)'];
  const greatest = golden['(max over seeds)'];
  [difference.low, difference.high, ratio.low, ratio.high].forEach((end, index) => {
    within(end, [least[index], greatest[index]], `end ${index}`);
  });
});
