import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coversLanguage, type SentenceEmbedder } from '../../model/text-services.ts';
import { semanticSimilarity } from './semantic-similarity.ts';

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
