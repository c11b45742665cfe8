import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareDisparities } from './compare-disparities.ts';
import { inseparableSets } from './grouped-units.ts';

const faces = {
  groups: ['African', 'Caucasian', 'South Asian', 'East Asian'],
  models: [
    { name: 'A', values: [89.5, 94.3, 93.4, 72.5] },
    { name: 'B', values: [91.2, 92.3, 91.7, 78.0] },
  ],
};
const near = (actual: readonly (number | null)[], expected: readonly number[]) =>
  actual.forEach((value, place) => {
    assert.ok(Math.abs(value! - expected[place]!) < 1e-9, `${value} is not ${expected[place]}`);
  });

test('the example of FairLENS, Appendix B, comes out as printed: distances, means 7.46 and 5.15, p .25', () => {
  const { models, pairs } = compareDisparities(faces, { better: 'higher' });
  near(models[0]!.disparities, [2.075, 6.875, 5.975, 14.925]);
  near(models[1]!.disparities, [2.9, 4, 3.4, 10.3]);
  assert.equal(models[0]!.meanDisparity!.toFixed(2), '7.46');
  assert.equal(models[1]!.meanDisparity!.toFixed(2), '5.15');
  assert.equal(pairs[0]!.wilcoxon.pValue, 0.25);
  assert.equal(pairs[0]!.wilcoxon.method, 'exact');
});

test('gaps keep their sign, above 0 being worse, whichever way is better', () => {
  const higher = compareDisparities(faces, { better: 'higher' }).models[0]!;
  near(higher.gaps, [-2.075, -6.875, -5.975, 14.925]);
  const lower = compareDisparities(faces).models[0]!;
  near(lower.gaps, [2.075, 6.875, 5.975, -14.925]);
  assert.deepEqual(lower.disparities, higher.disparities);
});

test('a given baseline stands for the plain mean, and groups without a value are left out of both models', () => {
  const { models, pairs } = compareDisparities({
    groups: ['a', 'b', 'c'],
    models: [
      { name: 'one', values: [0.1, 0.2, null], baseline: 0.12 },
      { name: 'two', values: [0.3, 0.3, 0.9], baseline: 0.3 },
    ],
  });
  near(models[0]!.gaps.slice(0, 2), [-0.02, 0.08]);
  assert.equal(models[0]!.gaps[2], null);
  assert.equal(models[0]!.groups, 2);
  assert.equal(pairs[0]!.groups, 2);
  assert.ok(Math.abs(pairs[0]!.difference! + 0.05) < 1e-12);
});

test('differences that are equal on paper are ties, although sums differ in the last digit', () => {
  // 0.1 + 0.2 is not 0.3: without care one of three equal differences would have another rank.
  const { pairs } = compareDisparities({
    groups: ['a', 'b', 'c'],
    models: [
      { name: 'one', values: [0.1, 0.2, 0.3], baseline: 0 },
      { name: 'two', values: [0.3, 0.4, 0.5], baseline: 0 },
    ],
  });
  assert.equal(pairs[0]!.wilcoxon.method, 'normal');
});

test('a table without values is told apart from a fair one', () => {
  const { models, pairs } = compareDisparities({ groups: ['a'], models: [{ name: 'one', values: [null] }] });
  assert.deepEqual([models[0]!.baseline, models[0]!.meanDisparity, pairs.length], [null, null, 0]);
  const same = compareDisparities({
    groups: ['a', 'b'],
    models: [
      { name: 'one', values: [1, 2] },
      { name: 'two', values: [2, 1] },
    ],
  });
  assert.equal(same.pairs[0]!.wilcoxon.pValue, null);
  assert.deepEqual(same.pairs[0]!.wilcoxon.reason, { code: 'no-difference' });
  assert.throws(() => compareDisparities({ groups: ['a'], models: [{ name: 'one', values: [] }] }), RangeError);
});

test('all pairs are corrected together', () => {
  const values = (step: number) => Array.from({ length: 12 }, (_, group) => step * (group + 1) ** 1.1);
  const { pairs } = compareDisparities({
    groups: values(1).map(String),
    models: [1, 1.5, 3].map((step) => ({ name: `${step}`, values: values(step), baseline: 0 })),
  });
  // Twelve differences of one sign: p is 2 / 2^12 in each of the three, and Holm makes it three times that.
  for (const { wilcoxon, holmPValue, falseDiscoveryPValue } of pairs) {
    assert.equal(wilcoxon.pValue, 2 / 4096);
    assert.equal(holmPValue, 6 / 4096);
    assert.equal(falseDiscoveryPValue, 2 / 4096);
  }
});

test('sets without a difference inside may share members, and hold every pair that does not differ', () => {
  assert.deepEqual(inseparableSets(3, [{ first: 0, second: 2 }]), [
    [0, 1],
    [1, 2],
  ]);
  assert.deepEqual(inseparableSets(3, []), [[0, 1, 2]]);
  const all = [0, 1, 2].flatMap((first) => [1, 2].map((second) => ({ first, second })));
  assert.deepEqual(inseparableSets(3, all), [[0], [1], [2]]);
  assert.deepEqual(inseparableSets(0, []), []);
});
