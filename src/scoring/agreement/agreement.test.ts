import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRandom } from '../../base/random.ts';
import {
  aequevoxViolations,
  type GroupDistances,
  sortByDrop,
  violationExcess,
  violationTable,
  wordDrops,
} from './aequevox.ts';
import { rover } from './rover.ts';
import { transcriptDistance } from './transcript-distance.ts';

const folder = new URL('../../../../shared/golden/aequevox/', import.meta.url);
const skip = existsSync(folder) ? false : 'shared/golden/aequevox is not beside the repository';

const someWords = fc.array(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), { maxLength: 8 });
const split = (text: string) => text.split(' ').filter(Boolean);

test('The distance pools edits over the words of the longer transcripts.', () => {
  const distance = transcriptDistance([
    [split('the cat'), split('the cat sat')],
    [split('a b c d e'), split('a b c d e')],
    [[], []],
  ]);
  assert.deepEqual(distance, { value: 1 / 8, edits: 1, words: 8, pairs: 3, identical: 2 });
  assert.equal(transcriptDistance([[[], []]]).value, 0);
  assert.equal(transcriptDistance([[[], ['a']]]).value, 1);
  assert.equal(transcriptDistance([]).reason, 'there is no pair of transcripts');
});

test('The distance is symmetric, 0 for the same words alone and at most 1.', () => {
  fc.assert(
    fc.property(someWords, someWords, (one, other) => {
      const { value } = transcriptDistance([[one, other]]);
      assert.equal(transcriptDistance([[other, one]]).value, value);
      assert.ok(value! >= 0 && value! <= 1);
      assert.equal(value === 0, one.join(' ') === other.join(' '));
    }),
    { seed: 1 },
  );
});

// Expected words were written by `rover -s -m meth1` of SCTK 2.4.10 for these transcripts.
test('The vote is that of NIST’s rover.', () => {
  for (const [expected, ...transcripts] of [
    ['c c e f', 'c c e f', 'c c f f'],
    ['a b d e b d', 'a b e b d', 'c b d e d'],
    ['b d f', 'b d a', 'b f b f f', 'b d f'],
    ['b f d f d c', 'b f d f f d', 'a f d f d c', 'b f d f d c'],
    ['f d c d f', 'f d c d f', 'f d c d f', 'a d c c b f'],
    ['e f e d b', 'e f e d a b', 'e f e d b', 'e f f e'],
    ['e c f c', 'e c f c', 'e c c', 'e b f c'],
    ['f b a f c', 'f b a f c', 'f a f f c', 'a b a f c'],
    ['b d d b b', 'b b d d b', 'b d d b a b', 'b f d e e b', 'b d b b e b', 'b d b b b d'],
    ['c f a c a a', 'c f a c b a a', 'e f a c a a', 'c f f a a', 'd f a d c a', 'c c a c a'],
    ['a d d c f b b', 'a d d c f b b', 'a e d d b b', 'a d c f b f', 'a d b d c b d b b', 'a b b b'],
  ] as const) {
    assert.equal(rover(transcripts.map((text) => ({ words: split(text) }))).words.join(' '), expected, expected);
  }
});

