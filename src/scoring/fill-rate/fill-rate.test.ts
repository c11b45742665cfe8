import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { countEdits } from '../alignment/count-edits.ts';
import { bleuOf, meanSentenceBleu } from '../bleu/bleu.ts';
import { bleuWeights } from '../bleu/bleu-options.ts';
import { countBleuNgrams } from '../bleu/ngram-counts.ts';
import { addCounts, errorRate, noEdits } from '../edit-counts.ts';
import { wordAccuracy } from '../rates/error-rates.ts';
import { fillRate } from './fill-rate.ts';

const folder = new URL('../../../../shared/golden/sr-mt/', import.meta.url);
const skip = existsSync(folder) ? false : 'shared/golden/sr-mt is not beside the repository';

test('Fill rate is the share of pairs with the same words in the same order.', () => {
  const { value, satisfied, pairs } = fillRate([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['a'], ['a', 'a']],
    [[], []],
  ]);
  assert.deepEqual([value, satisfied, pairs], [0.5, 2, 4]);
  assert.deepEqual(fillRate([]), { value: null, reason: 'there are no pairs', satisfied: 0, pairs: 0 });
});

test('All complete conditions of SR-MT’s Baidu transcripts come out to 1e-9: fill rate, BLEU and accuracy.', {
  skip,
}, () => {
  const { conditions } = JSON.parse(readFileSync(new URL('golden.json', folder), 'utf8'));
  let compared = 0;
  for (const corpus of ['thchs30', 'timit']) {
    const byCondition = new Map<string, [string[], string[]][]>();
    const tokens = (text: string) => (corpus === 'timit' ? text.split(' ').filter(Boolean) : [...text]);
    for (const line of readFileSync(new URL(`baidu-${corpus}.jsonl`, folder), 'utf8')
      .trim()
      .split('\n')) {
      const { condition, source, text } = JSON.parse(line);
      const pairs = byCondition.get(condition) ?? [];
      byCondition.set(condition, pairs);
      pairs.push([tokens(source), tokens(text)]);
    }
    for (const [condition, pairs] of byCondition) {
      const expected = conditions[`baidu/${corpus}/${condition}`];
      if (!expected?.complete) continue;
      compared++;
      const near = (actual: number | null, value: number, what: string) =>
        assert.ok(Math.abs(actual! - value) <= 1e-9, `${corpus} ${condition} ${what}: ${actual}, expected ${value}`);
      near(fillRate(pairs).value, expected.fillRate, 'fill rate');
      assert.equal(fillRate(pairs).satisfied, expected.satisfied);
      const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
      const texts = pairs.map(([source, text]) => ({ references: [source], hypothesis: text }));
      near(meanSentenceBleu(texts).value, expected.bleu4, 'mean BLEU-4');
      const grams = texts.map(({ references, hypothesis }) => countBleuNgrams(references, hypothesis, 4));
      for (const [key, weights] of [
        ['bleu1', bleuWeights['bleu-1']],
        ['bleu2', bleuWeights['bleu-2']],
        ['bleu2_slip', bleuWeights['sr-mt/bleu-2']],
        ['bleu3', bleuWeights['bleu-3']],
        ['bleu3_033', bleuWeights['sr-mt/bleu-3']],
        ['bleu4', bleuWeights['bleu-4']],
      ] as const) {
        const score = mean(grams.map((counts) => bleuOf(counts, { weights }).value ?? 0));
        near(score, expected[key], key);
        const { author } = expected;
        const number = key.slice(0, 5);
        if ((author[`${number}Variant`] ?? number) === key) near(score, author[number], `${key} of the authors`);
      }
      const counts = pairs.map(([source, text]) => countEdits(source, text)).filter((one) => errorRate(one) !== null);
      const accuracies = counts.map((one) => wordAccuracy(one)!);
      const accuracy = expected.accuracy[expected.unit];
      near(mean(accuracies), accuracy.macro, 'accuracy');
      near(mean(accuracies), expected.author.accuracy, 'accuracy of the authors');
      near(mean(accuracies.map((one) => Math.max(0, one))), accuracy.clipped, 'clipped accuracy');
      const all = counts.reduce(addCounts, noEdits);
      near(wordAccuracy(all), accuracy.pooled, 'pooled accuracy');
    }
  }
  assert.equal(compared, Object.values<{ complete: boolean }>(conditions).filter(({ complete }) => complete).length);
});
