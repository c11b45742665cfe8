import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { reasonText } from '../../model/reason.ts';
import type { ClusteredCounts } from '../bootstrap/clustered-counts.ts';
import { randomOfData } from '../bootstrap/random-of-data.ts';
import { jointPairedTest, type PairedComparison } from './joint-paired-test.ts';
import { pairedPermutationTest } from './paired-permutation-test.ts';

const rate = (errors: readonly number[], words: readonly number[] = errors.map(() => 50)): ClusteredCounts => ({
  numerators: Float64Array.from(errors),
  denominators: Float64Array.from(words),
});
const randoms = () => ({ random: createRandom('joint'), randomOfComparison: randomOfData('own') });
const together = (
  comparisons: readonly PairedComparison[],
  options: { readonly familyWeights?: readonly number[]; readonly permutations?: number } = {},
) => jointPairedTest(comparisons.length, (place) => comparisons[place]!, { ...options, ...randoms() });
const zeros = (speakers: number) => rate(Array.from({ length: speakers }, () => 0));
/** Second less first in errors, speaker by speaker. */
const apart = (differences: readonly number[], family = 0): PairedComparison => ({
  first: rate(differences.map(() => 20)),
  second: rate(differences.map((difference) => 20 + difference)),
  family,
});

/**
 * Eight comparisons of nine speakers with 20 to 219 words, every second one 9 errors apart; the last lacks two speakers. Numbers from a
 * linear congruential generator (1664525 x + 1013904223 mod 2^32, from 7; its upper 24 bits).
 */
function drawnComparisons() {
  let state = 7;
  const draw = (bound: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(((state >>> 8) * bound) / 2 ** 24);
  };
  const words = Array.from({ length: 9 }, () => 20 + draw(200));
  const base = words.map(() => draw(10));
  const errors = (more: (comparison: number) => number) =>
    Array.from({ length: 8 }, (_, comparison) => base.map((own) => own + draw(6) + more(comparison)));
  const first = errors(() => 0);
  const second = errors((comparison) => (comparison % 2 === 1 ? 9 : 0));
  const present = (values: readonly number[], comparison: number) =>
    comparison === 7 ? values.map((value, speaker) => (speaker < 2 ? 0 : value)) : values;
  return Array.from({ length: 8 }, (_, comparison) => ({
    first: rate(present(first[comparison]!, comparison), present(words, comparison)),
    second: rate(present(second[comparison]!, comparison), present(words, comparison)),
  }));
}

// In numpy 2.3 and scipy 1.17: all 512 sign vectors times the linearized contributions; each sum of each comparison brought to a normal
// scale (root of twice x t - log E exp(t sum) at its saddlepoint by brentq, times (2^-n quantile / root at the end)^(root / root at the
// end) and 1 + end / 10,000); p the share of vectors at least so far out, adjusted the share in which any of those not yet told is, in
// falling order. With families each becomes (vectors whose greatest of the family lies at least so far out, between two of them in a
// straight line) / weight, rarest first.
test('Raw and adjusted p values are those of numpy over all sign vectors.', () => {
  const comparisons = drawnComparisons();
  const in256 = (values: readonly (number | null)[]) => values.map((value) => 256 * value!);
  const { comparisons: one, arrangements, exact, tested } = together(comparisons);
  assert.deepEqual([arrangements, exact, tested], [256, true, 8]);
  const statistics = [0, 2.886468590318, 0.249219, 2.886460529162, 1.512576, 2.886457067272, 1.175171, 2.418183598734];
  one.forEach(({ statistic }, place) => {
    // Between its nodes the scale is a straight line; at its end, where all agree, it is exact.
    assert.ok(Math.abs(statistic! - statistics[place]!) < (statistics[place]! > 2 ? 1e-11 : 1e-3));
  });
  assert.deepEqual(in256(one.map(({ pValue }) => pValue)), [256, 1, 228, 1, 41, 1, 74, 4]);
  assert.deepEqual(in256(one.map(({ adjustedPValue }) => adjustedPValue)), [256, 1, 256, 1, 78, 1, 132, 6]);

  const families = [0, 0, 1, 1, 1, 2, 2, 2];
  const three = together(
    comparisons.map((comparison, place) => ({ ...comparison, family: families[place]! })),
    { familyWeights: [2, 1, 1] },
  );
  assert.match(three.test, /step-down maximum over 8 comparisons in 3 families$/);
  assert.deepEqual(
    in256(three.comparisons.map(({ adjustedPValue }) => adjustedPValue)),
    [256, 1, 256, 1, 119, 1, 256, 8],
  );
});

