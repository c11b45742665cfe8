import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rms } from '../../audio/levels.ts';
import { createRandom } from '../../base/random.ts';
import { quantize } from './quantize.ts';

const services = { random: createRandom(1) };
const integers = (samples: readonly number[], parameters: Parameters<typeof quantize.apply>[1]) =>
  [...quantize.apply({ samples: Float32Array.from(samples), sampleRate: 8000 }, parameters, services).clip.samples].map(
    (sample) => sample * 2 ** (parameters.bits - 1) + 0,
  );

test('rounds to the nearest integer, or cuts towards zero as a cast does', () => {
  const samples = [0.6 / 128, -0.6 / 128, 1.4 / 128, -1.4 / 128];
  assert.deepEqual(integers(samples, { bits: 8, rounding: 'nearest', fullScale: 'power-of-two' }), [1, -1, 1, -1]);
  assert.deepEqual(integers(samples, { bits: 8, rounding: 'truncate', fullScale: 'power-of-two' }), [0, 0, 1, -1]);
});

test('full scale saturates and never wraps around', () => {
  const samples = [1, -1, 1.4, -1.4, 100];
  const asFiles = { bits: 16, rounding: 'nearest', fullScale: 'power-of-two' } as const;
  assert.deepEqual(integers(samples, asFiles), [32767, -32768, 32767, -32768, 32767]);
  const asProgram = { bits: 16, rounding: 'truncate', fullScale: 'largest-integer' } as const;
  assert.deepEqual(integers(samples, asProgram), [32767, -32767, 32767, -32768, 32767]);
  const { facts } = quantize.apply({ samples: Float32Array.from(samples), sampleRate: 8000 }, asProgram, services);
  assert.deepEqual(facts, { saturatedSamples: 3 });
});

test('the error has the power of a step squared over 12', () => {
  const random = createRandom('quantize');
  const samples = Float32Array.from({ length: 100_000 }, () => 1.625 * random.next() - 0.8125);
  for (const bits of [4, 8, 12]) {
    const parameters = { bits, rounding: 'nearest', fullScale: 'power-of-two' } as const;
    const { clip } = quantize.apply({ samples, sampleRate: 8000 }, parameters, services);
    const error = rms(clip.samples.map((sample, n) => sample - samples[n]!));
    // The standard error of the ratio is .0014.
    assert.ok(Math.abs((error * Math.sqrt(12)) / 2 ** (1 - bits) - 1) < 0.01);
  }
});

test('16 bits keep what was read from 16 bits', () => {
  const samples = Array.from({ length: 65_536 }, (_, n) => (n - 32_768) / 32_768);
  const parameters = { bits: 16, rounding: 'nearest', fullScale: 'power-of-two' } as const;
  assert.deepEqual(
    integers(samples, parameters),
    samples.map((sample) => sample * 32_768),
  );
});
