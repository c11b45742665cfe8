import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { testQuality } from '../conformance.ts';
import { bandwidth, measureBandwidth } from './bandwidth.ts';

const services = { baseFolder: '/nowhere', fileHash: async () => '' };
testQuality({ measure: bandwidth, options: {}, services, skip: false });

const sampleRate = 16_000;
const random = createRandom('bandwidth');
const noise = Float32Array.from({ length: sampleRate }, () => 0.1 * random.normal());

test('White noise reaches half the sample rate.', () => {
  assert.equal(measureBandwidth({ samples: noise, sampleRate }), 8000);
});

test('Tones up to a frequency end there, within the width of the line that is averaged.', () => {
  for (const highest of [1000, 3400, 6000]) {
    const samples = Float32Array.from({ length: sampleRate }, (_, n) => {
      let sum = 0;
      for (let hertz = 200; hertz <= highest; hertz += 200) sum += Math.sin((2 * Math.PI * hertz * n) / sampleRate);
      return 0.02 * sum;
    });
    const found = measureBandwidth({ samples, sampleRate })!;
    assert.ok(found >= highest && found <= highest + 200, `${found} for ${highest}`);
  }
});

test('What is 60 dB softer than the rest does not count, and level changes nothing.', () => {
  const samples = Float32Array.from({ length: sampleRate }, (_, n) => {
    const low = Math.sin((2 * Math.PI * 500 * n) / sampleRate);
    return 0.5 * low + 0.0005 * Math.sin((2 * Math.PI * 5000 * n) / sampleRate);
  });
  const found = measureBandwidth({ samples, sampleRate })!;
  assert.ok(found < 800, String(found));
  assert.equal(measureBandwidth({ samples: samples.map((sample) => sample / 8), sampleRate }), found);
});
