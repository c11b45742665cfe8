import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../../base/testing/golden.ts';
import { alawValues, ulawValues } from '../pcm.ts';
import { codeG711, encodeAlaw, encodeUlaw } from './g711.ts';

const goldens = golden('codecs/codecs.json');
const laws = [
  ['ulaw', encodeUlaw, ulawValues],
  ['alaw', encodeAlaw, alawValues],
] as const;

test('all 65,536 samples are encoded, and all 256 bytes decoded, as by Python audioop 3.11', () => {
  const { g711 } = JSON.parse(readFileSync(goldens, 'utf8'));
  for (const [law, encode, values] of laws) {
    assert.deepEqual([...values], g711[law]['decode_256 (audioop)']);
    const runs: [number, number][] = g711[law]['encode_runs [index of first sample, byte]; index 0 = -32768 (audioop)'];
    const encoded = Array.from({ length: 65536 }, (_, index) => encode(index - 32768));
    const starts = encoded.flatMap((byte, index) =>
      index === 0 || byte !== encoded[index - 1] ? [[index, byte]] : [],
    );
    assert.deepEqual(starts, runs, law);
  }
});

test('bytes of some samples: edges and ends of the segments (audioop)', () => {
  const samples = [-32768, -32124, -16376, -1000, -133, -4, -1, 0, 3, 4, 131, 132, 1000, 8031, 32124, 32767];
  assert.deepEqual(samples.map(encodeUlaw), [0, 0, 15, 78, 111, 126, 126, 255, 255, 254, 239, 239, 206, 160, 128, 128]);
  assert.deepEqual(samples.map(encodeAlaw), [42, 42, 58, 122, 93, 85, 85, 213, 213, 213, 221, 221, 250, 138, 170, 170]);
});

test('what was decoded once is decoded to the same again', () => {
  for (const [law, , values] of laws) {
    const name = law === 'ulaw' ? 'mu-law' : 'a-law';
    assert.deepEqual(codeG711(values, name), values);
  }
});

test('the error is at most half a step: 1/32 of the sample, or some units near zero', () => {
  const every = Int16Array.from({ length: 65536 }, (_, index) => index - 32768);
  for (const [law, least] of [
    ['mu-law', 6],
    ['a-law', 16],
  ] as const) {
    const decoded = codeG711(every, law);
    const allowed = (sample: number) => Math.max(least, (Math.abs(sample) + 132) / 32 + 4);
    const wrong = every.filter((sample, n) => Math.abs(decoded[n]! - sample) > allowed(sample));
    assert.deepEqual([...wrong], [], law);
  }
});
