import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { golden } from '../../base/testing/golden.ts';
import { bleuOf, sentenceBleu } from './bleu.ts';
import { type BleuOptions, type BleuSmoothing, bleuSmoothings, bleuWeights, ordersToCount } from './bleu-options.ts';
import { addBleuCounts, countBleuNgrams } from './ngram-counts.ts';

const goldens = golden('bleu/bleu.json');
const programScores: ProgramScores[] = JSON.parse(
  readFileSync(new URL('program-scores.json', import.meta.url), 'utf8'),
).pairs;
const words = (text: string) => text.split(/\s+/u).filter(Boolean);

interface ProgramScores {
  readonly reference: string;
  readonly hypothesis: string;
  readonly exp: number;
  readonly floor: number;
  readonly addK: number;
  readonly none: number;
  readonly effective: number;
  readonly nltk: readonly (number | null)[];
}

function near(actual: number | null, expected: number | null, what: string): void {
  if (actual === null || expected === null) assert.equal(actual, expected, what);
  else assert.ok(Math.abs(actual - expected) <= 1e-9, `${what}: ${actual}, expected ${expected}`);
}

function score(reference: string, hypothesis: string, options: BleuOptions): number | null {
  return sentenceBleu([words(reference)], words(hypothesis), options).value;
}

/** Of many pairs: their counts added up, then one score. */
function corpusBleu(
  pairs: readonly { readonly references: readonly (readonly string[])[]; readonly hypothesis: readonly string[] }[],
  options: BleuOptions,
) {
  const orders = ordersToCount(options);
  const counts = pairs.map(({ references, hypothesis }) => countBleuNgrams(references, hypothesis, orders));
  return bleuOf(counts.reduce(addBleuCounts), options);
}

test('BLEU of pairs made by hand is that of sacreBLEU and NLTK.', () => {
  for (const pair of programScores) {
    const { reference, hypothesis } = pair;
    const what = `${reference} | ${hypothesis}`;
    const percent = (options: BleuOptions) => 100 * score(reference, hypothesis, options)!;
    near(percent({ smoothing: 'exp' }), pair.exp, what);
    near(percent({ smoothing: 'floor' }), pair.floor, what);
    near(percent({ smoothing: 'add-k' }), pair.addK, what);
    near(percent({}), pair.none, what);
    near(percent({ smoothing: 'exp', effectiveOrder: true }), pair.effective, what);
    for (const [method, expected] of pair.nltk.entries()) {
      near(
        score(reference, hypothesis, { smoothing: `nltk-${method}` as BleuSmoothing }),
        expected,
        `${method} ${what}`,
      );
    }
  }
});

test('Every BLEU of the golden comes out to 1e-9.', () => {
  const { sentences, corpus } = JSON.parse(readFileSync(goldens, 'utf8'));
  const named: Record<string, readonly number[]> = {
    '1': bleuWeights['bleu-1'],
    '2': bleuWeights['bleu-2'],
    '3': bleuWeights['bleu-3'],
    '4': bleuWeights['bleu-4'],
    '3_as_.33': bleuWeights['sr-mt/bleu-3'],
    '2_slip_.5000': bleuWeights['sr-mt/bleu-2'],
  };
  let compared = 0;
  const percent = (actual: number | null, expected: number, what: string) => {
    near(100 * actual!, expected, what);
    compared++;
  };
  for (const pair of sentences) {
    const { ref, hyp } = pair;
    for (const [name, expected] of Object.entries<number>(pair.sacrebleu_sentence)) {
      const [smoothing, value] = name.split('_') as [BleuSmoothing, string?];
      percent(score(ref, hyp, { smoothing, ...(value ? { smoothingValue: Number(value) } : {}) }), expected, name);
    }
    const effective = { smoothing: 'exp', effectiveOrder: true } as const;
    percent(score(ref, hyp, effective), pair.sacrebleu_sentence_effective_order_exp, ref);
    for (const [name, weights] of Object.entries(named)) {
      near(score(ref, hyp, { weights, smoothing: 'nltk-0' }), pair.nltk_no_smoothing[name], `${name} ${ref}`);
    }
    for (let method = 1; method <= 7; method++) {
      const actual = score(ref, hyp, { smoothing: `nltk-${method}` as BleuSmoothing });
      near(actual, pair.nltk_smoothed_bleu4[`method${method}`], `method ${method} ${ref} | ${hyp}`);
    }
  }
  const pairs: { references: string[][]; hypothesis: string[] }[] = sentences.map(
    ({ ref, hyp }: { ref: string; hyp: string }) => ({ references: [words(ref)], hypothesis: words(hyp) }),
  );
  percent(corpusBleu(pairs, { smoothing: 'exp' }).value, corpus.sacrebleu_none_exp.score, 'corpus');
  for (const [name, weights] of Object.entries(named)) {
    near(corpusBleu(pairs, { weights, smoothing: 'nltk-0' }).value, corpus[`nltk_${name}`], name);
  }
  const twice = pairs.map(({ references, hypothesis }, index) => ({
    references: [...references, ...pairs[(index + 1) % pairs.length]!.references],
    hypothesis,
  }));
  percent(corpusBleu(twice, { smoothing: 'exp' }).value, corpus.two_references_next_pair.sacrebleu_none_exp, 'two');
  near(corpusBleu(twice, { smoothing: 'nltk-0' }).value, corpus.two_references_next_pair.nltk_4, 'two');
  for (const subset of corpus.subsets_of_5) {
    const some = pairs.slice(subset.from, subset.from + 5);
    percent(corpusBleu(some, { smoothing: 'exp' }).value, subset.sacrebleu_none_exp, 'subset');
    percent(corpusBleu(some, { smoothing: 'floor' }).value, subset['sacrebleu_none_floor_0.1'], 'subset');
    near(corpusBleu(some, { smoothing: 'nltk-0' }).value, subset.nltk_4, 'subset');
  }
  assert.equal(compared, 122 * 7 + 1 + 1 + 24);
});

