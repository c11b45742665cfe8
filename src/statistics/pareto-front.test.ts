import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import { paretoFront } from './pareto-front.ts';

test('The front holds what nothing beats, by the definition, on one to four axes with many ties.', () => {
  const random = createRandom('front');
  for (let example = 0; example < 200; example++) {
    const axes = 1 + random.integer(4);
    const directions = Array.from({ length: axes }, () => (random.integer(2) ? 'minimize' : 'maximize'));
    const points = Array.from({ length: random.integer(40) }, () => {
      return Array.from({ length: axes }, () => random.integer(5));
    });
    const atLeastAsGood = (a: number[], b: number[]) =>
      a.every((value, axis) => (directions[axis] === 'minimize' ? value <= b[axis]! : value >= b[axis]!));
    const expected = points.flatMap((point, index) =>
      points.some((other) => atLeastAsGood(other, point) && !atLeastAsGood(point, other)) ? [] : [index],
    );
    assert.deepEqual(paretoFront(points, directions as ('minimize' | 'maximize')[]), expected);
  }
});

test('Equal points stay together, infinities are numbers, and points with a coordinate missing are left out.', () => {
  assert.deepEqual(
    paretoFront(
      [
        [1, 1],
        [1, 1],
        [1, 2],
      ],
      ['minimize', 'minimize'],
    ),
    [0, 1],
  );
  assert.deepEqual(
    paretoFront(
      [
        [Infinity, 0],
        [0, null],
        [3, 1],
      ],
      ['maximize', 'maximize'],
    ),
    [0, 2],
  );
  assert.deepEqual(paretoFront([], ['minimize']), []);
  assert.deepEqual(paretoFront([[4]], ['minimize']), [0]);
  assert.throws(() => paretoFront([[1, 2], [1]], ['minimize', 'minimize']), RangeError);
  assert.throws(() => paretoFront([[Number.NaN]], ['minimize']), RangeError);
});
