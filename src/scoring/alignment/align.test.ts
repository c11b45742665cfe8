import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRandom } from '../../base/random.ts';
import { golden } from '../../base/testing/golden.ts';
import { type EditCounts, errorRate, errors } from '../edit-counts.ts';
import { align, alignOperations, countEdits } from './align.ts';
import { countCharacterEdits } from './characters.ts';
import { operation } from './trace-back.ts';

const goldens = golden('scoring/pairs.tsv');

/** The whole matrix, and the way back as the documentation of countEdits says it. */
function bySchoolbook(reference: readonly string[], hypothesis: readonly string[]): EditCounts {
  const width = hypothesis.length + 1;
  const distance = new Int32Array((reference.length + 1) * width);
  const at = (row: number, column: number) => distance[row * width + column]!;
  for (let row = 0; row <= reference.length; row++) {
    for (let column = 0; column < width; column++) {
      distance[row * width + column] =
        row === 0 || column === 0
          ? row + column
          : Math.min(
              at(row - 1, column) + 1,
              at(row, column - 1) + 1,
              at(row - 1, column - 1) + (reference[row - 1] === hypothesis[column - 1] ? 0 : 1),
            );
    }
  }
  const counts = { correct: 0, substitutions: 0, deletions: 0, insertions: 0 };
  let row = reference.length;
  let column = hypothesis.length;
  while (row > 0 || column > 0) {
    if (row > 0 && (column === 0 || at(row - 1, column) + 1 === at(row, column))) {
      counts.deletions++;
      row--;
    } else if (row === 0 || at(row, column - 1) + 1 === at(row - 1, column - 1)) {
      counts.insertions++;
      column--;
    } else {
      counts[reference[row - 1] === hypothesis[column - 1] ? 'correct' : 'substitutions']++;
      row--;
      column--;
    }
  }
  return counts;
}

function withoutCommonEnds(a: readonly string[], b: readonly string[]): [readonly string[], readonly string[], number] {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end), start + end];
}

function assertPath(reference: readonly string[], hypothesis: readonly string[], counts: EditCounts): void {
  const aligned = align(reference, hypothesis);
  assert.deepEqual(
    aligned.flatMap((pair) => pair.reference ?? []),
    reference,
  );
  assert.deepEqual(
    aligned.flatMap((pair) => pair.hypothesis ?? []),
    hypothesis,
  );
  const tally = { correct: 0, substitutions: 0, deletions: 0, insertions: 0 };
  for (const pair of aligned) {
    if (pair.reference === null) tally.insertions++;
    else if (pair.hypothesis === null) tally.deletions++;
    else if (pair.reference === pair.hypothesis) tally.correct++;
    else tally.substitutions++;
  }
  assert.deepEqual(tally, counts);
}

test('The 2,017 golden pairs have the counts of rapidfuzz and jiwer, their word and character error rates, and an alignment with these counts.', () => {
  const [head, ...lines] = readFileSync(goldens, 'utf8').trimEnd().split('\n');
  const names = head!.split('\t');
  assert.equal(lines.length, 2017);
  const close = (actual: number | null, printed: string, where: string) =>
    assert.ok(actual !== null && Math.abs(actual - Number(printed)) <= 1e-9 * Math.max(1, actual), where);
  for (const line of lines) {
    const cells = line.split('\t');
    const cell = (name: string) => cells[names.indexOf(name)]!;
    const reference = cell('ref').split(' ').filter(Boolean);
    const hypothesis = cell('hyp').split(' ').filter(Boolean);
    const counts = countEdits(reference, hypothesis);
    const { correct, substitutions, deletions, insertions } = counts;
    assert.equal([correct, substitutions, deletions, insertions].join('/'), cell('rapidfuzz_csdi'), line);
    if (cell('min_subs') !== '') {
      assert.ok(substitutions >= Number(cell('min_subs')) && substitutions <= Number(cell('max_subs')), line);
    }
    assertPath(reference, hypothesis, counts);
    if (reference.length === 0) {
      // jiwer gives the number of insertions here; no rate exists.
      assert.equal(errorRate(counts), null);
      continue;
    }
    close(errorRate(counts), cell('wer'), line);
    close(errorRate(countCharacterEdits(reference, hypothesis)), cell('cer'), line);
  }
});

test('Any two word sequences have the counts of the whole matrix traced by the stated rule, and an alignment with these counts.', () => {
  const words = (longest: number) =>
    fc.array(fc.constantFrom('a', 'b', 'c', 'ä', 'aa', ''), { maxLength: longest, size: 'max' });
  fc.assert(
    fc.property(
      fc.oneof(fc.tuple(words(12), words(12)), fc.tuple(words(150), words(150))),
      ([reference, hypothesis]) => {
        const [referenceMiddle, hypothesisMiddle, same] = withoutCommonEnds(reference, hypothesis);
        const expected = bySchoolbook(referenceMiddle, hypothesisMiddle);
        const counts = countEdits(reference, hypothesis);
        assert.deepEqual(counts, { ...expected, correct: expected.correct + same });
        assertPath(reference, hypothesis, counts);
      },
    ),
    { numRuns: 300, seed: 3 },
  );
});

