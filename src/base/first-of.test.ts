import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstOf } from './first-of.ts';

async function* numbers(wrongAt = Number.POSITIVE_INFINITY, ended = () => {}) {
  try {
    for (let number = 1; number <= 5; number++) {
      if (number === wrongAt) throw new Error(`${number} is wrong`);
      yield number;
    }
  } finally {
    ended();
  }
}

const read = async (all: AsyncIterable<number>) => {
  const found: number[] = [];
  try {
    for await (const one of all) found.push(one);
  } catch (error) {
    return [found, (error as Error).message];
  }
  return [found, null];
};

test('what was looked at comes again in its place, and what is wrong is thrown there', async () => {
  for (const count of [1, 3, 5, 9]) {
    const { first, all } = await firstOf(numbers(), (_, place) => place === count);
    assert.equal(first.length, Math.min(count, 5));
    assert.deepEqual(await read(all), [[1, 2, 3, 4, 5], null]);
  }
  assert.deepEqual((await firstOf(numbers(), (one) => one === 2)).first, [1, 2]);
  const { first, all } = await firstOf(numbers(3), () => false);
  assert.deepEqual(first, [1, 2]);
  assert.deepEqual(await read(all), [[1, 2], '3 is wrong']);
  await assert.rejects(
    firstOf(numbers(1), () => false),
    /1 is wrong/,
  );
});

test('who leaves closes what comes', async () => {
  let isClosed = false;
  const coming = numbers(undefined, () => {
    isClosed = true;
  });
  const { all } = await firstOf(coming, (_, count) => count === 2);
  for await (const one of all) if (one === 3) break;
  assert.equal(isClosed, true);
});
