import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../../base/testing/golden.ts';
import { gainAt } from '../testing/gain-at.ts';
import { butterworth, filterBothWays } from './biquad.ts';

test('gives what scipy 1.17.1 filtfilt gives', () => {
  const file = golden('aequevox/filter_vectors.json', 'formula/filters.json');
  const { fs, x, cases } = JSON.parse(readFileSync(file, 'utf8')) as {
    fs: number;
    x: number[];
    cases: { transformation: 'HP' | 'LP'; cutoff: number; y: number[] }[];
  };
  assert.equal(cases.length, 4);
  for (const { transformation, cutoff, y } of cases) {
    const filter = butterworth(transformation === 'HP' ? 'high-pass' : 'low-pass', cutoff, fs);
    const filtered = filterBothWays(filter, Float32Array.from(x));
    for (const [index, expected] of y.entries()) {
      // Input and output are 32-bit floats, scipy's were doubles.
      assert.ok(Math.abs(filtered[index]! - expected) < 1e-7, `${transformation} ${cutoff} at ${index}`);
    }
  }
});

test('a sine comes out with the squared gain of the filter, and not delayed', () => {
  const sampleRate = 16000;
  const samples = (amplitude: number, frequencyHz: number) =>
    Float32Array.from({ length: 16000 }, (_, n) => amplitude * Math.sin((2 * Math.PI * frequencyHz * n) / sampleRate));
  for (const kind of ['low-pass', 'high-pass'] as const) {
    for (const frequencyHz of [100, 700, 2500]) {
      const filter = butterworth(kind, 700, sampleRate);
      const gain = gainAt(filter, frequencyHz, sampleRate) ** 2;
      const filtered = filterBothWays(filter, samples(0.5, frequencyHz));
      const expected = samples(0.5 * gain, frequencyHz);
      for (let n = 2000; n < 14000; n++) {
        assert.ok(Math.abs(filtered[n]! - expected[n]!) < 1e-6, `${kind} ${frequencyHz} Hz at ${n}`);
      }
      if (frequencyHz === 700) assert.ok(Math.abs(gain - 0.5) < 1e-9);
    }
  }
});

test('a constant passes the low-pass unchanged from the first sample on, and vanishes in the high-pass', () => {
  for (const length of [1, 2, 5, 9, 10, 100]) {
    const constant = new Float32Array(length).fill(0.25);
    for (const value of filterBothWays(butterworth('low-pass', 500, 16000), constant)) {
      assert.ok(Math.abs(value - 0.25) < 1e-6);
    }
    for (const value of filterBothWays(butterworth('high-pass', 500, 16000), constant)) {
      assert.ok(Math.abs(value) < 1e-6);
    }
  }
});

test('no samples give no samples', () => {
  assert.equal(filterBothWays(butterworth('low-pass', 500, 16000), new Float32Array(0)).length, 0);
});
