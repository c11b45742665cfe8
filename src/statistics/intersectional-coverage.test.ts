import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../base/testing/golden.ts';
import {
  attributeCombinations,
  type CoverageItem,
  intersectionalCoverage,
  klToUniform,
} from './intersectional-coverage.ts';

const goldens = golden('statistics/python.json');

test('Divergence from uniform is scipy’s, in nats and, over log 2, in bits.', () => {
  for (const row of JSON.parse(readFileSync(goldens, 'utf8')).information) {
    const { value } = klToUniform(row.counts);
    assert.ok(Math.abs(value! - row.kl_to_uniform_nats) < 1e-12, `${row.counts}`);
    assert.ok(Math.abs(value! / Math.LN2 - row.kl_to_uniform_bits) < 1e-12, `${row.counts}`);
  }
});

test('Divergence is 0 of equal groups, log K of one among K, and undefined of nothing.', () => {
  assert.equal(klToUniform([0.1, 0.1, 0.1]).value, 0);
  assert.equal(klToUniform([7]).value, 0);
  assert.ok(Math.abs(klToUniform([10, 0, 0, 0]).value! - Math.log(4)) < 1e-15);
  // scipy.stats.entropy([5, 3, 2], [1, 1, 1]).
  assert.ok(Math.abs(klToUniform([5, 3, 2]).value! - 0.0689592746035362) < 1e-15);
  assert.deepEqual(klToUniform([]).reason, { code: 'no-group' });
  assert.deepEqual(klToUniform([0, 0]).reason, { code: 'nothing-counted' });
  assert.throws(() => klToUniform([1, -1]), RangeError);
  assert.throws(() => klToUniform([Number.NaN]), RangeError);
});

const items: CoverageItem[] = [
  { attributes: { sex: 'female', age: 'adult' }, speaker: 'a', durationSeconds: 1800 },
  { attributes: { sex: 'female', age: 'adult' }, speaker: 'a', durationSeconds: 1800 },
  { attributes: { sex: 'female', age: 'adult' }, speaker: 'b', durationSeconds: 3600 },
  { attributes: { sex: 'male', age: 'adult' }, speaker: 'c', durationSeconds: 7200 },
  { attributes: { sex: 'male', age: 'teen' }, speaker: 'd', durationSeconds: 900 },
  { attributes: { sex: 'male' }, speaker: 'e', durationSeconds: 900 },
];

test('clips of one speaker may be added up to one item', () => {
  const added: CoverageItem[] = [
    { attributes: { sex: 'female', age: 'adult' }, speaker: 'a', durationSeconds: 3600, clips: 2 },
    ...items.slice(2, 5),
    { attributes: { sex: 'male' }, durationSeconds: 900, clips: 3 },
  ];
  for (const by of ['clips', 'speakers', 'hours'] as const) {
    const options = { attributes: ['sex', 'age'], by, minimum: 2 };
    assert.deepEqual(intersectionalCoverage(added, options).cells, intersectionalCoverage(items, options).cells);
  }
  assert.equal(intersectionalCoverage(added, { attributes: ['age'], by: 'clips', minimum: 1 }).leftOut, 3);
});

test('Combinations are counted by clips, speakers or hours, and what lacks an attribute is left out and told.', () => {
  const amounts = (by: 'clips' | 'speakers' | 'hours') =>
    intersectionalCoverage(items, { attributes: ['sex', 'age'], by, minimum: 2 }).cells.map(({ amount }) => amount);
  assert.deepEqual(amounts('clips'), [3, 0, 1, 1]);
  assert.deepEqual(amounts('speakers'), [2, 0, 1, 1]);
  assert.deepEqual(amounts('hours'), [2, 0, 2, 0.25]);
  const coverage = intersectionalCoverage(items, { attributes: ['sex', 'age'], by: 'speakers', minimum: 2 });
  assert.deepEqual([coverage.covered, coverage.share, coverage.leftOut], [1, 0.25, 1]);
  assert.equal(coverage.klToUniform, klToUniform([2, 0, 1, 1]).value);
});

test('What to collect next is what lacks most, and among equals the rarer values.', () => {
  const { toCollect } = intersectionalCoverage(items, { attributes: ['sex', 'age'], by: 'speakers', minimum: 2 });
  assert.deepEqual(
    toCollect.map(({ values, missing }) => [...values, missing]),
    [
      ['female', 'teen', 2],
      ['male', 'teen', 1],
      ['male', 'adult', 1],
    ],
  );
});

test('Values can be declared that no clip has yet, and others than these are left out.', () => {
  const values = { sex: ['female', 'male', 'other'], age: ['adult'] };
  const coverage = intersectionalCoverage(items, { attributes: ['sex', 'age'], by: 'clips', minimum: 1, values });
  assert.deepEqual(
    coverage.cells.map(({ values: [sex], amount }) => [sex, amount]),
    [
      ['female', 3],
      ['male', 1],
      ['other', 0],
    ],
  );
  assert.equal(coverage.leftOut, 2);
});

test('Hostile names of values and attributes are names like others, and nothing is inherited.', () => {
  const attributes = JSON.parse('{"__proto__":"constructor"}');
  const hostile = [{ attributes, speaker: '__proto__' }];
  const coverage = intersectionalCoverage(hostile, { attributes: ['__proto__'], by: 'speakers', minimum: 1 });
  assert.deepEqual(coverage.cells, [{ values: ['constructor'], amount: 1, missing: 0 }]);
  assert.equal(intersectionalCoverage(hostile, { attributes: ['constructor'], by: 'clips', minimum: 1 }).leftOut, 1);
});

test('Without clips there is no combination; too many combinations and missing durations are faults.', () => {
  const none = intersectionalCoverage([], { attributes: ['sex'], by: 'clips', minimum: 1 });
  assert.deepEqual([none.share, none.klToUniform, none.reason], [null, null, { code: 'no-group' }]);
  const values = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [name, Array.from({ length: 101 }, (_, index) => `${index}`)]),
  );
  const attributes = ['a', 'b', 'c'];
  assert.throws(() => intersectionalCoverage([], { attributes, by: 'clips', minimum: 1, values }), RangeError);
  assert.throws(() => intersectionalCoverage([], { attributes: ['a', 'a'], by: 'clips', minimum: 1 }), RangeError);
  const timeless = [{ attributes: { sex: 'male' } }];
  assert.throws(() => intersectionalCoverage(timeless, { attributes: ['sex'], by: 'hours', minimum: 1 }), RangeError);
});

test('Two of FairLENS’ four attributes at a time make its 71 subgroups.', () => {
  const sizes: Record<string, number> = { sex: 2, age: 3, race: 4, accent: 5 };
  const pairs = attributeCombinations(Object.keys(sizes), 2);
  assert.equal(pairs.length, 6);
  assert.equal(
    pairs.reduce((sum, [one, other]) => sum + sizes[one!]! * sizes[other!]!, 0),
    71,
  );
  assert.deepEqual(attributeCombinations(['a', 'b', 'c'], 3), [['a', 'b', 'c']]);
  assert.deepEqual(attributeCombinations(['a'], 2), []);
  assert.throws(() => attributeCombinations(['a'], 0), RangeError);
});
