import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRandom } from '../../base/random.ts';
import { golden } from '../../base/testing/golden.ts';
import { addCounts, type EditCounts, noEdits } from '../edit-counts.ts';
import { foldAsciiCase } from '../glm.ts';
import { align, alignOperations, countEdits } from './align.ts';
import { countCharacterEdits } from './characters.ts';

const goldens = golden('scoring/');

const rows = (file: string) =>
  readFileSync(new URL(file, goldens), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
const split = (text: string) => text.split(' ').filter(Boolean);
const slashed = (counts: EditCounts) =>
  [counts.correct, counts.substitutions, counts.deletions, counts.insertions].join('/');
const pathOf = (reference: readonly string[], hypothesis: readonly string[]) =>
  Array.from(alignOperations(reference, hypothesis, 'sclite'), (step) => 'CSDI'[step]).join('');

/** The whole matrix of costs 4, 3, 3; from the end the diagonal before an insertion before a deletion. */
function bySchoolbook(reference: readonly string[], hypothesis: readonly string[]): string {
  const width = hypothesis.length + 1;
  const cost = new Int32Array((reference.length + 1) * width);
  const at = (row: number, column: number) => cost[row * width + column]!;
  const pair = (row: number, column: number) => (reference[row - 1] === hypothesis[column - 1] ? 0 : 4);
  for (let row = 0; row <= reference.length; row++) {
    for (let column = 0; column < width; column++) {
      cost[row * width + column] =
        row === 0 || column === 0
          ? 3 * (row + column)
          : Math.min(at(row - 1, column) + 3, at(row, column - 1) + 3, at(row - 1, column - 1) + pair(row, column));
    }
  }
  let path = '';
  let row = reference.length;
  let column = hypothesis.length;
  while (row > 0 || column > 0) {
    if (row > 0 && column > 0 && at(row, column) === at(row - 1, column - 1) + pair(row, column)) {
      path = (pair(row, column) === 0 ? 'C' : 'S') + path;
      row--;
      column--;
    } else if (column > 0 && at(row, column) === at(row, column - 1) + 3) {
      path = `I${path}`;
      column--;
    } else {
      path = `D${path}`;
      row--;
    }
  }
  return path;
}

test('The 2,017 golden pairs have the counts and the path of NIST sclite, and its sums.', () => {
  const [head, ...lines] = rows('pairs.tsv');
  let total = noEdits;
  assert.equal(lines.length, 2017);
  for (const cells of lines) {
    const cell = (name: string) => cells[head!.indexOf(name)]!;
    const reference = split(cell('ref'));
    const hypothesis = split(cell('hyp'));
    const counts = countEdits(reference, hypothesis, 'sclite');
    total = addCounts(total, counts);
    assert.equal(slashed(counts), cell('sclite_csdi'), cells.join(' | '));
    assert.equal(pathOf(reference, hypothesis), cell('sclite_path'), cells.join(' | '));
  }
  const summary = JSON.parse(readFileSync(new URL('summary.json', goldens), 'utf8'));
  assert.equal(slashed(total), summary.pooled_sclite_csdi.join('/'));
});

test('60 golden pairs in mixed case have the counts of sclite -s, and of sclite without it once ASCII letters are folded.', () => {
  for (const [reference, hypothesis, cased, folded] of rows('cased.tsv').slice(1)) {
    assert.equal(slashed(countEdits(split(reference!), split(hypothesis!), 'sclite')), cased);
    const [a, b] = [split(foldAsciiCase(reference!)), split(foldAsciiCase(hypothesis!))];
    assert.equal(slashed(countEdits(a, b, 'sclite')), folded, `${reference} | ${hypothesis}`);
  }
});

test('120 golden pairs have the character counts of sclite -c, where blanks are none.', () => {
  for (const [, reference, hypothesis, expected] of rows('chars.tsv').slice(1)) {
    assert.equal(slashed(countCharacterEdits(split(reference!), split(hypothesis!), 'sclite')), expected);
  }
});

test('Some pairs have the paths that sclite (SCTK 2.4.10) printed for them.', () => {
  for (const [reference, hypothesis, path] of [
    ['the to want important of concluded that our', 'the saying want important concluded our future', 'CSCCDCDCI'],
    ['far costs', 'costs', 'DC'],
    ['parliament and sector recognition taken', 'and to convergence the', 'DCSSS'],
    ['the we that the major', 'can we that same also forty', 'SCCISS'],
    ['', 'no reference', 'II'],
    ['no hypothesis', '', 'DD'],
  ] as const) {
    assert.equal(pathOf(split(reference), split(hypothesis)), path);
  }
});

test('Any two word sequences have the path of the whole matrix of costs 4, 3 and 3, and counts and words along it.', () => {
  const words = (longest: number) =>
    fc.array(fc.constantFrom('a', 'b', 'c', 'ä', ''), { maxLength: longest, size: 'max' });
  fc.assert(
    fc.property(fc.oneof(fc.tuple(words(10), words(10)), fc.tuple(words(90), words(90))), ([reference, hypothesis]) => {
      const expected = bySchoolbook(reference, hypothesis);
      assert.equal(pathOf(reference, hypothesis), expected);
      const tally = ['C', 'S', 'D', 'I'].map((letter) => expected.split(letter).length - 1).join('/');
      assert.equal(slashed(countEdits(reference, hypothesis, 'sclite')), tally);
      const aligned = align(reference, hypothesis, 'sclite');
      assert.deepEqual(
        aligned.flatMap((pair) => pair.reference ?? []),
        reference,
      );
      assert.deepEqual(
        aligned.flatMap((pair) => pair.hypothesis ?? []),
        hypothesis,
      );
    }),
    { numRuns: 250, seed: 11 },
  );
});

test('Long transcripts, edited little, much and beyond recognition, have the path of the whole matrix.', () => {
  const random = createRandom('long transcripts for sclite');
  for (const [length, vocabulary, edited, cut] of [
    [700, 200, 0.05, 0],
    [700, 8, 0.4, 150],
    [500, 3, 1, 0],
    [400, 2000, 1, 300],
    [800, 3, 0.02, 500],
  ] as const) {
    const word = () => `w${random.integer(vocabulary)}`;
    const reference = Array.from({ length }, word);
    const hypothesis = reference.flatMap((spoken) => {
      if (random.next() >= edited) return [spoken];
      return [[word()], [], [spoken, word()]][random.integer(3)]!;
    });
    for (const shortened of [hypothesis.slice(cut), hypothesis.slice(0, hypothesis.length - cut)]) {
      assert.equal(pathOf(reference, shortened), bySchoolbook(reference, shortened));
      assert.equal(pathOf(shortened, reference), bySchoolbook(shortened, reference));
    }
  }
});

test('Characters by sclite are the code points without blanks, counted like words.', () => {
  const texts = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('\ud800', '\udfff')), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(texts, texts, (reference, hypothesis) => {
      const points = (words: string[]) => words.flatMap((word) => [...word]);
      // Two half surrogates of neighbouring words do not become one character, as they would if the words were joined.
      const expected = countEdits(points(reference), points(hypothesis), 'sclite');
      assert.deepEqual(countCharacterEdits(reference, hypothesis, 'sclite'), expected);
    }),
    { numRuns: 25, seed: 5 },
  );
});

