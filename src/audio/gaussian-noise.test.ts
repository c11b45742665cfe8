import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import { gaussianNoise } from './gaussian-noise.ts';

const count = 1_000_000;
const noise = gaussianNoise(count, createRandom('gaussian noise'));

test('shares beyond each place are those of the normal distribution, on both sides, in the tail too', () => {
  // Upper tails of the standard normal distribution (R: pnorm(x, lower.tail = FALSE)). The lowest layer ends at 3.654.
  const tails: readonly (readonly [number, number])[] = [
    [0, 0.5],
    [0.1, 0.460172163],
    [0.25, 0.401293674],
    [0.5, 0.308537539],
    [1, 0.158655254],
    [2, 0.022750132],
    [3, 0.001349898],
    [3.6, 0.000159109],
    [3.7, 0.0001078],
    [4, 3.16712e-5],
    [4.5, 3.39767e-6],
  ];
  for (const [place, share] of tails) {
    for (const sign of [1, -1]) {
      let beyond = 0;
      for (const value of noise) if (sign * value > place) beyond++;
      const error = Math.sqrt(count * share * (1 - share));
      assert.ok(Math.abs(beyond - count * share) < 4 * error + 1, `${sign * place}: ${beyond} of ${count * share}`);
    }
  }
});

test('the distance from the normal distribution is what chance gives (Kolmogorov and Smirnov)', () => {
  const sorted = noise.slice(0, 100_000).sort();
  // Marsaglia's series (Evaluating the normal distribution, 2004), exact to 1e-15 in this range.
  const distribution = (x: number) => {
    let [sum, term] = [x, x];
    for (let n = 3; Math.abs(term) > 1e-16; n += 2) sum += term = (term * x * x) / n;
    return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
  };
  let largest = 0;
  for (const [rank, value] of sorted.entries()) {
    const expected = distribution(value);
    largest = Math.max(largest, expected - rank / sorted.length, (rank + 1) / sorted.length - expected);
  }
  // 1.95 over the root of n is passed once in a thousand times.
  assert.ok(largest < 1.95 / Math.sqrt(sorted.length), String(largest));
});

test('neighbours, their sizes and their signs have nothing to do with each other', () => {
  const correlation = (of: (value: number) => number, mean: number, variance: number, lag: number) => {
    let sum = 0;
    for (let n = lag; n < count; n++) sum += (of(noise[n]!) - mean) * (of(noise[n - lag]!) - mean);
    return sum / variance / count;
  };
  for (let lag = 1; lag <= 8; lag++) {
    for (const [of, mean, variance] of [
      [(value: number) => value, 0, 1],
      [(value: number) => value * value, 1, 2],
    ] as const) {
      assert.ok(Math.abs(correlation(of, mean, variance, lag)) < 4.5 / Math.sqrt(count), `lag ${lag}`);
    }
  }
});

test('the same seed gives the same noise, and words are the numbers that come one by one', () => {
  assert.deepEqual(gaussianNoise(5000, createRandom(1)), gaussianNoise(5000, createRandom(1)));
  assert.notDeepEqual(gaussianNoise(9, createRandom(1)), gaussianNoise(9, createRandom(2)));
  assert.equal(gaussianNoise(0, createRandom(1)).length, 0);
  const [together, single] = [createRandom(3), createRandom(3)];
  const words = new Int32Array(7);
  together.words(words);
  for (const word of words) assert.equal((word >>> 0) / 2 ** 32, single.next());
  assert.equal(together.next(), single.next());
});
