import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { integerNoise } from '../testing/integer-noise.ts';
import { codeGsm } from './gsm.ts';

test('gives what SoX 14.4.2 (libgsm) gives, bit for bit, from the softest to the loudest noise', () => {
  const decoded = codeGsm(integerNoise(8000, 200));
  assert.deepEqual(
    [...decoded.subarray(400, 416)],
    [32, -216, 88, 128, -152, 0, 96, -112, -112, 32, -8, -88, 0, -40, -32, 16],
  );
  assert.equal(
    createHash('sha256').update(new Uint8Array(decoded.buffer)).digest('hex'),
    '4c48069638036b400895dd262ea8347854a955db7c2ce41b729228821a35536e',
  );
});

test('any length comes back with its length, and a shorter sound as the beginning of a longer one', () => {
  const long = codeGsm(integerNoise(480, 200));
  for (const length of [0, 1, 159, 160, 161, 320]) {
    const decoded = codeGsm(integerNoise(length, 200));
    assert.equal(decoded.length, length);
    const whole = Math.floor(length / 160) * 160;
    assert.deepEqual(decoded.subarray(0, whole), long.subarray(0, whole));
  }
});

test('full scale without a break saturates as in SoX, and silence gives less than a thousandth of full scale', () => {
  const at = (value: number) => {
    const decoded = codeGsm(new Int16Array(800).fill(value));
    return [0, 1, 100, 400, 799].map((n) => decoded[n]);
  };
  assert.deepEqual(at(-32768), [-28672, -29720, -32768, -21000, -13464]);
  assert.deepEqual(at(32767), [28672, 29712, 32760, 22592, 14344]);
  assert.ok(codeGsm(new Int16Array(800)).every((value) => Math.abs(value) <= 32));
});