// Likewise, `-m meth1 -a 0.5 -c 0.4` and `-m maxconf -a 0.3 -c 0.7`.
test('Confidences vote as in NIST’s rover.', () => {
  for (const { frequencyWeight, nullConfidence, confidence, expected, transcripts } of [
    {
      frequencyWeight: 0.5,
      nullConfidence: 0.4,
      confidence: 'mean',
      expected: 'e f a e b',
      transcripts: [
        'e:0.61 f:0.86 e:0.92 b:0.13',
        'f:0.65 a:0.28 e:0.73 b:0.37 c:0.66',
        'e:0.06 f:0.11 a:0.17 e:0.75 b:0.48',
      ],
    },
    {
      frequencyWeight: 0.5,
      nullConfidence: 0.4,
      confidence: 'mean',
      expected: 'f b d d b',
      transcripts: [
        'f:0.29 d:0.46 c:0.56 d:0.53 e:0.18 d:0.17 b:0.79',
        'b:0.61 f:0.92 d:0.51 d:0.89 b:0.51',
        'f:0.9 b:0.65 d:0.33 d:0.49 b:0.74',
      ],
    },
    {
      frequencyWeight: 0.5,
      nullConfidence: 0.4,
      confidence: 'mean',
      expected: 'c b c e c',
      transcripts: [
        'c:0.93 b:0.77 c:0.99 e:0.44 c:0.6',
        'c:0.05 b:0.39 e:0.23 c:0.86 e:0.38',
        'b:0.09 e:0.02 e:0.27 c:0.49',
      ],
    },
    {
      frequencyWeight: 0.3,
      nullConfidence: 0.7,
      confidence: 'greatest',
      expected: 'a f e',
      transcripts: ['a:0.02 f:0.73 e:0.65 b:0.36', 'a:0.2 b:0.43 e:0.64', 'a:0.26 f:0.73 b:0.77 e:0.09'],
    },
    {
      frequencyWeight: 0.3,
      nullConfidence: 0.7,
      confidence: 'greatest',
      expected: 'a e e c c f',
      transcripts: [
        'a:0.33 e:0.95 e:0.72 c:0.42 f:0.98',
        'a:0.17 e:0.68 e:0.99 c:0.96 c:0.87 f:0.23',
        'a:0.43 e:0.39 e:0.07 f:0.01 c:0.15 f:0.38',
      ],
    },
    {
      frequencyWeight: 0.3,
      nullConfidence: 0.7,
      confidence: 'greatest',
      expected: 'e e b c b',
      transcripts: [
        'd:0.62 e:0.84 c:0.5 b:0.85 c:0.21 c:0.26',
        'e:0.25 e:0.67 e:0.66 c:0.12',
        'e:0.73 e:0.87 c:0.2 b:0.73 c:0.94 b:0.87',
      ],
    },
  ] as const) {
    const read = transcripts.map((text) => {
      const pairs = split(text).map((pair) => pair.split(':'));
      return { words: pairs.map(([word]) => word!), confidences: pairs.map(([, value]) => Number(value)) };
    });
    const { words } = rover(read, { frequencyWeight, nullConfidence, confidence });
    assert.equal(words.join(' '), expected);
  }
});

test('One transcript, or several the same, come out as they are; a set lists what everybody heard.', () => {
  fc.assert(
    fc.property(someWords, fc.integer({ min: 1, max: 4 }), (words, copies) => {
      const result = rover(Array.from({ length: copies }, () => ({ words })));
      assert.deepEqual(result.words, words);
      assert.equal(result.ties, 0);
      assert.equal(result.support, words.length === 0 ? null : 1);
    }),
    { seed: 2 },
  );
  const { sets, ties } = rover([{ words: ['a'] }, { words: [] }]);
  assert.deepEqual(sets[0]!.words, ['a', null]);
  assert.deepEqual(sets[0]!.winner, { word: 'a', votes: 1, score: 0.5 });
  assert.equal(ties, 1);
});

test('Every word of every transcript stands in the sets in its order, whoever is how long.', () => {
  fc.assert(
    fc.property(fc.array(someWords, { minLength: 1, maxLength: 5 }), (transcripts) => {
      const { sets, words, support } = rover(transcripts.map((words) => ({ words })));
      for (const [index, transcript] of transcripts.entries()) {
        assert.deepEqual(
          sets.flatMap((set) => set.words[index] ?? []),
          transcript,
        );
      }
      assert.ok(sets.every((set) => set.words.some((word) => word !== null)));
      assert.ok(
        sets.every(
          ({ alternatives }) => alternatives.reduce((sum, { votes }) => sum + votes, 0) === transcripts.length,
        ),
      );
      assert.ok(words.length <= sets.length);
      assert.ok(support === null || (support > 0 && support <= 1));
    }),
    { seed: 7 },
  );
});

test('Long transcripts, too large for one table, are voted on alike in parts.', () => {
  const random = createRandom('long');
  const said = Array.from({ length: 4000 }, () => `w${random.integer(500)}`);
  const transcripts = [0, 1, 2].map((which) => ({
    words: said.map((word, place) => (place % 30 === which * 10 ? 'wrong' : word)),
  }));
  const { words, ties } = rover(transcripts);
  assert.deepEqual(words, said);
  assert.equal(ties, 0);
});

