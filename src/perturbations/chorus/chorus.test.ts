import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { chorus, type Voice } from './chorus.ts';

const services = { random: createRandom(1) };
const sampleRate = 1000;
const voice = (more: Partial<Voice>): Voice => ({
  delaySeconds: 0.02,
  decay: 0.5,
  frequencyHz: 1,
  depthSeconds: 0.005,
  modulation: 'triangle',
  ...more,
});

/** Where the copy of an impulse at a place comes, in samples behind it. */
function delayAt(place: number, of: Voice): number {
  const samples = new Float32Array(2000);
  samples[place] = 1;
  const { clip } = chorus.apply({ samples, sampleRate }, { gainIn: 0, gainOut: 1, voices: [of] }, services);
  return clip.samples.findIndex((sample) => sample !== 0) - place;
}

test('a copy is late by the delay, less the depth at first for a triangle and in the middle for a sine', () => {
  // All one sample less than asked, as in SoX.
  assert.equal(delayAt(0, voice({ depthSeconds: 0 })), 19);
  const triangle = [0, 250, 480, 750].map((place) => delayAt(place, voice({})));
  assert.deepEqual(triangle, [14, 19, 24, 19]);
  const sine = [0, 230, 480, 730].map((place) => delayAt(place, voice({ modulation: 'sine' })));
  assert.deepEqual(sine, [20, 24, 19, 14]);
});

test("SoX's own sine goes from nothing to the depth, whatever the delay", () => {
  const delays = [0, 250, 500].map((place) => delayAt(place, voice({ modulation: 'sox-sine' })));
  assert.deepEqual(delays, [3, 5, 2]);
});

test('voices add up, and the end of the longest is kept', () => {
  const voices = [
    voice({ depthSeconds: 0, decay: 0.5 }),
    voice({ depthSeconds: 0, decay: 0.25, delaySeconds: 0.03 }),
    voice({ depthSeconds: 0, decay: 0.125, delaySeconds: 0.041 }),
  ];
  const clip = { samples: Float32Array.of(1, 0), sampleRate };
  const { clip: mixed, facts, timeMap } = chorus.apply(clip, { gainIn: 1, gainOut: 0.5, voices }, services);
  const expected = new Float32Array(2 + 41);
  expected[0] = 0.5;
  expected[19] = 0.25;
  expected[29] = 0.125;
  expected[40] = 0.0625;
  assert.deepEqual(mixed.samples, expected);
  assert.deepEqual(facts, { addedSeconds: 0.041 });
  assert.deepEqual(timeMap?.at(-1), [0.043, 0.002]);
});

test('a depth beyond the delay is a clear sentence', () => {
  const clip = { samples: new Float32Array(10), sampleRate };
  assert.throws(
    () => chorus.apply(clip, { gainIn: 1, gainOut: 1, voices: [voice({ delaySeconds: 0.002 })] }, services),
    /^EarwitnessError: chorus: expected a depth that is less than the delay \(0.002 s\), but it is 0.005 s; /,
  );
});
