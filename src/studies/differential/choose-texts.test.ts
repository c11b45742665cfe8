import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { type Choice, chooseTexts, type Way } from './pool.ts';
import { sizesFor } from './search.ts';

const chances = {
  determinable: Float64Array.of(0.9, 0.2, 0.8, 0.7, 0.1),
  failing: Float64Array.of(0.1, 0.9, 0.3, 0.5, 1),
};
const choose = (way: Way, ranking: Choice['ranking'] = 'two-stage') =>
  chooseTexts(way, 5, chances, { batch: 2, keep: 3, ranking, others: null });

test('Of the k likeliest to be determinable those likeliest to fail are taken, as CrossASR says.', () => {
  // Stage 1 keeps 0, 2 and 3; of these 3 and 2 are likeliest to fail.
  assert.deepEqual(choose('predictor'), [3, 2]);
});

test('Either stage alone, both chances at once, and chance choose otherwise.', () => {
  assert.deepEqual(choose('stage 1 alone'), [0, 2]);
  assert.deepEqual(choose('stage 2 alone'), [4, 1]);
  // .09, .18, .24, .35 and .1
  assert.deepEqual(choose('predictor', 'yield'), [3, 2]);
  assert.deepEqual(
    chooseTexts(
      'predictor',
      2,
      { determinable: Float64Array.of(0.1, 0.9), failing: Float64Array.of(1, 0.2) },
      { batch: 1, keep: 2, ranking: 'yield', others: null },
    ),
    [1],
  );
  assert.deepEqual(choose('random'), [0, 1]);
  assert.deepEqual(
    chooseTexts('predictor', 5, null, { batch: 2, keep: 3, ranking: 'two-stage', others: null }),
    [0, 1],
  );
});

test('Where the others are asked only if the first is right, the texts that are worth their recognitions are chosen.', () => {
  const two = { determinable: Float64Array.of(0.9, 0.5), failing: Float64Array.of(0.6, 1) };
  const one = { batch: 1, keep: 1, ranking: 'yield' } as const;
  // 2 x .54 failed tests of 3 recognitions, and 2 x .5 of 3; then of 2.8, and of 2.
  assert.deepEqual(chooseTexts('predictor', 2, two, { ...one, others: null }), [0]);
  assert.deepEqual(chooseTexts('predictor', 2, two, { ...one, others: 2 }), [1]);

  const random = createRandom('yield');
  for (let round = 0; round < 50; round++) {
    const determinable = Float64Array.from({ length: 9 }, () => random.next());
    const failing = Float64Array.from({ length: 9 }, () => random.next());
    const others = 1 + random.integer(4);
    const chosen = chooseTexts(
      'predictor',
      9,
      { determinable, failing },
      { batch: 4, keep: 4, ranking: 'yield', others },
    );
    const ratio = (places: readonly number[]) =>
      places.reduce((sum, place) => sum + others * determinable[place]! * failing[place]!, 0) /
      places.reduce((sum, place) => sum + 1 + others * determinable[place]!, 0);
    for (let set = 0; set < 2 ** 9; set++) {
      const places = [...determinable.keys()].filter((place) => (set >> place) % 2 === 1);
      if (places.length === 4) assert.ok(ratio(places) <= ratio(chosen) + 1e-12);
    }
  }
});

test('Where chances are equal the order of the candidates decides, and a batch larger than the pool takes all of it.', () => {
  const equal = { determinable: new Float64Array(4).fill(0.5), failing: new Float64Array(4).fill(0.5) };
  assert.deepEqual(
    chooseTexts('predictor', 4, equal, { batch: 2, keep: 3, ranking: 'two-stage', others: null }),
    [0, 1],
  );
  assert.deepEqual(
    chooseTexts('predictor', 4, equal, { batch: 9, keep: 9, ranking: 'two-stage', others: null }),
    [0, 1, 2, 3],
  );
});

test('n and k are those of the paper for large pools and shrink with small ones.', () => {
  const asked = { batch: null, keep: null, learnAfter: null };
  assert.deepEqual(sizesFor(20_000, asked), { batch: 210, keep: 400, part: 70 });
  assert.deepEqual(sizesFor(300, asked), { batch: 30, keep: 57, part: 10 });
  assert.deepEqual(sizesFor(3, asked), { batch: 1, keep: 2, part: 1 });
  assert.deepEqual(sizesFor(300, { ...asked, batch: 100 }), { batch: 100, keep: 190, part: 34 });
  assert.deepEqual(sizesFor(300, { ...asked, keep: 10, learnAfter: 50 }), { batch: 30, keep: 30, part: 30 });
});
