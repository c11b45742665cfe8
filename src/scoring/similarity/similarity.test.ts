import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { coversLanguage, type SentenceEmbedder } from '../../model/sentence-embedder.ts';
import { none } from '../normalizers/normalizers.ts';
import { chrf, lexicalSimilarity } from './lexical-similarity.ts';
import { semanticSimilarity } from './semantic-similarity.ts';

const golden = new URL('../../../../shared/golden/bleu/bleu.json', import.meta.url);
const skip = existsSync(golden) ? false : 'shared/golden/bleu is not beside the repository';

/** Counts letters a, b and c: a real embedding, though of little sense. */
function lettersEmbedder(asked: string[][] = [], vector = lettersOf): SentenceEmbedder {
  return {
    model: { name: 'letters', revision: 1 },
    languages: ['en'],
    async embed(texts) {
      asked.push([...texts]);
      return texts.map(vector);
    },
  };
}

function lettersOf(text: string): Float32Array {
  return Float32Array.from(['a', 'b', 'c'], (letter) => text.split(letter).length - 1);
}

test('Semantic similarity is the cosine of the vectors, and each text is embedded once.', async () => {
  const asked: string[][] = [];
  const result = await semanticSimilarity(
    [
      { reference: 'ab', hypothesis: 'ab' },
      { reference: 'ab', hypothesis: 'a' },
      { reference: 'a', hypothesis: 'c' },
    ],
    lettersEmbedder(asked),
    { language: 'en-GB' },
  );
  assert.deepEqual(asked, [['ab', 'a', 'c']]);
  assert.deepEqual(result.model, { name: 'letters', revision: 1 });
  assert.ok(Math.abs(result.pairs[0]!.value! - 1) < 1e-12);
  assert.ok(Math.abs(result.pairs[1]!.value! - Math.SQRT1_2) < 1e-12);
  assert.equal(result.pairs[2]!.value, 0);
  assert.equal(result.note, undefined);
});

test('Where a model read a text in part the pair says so, and where it read nothing why there is no value.', async () => {
  const embedder: SentenceEmbedder = {
    ...lettersEmbedder(),
    async embedTexts(texts) {
      return texts.map((text) => {
        if (text === '?') return { vector: null, reason: 'it has no token that the model knows' };
        return text.length > 3 ? { vector: lettersOf(text), note: 'cut to 3 tokens' } : { vector: lettersOf(text) };
      });
    },
  };
  const pairs = [
    { reference: 'aaaa', hypothesis: 'a' },
    { reference: 'aaaa', hypothesis: 'bbbb' },
    { reference: 'a', hypothesis: '?' },
    { reference: 'a', hypothesis: 'ab' },
  ];
  const result = await semanticSimilarity(pairs, embedder, { language: 'en' });
  assert.deepEqual(result.pairs.slice(0, 3), [
    { value: 1, note: 'the reference: cut to 3 tokens' },
    { value: 0, note: 'the reference: cut to 3 tokens; the hypothesis: cut to 3 tokens' },
    { value: null, reason: 'the hypothesis: it has no token that the model knows' },
  ]);
  assert.equal(result.pairs[3]!.note, undefined);
});

test('In a language that the embedder does not declare nothing is computed, unless asked for, and then it says so.', async () => {
  const asked: string[][] = [];
  const pairs = [{ reference: 'a', hypothesis: 'b' }];
  const refused = await semanticSimilarity(pairs, lettersEmbedder(asked), { language: 'zh' });
  assert.deepEqual(refused.pairs, [{ value: null, reason: 'the model letters declares en, not zh' }]);
  assert.deepEqual(asked, []);
  const computed = await semanticSimilarity(pairs, lettersEmbedder(asked), { language: 'zh', anyLanguage: true });
  assert.equal(computed.pairs[0]!.value, 0);
  assert.equal(computed.note, 'the model letters declares en, not zh; computed all the same, as the profile asks');
});

test('An empty text has no similarity, and neither has a vector of zeros.', async () => {
  const asked: string[][] = [];
  const { pairs } = await semanticSimilarity(
    [
      { reference: ' \n', hypothesis: 'a' },
      { reference: 'a', hypothesis: '' },
      { reference: '', hypothesis: '' },
      { reference: 'x', hypothesis: 'a' },
    ],
    lettersEmbedder(asked),
    { language: 'en' },
  );
  assert.deepEqual(
    pairs.map(({ value, reason }) => value ?? reason),
    ['the reference is empty', 'the hypothesis is empty', 'both texts are empty', 'the model gave a vector of zeros'],
  );
  assert.deepEqual(asked, [['x', 'a']]);
});