test('Where the sides have other words, contributions are measured from the common rate, as in numpy.', () => {
  const found = together(
    drawnComparisons().map(({ first, second }) => ({
      first,
      second: {
        ...second,
        denominators: second.denominators.map((words) => (words > 0 ? Math.floor(words * 1.3 + 3) : 0)),
      },
    })),
  ).comparisons;
  assert.deepEqual(
    found.map(({ pValue, adjustedPValue }) => [256 * pValue!, 256 * adjustedPValue!]),
    [
      [11, 25],
      [1, 2],
      [16, 25],
      [1, 2],
      [75, 75],
      [1, 2],
      [3, 7],
      [4, 11],
    ],
  );
});

test('By itself a comparison has the p value of the single test.', () => {
  for (const one of drawnComparisons()) {
    const alone = pairedPermutationTest(one.first, one.second, { random: createRandom('single') });
    const [joint] = together([one]).comparisons;
    assert.ok(Math.abs(alone.pValue! - joint!.pValue!) < 1e-12);
    assert.equal(joint!.adjustedPValue, joint!.pValue);
  }
});

// Six speakers, all to one side: of 32 pairs of arrangements only the observed is as far out. Any number of such comparisons are
// told at once, since all of them are farthest out in the same arrangement; Holm's least would be 20 x 1 / 32.
test('The least adjusted p value is that of one test, however many comparisons there are.', () => {
  const many = Array.from({ length: 20 }, (_, place) => apart([5, 6, 5, 7, 6, 5 + (place % 3)]));
  for (const { pValue, adjustedPValue, minPValue } of together(many).comparisons) {
    assert.deepEqual([pValue, adjustedPValue, minPValue], [1 / 32, 1 / 32, 1 / 32]);
  }
});

// Contributions 1, 1, 1, 1, 1, 1 and 1, 1, 1, 1, 1, -1. First: sum 6 in 1 of 32; second: sum 4 or more in 7. Together the greatest is
// 6 in two arrangements: where nobody is flipped, and where the last speaker is.
test('A comparison that is nearly as far out elsewhere is counted against the farthest, by hand.', () => {
  const [all, most] = together([apart([1, 1, 1, 1, 1, 1]), apart([1, 1, 1, 1, 1, -1])]).comparisons;
  assert.deepEqual([all!.pValue, all!.adjustedPValue], [1 / 32, 2 / 32]);
  assert.deepEqual([most!.pValue, most!.adjustedPValue], [7 / 32, 7 / 32]);
  // The normal quantile of 1 - 2^-6, and the ten-thousandth of the root of 6 for ties.
  assert.ok(Math.abs(all!.statistic! - 2.153874694061456 * (1 + 1e-4 * Math.sqrt(6))) < 1e-12);
  assert.ok(most!.statistic! < all!.statistic!);
});

test('A crowded family costs the first one no more than its share.', () => {
  const random = createRandom('crowd');
  const crowd = Array.from({ length: 400 }, () =>
    apart(
      Array.from({ length: 12 }, () => random.integer(11) - 5),
      1,
    ),
  );
  const head = apart([3, 4, 2, -2, 5, 3, 4, 1, 2, 3, -1, 4]);
  const alone = together([head]).comparisons[0]!.adjustedPValue!;
  const inOne = together([head, ...crowd.map((one) => ({ ...one, family: 0 }))]).comparisons[0]!.adjustedPValue!;
  const apartly = together([head, ...crowd], { familyWeights: [2, 1] }).comparisons[0]!.adjustedPValue!;
  assert.ok(alone < 0.02 && inOne > 0.2, `${alone} alone, ${inOne} in one family, ${apartly} apart`);
  // Two thirds of the error are its own, however the families depend on each other.
  assert.ok(apartly <= 1.5 * alone + 1e-12 && apartly > alone, `${apartly}`);
});

