import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acrossTime } from './time-map.ts';

test('A time of the changed clip is found in the clean one and back, between the pairs of a map and beyond them.', () => {
  // The first second lasts two; from there on both run alike.
  const map = [
    [0, 0],
    [2, 1],
    [3, 2],
  ] as const;
  for (const [changed, clean] of [...map, [1, 0.5], [2.5, 1.5], [4, 3], [-1, -0.5]] as const) {
    assert.equal(acrossTime(map, changed, 'clean'), clean);
    assert.equal(acrossTime(map, clean, 'changed'), changed);
  }
});

test('Without a map, with one pair, and where the audio stands still, a time is still one.', () => {
  assert.equal(acrossTime(null, 1.5, 'clean'), 1.5);
  assert.equal(acrossTime([], 1.5, 'changed'), 1.5);
  assert.equal(acrossTime([[2, 1]], 5, 'clean'), 1);
  const still = [
    [0, 0],
    [1, 1],
    [1, 3],
  ] as const;
  assert.equal(acrossTime(still, 1, 'clean'), 1);
  assert.equal(acrossTime(still, 2, 'clean'), 1);
  assert.equal(acrossTime(still, 2, 'changed'), 1);
});