test('A vote without transcripts, or by confidences that are missing or out of range, is refused.', () => {
  assert.throws(() => rover([]), RangeError);
  assert.throws(() => rover([{ words: ['a'] }], { frequencyWeight: 0.5 }), /confidence for each word/);
  assert.throws(() => rover([{ words: ['a'], confidences: [] }]), RangeError);
  assert.throws(() => rover([{ words: ['a'], confidences: [2] }], { frequencyWeight: 0 }), RangeError);
  assert.throws(() => rover([{ words: ['a'] }], { frequencyWeight: 2 }), RangeError);
  assert.throws(() => rover([{ words: ['a'] }], { nullConfidence: Number.NaN }), RangeError);
});

test('A violation needs a gap greater than the tolerance, signed, and both distances.', () => {
  const distances: GroupDistances = {
    groups: ['a', 'b', 'c'],
    original: [0.25, 0.25, null],
    transformed: [
      { parameter: '1', distances: [0.5, 0.25, 0.9] },
      { parameter: '2', distances: [0.125, 0.5, 0.9] },
    ],
  };
  assert.deepEqual(aequevoxViolations(distances, 0.25).counts, [0, 1, 0]);
  const { counts, violations, compared, leftOut } = aequevoxViolations(distances, 0.2);
  assert.deepEqual(counts, [1, 1, 0]);
  assert.deepEqual(violations, [
    { parameter: '1', base: 'a', other: 'b', gap: 0.25 },
    { parameter: '2', base: 'b', other: 'a', gap: 0.375 },
  ]);
  assert.deepEqual([compared, leftOut], [4, 8]);
  assert.throws(() => aequevoxViolations(distances, -1), RangeError);
  assert.throws(() => aequevoxViolations({ ...distances, original: [0] }, 0.1), /original has 1/);
  assert.throws(() => aequevoxViolations({ ...distances, original: [0, Number.NaN, 0] }, 0.1), /original has NaN/);
});

test('Word drops are clamped at 0 and taken under the worst parameter.', () => {
  const counted = (text: string) =>
    new Map(split(text).map((word, _, all) => [word, all.filter((one) => one === word).length]));
  const original = counted('six spoons of of __proto__');
  const drops = wordDrops(['six', 'of', 'snow', '__proto__'], original, [
    counted('six six of'),
    counted('six six snow'),
  ])!;
  assert.deepEqual([...drops.values()], [0, 2, 0, 1]);
  assert.deepEqual(sortByDrop(drops, 2), { nonRobust: ['of'], robust: ['six', 'snow'] });
  assert.equal(wordDrops(['six'], original, []), null);
  assert.throws(() => sortByDrop(drops, 0), RangeError);
});

const read = (path: string) =>
  readFileSync(new URL(path, folder), 'utf8')
    .split('\n')
    .map((line) => line.split(','));
/** As the authors did: two parameters of Scale do not count. */
const counts = (transformation: string, parameter: string) =>
  !(transformation === 'Scale' && [0.6, 0.5].includes(Number(parameter)));

test('AequeVox’s distances give its violations, file by file and in Table 4.', { skip }, () => {
  const golden = JSON.parse(readFileSync(new URL('golden.json', folder), 'utf8'));
  const files = new Map<string, GroupDistances>();
  let compared = 0;
  for (const { csv, tau, counts: expected } of golden.violation_counts_per_csv) {
    if (!existsSync(new URL(csv, folder))) continue;
    const transformation = csv.replace(/.*\/|\.csv$/g, '');
    if (!files.has(csv)) {
      const [header, ...rows] = read(csv);
      const groups = header!.slice(1);
      const numbers = (row: string[]) => row.slice(1, groups.length + 1).map(Number);
      const end = rows.findIndex(([first]) => first === '');
      files.set(csv, {
        groups,
        original: numbers(rows.find(([first]) => first === 'Original')!),
        transformed: rows
          .slice(0, end)
          .filter(([parameter]) => counts(transformation, parameter!))
          .map((row) => ({ parameter: row[0]!, distances: numbers(row) })),
      });
    }
    assert.deepEqual(aequevoxViolations(files.get(csv)!, tau).counts, expected, `${csv} ${tau}`);
    compared++;
  }
  assert.equal(compared, 2 * 24 * 4);

  for (const [dataset, rows] of Object.entries<Record<string, number[]>>(golden.table4)) {
    const totals = golden.columns[dataset]?.map(() => 0);
    if (!totals || !existsSync(new URL(`differential/${dataset}`, folder))) continue;
    for (const [csv, distances] of files) {
      if (!csv.includes(`/${dataset}/`)) continue;
      for (const tau of golden.taus) {
        for (const [group, count] of aequevoxViolations(distances, tau).counts.entries()) totals[group] += count;
      }
    }
    assert.deepEqual(totals, rows.Total, dataset);
  }
});

