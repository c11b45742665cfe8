// Expected values follow from binomial tails written out here, and from bounds that hold for any clusters.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { reasonText } from '../../model/reason.ts';
import { exactProportionInterval } from '../exact-intervals.ts';
import type { ClusteredCounts } from './clustered-counts.ts';
import { differenceInterval } from './difference-interval.ts';
import { effectiveItems, rateInterval } from './rate-interval.ts';

const random = () => createRandom('proportions');
const share = (numerators: readonly number[], denominators: readonly number[]): ClusteredCounts => ({
  numerators: Float64Array.from(numerators),
  denominators: Float64Array.from(denominators),
  proportion: true,
});
const alike = (hits: number, items: number, clusters: number) =>
  share(new Array(clusters).fill(hits), new Array(clusters).fill(items));
const close = (actual: number | null, expected: number, tolerance = 1e-9) =>
  assert.ok(actual !== null && Math.abs(actual - expected) < tolerance, `${actual}, not ${expected}`);

test('Where all speakers have everything or nothing, as many speakers as may hide among so many bound the rate.', () => {
  for (const clusters of [10, 16, 50]) {
    // A share u of speakers of another kind is missed by all with chance (1 - u) ^ clusters.
    const hidden = 1 - 0.025 ** (1 / clusters);
    const none = rateInterval(alike(0, 30, clusters), { random: random() });
    assert.deepEqual([none.value, none.low], [0, 0]);
    close(none.high, hidden);
    const all = rateInterval(alike(30, 30, clusters), { random: random() });
    assert.deepEqual([all.value, all.high], [1, 1]);
    close(all.low, 1 - hidden);
  }
});

test('One odd speaker of 16 neither takes the interval to the whole width nor leaves it without length.', () => {
  for (const hits of [0, 5, 9]) {
    const odd = share([...new Array(15).fill(10), hits], new Array(16).fill(10));
    const { value, low, high } = rateInterval(odd, { random: random() });
    assert.equal(value, (150 + hits) / 160);
    // Never wider than 16 speakers who are each wholly right or wrong would make it.
    const widest = exactProportionInterval(16 * value!, 16);
    assert.ok(low! >= widest.low! - 1e-9 && high! <= widest.high! + 1e-9);
    assert.ok(low! > 0.65 && low! < 0.9 && high! > value! && high! <= 1, `${low} ${high}`);
  }
});

test('One item for each speaker makes the exact binomial interval, and so do speakers of one kind each.', () => {
  const singles = share([...new Array(7).fill(1), ...new Array(33).fill(0)], new Array(40).fill(1));
  const wholes = share([...new Array(7).fill(25), ...new Array(33).fill(0)], new Array(40).fill(25));
  const exact = exactProportionInterval(7, 40);
  for (const counts of [singles, wholes]) {
    const interval = rateInterval(counts, { random: random() });
    close(interval.low, exact.low!);
    close(interval.high, exact.high!);
  }
  assert.match(rateInterval(wholes, { random: random() }).method, /1,000 items count for 40\.0 independent ones/);
});

test('By the t table: items count for p (1 - p) / variance, less for the few degrees of freedom (Korn and Graubard).', () => {
  // At .975: t of 20 degrees of freedom is 2.08596, of 4 degrees 2.77645 (Fisher and Yates). 21 items have 20.
  const spread = { share: 0.5, variance: 0.02, degreesOfFreedom: 4, items: 21, clusters: 5 };
  close(effectiveItems(spread, 0.95), 12.5 * (2.08596 / 2.77645) ** 2, 1e-4);
  // Of 5 items t has 4: nothing is lost.
  close(effectiveItems({ ...spread, items: 5, variance: 0.1, clusters: 2 }, 0.95), 2.5, 1e-9);
});

test('Where the two have unequal items, hits that all grew are no proportion: the interval is that of t, as far either way.', () => {
  const first = Array.from({ length: 20 }, (_, place) => 2 * (place % 10));
  const before = share(first, new Array(20).fill(40));
  const after = share(
    first.map((hits) => hits + 1),
    new Array(20).fill(44),
  );
  const { value, low, high, method } = differenceInterval(before, after, { random: random() });
  assert.match(method, /^t interval/);
  close(high! - value!, value! - low!);
  // Over the same items the far end is that of a proportion: one hit more each.
  const same = share(
    first.map((hits) => hits + 1),
    new Array(20).fill(40),
  );
  const grown = differenceInterval(before, same, { random: random() });
  assert.ok(grown.high! - grown.value! > 2 * (high! - value!), `${grown.high} ${high}`);
});

test('Many speakers of many independent items come near to the binomial interval of all items.', () => {
  const source = createRandom('independent');
  const items = new Array(400).fill(20);
  const hits = items.map((count) => Array.from({ length: count }, () => source.next()).filter((u) => u < 0.3).length);
  const { value, low, high } = rateInterval(share(hits, items), { random: random() });
  const binomial = exactProportionInterval(value! * 8000, 8000);
  const ratio = (high! - low!) / (binomial.high! - binomial.low!);
  assert.ok(ratio > 0.99 && ratio < 1.1, `${ratio}`);
});