// The large speaker agrees with everybody's difference or turns it round, in half of all arrangements each: however large, it is no more
// than a coin beside those in whom all agree.
test('A speaker who outweighs all others makes a comparison no farther out than a coin, however large.', () => {
  const most = { first: rate(Array(10).fill(2e6), Array(10).fill(5e6)), family: 0 };
  const differing = (...more: readonly number[]): PairedComparison => ({
    ...most,
    second: rate(
      more.map((errors) => 2e6 + errors),
      Array(10).fill(5e6),
    ),
  });
  const told = differing(3, 4, 5, 3, 4, 5, 6, -3, 4, 5);
  const adjusted = [100, 1000, 10_000, 1e6].map((large) => {
    const dominated = differing(large, 1, -2, 3, 1, -2, -3, 1, -2, 3);
    const [one, other] = together([told, dominated]).comparisons;
    assert.ok(other!.statistic! < 1.3, `${other!.statistic} beside ${large}`);
    return one!.adjustedPValue;
  });
  assert.deepEqual(adjusted, Array(4).fill(adjusted[0]));
  assert.ok(adjusted[0]! < 0.02, `${adjusted}`);
});

test('Speakers who are absent, and comparisons of too few, neither count nor cost.', () => {
  const full = apart([5, 6, 5, 7, 6, 5, 6]);
  const few = {
    first: rate([20, 20, 20, 0, 0, 0, 0], [50, 50, 50, 0, 0, 0, 0]),
    second: rate([9, 9, 9, 0, 0, 0, 0], [50, 50, 50, 0, 0, 0, 0]),
  };
  const same = { first: full.first, second: full.first };
  const nobody = { first: zeros(7), second: rate([0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]) };
  const { comparisons, tested } = together([full, few, same, nobody]);
  assert.equal(tested, 1);
  assert.equal(comparisons[0]!.adjustedPValue, 1 / 64);
  const [, three, none, undefinedRate] = comparisons;
  assert.deepEqual([three!.pValue, three!.minPValue, three!.adjustedPValue, three!.differing], [1 / 4, 1 / 4, null, 3]);
  assert.match(reasonText(three!.reason!), /only 3 speakers differ/);
  assert.deepEqual([none!.pValue, none!.adjustedPValue, none!.differing], [1, 1, 0]);
  assert.equal(undefinedRate!.pValue, null);
  assert.match(reasonText(undefinedRate!.reason!), /undefined/);
  assert.deepEqual(together([]).comparisons, []);
});

// Seven in ten words are wrong in the first speaker's sides, as in all together; 63 - .7 x 90 is no 0 in floating point.
test('Who adds nothing to a difference but rounding does not count as differing.', () => {
  const words = (each: number) => Array.from({ length: 7 }, () => each);
  const [found] = together([
    { first: rate([63, 65, 61, 60, 66, 58, 68], words(90)), second: rate([7, 6, 8, 9, 5, 8, 6], words(10)) },
  ]).comparisons;
  assert.equal(found!.differing, 6);
});

test('From the critical statistic on the farthest comparison is told, and short of it is not, ties and all.', () => {
  const random = createRandom('critical');
  const counts = { told: 0, open: 0 };
  for (let world = 0; world < 150; world++) {
    const shift = random.integer(4);
    const drawn = Array.from({ length: 1 + random.integer(4) }, (_, place) =>
      apart(Array.from({ length: 7 }, () => random.integer(5) - 2 + (place === 0 ? shift : 0))),
    );
    const tested = together(drawn).comparisons.filter(({ critical }) => critical !== null);
    if (tested.length === 0) continue;
    const farthest = tested.reduce((most, one) => (one.statistic! > most.statistic! ? one : most));
    const isTold = farthest.adjustedPValue! <= 0.05 + 1e-12;
    assert.equal(farthest.statistic! >= farthest.critical! - 1e-9, isTold, `${JSON.stringify(farthest)}`);
    counts[isTold ? 'told' : 'open']++;
  }
  assert.ok(counts.told > 20 && counts.open > 20, `${counts.told} told, ${counts.open} open`);
});