test('AequeVox’s word counts give its drops.', { skip }, () => {
  const golden = JSON.parse(readFileSync(new URL('golden.json', folder), 'utf8'));
  let compared = 0;
  for (const { csv, sums } of golden.fault_localisation_drop_sums.counts) {
    if (!existsSync(new URL(csv, folder))) continue;
    const [header, ...rows] = read(csv);
    const words = header!
      .slice(1)
      .filter((word) => /^[a-z]/.test(word))
      .map((word) => word.replace(/['\]]+$/, ''));
    const transformation = csv.replace(/.*\/|\.csv$/g, '');
    const countsIn = (row: string[]) => new Map(words.map((word, index) => [word, Number(row[index + 1])]));
    const drops = rows.flatMap((row, place) => {
      if (row[0] !== 'Original') return [];
      const parameters = rows.slice(place + 1).slice(
        0,
        rows.slice(place + 1).findIndex(([first]) => first === 'Drops'),
      );
      const used = parameters.filter(([label]) => counts(transformation, label!.replaceAll(/[['\]]/g, '')));
      const found = wordDrops(words, countsIn(row), used.map(countsIn))!;
      return [[...found.values()].reduce((sum, drop) => sum + drop, 0)];
    });
    assert.deepEqual(drops, sums, csv);
    compared++;
  }
  assert.equal(compared, 8);
});

test('A table of violations adds up over tolerances, pairs and transformations, and the rest of its counts by hand.', () => {
  const table = (pair: string, transformation: string, after: readonly (number | null)[]) => ({
    pair,
    transformation,
    distances: { groups: ['a', 'b'], original: [0.1, 0.3], transformed: [{ parameter: '1', distances: after }] },
  });
  // Degradations of a and b: .3 and .1, then .1 and .5, then unknown.
  const tables = [table('p', 'noise', [0.4, 0.4]), table('q', 'noise', [0.2, 0.8]), table('q', 'drop', [null, 0.4])];
  const found = violationTable(tables, [0.1, 0.3]);
  assert.deepEqual(
    found.rows.map(({ by, name, counts }) => [by, name, ...counts]),
    [
      ['total', 'all', 1, 2],
      ['tolerance', '0.1', 1, 1],
      ['tolerance', '0.3', 0, 1],
      ['pair', 'p', 1, 0],
      ['pair', 'q', 0, 2],
      ['transformation', 'noise', 1, 2],
      ['transformation', 'drop', 0, 0],
    ],
  );
  // Gaps before are .2 for both pairs: above .1 and not above .3.
  assert.deepEqual([found.absolute, found.gapsBefore, found.compared, found.leftOut], [[3, 3], [2, 2], 8, 4]);
  assert.deepEqual(violationExcess([1, 2], 0), { reference: 1, others: 2, excess: 1 });
  assert.equal(violationExcess([0, 2], 0).excess, null);
  assert.deepEqual(violationTable([], [0.1]).rows[0]!.counts, []);
  assert.throws(() => violationExcess([1], 0), RangeError);
  assert.throws(
    () =>
      violationTable(
        [tables[0]!, { ...tables[1]!, distances: { ...tables[1]!.distances, groups: ['b', 'a'] } }],
        [0.1],
      ),
    /same groups/,
  );
  // .5 - .1 - (.2 - .1) is a hair above .3 in binary numbers.
  const exact = { groups: ['a', 'b'], original: [0.1, 0.1], transformed: [{ parameter: '1', distances: [0.5, 0.2] }] };
  assert.deepEqual(aequevoxViolations(exact, 0.3).counts, [0, 0]);
});
