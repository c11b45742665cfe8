import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepRecent } from './kept-samples.ts';

test('what was used last is kept, what was not used for longest is made again', () => {
  const made: number[] = [];
  const square = keepRecent(2, String, (value: number) => {
    made.push(value);
    return value ** 2;
  });
  assert.deepEqual([1, 2, 1, 3, 1, 2].map(square), [1, 4, 1, 9, 1, 4]);
  assert.deepEqual(made, [1, 2, 3, 2]);
});

test('a result may be null', () => {
  let count = 0;
  const nothing = keepRecent(1, String, (_: number) => {
    count++;
    return null;
  });
  assert.equal(nothing(1), null);
  assert.equal(nothing(1), null);
  assert.equal(count, 1);
});
