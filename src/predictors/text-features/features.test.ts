// Expected values are counted by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, type Random } from '../../base/random.ts';
import { createCollection, sentenceEdgeHash, textWords } from './collection.ts';
import { createHashColumns, parsePronunciations, wordFeatures } from './hashed-features.ts';
import { ngramBlock } from './text-features.ts';
import { measureBlock, measureTexts } from './text-measures.ts';
import { wordBlock } from './word-block.ts';

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
  assert.equal(collection.pairCount(sentenceEdgeHash, hash('a')), 1);
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

const randomTexts = (count: number, random: Random) =>
  Array.from({ length: count }, () =>
    Array.from({ length: 4 + random.integer(8) }, () => `w${random.integer(60)}`).join(' '),
  );

test('From words that were misheard it is learned which words are to blame, whoever else stands beside them.', () => {
  const random = createRandom('blame');
  const texts = [...new Set(randomTexts(160, random))];
  const collection = createCollection(texts, null);
  const rowsOf = (some: readonly string[]) => Uint32Array.from(some, (text) => collection.rowOf.get(text)!);
  const isBad = (word: string) => Number(word.slice(1)) < 6;
  const misheard = (text: string) => Float64Array.from(text.split(' '), (word) => Number(isBad(word)));
  const tried = texts.slice(0, 80);
  const pool = texts.slice(80);
  const spoken = tried.map((text) => ({ row: collection.rowOf.get(text)!, misheard: misheard(text) }));
  const block = wordBlock(collection, spoken, rowsOf(pool), 'determinable')!;
  const scores = new Float64Array(pool.length);
  block.addScores(Float64Array.of(1), scores);
  const hard = (place: number) => pool[place]!.split(' ').some(isBad);
  const [worst, best] = [
    Math.max(...scores.filter((_, place) => hard(place))),
    Math.min(...scores.filter((_, place) => !hard(place))),
  ];
  assert.ok(pool.some((_, place) => hard(place)) && worst < best, `${worst} beside ${best}`);
  // Longer texts are likelier to have a word misheard.
  assert.deepEqual([block.prior!.determinable[0], block.prior!.failing[0]], [1, 0]);
  assert.deepEqual(wordBlock(collection, spoken, rowsOf(pool), 'failing')!.prior!.failing[0], -1);
});

test('What words say of a tried text is learned from others: nothing, where there is nothing to learn.', () => {
  const random = createRandom('nothing');
  const texts = [...new Set(randomTexts(400, random))];
  const collection = createCollection(texts, null);
  const spoken = texts.map((text) => ({
    row: collection.rowOf.get(text)!,
    misheard: Float64Array.from(text.split(' '), () => Number(random.next() < 0.1)),
  }));
  const block = wordBlock(collection, spoken, new Uint32Array(), 'determinable')!;
  // Of texts of one length those with a word misheard stand no lower than the others.
  const ranks = (length: number) => {
    const rows = [...texts.keys()].filter((text) => spoken[text]!.misheard.length === length);
    const value = (text: number) => block.row(text).values[0]!;
    const isRight = (text: number) => spoken[text]!.misheard.every((share) => share === 0);
    const pairs = rows
      .filter(isRight)
      .flatMap((right) => rows.filter((row) => !isRight(row)).map((wrong) => [right, wrong]));
    return pairs.map(([right, wrong]): number => Number(value(right!) > value(wrong!)));
  };
  const all = [4, 5, 6, 7, 8, 9, 10, 11].flatMap(ranks);
  const share = all.reduce((sum, one) => sum + one, 0) / all.length;
  assert.ok(all.length > 1000 && Math.abs(share - 0.5) < 0.08, `${share} of ${all.length}`);
});

test('Nothing is said of words where it is not known what became of them, or where hardly any was misheard.', () => {
  const texts = randomTexts(60, createRandom('few'));
  const collection = createCollection(texts, null);
  const rows = Uint32Array.from(texts, (text) => collection.rowOf.get(text)!);
  const heard = (share: number) =>
    texts.map((text, place) => ({
      row: rows[place]!,
      misheard: Float64Array.from(text.split(' '), (_, word) => Number(place === 0 && word === 0 ? 1 : share)),
    }));
  assert.equal(wordBlock(collection, [null], rows, 'determinable'), null);
  assert.equal(wordBlock(collection, heard(0), rows, 'determinable'), null);
  assert.equal(wordBlock(collection, heard(1), rows, 'determinable'), null);
  assert.equal(wordBlock(collection, [], rows, 'determinable'), null);
  assert.equal(wordBlock(collection, [{ row: rows[0]!, misheard: null }], rows, 'failing'), null);
});
