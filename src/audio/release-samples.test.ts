import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseSamples } from './kept-samples.ts';
import { createMemory } from './wasm/assembler.ts';

test('samples with memory of their own are empty afterwards, and can be given back again', () => {
  for (const samples of [new Float32Array(1000).fill(1), new Float64Array(1000).fill(1)]) {
    const { buffer } = samples;
    releaseSamples(samples);
    assert.equal(samples.length, 0);
    assert.equal(buffer.byteLength, 0);
    releaseSamples(samples);
  }
});

test('a part of something larger stays, and what it is a part of', () => {
  const whole = new Float32Array([1, 2, 3]);
  releaseSamples(whole.subarray(1));
  assert.deepEqual(whole, new Float32Array([1, 2, 3]));
});

test('memory of WebAssembly stays, the whole of it too', () => {
  const { buffer } = createMemory(65536);
  releaseSamples(new Float32Array(buffer));
  assert.equal(buffer.byteLength, 65536);
});