test('An embedder that gives too few vectors, or vectors of different lengths, is refused.', async () => {
  const pairs = [{ reference: 'a', hypothesis: 'bb' }];
  const few: SentenceEmbedder = { ...lettersEmbedder(), embed: async () => [lettersOf('a')] };
  await assert.rejects(semanticSimilarity(pairs, few, { language: 'en' }), /expected 2 vectors.* gave 1/);
  const uneven = lettersEmbedder([], (text) => new Float32Array(text.length));
  await assert.rejects(semanticSimilarity(pairs, uneven, { language: 'en' }), /gave 1 and 2 numbers/);
  const broken = lettersEmbedder([], () => Float32Array.of(Number.NaN));
  const { pairs: values } = await semanticSimilarity(pairs, broken, { language: 'en' });
  assert.deepEqual(values, [{ value: null, reason: 'the model gave a vector that is not finite' }]);
});

test('A declared language covers its regions and no other language.', () => {
  assert.ok(coversLanguage(['EN'], 'en-us'));
  assert.ok(!coversLanguage(['en'], 'eng'));
  assert.ok(!coversLanguage(['pt-BR'], 'pt'));
  assert.ok(!coversLanguage([''], 'en'));
});

test('chrF and chrF++ of pairs made by hand are those of sacreBLEU.', () => {
  const scores = JSON.parse(readFileSync(new URL('../bleu/program-scores.json', import.meta.url), 'utf8'));
  for (const { reference, hypothesis, chrf: plain, chrfPlusPlus } of scores.pairs) {
    const pair = [{ references: [reference], hypothesis }];
    assert.ok(Math.abs(100 * chrf(pair).value! - plain) < 1e-9, reference);
    assert.ok(Math.abs(100 * chrf(pair, { wordOrder: 2 }).value! - chrfPlusPlus) < 1e-9, reference);
  }
});

test('Every chrF of the golden comes out to 1e-9.', { skip }, () => {
  const { sentences, corpus } = JSON.parse(readFileSync(golden, 'utf8'));
  const all: { references: string[]; hypothesis: string }[] = [];
  for (const { ref, hyp, chrf: plain, 'chrf++': withWords } of sentences) {
    const pair = { references: [ref], hypothesis: hyp };
    all.push(pair);
    assert.ok(Math.abs(100 * chrf([pair]).value! - plain) < 1e-9, ref);
    assert.ok(Math.abs(100 * chrf([pair], { wordOrder: 2 }).value! - withWords) < 1e-9, ref);
  }
  assert.ok(Math.abs(100 * chrf(all).value! - corpus.chrf) < 1e-9);
  assert.ok(Math.abs(100 * chrf(all, { wordOrder: 2 }).value! - corpus['chrf++']) < 1e-9);
});

test('chrF of several references is that of the best one, and does not exist where nothing was said.', () => {
  assert.equal(chrf([{ references: ['x', 'the cat'], hypothesis: 'the cat' }]).value, 1);
  assert.deepEqual(chrf([{ references: [' '], hypothesis: 'a' }]), { value: null, reason: 'the reference is empty' });
  assert.equal(chrf([{ references: ['a'], hypothesis: '' }]).value, 0);
  assert.throws(() => chrf([{ references: [], hypothesis: '' }]), RangeError);
  assert.throws(() => chrf([], { characterOrder: 0 }), RangeError);
  assert.throws(() => chrf([], { characterOrder: 1.5 }), RangeError);
});

test('Lexical similarity has the name of its measure; it is symmetric for words and 1 for the same text.', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', '__proto__', 'ß', '你'), { maxLength: 6 });
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const pair = { reference: one.join(' '), hypothesis: other.join(' ') };
      const turned = { reference: pair.hypothesis, hypothesis: pair.reference };
      const { measure, pairs } = lexicalSimilarity(
        [pair, turned, { ...pair, hypothesis: pair.reference }],
        'token-f1',
        none,
      );
      assert.equal(measure, 'token-f1');
      assert.deepEqual(pairs[0], pairs[1]);
      assert.equal(pairs[2]!.value, one.length === 0 ? null : 1);
    }),
    { seed: 4 },
  );
  assert.equal(lexicalSimilarity([{ reference: 'a b', hypothesis: 'b c' }], 'token-f1', none).pairs[0]!.value, 0.5);
  const { pairs } = lexicalSimilarity([{ reference: '', hypothesis: 'x' }], 'chrf', none);
  assert.deepEqual(pairs, [{ value: 0 }]);
});
