import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { reasonText } from '../../model/reason.ts';
import { bootstrapInterval, type Statistic } from './bootstrap-interval.ts';
import { pairedDifferenceInterval } from './difference-interval.ts';

const random = () => createRandom('plain observations');
const eight = Float64Array.of(4, 9, 2, 7, 5, 1, 8, 6);
const mean: Statistic = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

test('The interval of a mean is as documented, and that of a function of the same meaning nearly so.', () => {
  const example = bootstrapInterval(eight, 'mean', { random: createRandom('an example') });
  assert.deepEqual([example.value, example.low!.toFixed(3), example.high!.toFixed(3)], [5.25, '2.868', '7.375']);
  // Means of eight whole numbers lie an eighth apart; the ends may differ by chance by two of these steps.
  const own = bootstrapInterval(eight, mean, { random: random(), resamples: 20_000 });
  const built = bootstrapInterval(eight, 'mean', { random: random(), resamples: 20_000 });
  assert.ok(Math.abs(own.low! - built.low!) <= 0.25 && Math.abs(own.high! - built.high!) <= 0.25);
  assert.equal(own.value, 5.25);
});

test('Acceleration leaves out each observation in turn: that of a skewed sample is the same whichever way the mean is made.', () => {
  const skewed = Float64Array.from({ length: 40 }, (_, place) => 1.2 ** place);
  const options = () => ({ random: random(), resamples: 4000, smallSample: 'none' }) as const;
  const own = bootstrapInterval(skewed, mean, options());
  const built = bootstrapInterval(skewed, 'mean', options());
  const length = built.high! - built.low!;
  // Without acceleration both ends lie a tenth of the length lower.
  assert.ok(Math.abs(own.low! - built.low!) < 0.03 * length, `${own.low} ${built.low} ${length}`);
  assert.ok(Math.abs(own.high! - built.high!) < 0.03 * length, `${own.high} ${built.high} ${length}`);
});

test('Few observations widen the interval, and the values that come in stay what they are.', () => {
  const before = [...eight];
  const plain = bootstrapInterval(eight, 'mean', { random: random(), smallSample: 'none' });
  const expanded = bootstrapInterval(eight, 'mean', { random: random() });
  assert.ok(expanded.low! < plain.low! && expanded.high! > plain.high!);
  assert.deepEqual([...eight], before);
});

test('What has no interval is null, with the reason.', () => {
  const none = bootstrapInterval(new Float64Array(0), 'mean', { random: random() });
  assert.deepEqual([none.value, none.low], [null, null]);
  const one = bootstrapInterval(Float64Array.of(3), 'mean', { random: random() });
  assert.deepEqual([one.value, one.low], [3, null]);
  assert.match(reasonText(one.reason!), /needs 2 observations, and there is 1/);
  // Of two observations, a resample may hold the same one twice, which has no correlation, no spread, no ratio.
  const inverseSpread: Statistic = (values) => 1 / (Math.max(...values) - Math.min(...values));
  const infinite = bootstrapInterval(Float64Array.of(1, 2), inverseSpread, { random: random() });
  assert.equal(infinite.value, 1);
  assert.match(reasonText(infinite.reason!), /not a finite number/);
});

test('Where all observations are equal there is no interval, and the reason is told.', () => {
  for (const value of [0, 0.1, -7]) {
    for (const method of ['BCa', 'percentile'] as const) {
      const interval = bootstrapInterval(new Float64Array(9).fill(value), 'mean', { method, random: random() });
      assert.ok(Math.abs(interval.value! - value) < 1e-12);
      assert.deepEqual([interval.low, interval.high], [null, null]);
      assert.match(reasonText(interval.reason!), /every resample of the observations gives the same/);
    }
  }
});

test('Paired differences have the interval of the differences, second minus first.', () => {
  const second = eight.map((value, index) => value + 1 + (index % 3) / 10);
  const differences = second.map((value, index) => value - eight[index]!);
  assert.deepEqual(
    pairedDifferenceInterval(eight, second, { random: random() }),
    bootstrapInterval(differences, 'mean', { random: random() }),
  );
  assert.throws(() => pairedDifferenceInterval(eight, second.slice(1), { random: random() }), RangeError);
  const largest: Statistic = (values) => Math.max(...values);
  assert.ok(
    Math.abs(pairedDifferenceInterval(eight, second, { statistic: largest, random: random() }).value! - 1.2) < 1e-9,
  );
});

test('Impossible values and options are refused.', () => {
  const refused = (values: Float64Array, options = {}) =>
    assert.throws(() => bootstrapInterval(values, 'mean', { random: random(), ...options }), RangeError);
  refused(Float64Array.of(1, Number.NaN));
  refused(new Float64Array(70_000));
  refused(eight, { level: 0 });
  refused(eight, { resamples: 1.5 });
});
