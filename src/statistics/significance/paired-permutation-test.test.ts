import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { ClusteredCounts } from '../bootstrap/clustered-counts.ts';
import { pairedPermutationTest } from './paired-permutation-test.ts';

const random = () => createRandom('permutations');
const counts = (numerators: readonly number[], denominators: readonly number[]): ClusteredCounts => ({
  numerators: Float64Array.from(numerators),
  denominators: Float64Array.from(denominators),
});

/** Every arrangement, one by one. */
function byEnumeration(first: ClusteredCounts, second: ClusteredCounts): number {
  const clusters = first.numerators.length;
  let observed = 0;
  let extreme = 0;
  for (let arrangement = 0; arrangement < 2 ** clusters; arrangement++) {
    const sums = [0, 0, 0, 0];
    for (let cluster = 0; cluster < clusters; cluster++) {
      const [a, b] = (arrangement >> cluster) & 1 ? [second, first] : [first, second];
      sums[0]! += a.numerators[cluster]!;
      sums[1]! += a.denominators[cluster]!;
      sums[2]! += b.numerators[cluster]!;
      sums[3]! += b.denominators[cluster]!;
    }
    const difference = Math.abs(sums[2]! / sums[3]! - sums[0]! / sums[1]!);
    if (arrangement === 0) observed = difference;
    if (difference >= observed - 1e-12) extreme++;
  }
  return extreme / 2 ** clusters;
}

test('With few clusters p is the exact share of all arrangements, also where denominators differ.', () => {
  const source = createRandom('exact');
  for (let example = 0; example < 30; example++) {
    const clusters = 1 + source.integer(11);
    const numbers = (bound: number) => Array.from({ length: clusters }, () => source.integer(bound));
    const first = counts(
      numbers(20),
      numbers(60).map((words) => words + 20),
    );
    const second = counts(
      numbers(20),
      numbers(60).map((words) => words + 20),
    );
    const result = pairedPermutationTest(first, second, { random: random() });
    assert.match(result.test, /exact over/);
    assert.ok(Math.abs(result.pValue! - byEnumeration(first, second)) < 1e-12);
  }
});

test('With many clusters p comes from random arrangements, is near the exact one, and never 0.', () => {
  const first = counts([3, 5, 1, 4, 0, 2, 6, 2, 9, 3, 4, 1, 7, 2, 5], new Array(15).fill(50));
  const second = counts([5, 5, 3, 4, 2, 2, 9, 1, 9, 6, 4, 2, 6, 5, 5], new Array(15).fill(50));
  const exact = byEnumeration(first, second);
  const result = pairedPermutationTest(first, second, { random: random(), permutations: 511 });
  // Nine clusters differ: their 512 arrangements are too many for 511, which then are random.
  assert.match(result.test, /511 random arrangements/);
  assert.ok(Math.abs(result.pValue! - exact) < 4 * Math.sqrt((exact * (1 - exact)) / 511));
  const apart = pairedPermutationTest(
    counts(new Array(40).fill(0), new Array(40).fill(9)),
    counts(new Array(40).fill(9), new Array(40).fill(9)),
    {
      random: random(),
      permutations: 999,
    },
  );
  assert.equal(apart.pValue, 1 / 1000);
});

test('Systems with the same counts have p = 1, and without counts there is no p.', () => {
  const same = counts([1, 2, 3], [10, 20, 30]);
  assert.equal(pairedPermutationTest(same, same, { random: random() }).pValue, 1);
  for (const empty of [counts([], []), counts([0], [0]), counts([3], [0])]) {
    const result = pairedPermutationTest(empty, empty, { random: random() });
    assert.equal(result.pValue, null);
    assert.ok(result.reason);
  }
});

test('Of alike systems about 5 % are called different at .05, with speakers of unequal size.', () => {
  const simulations = 2000;
  let rejected = 0;
  const source = createRandom('level');
  for (let simulation = 0; simulation < simulations; simulation++) {
    const words = Array.from({ length: 16 }, (_, speaker) => (speaker === 0 ? 900 : 20 + source.integer(100)));
    const errors = () => words.map((size) => Math.round(size * 0.2 * Math.exp(0.5 * source.normal())));
    const result = pairedPermutationTest(counts(errors(), words), counts(errors(), words), {
      random: source,
      permutations: 399,
    });
    if (result.pValue! <= 0.05) rejected++;
  }
  // Three standard errors of 2,000 simulations.
  assert.ok(Math.abs(rejected / simulations - 0.05) < 0.0147, `${rejected}`);
});
