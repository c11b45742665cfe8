import assert from 'node:assert/strict';
import test from 'node:test';
import { sha256 } from '../base/hash.ts';
import type { ClipMeasurement } from '../model/trial.ts';
import { mixToMono } from './clip.ts';
import { measureClip, sampleHash } from './clip-measurement.ts';
import { clippedShare, levelDbfs, rms } from './levels.ts';
import { peak } from './samplewise.ts';

const sine = Float32Array.from({ length: 1000 }, (_, n) => Math.sin((2 * Math.PI * n) / 100));

test('a sine that fills the range has 1 over root 2 as its mean, -3.01 dB as its level and 1 as its peak', () => {
  assert.ok(Math.abs(rms(sine) - Math.SQRT1_2) < 1e-7);
  assert.ok(Math.abs(levelDbfs(sine)! + 3.0103) < 1e-4);
  assert.equal(peak(sine), 1);
  assert.equal(peak(new Float32Array([0.25, -0.5])), 0.5);
});

test('silence and no samples have no level', () => {
  assert.equal(levelDbfs(new Float32Array(10)), null);
  assert.equal(levelDbfs(new Float32Array()), null);
  assert.equal(rms(new Float32Array()), 0);
  assert.equal(clippedShare(new Float32Array()), 0);
});

test('samples count as clipped from the largest 16-bit value on, on both sides', () => {
  assert.equal(clippedShare(new Float32Array([32767 / 32768, -1, 32766 / 32768, 2])), 0.75);
});

test('channels are mixed by their mean', () => {
  const left = new Float32Array([1, 0.5, -1]);
  const right = new Float32Array([0, 0.5, -0.5]);
  assert.deepEqual(mixToMono([left, right]), new Float32Array([0.5, 0.5, -0.75]));
  const third = new Float32Array([0.5, 1, 0]);
  assert.deepEqual(mixToMono([left, right, third]), new Float32Array([0.5, 2 / 3, -0.5]));
  assert.equal(mixToMono([left]), left);
  assert.throws(() => mixToMono([]), RangeError);
  assert.throws(() => mixToMono([left, new Float32Array(2)]), RangeError);
});

test('a measurement holds what the model asks for', () => {
  const clip = { samples: new Float32Array([0.5, -0.5, 1, -1]), sampleRate: 8000 };
  const measurement: ClipMeasurement = measureClip(clip, [{ snrDb: 10 }]);
  assert.equal(measurement.durationSeconds, 0.0005);
  assert.equal(measurement.sampleRate, 8000);
  assert.equal(measurement.clippedShare, 0.5);
  assert.ok(Math.abs(measurement.levelDbfs! - 20 * Math.log10(Math.sqrt(0.625))) < 1e-12);
  assert.deepEqual(measurement.facts, [{ snrDb: 10 }]);
});

test('the hash of a sound is that of its little-endian floats and its rate', () => {
  // 0.5 is 3f000000, -1 is bf800000, the double 8000 is 40bf400000000000 (IEEE 754).
  const bytes = Buffer.from('0000003f000080bf0000000000' + '40bf40', 'hex');
  const samples = new Float32Array([0, 0.5, -1]).subarray(1);
  assert.equal(sampleHash({ samples, sampleRate: 8000 }), sha256(bytes));
  assert.notEqual(sampleHash({ samples, sampleRate: 16000 }), sha256(bytes));
});