test('With families, whatever is beyond its critical statistic is told, and nothing is told where nothing is beyond.', () => {
  const random = createRandom('critical in families');
  const counts = { told: 0, open: 0, unreachable: 0, second: 0 };
  for (let world = 0; world < 300; world++) {
    const shift = random.integer(4);
    const drawn = Array.from({ length: 2 + random.integer(5) }, (_, place) =>
      apart(
        Array.from({ length: 7 }, () => random.integer(5) - 2 + (place === world % 2 ? shift : 0)),
        place % 2,
      ),
    );
    const tested = together(drawn, { familyWeights: [3, 1] }).comparisons.filter(({ critical }) => critical !== null);
    const beyond = tested.filter(({ statistic, critical }) => statistic! >= critical! - 1e-9);
    const told = tested.filter(({ adjustedPValue }) => adjustedPValue! <= 0.05 + 1e-12);
    assert.ok(beyond.every((one) => told.includes(one)));
    assert.equal(beyond.length > 0, told.length > 0, JSON.stringify(tested));
    counts[told.length > 0 ? 'told' : 'open']++;
    if (tested.some(({ critical }) => critical === Number.POSITIVE_INFINITY)) counts.unreachable++;
    if (beyond.some((one) => one.statistic! < Math.max(...tested.map(({ critical }) => critical!)))) counts.second++;
  }
  assert.ok(Math.min(counts.told, counts.open, counts.second) > 10, JSON.stringify(counts));
});

test('In whatever order many comparisons come, each has the same p values, alone and together.', () => {
  const random = createRandom('order');
  const drawn = Array.from({ length: 150 }, (_, place) =>
    apart(
      Array.from({ length: 8 }, () => random.integer(9) - 4 + (place % 3)),
      place % 2,
    ),
  );
  const values = (order: readonly PairedComparison[]) =>
    together(order, { familyWeights: [2, 1] }).comparisons.map(({ pValue, adjustedPValue }) => [
      pValue,
      adjustedPValue,
    ]);
  const forth = values(drawn);
  assert.deepEqual(values(drawn.toReversed()).toReversed(), forth);
  assert.ok(new Set(forth.map(([, adjusted]) => adjusted)).size > 5);
});

// Where all speakers agree, comparisons of as many speakers are equally rare; equal contributions weigh more than unequal ones.
test('Of comparisons in which all agree, the one in which more speakers weigh is farther out.', () => {
  const [alike, various] = together([apart([3, 3, 3, 3, 3, 3, 3, 3]), apart([9, 1, 1, 1, 1, 1, 1, 1])]).comparisons;
  assert.equal(alike!.pValue, various!.pValue);
  // Sums over standard deviations are the root of 8, and 16 over the root of 88.
  const ratio = (1 + 1e-4 * Math.sqrt(8)) / (1 + 1e-4 * (16 / Math.sqrt(88)));
  assert.ok(
    Math.abs(alike!.statistic! / various!.statistic! - ratio) < 1e-9,
    `${alike!.statistic! / various!.statistic!}`,
  );
});

test('Random arrangements are the same for the same seed, and the observed one counts among them.', () => {
  const wide = apart(Array.from({ length: 40 }, (_, speaker) => 5 + (speaker % 4)));
  const found = together([wide], { permutations: 999 });
  assert.deepEqual([found.exact, found.arrangements], [false, 1000]);
  assert.equal(found.comparisons[0]!.adjustedPValue, 1 / 1000);
  assert.match(found.test, /999 random arrangements/);
  const mixed = apart(Array.from({ length: 40 }, (_, speaker) => ((speaker * 7) % 11) - 4));
  assert.deepEqual(together([mixed]), together([mixed]));
});

