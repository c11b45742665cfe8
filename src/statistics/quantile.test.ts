import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import { quantileInPlace, quantileSorted } from './quantile.ts';

test('Without putting all in order it is the same quantile, ties and infinities too.', () => {
  const random = createRandom('quantile');
  for (let round = 0; round < 300; round++) {
    const values = Float64Array.from({ length: 1 + random.integer(60) }, () =>
      random.integer(9) === 0 ? Number.POSITIVE_INFINITY : random.integer(12) + (round % 2) * random.next(),
    );
    const sorted = values.toSorted();
    for (const probability of [0, 0.25, 0.5, 0.95, 1]) {
      assert.equal(quantileInPlace(values.slice(), probability), quantileSorted(sorted, probability));
    }
  }
});
