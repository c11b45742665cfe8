// Expected values are arguments on paper: classes are small enough to be counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../base/random.ts';
import { mutateText, wordClasses } from './mutate-text.ts';

const swapsOf = (word: string, classes: ReturnType<typeof wordClasses>) => {
  const random = createRandom(word);
  return [...new Set(Array.from({ length: 200 }, () => classes.swap(word, random)))].sort();
};

test('Words are swapped for others that are as frequent and as long, each of them, and never for themselves.', () => {
  const classes = wordClasses(['tax tax fee fee oil toll tiny', 'a mountain'], []);
  // 2 occurrences and 3 letters: tax, fee; 1 and 3 to 4: oil, toll, tiny.
  assert.deepEqual(swapsOf('tax', classes), ['fee']);
  assert.deepEqual(swapsOf('oil', classes), ['tiny', 'toll']);
  assert.deepEqual(swapsOf('mountain', classes), [null]);
  assert.deepEqual(swapsOf('unknown', classes), [null]);
});

test('A grammar comes before frequency and length; names of object members are words.', () => {
  const classes = wordClasses(['monday tuesday fridays'], [['monday', 'tuesday', 'today', 'monday']]);
  assert.deepEqual(swapsOf('monday', classes), ['today', 'tuesday']);
  assert.deepEqual(swapsOf('today', classes), ['monday', 'tuesday']);
  assert.deepEqual(swapsOf('fridays', classes), [null]);
  assert.deepEqual(swapsOf('__proto__', wordClasses(['__proto__ prototype'], [])), ['prototype']);
});

test('From one to so many words are swapped, at different places, and the others stay.', () => {
  const words = ['aa', 'bb', 'cc', 'dd', 'ee'];
  const classes = wordClasses([words.join(' ')], []);
  const random = createRandom('places');
  const changed = Array.from({ length: 300 }, () => {
    const mutated = mutateText(words, 3, classes, random)!;
    assert.equal(mutated.length, words.length);
    return mutated.filter((word, place) => word !== words[place]).length;
  });
  assert.deepEqual([...new Set(changed)].sort(), [1, 2, 3]);
  assert.equal(mutateText([], 1, classes, random), null);
  assert.equal(mutateText(['unknown'], 1, classes, random), null);
});
