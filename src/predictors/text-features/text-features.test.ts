import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sha256 } from '../../base/hash.ts';
import { createRandom } from '../../base/random.ts';
import { testPredictor } from '../conformance.ts';
import type { Predictor, PredictorServices, TriedText } from '../contract.ts';
import { textFeatures } from './text-features.ts';

const baseFolder = mkdtempSync(join(tmpdir(), 'earwitness-predictors-'));
after(() => rmSync(baseFolder, { recursive: true, force: true }));
const services: PredictorServices = {
  baseFolder,
  environment: () => undefined,
  fileHash: async (path) => sha256(await readFile(path)),
};
const open = (options: object = {}): Promise<Predictor> =>
  textFeatures.open(textFeatures.options.parse(options), services);

testPredictor({ kind: textFeatures, options: {}, services });

/** How often one of the first is ranked before one of the others. */
function ranked(chances: Float64Array, isFirst: (place: number) => boolean): number {
  let [pairs, right] = [0, 0];
  chances.forEach((first, place) => {
    if (!isFirst(place)) return;
    chances.forEach((other, otherPlace) => {
      if (isFirst(otherPlace)) return;
      pairs++;
      right += first > other ? 1 : first === other ? 0.5 : 0;
    });
  });
  return right / pairs;
}

/** Texts of ten words of 300, and what becomes of them by rules that are known here. */
function invented(count: number, seed: string) {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => Array.from({ length: 10 }, () => `w${random.integer(300)}`).join(' '));
}
const has = (text: string, words: readonly string[]) => text.split(' ').some((word) => words.includes(word));
const hard = Array.from({ length: 15 }, (_, index) => `w${index}`);
const failing = Array.from({ length: 60 }, (_, index) => `w${100 + index}`);
const judge = (text: string): TriedText => {
  const determinable = !has(text, hard);
  return { text, determinable, failed: determinable ? has(text, failing.slice(0, 15)) : null };
};

test('Words that make a text indeterminable, and words that fail, are learned from those that were tried.', async () => {
  const predictor = await open();
  const tried = invented(600, 'tried').map(judge);
  const pool = invented(400, 'pool');
  const { determinable, failing: failed } = await predictor.predict(tried, pool, 1);
  // By the rule, each is certain; by chance alone half of the pairs would be right.
  const right = ranked(determinable, (place) => judge(pool[place]!).determinable);
  assert.ok(right > 0.9, String(right));
  const left = pool.filter((text) => judge(text).determinable);
  const chances = Float64Array.from(left, (text) => failed[pool.indexOf(text)]!);
  const rightFailed = ranked(chances, (place) => judge(left[place]!).failed === true);
  assert.ok(rightFailed > 0.8, String(rightFailed));
});

test('With two determinable texts of 210, or none, short texts of frequent words stand first.', async () => {
  const predictor = await open();
  const random = createRandom('few');
  const text = (words: number, of: number) => Array.from({ length: words }, () => `w${random.integer(of)}`).join(' ');
  const easy = Array.from({ length: 50 }, () => text(3, 50));
  const difficult = Array.from({ length: 50 }, () => text(15, 5000));
  for (const determined of [0, 2]) {
    const tried = Array.from(
      { length: 210 },
      (_, index): TriedText => ({
        text: text(index < 2 ? 4 : 6 + (index % 10), 500),
        determinable: index < determined,
        failed: index < determined ? true : null,
      }),
    );
    const { determinable } = await predictor.predict(tried, [...easy, ...difficult], 1);
    assert.ok(ranked(determinable, (place) => place < 50) > 0.95);
    const mean = determinable.reduce((sum, chance) => sum + chance, 0) / 100;
    assert.ok(mean < 0.2, `${mean} of texts are thought to be determinable`);
  }
});

test('Shares of recognizers that failed are learned as shares.', async () => {
  const predictor = await open();
  const tried = invented(210, 'shares').map((text) => ({ text, determinable: true, failed: true, failedShare: 1 / 3 }));
  const { failing: shares } = await predictor.predict(tried, invented(50, 'others'), 1);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  assert.ok(Math.abs(mean - 1 / 3) < 0.05, String(mean));
  const { failing: any } = await predictor.predict(
    tried.map(({ failedShare: _, ...rest }) => rest),
    invented(50, 'others'),
    1,
  );
  assert.ok(any.every((chance) => chance > 0.8));
});

test('A dictionary is part of the identity by its content, and its missing words make a text harder.', async () => {
  const entries = Array.from({ length: 300 }, (_, index) => `w${index} W AH${index % 7} T`).filter(
    (_, index) => index % 2,
  );
  writeFileSync(join(baseFolder, 'some.dict'), `${entries.join('\n')}\n`);
  const predictor = await open({ dictionary: 'some.dict' });
  assert.notDeepEqual(predictor.identity, (await open()).identity);
  assert.equal(predictor.identity.dictionary, sha256(await readFile(join(baseFolder, 'some.dict'))));
  const pool = invented(200, 'spelled');
  const { determinable } = await predictor.predict([], pool, 1);
  const missing = (place: number) => pool[place]!.split(' ').filter((word) => Number(word.slice(1)) % 2 === 0).length;
  assert.ok(ranked(determinable, (place) => missing(place) < 5) > 0.6);
});

test('Further texts tell which words of a small pool are rare, and are part of the identity by their content.', async () => {
  // Each word of the pool stands in it once: without further texts all are alike.
  const common = Array.from({ length: 50 }, (_, index) => `often${index} usual${index}`);
  const rare = Array.from({ length: 50 }, (_, index) => `never${index} seldom${index}`);
  const lines = Array.from({ length: 2000 }, (_, index) => `Often${index % 50} usual${(index * 7) % 50} ${index}\r`);
  writeFileSync(join(baseFolder, 'further.txt'), `\ufeff${lines.join('\n')}\n`);
  const predictor = await open({ texts: 'further.txt' });
  assert.equal(predictor.identity.texts, sha256(await readFile(join(baseFolder, 'further.txt'))));
  const pool = [...common, ...rare];
  const { determinable } = await predictor.predict([], pool, 1);
  assert.equal(
    ranked(determinable, (place) => place < 50),
    1,
  );
  const { determinable: alone } = await (await open()).predict([], pool, 1);
  assert.ok(Math.abs(ranked(alone, (place) => place < 50) - 0.5) < 0.2);
  writeFileSync(join(baseFolder, 'empty.txt'), '\n \n');
  for (const [file, message] of [
    ['none.txt', /expected texts at none\.txt, but it cannot be read/],
    ['empty.txt', /expected a text on each line of empty\.txt, but it has none/],
  ] as const) {
    await assert.rejects(open({ texts: file }), { code: 'bad-config', message });
  }
});

test('A dictionary that cannot be read or holds no pronunciation is refused in one sentence.', async () => {
  await assert.rejects(open({ dictionary: 'none.dict' }), {
    code: 'bad-config',
    message: /none\.dict, but it cannot be read/,
  });
  writeFileSync(join(baseFolder, 'empty.dict'), ';;; nothing\nword\n');
  await assert.rejects(open({ dictionary: 'empty.dict' }), { code: 'bad-config', message: /no line is so/ });
});
