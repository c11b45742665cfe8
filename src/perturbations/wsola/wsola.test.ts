import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import { createRandom } from '../../base/random.ts';
import { originalTime } from '../apply-steps.ts';
import { wsola } from './wsola.ts';

const services = { random: createRandom(1) };
const byRate = (clip: Clip, rate: number) => wsola.apply(clip, { rate, durationFactor: null }, services);

/** Noise through a resonance, so that some places are more alike than others. */
function noise(length: number, sampleRate: number): Clip {
  const random = createRandom({ length });
  let [last, before] = [0, 0];
  const samples = Float32Array.from({ length }, () => {
    const next = 1.8 * last - 0.9 * before + 0.02 * random.normal();
    [last, before] = [next, last];
    return next;
  });
  return { samples, sampleRate };
}

/** The loop of the paper's program, in its own order and in double precision. */
function definition({ samples, sampleRate }: Clip, rate: number): Float64Array {
  const shift = Math.floor(sampleRate / 100);
  const frame = 2 * shift;
  const step = Math.floor(shift * rate);
  const hann = (n: number) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (frame - 1));
  const output = new Float64Array(Math.floor(samples.length / rate));
  for (let n = 0; n < Math.min(shift, output.length); n++) output[n] = samples[n]!;
  let [start, end, written] = [frame, frame + step, shift];
  while (samples.length > end + frame) {
    let [best, found] = [Number.NEGATIVE_INFINITY, 0];
    for (let delta = -shift; delta <= shift; delta++) {
      let product = 0;
      for (let n = 0; n < frame; n++) {
        product += (samples[start + n] ?? 0) * hann(n) * samples[end + delta - shift + n]! * hann(n);
      }
      if (product > best) [best, found] = [product, delta];
    }
    const place = end + found;
    for (let n = 0; n < shift && written + n < output.length; n++) {
      output[written + n] = samples[start + n]! * hann(shift + n) + samples[place - shift + n]! * hann(n);
    }
    [start, end, written] = [place, end + step, written + shift];
  }
  return output;
}

test('does what the loop of the paper’s program does, at any rate', () => {
  for (const [rate, sampleRate] of [
    [1 / 1.25, 16000],
    [1 / 0.75, 16000],
    [2.3, 8000],
    [0.4, 11025],
  ] as const) {
    const clip = noise(8000, sampleRate);
    const { samples } = byRate(clip, rate).clip;
    const expected = definition(clip, rate);
    assert.equal(samples.length, expected.length);
    for (const [n, value] of expected.entries()) assert.ok(Math.abs(samples[n]! - value) < 1e-6, `${rate}: ${n}`);
  }
});

test('a rate is one over a duration factor; both or none are refused', () => {
  const clip = noise(16000, 16000);
  const slow = wsola.apply(clip, { rate: null, durationFactor: 1.25 }, services);
  assert.deepEqual(slow.clip.samples, byRate(clip, 0.8).clip.samples);
  assert.equal(slow.clip.samples.length, 20000);
  assert.deepEqual(slow.facts, { rate: 0.8, durationFactor: 1.25 });
  assert.equal(wsola.parameters.safeParse({ rate: 0.8, durationFactor: 1.25 }).success, false);
  assert.equal(wsola.parameters.safeParse({}).success, false);
  assert.deepEqual(wsola.parameters.parse({ rate: 0.8 }), { rate: 0.8, durationFactor: null });
});

test('the end is silent, and times map back within a piece of where the sound was', () => {
  const { samples, sampleRate } = noise(32000, 16000);
  // A burst is heard where the map says that it is.
  const burst = samples.map((sample, n) => (n >= 16000 && n < 17600 ? 20 * sample : 0));
  for (const rate of [0.75, 4 / 3]) {
    const { clip, timeMap } = byRate({ samples: burst, sampleRate }, rate);
    assert.ok(clip.samples.subarray(-160).every((sample) => sample === 0));
    const heard = clip.samples.findIndex((sample) => sample !== 0) / sampleRate;
    assert.ok(Math.abs(originalTime(timeMap!, heard) - 1) < 0.025, `${rate}: ${originalTime(timeMap!, heard)}`);
  }
});

test('a sound without room for a piece is a clear sentence', () => {
  assert.throws(() => byRate(noise(800, 16000), 1.25), /wsola: expected .* 841 samples .* but it has 800; /);
  assert.equal(byRate(noise(841, 16000), 1.25).clip.samples.length, 672);
  assert.throws(() => byRate(noise(800, 150), 1), /wsola: expected .* 200 samples per second, but it has 150; /);
});
