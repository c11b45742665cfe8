// Expected values are counted by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { createCollection, edgeHash } from './collection.ts';
import { createHashColumns } from './hash-columns.ts';
import { ngramBlock } from './ngram-block.ts';
import { parsePronunciations } from './parse-pronunciations.ts';
import { measureBlock, measureTexts } from './text-measures.ts';
import { textWords } from './text-words.ts';
import { wordFeatures } from './word-features.ts';

test('Words stand between blanks; letters of scripts without blanks are words of their own.', () => {
  assert.deepEqual(textWords('  Two\twords 你好ok สวัส'), ['two', 'words', '你', '好', 'ok', 'ส', 'ว', 'ั', 'ส']);
  assert.deepEqual(textWords(''), []);
});

test('A dictionary gives the first pronunciation of each word, lower-case; remarks and lines without phonemes give none.', () => {
  const dictionary = ';;; remark\n## remark\nVote V OW T\nvote(2) V OW\r\n(2) B\nlone\n\nconstructor K\n\tx\tEH K S\t';
  assert.deepEqual(
    [...parsePronunciations(dictionary)],
    [
      ['vote', 'V OW T'],
      ['(2)', 'B'],
      ['constructor', 'K'],
      ['x', 'EH K S'],
    ],
  );
  assert.equal(parsePronunciations('').size, 0);
});

test('Stretches of a word are those of 2 to 4 letters with its edges, and of 1 to 3 phonemes.', () => {
  // " ab " has 3 + 2 + 1 stretches; A B C has 3 + 2 + 1.
  assert.equal(wordFeatures('ab', null).stretches.length, 6);
  const known = wordFeatures('ab', new Map([['ab', 'A B C']]));
  assert.equal(known.stretches.length, 12);
  assert.deepEqual([known.sounds, known.pronounced, known.foreign], [3, true, false]);
  const unknown = wordFeatures('übel', new Map());
  assert.deepEqual([unknown.pronounced, unknown.foreign, unknown.letters], [false, true, 4]);
  assert.equal(wordFeatures('europe', null).sounds, 3);
  assert.ok(wordFeatures('x'.repeat(1e6), null).stretches.length < 10);
});

test('A collection counts words and pairs over the set of texts, whatever their order.', () => {
  const collection = createCollection(['a b', 'b a b', 'a b'], null);
  assert.equal(collection.rowOf.size, 2);
  assert.equal(collection.wordCount, 5);
  const number = (word: string) => collection.words.findIndex(({ hash }) => hash === wordFeatures(word, null).hash);
  assert.deepEqual([collection.wordCounts[number('a')], collection.wordCounts[number('b')]], [2, 3]);
  const hash = (word: string) => wordFeatures(word, null).hash;
  assert.equal(collection.pairCount(hash('a'), hash('b')), 2);
  assert.equal(collection.pairCount(hash('b'), hash('a')), 1);
  assert.equal(collection.pairCount(edgeHash, hash('a')), 1);
  assert.equal(collection.pairCount(hash('a'), hash('a')), 0);
  assert.deepEqual(measureTexts(createCollection(['b a b', 'a b'], null)), measureTexts(collection));
});

test('Measures are put in units of their deviation; what is alike in all texts is 0.', () => {
  const collection = createCollection(['a', 'a a a'], null);
  const measured = measureTexts(collection);
  const block = measureBlock(measured, Uint32Array.of(0, 1), Uint32Array.of(1, 0));
  // Words: 1 and 3 have mean 2 and deviation 1.
  assert.deepEqual([block.row(0).values[0], block.row(1).values[0]], [-1, 1]);
  assert.ok(measured.every(Number.isFinite));
  const scores = Float64Array.of(10, 10);
  block.addScores(
    Float64Array.from({ length: block.columns }, (_, column) => (column === 0 ? 2 : 0)),
    scores,
  );
  assert.deepEqual([...scores], [12, 8]);
});

test('Scores of the pool are the products that its rows would give.', () => {
  const texts = ['the vote', 'the boat floats', 'a vote', 'the boat votes', '', 'no'];
  const collection = createCollection(
    texts,
    new Map([
      ['vote', 'V OW T'],
      ['boat', 'B OW T'],
    ]),
  );
  const rowsOf = (some: readonly string[]) => Uint32Array.from(some, (text) => collection.rowOf.get(text)!);
  const tried = rowsOf(texts.slice(0, 5));
  const block = ngramBlock(collection, tried, tried);
  const random = createRandom('coefficients');
  const coefficients = Float64Array.from({ length: block.columns }, () => random.normal());
  const scores = new Float64Array(5);
  block.addScores(coefficients, scores);
  scores.forEach((score, text) => {
    const { indexes, values } = block.row(text);
    const expected = Array.from(indexes).reduce(
      (sum, column, place) => sum + coefficients[column]! * values[place]!,
      0,
    );
    assert.ok(Math.abs(score - expected) < 1e-12, `${score} is not ${expected}`);
  });
  assert.equal(block.row(4).indexes.length, 0);
  const others = new Float64Array(1);
  ngramBlock(collection, tried, rowsOf(['no'])).addScores(coefficients, others);
  assert.deepEqual([...others], [0]);
});

test('Columns of hashes are those of a Map, also where many share a place.', () => {
  const random = createRandom('hashes');
  const columns = createHashColumns();
  const expected = new Map<number, number>();
  for (let index = 0; index < 20_000; index++) {
    // Every second one in a few places of the table.
    const hash = index % 2 === 0 ? random.integer(2 ** 32) : random.integer(3000) * 2 ** 20;
    assert.equal(columns.find(hash), expected.get(hash) ?? -1);
    if (!expected.has(hash)) expected.set(hash, expected.size);
    assert.equal(columns.add(hash), expected.get(hash));
  }
  assert.equal(columns.count, expected.size);
});
