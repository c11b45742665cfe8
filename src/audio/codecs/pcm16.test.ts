import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromPcm16, toPcm16 } from './integers.ts';

test('rounds to the nearest integer, halves upwards, and saturates', () => {
  const steps = [0.4, 0.5, -0.5, -0.6, 1.5, 32766.6, 32767.4, 32767.5, -32768.5, -32769].map((step) => step / 32768);
  const { integers, saturatedSamples } = toPcm16(Float32Array.from(steps));
  assert.deepEqual([...integers], [0, 1, 0, -1, 2, 32767, 32767, 32767, -32768, -32768]);
  assert.equal(saturatedSamples, 2);
});

test('all integers come back', () => {
  const every = Int16Array.from({ length: 65536 }, (_, index) => index - 32768);
  assert.deepEqual(toPcm16(fromPcm16(every)), { integers: every, saturatedSamples: 0 });
});