test('Without smoothing an order without a match makes BLEU 0; as NLTK has it, a number next to nothing.', () => {
  assert.equal(score('a b c d e', 'a b x d e', {}), 0);
  const tiny = score('a b c d e', 'a b x d e', { smoothing: 'nltk-0' })!;
  // (4/5 x 2/4)^(1/4) x (2.2e-308)^(2/4), by hand.
  assert.ok(Math.abs(tiny / (0.4 ** 0.25 * Math.sqrt(2.2250738585072014e-308)) - 1) < 1e-12);
});

test('The BLEU-2 of the sr-mt slip is the root of the precision of single words.', () => {
  const slip = score('a b c d', 'a x c y', { weights: bleuWeights['sr-mt/bleu-2'] });
  near(slip, Math.sqrt(0.5), 'slip');
  assert.ok(slip! > score('a b c d', 'a x c y', { weights: bleuWeights['bleu-1'] })!);
});

const someWords = fc.array(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', '0'), { maxLength: 12 });

test('A text of four words or more against itself has a BLEU of 1, and nothing exceeds it without nltk-5 and nltk-7.', () => {
  fc.assert(
    fc.property(someWords, someWords, (reference, hypothesis) => {
      if (reference.length >= 4) near(sentenceBleu([reference], reference).value, 1, 'itself');
      for (const smoothing of Object.keys(bleuSmoothings) as BleuSmoothing[]) {
        const { value, reason } = sentenceBleu([reference], hypothesis, { smoothing });
        if (value === null) assert.ok(reason);
        else if (!['nltk-5', 'nltk-7'].includes(smoothing)) assert.ok(value >= 0 && value <= 1 + 1e-12, smoothing);
      }
    }),
    { seed: 3 },
  );
});

test('Where nothing was said BLEU does not exist; where nothing was recognized it is 0.', () => {
  assert.deepEqual(
    [sentenceBleu([[]], ['a']).value, sentenceBleu([[]], ['a']).reason],
    [null, 'the reference is empty'],
  );
  assert.equal(sentenceBleu([[]], []).value, null);
  assert.equal(sentenceBleu([['a']], []).value, 0);
  const unable = sentenceBleu([['a', 'b', 'c']], ['a'], { smoothing: 'nltk-6' });
  assert.deepEqual([unable.value, unable.reason], [null, 'nltk-6 needs a match of three words, and there is none']);
});

test('Options that do not go together are refused.', () => {
  const refused: BleuOptions[] = [
    { weights: [] },
    { weights: [0, 0] },
    { weights: [-1, 2] },
    { weights: [Number.NaN] },
    { smoothing: 'exp', smoothingValue: 1 },
    { smoothing: 'floor', smoothingValue: -1 },
    { smoothing: 'nltk-1', effectiveOrder: true },
    { weights: [0.5, 0.25], effectiveOrder: true },
    { smoothing: 'toString' as BleuSmoothing },
  ];
  for (const options of refused) assert.throws(() => sentenceBleu([['a']], ['a'], options), RangeError);
  assert.throws(() => sentenceBleu([], ['a']), RangeError);
  assert.throws(() => bleuOf(countBleuNgrams([['a']], ['a'], 4), { smoothing: 'nltk-5' }), /up to order 5/);
});
