import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseTexts, type Way } from './choose-texts.ts';
import { sizesFor } from './search.ts';

const chances = {
  determinable: Float64Array.of(0.9, 0.2, 0.8, 0.7, 0.1),
  failing: Float64Array.of(0.1, 0.9, 0.3, 0.5, 1),
};
const choose = (way: Way, ranking: 'two-stage' | 'product' = 'two-stage') =>
  chooseTexts(way, 5, chances, { batch: 2, keep: 3, ranking });

test('Of the k likeliest to be determinable those likeliest to fail are taken, as CrossASR says.', () => {
  // Stage 1 keeps 0, 2 and 3; of these 3 and 2 are likeliest to fail.
  assert.deepEqual(choose('predictor'), [3, 2]);
});

test('Either stage alone, both chances at once, and chance choose otherwise.', () => {
  assert.deepEqual(choose('stage 1 alone'), [0, 2]);
  assert.deepEqual(choose('stage 2 alone'), [4, 1]);
  // .09, .18, .24, .35 and .1
  assert.deepEqual(choose('predictor', 'product'), [3, 2]);
  assert.deepEqual(
    chooseTexts(
      'predictor',
      2,
      { determinable: Float64Array.of(0.1, 0.9), failing: Float64Array.of(1, 0.2) },
      { batch: 1, keep: 2, ranking: 'product' },
    ),
    [1],
  );
  assert.deepEqual(choose('random'), [0, 1]);
  assert.deepEqual(chooseTexts('predictor', 5, null, { batch: 2, keep: 3, ranking: 'two-stage' }), [0, 1]);
});

test('Where chances are equal the order of the candidates decides, and a batch larger than the pool takes all of it.', () => {
  const equal = { determinable: new Float64Array(4).fill(0.5), failing: new Float64Array(4).fill(0.5) };
  assert.deepEqual(chooseTexts('predictor', 4, equal, { batch: 2, keep: 3, ranking: 'two-stage' }), [0, 1]);
  assert.deepEqual(chooseTexts('predictor', 4, equal, { batch: 9, keep: 9, ranking: 'two-stage' }), [0, 1, 2, 3]);
});

test('n and k are those of the paper for large pools and shrink with small ones.', () => {
  const asked = { batch: null, keep: null };
  assert.deepEqual(sizesFor(20_000, asked), { batch: 210, keep: 400 });
  assert.deepEqual(sizesFor(300, asked), { batch: 30, keep: 57 });
  assert.deepEqual(sizesFor(3, asked), { batch: 1, keep: 2 });
  assert.deepEqual(sizesFor(300, { batch: 100, keep: null }), { batch: 100, keep: 190 });
  assert.deepEqual(sizesFor(300, { batch: null, keep: 10 }), { batch: 30, keep: 30 });
});
