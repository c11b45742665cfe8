import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../../base/testing/golden.ts';
import { countEdits } from '../alignment/align.ts';
import { countCharacterEdits } from '../alignment/characters.ts';
import { type EditCounts, noEdits } from '../edit-counts.ts';
import { createScoreTally, errorRates } from './score-tally.ts';

const goldens = golden('scoring/');

type RateName = 'wer' | 'mer' | 'wil' | 'wip' | 'cer';
const names: readonly RateName[] = ['wer', 'mer', 'wil', 'wip', 'cer'];

const split = (text: string) => text.split(' ').filter((word) => word !== '');
const score = (reference: string, hypothesis: string) => {
  const sides = [split(reference), split(hypothesis)] as const;
  return { words: countEdits(...sides), characters: countCharacterEdits(...sides) };
};
const ratesOf = (reference: string, hypothesis: string) => {
  const { words, characters } = score(reference, hypothesis);
  return errorRates(words, characters);
};

/** As near as the 10 digits of the golden file tell. */
function assertNear(actual: number | null, expected: number, what: string): void {
  assert.ok(actual !== null && Math.abs(actual - expected) <= 1e-9 * Math.max(1, expected), `${what}: ${actual}`);
}

function goldenPairs(): readonly Readonly<Record<string, string>>[] {
  const [head = '', ...lines] = readFileSync(new URL('pairs.tsv', goldens), 'utf8').trimEnd().split('\n');
  const columns = head.split('\t');
  return lines.map((line) => {
    const fields = line.split('\t');
    return Object.fromEntries(columns.map((column, index) => [column, fields[index]!]));
  });
}

test('Rates of every golden pair are those of jiwer, but for an empty reference, of which no error rate exists.', () => {
  const pairs = goldenPairs();
  assert.equal(pairs.length, 2017);
  for (const pair of pairs) {
    const rates = ratesOf(pair.ref!, pair.hyp!);
    for (const name of names) {
      const undefinedHere = pair.ref === '' && (name === 'wer' || name === 'cer');
      if (undefinedHere) assert.equal(rates[name], null);
      else assertNear(rates[name], Number(pair[name]), `${name} of ${pair.ref} / ${pair.hyp}`);
    }
  }
});

test('Pooled rates and the mean over utterances of the golden pairs with words are those of jiwer.', () => {
  const summary = JSON.parse(readFileSync(new URL('summary.json', goldens), 'utf8'));
  const withWords = createScoreTally();
  const all = createScoreTally();
  for (const { ref, hyp } of goldenPairs()) {
    const { words, characters } = score(ref!, hyp!);
    all.add(words, characters);
    if (ref !== '') withWords.add(words, characters);
  }
  const { pooled, macro, utterances } = withWords.score();
  const expected = summary.pooled_jiwer_nonempty_reference;
  assert.equal(utterances, expected.pairs);
  for (const name of names) assertNear(pooled[name], expected[name], name);
  assertNear(macro.wer, summary.macro_wer_nonempty_reference, 'macro');
  // Utterances without reference words change the pooled rates and not the means.
  assert.deepEqual(all.score().macro, { ...macro, leftOut: 15 });
  assert.ok(all.score().pooled.wer! > pooled.wer!);
});

/** By jiwer 4.0.0 (process_words, cer): pairs made by formula. */
const byJiwer: readonly [string, string, ...number[]][] = [
  [
    'the to want important of concluded that our',
    'the saying want important concluded our future',
    0.5,
    0.5,
    0.7142857143,
    0.2857142857,
    0.3953488372,
  ],
  ['far costs', 'costs', 0.5, 0.5, 0.5, 0.5, 0.4444444444],
  ['of peace and', 'of peace and', 0, 0, 0, 1, 0],
  ['parliament and sector recognition taken', 'and to convergence the', 0.8, 0.8, 0.95, 0.05, 0.7179487179],
  ['the we that the major', 'can we that same also forty', 0.8, 0.6666666667, 0.8666666667, 0.1333333333, 0.6666666667],
];

test('Rates of pairs by formula are those of jiwer.', () => {
  for (const [reference, hypothesis, ...expected] of byJiwer) {
    const rates = ratesOf(reference, hypothesis);
    for (const [index, name] of names.entries()) assertNear(rates[name], expected[index]!, `${name} of ${reference}`);
    assertNear(rates.wordAccuracy, 1 - expected[0]!, 'accuracy');
    assert.equal(rates.reason, undefined);
  }
});

test('Empty sides have the rates that can be defined, and a reason for the others.', () => {
  assert.deepEqual(ratesOf('', ''), {
    wer: null,
    cer: null,
    mer: null,
    wil: null,
    wip: null,
    wordAccuracy: null,
    reason: 'reference and hypothesis are empty',
  });
  assert.deepEqual(ratesOf('', 'a b'), {
    wer: null,
    cer: null,
    mer: 1,
    wil: 1,
    wip: 0,
    wordAccuracy: null,
    reason: 'the reference is empty',
  });
  assert.deepEqual(ratesOf('a b', ''), { wer: 1, cer: 1, mer: 1, wil: 1, wip: 0, wordAccuracy: 0 });
});

test('A cut reference moves the mean of a hundred by a tenth, the clipped mean by a hundredth, pooling by its words.', () => {
  // As in published transcripts where a reference was cut to one of eleven words that were all recognized.
  const tally = createScoreTally();
  const right: EditCounts = { ...noEdits, correct: 10 };
  for (let utterance = 0; utterance < 99; utterance++) tally.add(right, right);
  const cut: EditCounts = { correct: 1, substitutions: 0, deletions: 0, insertions: 10 };
  tally.add(cut, cut);
  const { macro, clippedMacro, pooled, sentenceErrors, sentenceErrorRate } = tally.score();
  assert.ok(Math.abs(macro.wer! - 0.1) < 1e-12);
  assert.ok(Math.abs(clippedMacro.wer! - 0.01) < 1e-12);
  assert.ok(Math.abs(pooled.wer! - 10 / 991) < 1e-12);
  assert.deepEqual([sentenceErrors, sentenceErrorRate], [1, 0.01]);
});

test('Of no utterances, and of references that are all empty, nothing is said but why.', () => {
  const tally = createScoreTally();
  const nothing = tally.score();
  assert.equal(nothing.pooled.wer, null);
  assert.equal(nothing.sentenceErrorRate, null);
  assert.equal(nothing.macro.reason, 'there are no utterances');
  tally.add({ ...noEdits, insertions: 2 }, { ...noEdits, insertions: 9 });
  const { macro, pooled, sentenceErrors } = tally.score();
  assert.deepEqual([macro.wer, macro.leftOut, macro.reason], [null, 1, 'every reference is empty']);
  assert.deepEqual([pooled.wer, pooled.mer, pooled.reason], [null, 1, 'the reference is empty']);
  assert.equal(sentenceErrors, 1);
});