test('Long transcripts, edited little, much and beyond recognition, have the counts of the whole matrix.', () => {
  const random = createRandom('long transcripts');
  for (const [length, vocabulary, edited, cut] of [
    [1500, 400, 0.05, 0],
    [1500, 8, 0.4, 300],
    [1200, 3, 1, 0],
    [900, 2000, 1, 700],
    [40, 5, 0.5, 0],
    [1700, 3, 0.02, 1200],
  ] as const) {
    const word = () => `w${random.integer(vocabulary)}`;
    const reference = Array.from({ length }, word);
    const hypothesis = reference.flatMap((spoken) => {
      if (random.next() >= edited) return [spoken];
      return [[word()], [], [spoken, word()]][random.integer(3)]!;
    });
    for (const shortened of [hypothesis.slice(cut), hypothesis.slice(0, hypothesis.length - cut)]) {
      const [a, b, same] = withoutCommonEnds(reference, shortened);
      const expected = bySchoolbook(a, b);
      assert.deepEqual(countEdits(reference, shortened), { ...expected, correct: expected.correct + same });
      const [c, d, sameReversed] = withoutCommonEnds(shortened, reference);
      const reversed = bySchoolbook(c, d);
      assert.deepEqual(countEdits(shortened, reference), { ...reversed, correct: reversed.correct + sameReversed });
    }
  }
});

test('A path longer than the kept columns has as many edits as the matrix computed row by row.', () => {
  const random = createRandom('windows');
  const words = (length: number) => Array.from({ length }, () => `w${random.integer(40)}`);
  const reference = words(9000);
  const hypothesis = words(11_000);
  const numbers = new Map<string, number>();
  const number = (word: string) => {
    if (!numbers.has(word)) numbers.set(word, numbers.size);
    return numbers.get(word)!;
  };
  const column = Int32Array.from(hypothesis, number);
  let row = Int32Array.from({ length: column.length + 1 }, (_, index) => index);
  let next = new Int32Array(row.length);
  for (let index = 0; index < reference.length; index++) {
    const word = number(reference[index]!);
    next[0] = index + 1;
    for (let place = 1; place < row.length; place++) {
      const replaced = row[place - 1]! + (column[place - 1] === word ? 0 : 1);
      next[place] = Math.min(replaced, row[place]! + 1, next[place - 1]! + 1);
    }
    [row, next] = [next, row];
  }
  const counts = countEdits(reference, hypothesis);
  assert.equal(errors(counts), row[column.length]);
  assertPath(reference, hypothesis, counts);
});

test('20,000 unrelated words take less than 64 MB above the words themselves.', () => {
  const reference = Array.from({ length: 20_000 }, (_, index) => `r${index}`);
  const hypothesis = Array.from({ length: 20_000 }, (_, index) => `h${index}`);
  const before = process.memoryUsage();
  const counts = countEdits(reference, hypothesis);
  const after = process.memoryUsage();
  assert.deepEqual(counts, { correct: 0, substitutions: 20_000, deletions: 0, insertions: 0 });
  const grown = after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed;
  assert.ok(grown < 64 * 2 ** 20, `${grown} bytes`);
});

test('Empty sides are all deletions or all insertions, and only an empty reference has no rate.', () => {
  assert.deepEqual(countEdits([], []), { correct: 0, substitutions: 0, deletions: 0, insertions: 0 });
  assert.equal(errorRate(countEdits([], [])), null);
  assert.equal(errorRate(countEdits([], ['a'])), null);
  assert.deepEqual(countEdits(['a', 'b'], []), { correct: 0, substitutions: 0, deletions: 2, insertions: 0 });
  assert.equal(errorRate(countEdits(['a', 'b'], [])), 1);
  assert.deepEqual(countCharacterEdits([], ['ab', 'c']), { correct: 0, substitutions: 0, deletions: 0, insertions: 4 });
});

test('Words that many hash tables fear (__proto__, same hash, lone surrogates) are words like others.', () => {
  const odd = ['__proto__', 'constructor', '\ud800', '\udc00', '\ud800\udc00', 'e\u0301', 'é', '\u200b', ''];
  assert.deepEqual(countEdits(odd, odd.toReversed()), bySchoolbook(odd, odd.toReversed()));
  assert.equal(countEdits(odd, odd).correct, odd.length);
  assert.equal(countEdits(['é'], ['e\u0301']).substitutions, 1);
});

test('A word that may be heard as several is the one that the other text has wherever it stands, in long texts and by either rule.', () => {
  const filler = Array.from({ length: 40 }, (_, place) => `f${place}`);
  for (const rule of ['least', 'sclite'] as const) {
    for (const around of [[], ['he'], filler]) {
      for (const before of [[], ['other']]) {
        const said = [...before, 'x', ...around, 'ˀs', ...around];
        const heard = ['y', ...around, 'has', ...around];
        for (const [one, other] of [
          [said, heard],
          [heard, said],
        ] as const) {
          assert.equal(errors(countEdits(one, other, rule)), 1 + before.length, 'only the first words differ');
          const words = align(one, other, rule).flatMap(({ reference, hypothesis }) => [reference, hypothesis]);
          assert.deepEqual(
            words.filter((word) => word?.startsWith('ˀ') || word === 'is'),
            [],
          );
          assert.equal(
            alignOperations(one, other, rule).filter((step) => step !== operation.correct).length,
            1 + before.length,
          );
        }
      }
    }
  }
  assert.deepEqual(align(['ˀs'], ['ˀs']), [{ reference: 'is', hypothesis: 'is' }]);
  assert.deepEqual(align(['he', 'ˀs'], ['he']).at(-1), { reference: 'is', hypothesis: null });
  assert.equal(countEdits(['ˀ'.repeat(100_000)], ['a']).substitutions, 1);
});

test('Characters are the code points of the words joined by blanks, and are counted like words.', () => {
  const texts = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom('\ud800', '\udfff')), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(texts, texts, (reference, hypothesis) => {
      const expected = countEdits([...reference.join(' ')], [...hypothesis.join(' ')]);
      assert.deepEqual(countCharacterEdits(reference, hypothesis), expected);
    }),
    { numRuns: 500, seed: 5 },
  );
});
