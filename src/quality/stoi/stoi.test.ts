import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testQuality } from '../conformance.ts';
import { thirdOctaveBands } from './band-envelopes.ts';
import { stoi } from './stoi.ts';

const services = { baseFolder: '/nowhere', fileHash: async () => '' };
testQuality({ measure: stoi, options: {}, services, skip: false });

/** Two seconds by formula: syllables, and the same with a rising tone over them. */
function pairAt(sampleRate: number) {
  const length = 2 * sampleRate;
  const time = (n: number) => n / sampleRate;
  const clean = Float32Array.from({ length }, (_, n) => {
    const t = time(n);
    const syllable = (Math.max(0, Math.sin(8 * Math.PI * t)) ** 2 * (1 + Math.cos(Math.PI * t))) / 2;
    return 0.15 * syllable * (2 * ((t * 140) % 1) - 1 + Math.sin(2 * Math.PI * 1700 * t));
  });
  const samples = clean.map((sample, n) => sample + 0.02 * Math.sin(2 * Math.PI * (200 + 400 * time(n)) * time(n)));
  return [
    { samples, sampleRate },
    { samples: clean, sampleRate },
  ] as const;
}

/** By pystoi 0.4.1 with scipy 1.17.1. */
const references = [
  [8000, 0.8822905910609657],
  [10_000, 0.8814351168407932],
  [16_000, 0.8806473623373594],
  [44_100, 0.8802722532482677],
] as const;

test('Intelligibility is what pystoi gives, at any sample rate.', async () => {
  const meter = await stoi.open({}, services);
  for (const [sampleRate, expected] of references) {
    const { values } = await meter.measure(...pairAt(sampleRate));
    assert.ok(Math.abs(values.stoi! - expected) < 1e-6, `${sampleRate} Hz: ${values.stoi}, expected ${expected}`);
  }
});

test('A clip is fully intelligible beside itself, at any level.', async () => {
  const meter = await stoi.open({}, services);
  const [, clean] = pairAt(16_000);
  const quiet = { ...clean, samples: clean.samples.map((sample) => sample / 8) };
  for (const clip of [clean, quiet]) {
    const { values } = await meter.measure(clip, clean);
    assert.ok(Math.abs(values.stoi! - 1) < 1e-9, String(values.stoi));
  }
});

test('Without half a second of audio there is no intelligibility, and the reason says so.', async () => {
  const meter = await stoi.open({}, services);
  const [clip, clean] = pairAt(16_000);
  const cut = (sound: typeof clip) => ({ ...sound, samples: sound.samples.subarray(0, 6000) });
  const { values, reason } = await meter.measure(cut(clip), cut(clean));
  assert.equal(values.stoi, null);
  assert.match(reason!, /not silent/);
});

test('The lowest band runs from 134 to 168 Hz and the highest from 3394 to 4277 Hz, in bins.', () => {
  const bands = thirdOctaveBands(150, 15, 10_000, 512);
  assert.deepEqual(bands[0], { first: 7, end: 9 });
  assert.deepEqual(bands[14], { first: 174, end: 219 });
});
