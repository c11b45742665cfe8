import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureRt60 } from '../../audio/rooms/measure-rt60.ts';
import { createRandom } from '../../base/random.ts';
import { drawPlaces } from '../shared/apply-room.ts';
import { shoeboxRoom } from './shoebox-room.ts';

const pulse = { samples: Float32Array.from({ length: 8000 }, (_, n) => (n === 0 ? 1 : 0)), sampleRate: 16000 };
const play = (changes: object, seed = 1) =>
  shoeboxRoom.apply(pulse, { ...shoeboxRoom.example, ...changes }, { random: createRandom(seed) });

test('A pulse in the room is its response: its reverberation time is the one asked for, the direct sound comes first.', () => {
  for (const [seed, rt60Seconds] of [0.15, 0.25].entries()) {
    const { clip, facts, timeMap } = play({ rt60Seconds, normalize: 'none' }, seed);
    const measured = measureRt60(clip.samples, 16000).rt60Seconds!;
    assert.ok(Math.abs(measured / rt60Seconds - 1) < 0.05, `${rt60Seconds}: ${measured}`);
    assert.ok(Math.abs(Number(facts.measuredRt60Seconds) / rt60Seconds - 1) < 0.05);
    // 1 / metres, seen through a band that ends at half the sample rate.
    assert.ok(Math.abs(clip.samples[0]! - 1 / 2) < 0.2, String(clip.samples[0]));
    assert.equal(timeMap, undefined);
  }
});

test('Places keep their distance from each other and from the walls.', () => {
  const room = { lengthMetres: 6, widthMetres: 5, heightMetres: 3 };
  const random = createRandom('places');
  for (let draw = 0; draw < 200; draw++) {
    const { source, microphone } = drawPlaces(room, 2, random)!;
    assert.ok(
      Math.abs(Math.hypot(source.x - microphone.x, source.y - microphone.y, source.z - microphone.z) - 2) < 1e-9,
    );
    for (const { x, y, z } of [source, microphone]) {
      assert.ok(x >= 0.5 && x <= 5.5 && y >= 0.5 && y <= 4.5 && z >= 0.5 && z <= 2.5);
    }
  }
  assert.equal(drawPlaces(room, 12, random), null);
});

test('A distance that does not fit, and a room that cannot reverberate so, are one sentence.', () => {
  assert.throws(
    () => play({ distanceMetres: 20 }),
    /^EarwitnessError: shoebox-room: expected a distance .*, but 20 m does not; /,
  );
  assert.throws(
    () => play({ rt60Seconds: 5 }),
    /^EarwitnessError: shoebox-room: expected .*, but .*; choose a larger room/,
  );
});
