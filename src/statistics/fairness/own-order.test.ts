import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { permutationTestOfRates } from '../significance/permutation-test.ts';
import { dealGroups } from './deal-groups.ts';

const random = (what: unknown) => createRandom(['own order', String(what)]);

function shuffled<Value>(values: readonly Value[], seed: number): Value[] {
  const drawn = random(seed);
  const keyed = values.map((value) => ({ value, key: seed === 0 ? 0 : drawn.next() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ value }) => value);
}

/** Speakers of five trials each, `women` and `men` of fifteen with one that failed. */
function failures(women: number, men: number, order: number) {
  const people = Array.from({ length: 30 }, (_, speaker) => {
    const profile = speaker < 15 ? 0 : 1;
    return { profile, failed: speaker % 15 < (profile === 0 ? women : men) ? 1 : 0 };
  });
  const rows = shuffled(people, order);
  const counts = (own: typeof rows) => ({
    numerators: Float64Array.from(own, ({ failed }) => failed),
    denominators: new Float64Array(own.length).fill(5),
  });
  return {
    units: {
      speakers: rows.map((_, row) => row),
      profiles: rows.map(({ profile }) => profile),
      groups: [[0], [1]],
      outcomes: [counts(rows)],
    },
    sides: [0, 1].map((profile) => counts(rows.filter((row) => row.profile === profile))),
  };
}

/** Fisher's exact test where both groups are of one size: twice the hypergeometric tail. */
function exactPValue(women: number, men: number): number {
  const choose = (of: number, taken: number) => {
    let ways = 1;
    for (let at = 1; at <= taken; at++) ways = (ways * (of - taken + at)) / at;
    return ways;
  };
  let tail = 0;
  for (let own = women; own <= Math.min(15, women + men); own++)
    tail += choose(15, own) * choose(15, women + men - own);
  return (2 * tail) / choose(30, women + men);
}

for (const [women, men, published] of [
  [9, 3, 0.0604],
  [6, 1, 0.0801],
] as const) {
  test(`${women} and ${men} of fifteen that failed: the exact p within Monte Carlo error, whatever is drawn and in every order of rows`, () => {
    const exact = exactPValue(women, men);
    assert.ok(Math.abs(exact - published) < 5e-5, `${exact}`);
    const permutations = 2000;
    // Four standard errors of a share, and of twice the share of one side. A lost tail would halve p.
    const shared = 4 * Math.sqrt((exact * (1 - exact)) / permutations);
    const doubled = 8 * Math.sqrt(((exact / 2) * (1 - exact / 2)) / permutations);
    const near = (pValue: number | null, error: number) =>
      assert.ok(Math.abs(pValue! - exact) < error, `${pValue} is not near ${exact}`);
    for (let order = 0; order < 15; order++) {
      const { units, sides } = failures(women, men, order);
      const dealt = (seed: number) => dealGroups(units, { permutations, random: random(`deal ${seed}`) });
      const { cells, outcomes } = dealt(order);
      for (const { pValue, adjustedPValue } of cells[0]!) {
        near(pValue, shared);
        near(adjustedPValue, shared);
      }
      near(outcomes[0]!.pValue, shared);
      near(dealt(0).cells[0]![0]!.pValue, shared);
      for (const statistic of ['studentized', 'unskewed', 'difference'] as const) {
        const { pValue } = permutationTestOfRates(sides[0]!, sides[1]!, {
          permutations,
          statistic,
          random: random(order),
        });
        near(pValue, statistic === 'unskewed' ? shared : doubled);
      }
    }
  });
}

/** Speakers of unequal words, every third in two profiles of four that make six groups. */
function uneven(order: number) {
  const draws = random('uneven');
  const given = Array.from({ length: 36 }, (_, speaker) =>
    Array.from({ length: speaker % 3 === 0 ? 2 : 1 }, (_row, at) => {
      const words = 40 + draws.integer(200);
      const [first, second] = [draws.integer(words / 4), draws.integer(words / 4)];
      return { speaker, profile: (speaker + at) % 4, words, first, second };
    }),
  ).flat();
  const rows = shuffled(given, order);
  // Numbers of speakers and of profiles come from the order in which they are met.
  const numberOf = <Key>(keys: readonly Key[]) => {
    const seen = [...new Set(keys)];
    return keys.map((key) => seen.indexOf(key));
  };
  const met = [...new Set(rows.map(({ profile }) => profile))];
  const column = (of: 'words' | 'first' | 'second') => Float64Array.from(rows, (row) => row[of]);
  const [words, first, second] = [column('words'), column('first'), column('second')];
  const groups = [[0, 1], [2, 3], [0, 2], [1, 3], [0], [3]].map((own) => own.map((profile) => met.indexOf(profile)));
  return {
    speakers: numberOf(rows.map(({ speaker }) => speaker)),
    profiles: numberOf(rows.map(({ profile }) => profile)),
    groups,
    outcomes: [first, second].map((numerators) => ({ numerators, denominators: words })),
  };
}

test('dealing gives the same numbers but for chance in whatever order rows, speakers and profiles come', () => {
  const told = (order: number) =>
    dealGroups(uneven(order), { permutations: 1000, random: random('deal') }).cells.flatMap((cells) =>
      cells.map(({ pValue }) => pValue!),
    );
  const first = told(0);
  // Four standard errors of a difference of two shares of 1,000.
  for (let order = 1; order < 5; order++) {
    for (const [place, pValue] of told(order).entries())
      assert.ok(Math.abs(pValue - first[place]!) < 0.09, `${pValue} ${first[place]}`);
  }
});

test('another outcome beside changes nothing of how the first is dealt', () => {
  const units = uneven(0);
  const [first] = units.outcomes;
  const more = { ...units, outcomes: [first!, { ...first!, numerators: first!.numerators.map((_, row) => row % 3) }] };
  const told = (of: typeof units) => dealGroups(of, { permutations: 1000, random: random('deal') }).outcomes[0]!;
  const [alone, beside] = [told({ ...units, outcomes: [first!] }), told(more)];
  assert.deepEqual([alone.byChance, alone.pValue], [beside.byChance, beside.pValue]);
});

test('where groups are of unequal sizes, p varies with what is drawn little more than so many arrangements make it', () => {
  const draws = random('ten and twenty');
  const words = Float64Array.from({ length: 30 }, () => 40 + draws.integer(100));
  const units = {
    speakers: [...words.keys()],
    profiles: [...words.keys()].map((row) => (row < 10 ? 0 : 1)),
    groups: [[0], [1]],
    outcomes: [{ numerators: words.map((own) => draws.integer(Math.ceil(own / 4))), denominators: words }],
  };
  const permutations = 10_000;
  const found = Array.from({ length: 12 }, (_, seed) => {
    return dealGroups(units, { permutations, random: random(`unequal ${seed}`) }).cells[0]![0]!.pValue!;
  });
  const mean = found.reduce((sum, pValue) => sum + pValue, 0) / found.length;
  const variance = found.reduce((sum, pValue) => sum + (pValue - mean) ** 2, 0) / (found.length - 1);
  assert.ok(mean > 0.2 && mean < 0.95, `${mean} is in the tail`);
  // The scale of each side is learned from arrangements as well.
  const expected = (mean * (1 - mean)) / permutations;
  assert.ok(variance < 6.25 * expected, `${Math.sqrt(variance / expected)} Monte Carlo errors`);
});
