import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { countEdits } from '../alignment/count-edits.ts';
import { errors } from '../edit-counts.ts';
import { splitWords } from '../normalizers/split-words.ts';
import { translationEditRate } from './translation-edit-rate.ts';

const golden = new URL('../../../../shared/golden/bleu/bleu.json', import.meta.url);
const skip = existsSync(golden) ? false : 'shared/golden/bleu is not beside the repository';

function pairOf(reference: string, hypothesis: string) {
  return { references: [splitWords(reference.toLowerCase())], hypothesis: splitWords(hypothesis.toLowerCase()) };
}

test('TER of pairs made by hand is that of sacreBLEU.', () => {
  const scores = JSON.parse(readFileSync(new URL('../bleu/program-scores.json', import.meta.url), 'utf8'));
  for (const { reference, hypothesis, ter } of scores.pairs) {
    assert.ok(Math.abs(100 * translationEditRate([pairOf(reference, hypothesis)]).value! - ter) < 1e-9, reference);
  }
});

test('Every TER of the golden comes out to 1e-9.', { skip }, () => {
  const { sentences, corpus } = JSON.parse(readFileSync(golden, 'utf8'));
  const pairs = [];
  for (const { ref, hyp, ter } of sentences) {
    const pair = pairOf(ref, hyp);
    pairs.push(pair);
    assert.ok(Math.abs(100 * translationEditRate([pair]).value! - ter) < 1e-9, `${ref} | ${hyp}`);
  }
  assert.ok(Math.abs(100 * translationEditRate(pairs).value! - corpus.ter) < 1e-9);
});

test('To move a stretch of words is one edit.', () => {
  const reference = 'the cat sat on the mat today'.split(' ');
  const hypothesis = 'today the cat sat on the mat'.split(' ');
  assert.deepEqual(translationEditRate([{ references: [reference], hypothesis }]), {
    value: 1 / 7,
    edits: 1,
    referenceLength: 7,
  });
});

test('TER never has more edits than the least without shifts, for texts of nearly the same length.', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'constructor'), { maxLength: 12 });
  fc.assert(
    fc.property(words, words, (reference, hypothesis) => {
      const { edits } = translationEditRate([{ references: [reference], hypothesis }]);
      assert.ok(edits <= errors(countEdits(reference, hypothesis)));
      assert.ok(edits >= Math.abs(reference.length - hypothesis.length));
    }),
    { seed: 6 },
  );
});

test('Of several references the fewest edits count over the mean length; nothing said has no rate.', () => {
  const score = translationEditRate([
    {
      references: [
        ['a', 'b'],
        ['a', 'b', 'c', 'd'],
      ],
      hypothesis: ['a', 'b'],
    },
  ]);
  assert.deepEqual(score, { value: 0, edits: 0, referenceLength: 3 });
  const nothing = translationEditRate([{ references: [[]], hypothesis: ['a'] }]);
  assert.deepEqual(nothing, { value: null, reason: 'the reference is empty', edits: 1, referenceLength: 0 });
  assert.throws(() => translationEditRate([{ references: [], hypothesis: [] }]), RangeError);
});