test('What else is tested, and who else is there, changes no p value of its own.', () => {
  const differences = [4, -1, 3, 2, 5, -2, 3, 1, 2, 0];
  const few = apart([...differences, ...Array(30).fill(0)]);
  const mixed = apart(Array.from({ length: 40 }, (_, speaker) => ((speaker * 7) % 11) - 4));
  const wide = apart(Array.from({ length: 40 }, (_, speaker) => 5 + (speaker % 4)));
  const own = (comparisons: readonly PairedComparison[], at: number) => together(comparisons).comparisons[at]!.pValue;
  // Alone all 256 arrangements are gone through, beside others random ones.
  const exact = pairedPermutationTest(few.first, few.second, { random: createRandom('single') }).pValue!;
  for (const others of [[], [wide], [mixed, wide]]) {
    assert.ok(Math.abs(own([few, ...others], 0)! - exact) < 1e-12);
    assert.equal(own([...others, mixed], others.length), own([mixed], 0));
  }
  // Nor does a speaker who is absent from it.
  const before = (counts: ClusteredCounts, errors: number, words: number) =>
    rate([errors, ...counts.numerators], [words, ...counts.denominators]);
  const absent = { first: before(mixed.first, 0, 0), second: before(mixed.second, 0, 0) };
  const present = { first: before(wide.first, 20, 50), second: before(wide.second, 9, 50) };
  assert.equal(own([absent, present], 0), own([mixed], 0));
});

test('Of very many speakers some share a place, and the verdict stays.', () => {
  const random = createRandom('many');
  const speakers = 8000;
  const words = new Float64Array(speakers).fill(10);
  const errors = (mean: number) => words.map(() => (random.next() < mean ? 2 : 1));
  const first = { numerators: errors(0.5), denominators: words };
  const rivals = [errors(0.56), errors(0.5)].map((numerators) => ({ numerators, denominators: words }));
  const found = jointPairedTest(600, (place) => ({ first, second: rivals[Math.min(1, place)]! }), {
    ...{ permutations: 199, ...randoms(), random: createRandom(1) },
  });
  assert.ok(found.comparisons[0]!.differing <= 2 ** 22 / 600);
  assert.equal(found.comparisons[0]!.adjustedPValue, 1 / 200);
  assert.ok(found.comparisons[1]!.adjustedPValue! > 0.05);
});

test('Lengths that differ, counts that are none and impossible options are refused.', () => {
  assert.throws(() => together([{ first: zeros(6), second: zeros(7) }]), RangeError);
  assert.throws(() => together([{ first: rate([Number.NaN, 1]), second: rate([1, 1]) }]), RangeError);
  assert.throws(() => together([apart([1, 2, 3], 1)]), /family/);
  assert.throws(() => together([apart([1, 2, 3])], { familyWeights: [0] }), /weights/);
  assert.throws(() => together([apart([1, 2, 3])], { permutations: 0.5 }), RangeError);
});

test('rounding alone tells nobody apart: speakers that are alike on paper do not differ, though nothing else differs', () => {
  // A slope over three runs that each speaker begins and ends alike: weights of a third are no binary fractions.
  const errors = [3, 7, 1, 9, 4, 6, 2, 8, 5, 3];
  const slope = (weights: readonly number[]) => ({
    numerators: Float64Array.from(errors, (count) => weights.reduce((sum, weight) => sum + weight * count, 0)),
    denominators: new Float64Array(errors.length).fill(30),
  });
  const first = slope([0.1, 0.2]);
  const second = slope([0.3]);
  assert.notDeepEqual(first.numerators, second.numerators);
  const [found] = jointPairedTest(1, () => ({ first, second }), {
    random: createRandom('rounding'),
    randomOfComparison: randomOfData('rounding'),
  }).comparisons;
  assert.deepEqual([found!.pValue, found!.differing], [1, 0]);
});