test('20,000 words take less than 64 MB above the words themselves, and cost no more than the path of least edits.', () => {
  const random = createRandom('an hour');
  const reference = Array.from({ length: 20_000 }, () => `w${random.integer(1000)}`);
  const hypothesis = reference.flatMap((word) =>
    random.next() < 0.8 ? [word] : [[], ['x'], [word, 'y']][random.integer(3)]!,
  );
  const before = process.memoryUsage();
  const counts = countEdits(reference, hypothesis, 'sclite');
  const after = process.memoryUsage();
  const grown = after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed;
  assert.ok(grown < 64 * 2 ** 20, `${grown} bytes`);
  const cost = (edits: EditCounts) => 4 * edits.substitutions + 3 * (edits.deletions + edits.insertions);
  assert.ok(cost(counts) <= cost(countEdits(reference, hypothesis)));
  assert.equal(counts.correct + counts.substitutions + counts.deletions, 20_000);
});

test('Odd texts are words like others by either rule: nothing is normalized, folded or reordered.', () => {
  const odd = [
    '\ud800',
    '\udc00',
    'e\u0301',
    'é',
    'שלום',
    'مرحبا',
    'a\u200bb',
    'ab',
    '\u202eab',
    'Aб',
    '',
    '__proto__',
  ];
  for (const rule of ['least', 'sclite'] as const) {
    assert.equal(countEdits(odd, odd, rule).correct, odd.length);
    for (const [a, b] of [
      ['é', 'e\u0301'],
      ['a\u200bb', 'ab'],
      ['\u202eab', 'ab'],
      ['\ud800', '\udc00'],
      ['\ud800', '\ufffd'],
    ] as const) {
      assert.equal(slashed(countEdits([a], [b], rule)), '0/1/0/0');
    }
    assert.equal(slashed(countEdits([], [], rule)), '0/0/0/0');
    assert.equal(slashed(countCharacterEdits(['é'], ['e\u0301'], rule)), '0/1/0/1');
    assert.equal(slashed(countCharacterEdits(['\ud83d\ude00'], ['\ud83d'], rule)), '0/1/0/0');
    assert.equal(slashed(countCharacterEdits([], ['ab'], rule)), '0/0/0/2');
  }
});
