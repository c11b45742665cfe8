import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { integerNoise } from '../testing/integer-noise.ts';
import { codeG722, g722DelaySamples } from './g722.ts';

// ffmpeg 5.1.9: -c:a g722, decoded with -bits_per_codeword 8, 7 and 6; the first 22 samples of its output left out.
const decodedByFfmpeg = [
  [64, '1c81fcf360c43fd74396a4e941ad57047171dd08bbf15b1dd2ffff85a61959f1', [-3, -1, -4, 0, 0, -4, -1, -6]],
  [56, 'fffa6bcb9736f0c37b143dae1bef168fb1d1a4570dad972d3b8565ffc72636d3', [-4, 0, -2, -1, -2, -3, 3, -3]],
  [48, '40003b99ba8f25a4ec66216591a6eb7ae751a2a2aef02f11f0507ac83c0b7741', [-5, -2, -4, 0, 0, -4, 0, -6]],
] as const;

test('all three modes give what ffmpeg gives, bit for bit, from the softest to the loudest noise', () => {
  for (const [rate, hash, values] of decodedByFfmpeg) {
    const decoded = codeG722(integerNoise(16_000, 300), rate).subarray(0, 16_000 - g722DelaySamples);
    assert.deepEqual([...decoded.subarray(1000, 1008)], values);
    const bytes = new Uint8Array(decoded.buffer, decoded.byteOffset, decoded.byteLength);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), hash, `${rate} kbit/s`);
  }
});

test('any length comes back with its length and in its place', () => {
  for (const length of [0, 1, 2, 21, 22, 23, 1001])
    assert.equal(codeG722(integerNoise(length, 300), 64).length, length);
  const pulse = Int16Array.from({ length: 400 }, (_, n) => 8000 * Math.exp(-(((n - 200) / 8) ** 2)));
  const decoded = codeG722(pulse, 64);
  assert.ok(Math.abs(decoded.indexOf(Math.max(...decoded)) - 200) <= 2);
});
