import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../../base/testing/golden.ts';
import { gainAt } from '../testing/gain-at.ts';
import { butterworth } from './biquad.ts';

const close = (actual: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `expected ${expected} within ${tolerance}, got ${actual}`);

test('the coefficients are those of scipy 1.17.1, butter(2, 500 / 8000)', () => {
  const { numerator, denominator } = butterworth('low-pass', 500, 16000);
  const expected = [0.00844269292907995, 0.0168853858581599, 0.00844269292907995];
  numerator.forEach((value, index) => {
    close(value, expected[index]!, 1e-15);
  });
  close(denominator[1], -1.72377617276251, 1e-13);
  close(denominator[2], 0.757546944478829, 1e-13);
});

test('the gain is one half in power at the cutoff, 1 in the pass band and 0 at the other end', () => {
  for (const sampleRate of [8000, 16000, 44100, 48000]) {
    for (const cutoffHz of [100, 500, 900, 3400]) {
      close(gainAt(butterworth('low-pass', cutoffHz, sampleRate), cutoffHz, sampleRate), Math.SQRT1_2, 1e-9);
      close(gainAt(butterworth('high-pass', cutoffHz, sampleRate), cutoffHz, sampleRate), Math.SQRT1_2, 1e-9);
      close(gainAt(butterworth('low-pass', cutoffHz, sampleRate), 0, sampleRate), 1, 1e-9);
      close(gainAt(butterworth('low-pass', cutoffHz, sampleRate), sampleRate / 2, sampleRate), 0, 1e-9);
      close(gainAt(butterworth('high-pass', cutoffHz, sampleRate), 0, sampleRate), 0, 1e-9);
      close(gainAt(butterworth('high-pass', cutoffHz, sampleRate), sampleRate / 2, sampleRate), 1, 1e-9);
    }
  }
});

test('a cutoff at 0 or at half the sample rate is refused', () => {
  assert.throws(() => butterworth('low-pass', 0, 16000), RangeError);
  assert.throws(() => butterworth('high-pass', 8000, 16000), /8000 Hz/);
  assert.throws(() => butterworth('high-pass', Number.NaN, 16000), RangeError);
});

test('the coefficients agree with scipy over other cutoffs', () => {
  const { filters } = JSON.parse(readFileSync(golden('acoustics/acoustics.json'), 'utf8')) as {
    filters: { type: string; order: number; hz: number; b: number[]; a: number[] }[];
  };
  const ofOrderTwo = filters.filter(({ order, type }) => order === 2 && /^(low|high)pass$/.test(type));
  assert.ok(ofOrderTwo.length > 0);
  for (const { type, hz, b, a } of ofOrderTwo) {
    const filter = butterworth(type === 'lowpass' ? 'low-pass' : 'high-pass', hz, 16000);
    b.forEach((value, index) => {
      close(filter.numerator[index]!, value, 1e-9);
    });
    a.forEach((value, index) => {
      close(filter.denominator[index]!, value, 1e-9);
    });
  }
});
