import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { planResampling, resamplePart, type Width } from './resampler.ts';

const resamples = 20_000;

test('Sums of resamples have the mean and the variance of sampling with replacement, in every column.', () => {
  for (const width of [1, 2, 4] as const satisfies Width[]) {
    for (const units of [1, 2, 13, 64, 301]) {
      const source = createRandom([width, units]);
      const table = Float64Array.from({ length: units * width }, () => 10 + source.next());
      const sums = resamplePart(planResampling(table, width, [], resamples, source), 0, resamples);
      for (let column = 0; column < width; column++) {
        const values = Array.from({ length: units }, (_, unit) => table[unit * width + column]!);
        const total = values.reduce((sum, value) => sum + value, 0);
        const variance = values.reduce((sum, value) => sum + (value - total / units) ** 2, 0);
        let mean = 0;
        for (let resample = 0; resample < resamples; resample++) mean += sums[resample * width + column]! / resamples;
        let squares = 0;
        for (let resample = 0; resample < resamples; resample++)
          squares += (sums[resample * width + column]! - mean) ** 2;
        const where = `width ${width}, ${units} units, column ${column}`;
        // Four and a half standard errors: of a mean, and of a variance of nearly normal sums (less for two units).
        assert.ok(Math.abs(mean - total) <= 4.5 * Math.sqrt(variance / resamples) + 1e-9, where);
        assert.ok(Math.abs(squares / resamples - variance) <= 4.5 * variance * Math.sqrt(2 / resamples) + 1e-9, where);
      }
    }
  }
});

test('How often a unit is drawn is binomial: each is left out as often as it should be.', () => {
  const units = 21;
  for (let marked = 0; marked < units; marked += 5) {
    const table = Float64Array.from({ length: units }, (_, unit) => (unit === marked ? 1 : 0));
    const times = resamplePart(planResampling(table, 1, [], resamples, createRandom(marked)), 0, resamples);
    for (const count of [0, 1, 2, 3]) {
      let choose = 1;
      for (let step = 0; step < count; step++) choose *= (units - step) / (step + 1);
      const expected = choose * (1 / units) ** count * (1 - 1 / units) ** (units - count);
      const share = times.filter((time) => time === count).length / resamples;
      assert.ok(Math.abs(share - expected) < 4.5 * Math.sqrt((expected * (1 - expected)) / resamples), `${marked}`);
    }
  }
});

test('Parts of a plan are what the whole gives, wherever it is cut.', () => {
  const table = Float64Array.from({ length: 2 * 33 }, (_, place) => place % 7);
  const plan = planResampling(table, 2, [1], 100, createRandom('parts'));
  const whole = resamplePart(plan, 0, 100);
  assert.deepEqual([...resamplePart(plan, 0, 37), ...resamplePart(plan, 37, 100)], [...whole]);
});

test('Resamples without anything in a column that must be positive are drawn again.', () => {
  const table = Float64Array.of(1, 0, 2, 0, 3, 5);
  const sums = resamplePart(planResampling(table, 2, [1], 2000, createRandom('again')), 0, 2000);
  for (let place = 1; place < sums.length; place += 2) assert.ok(sums[place]! > 0);
});