test('Hits and misses mirror each other, and a higher level is wider.', () => {
  const hits = [3, 5, 1, 4, 0, 2, 6, 2, 9, 3, 4, 1];
  const items = [40, 31, 52, 38, 20, 44, 61, 35, 50, 42, 29, 33];
  const rate = rateInterval(share(hits, items), { random: random() });
  const misses = share(
    hits.map((count, place) => items[place]! - count),
    items,
  );
  const rest = rateInterval(misses, { random: random() });
  close(rest.low, 1 - rate.high!);
  close(rest.high, 1 - rate.low!);
  const wider = rateInterval(share(hits, items), { level: 0.99, random: random() });
  assert.ok(wider.low! < rate.low! && wider.high! > rate.high!);
});

test('Too few speakers, nothing at all and a plain method are as for other rates; what is no proportion is refused.', () => {
  const few = rateInterval(alike(0, 5, 9), { random: random() });
  assert.deepEqual([few.value, few.low], [0, null]);
  assert.match(reasonText(few.reason!), /needs 10 speakers, and there are 9/);
  assert.equal(rateInterval(share([], []), { random: random() }).value, null);
  assert.match(
    reasonText(differenceInterval(share([], []), alike(1, 2, 3), { clusters: 'separate', random: random() }).reason!),
    /nothing/,
  );
  const plain = rateInterval(share([1, 0, 2, 1, 0, 1, 3, 0, 1, 1], new Array(10).fill(8)), {
    method: 'BCa',
    random: random(),
  });
  assert.match(plain.method, /^BCa bootstrap/);
  assert.throws(() => rateInterval(share([3], [2]), { random: random() }), /from 0 to all of the items/);
  assert.throws(() => rateInterval(alike(1, 2, 12), { level: 1, random: random() }), RangeError);
});

test('Two systems that never differ are told apart by nothing, but not with certainty.', () => {
  const hidden = 1 - 0.025 ** (1 / 20);
  const never = differenceInterval(alike(0, 30, 20), alike(0, 30, 20), { random: random() });
  close(never.low, -hidden);
  close(never.high, hidden);
  // From nothing to everything: each end is as far off as both may be.
  const total = differenceInterval(alike(0, 30, 20), alike(30, 30, 20), { random: random() });
  assert.deepEqual([total.value, total.high], [1, 1]);
  close(total.low, 1 - Math.SQRT2 * hidden);
});

test('What the same speakers have in common cancels; of speakers of their own the variances add.', () => {
  const source = createRandom('pairs');
  const items = new Array(60).fill(40);
  const first = items.map(() => source.integer(35));
  const second = first.map((hits) => hits + source.integer(3));
  const together = differenceInterval(share(first, items), share(second, items), { random: random() });
  const apart = differenceInterval(share(first, items), share(second, items), {
    clusters: 'separate',
    random: random(),
  });
  assert.ok(together.low! > 0 && together.high! < 0.05, `${together.low} ${together.high}`);
  assert.ok(apart.low! < 0);
  const [one, other] = [first, second].map((hits) => rateInterval(share(hits, items), { random: random() }));
  // Newcombe's: the ends of the two intervals, at right angles.
  close(apart.low, apart.value! - Math.hypot(other!.value! - other!.low!, one!.high! - one!.value!));
  const turned = differenceInterval(share(second, items), share(first, items), { random: random() });
  close(turned.low, -together.high!);
});

test('Where only the second system has hits, the difference reaches as far as its proportion may.', () => {
  const items = new Array(20).fill(50);
  const hits = items.map((_, place) => (place < 3 ? 2 + place : 0));
  const none = alike(0, 50, 20);
  const own = rateInterval(share(hits, items), { random: random() });
  const difference = differenceInterval(none, share(hits, items), { random: random() });
  close(difference.high, own.high!);
  assert.ok(difference.low! < own.low!);
  const turned = differenceInterval(share(hits, items), none, { random: random() });
  close(turned.low, -own.high!);
  close(turned.high, -difference.low!);
});

test('Proportions near 1 are held about as often as they should be, though speakers have much in common.', () => {
  // Nine speakers of ten are right throughout, the tenth as often as a uniform number says: .95 on average.
  let held = 0;
  const source = createRandom('calibration');
  for (let simulation = 0; simulation < 400; simulation++) {
    const hits = Array.from({ length: 20 }, () => {
      const rate = source.next() < 0.9 ? 1 : source.next();
      return Array.from({ length: 25 }, () => source.next()).filter((u) => u < rate).length;
    });
    const { low, high } = rateInterval(share(hits, new Array(20).fill(25)), { random: source });
    if (low! <= 0.95 && high! >= 0.95) held++;
  }
  // .94 within three standard errors of 400 simulations; bench/calibration/proportions.ts has the exact figures.
  assert.ok(held / 400 > 0.904, `${held}`);
});
