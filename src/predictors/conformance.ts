// What every predictor must do, whatever it learns with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson } from '../base/hash.ts';
import { assertDescribed, assertWithoutPaths } from '../base/testing/described.ts';
import type { Prediction, Predictor, PredictorKind, PredictorServices, TriedText } from './contract.ts';

/** A member with what it needs to be tried. */
export interface PredictorCase<Options> {
  readonly kind: PredictorKind<Options>;
  readonly options: unknown;
  readonly services: PredictorServices;
}

const words = 'the union must vote on a report of energy and fish today'.split(' ');
/** Texts of one to twelve words, all different. */
const texts = Array.from({ length: 60 }, (_, index) =>
  Array.from({ length: 1 + (index % 12) }, (_, place) => words[(index * 7 + place * 5) % 12]!).join(' '),
).map((text, index) => `${text} number ${index}`);
const tried = texts.slice(0, 40).map((text, index): TriedText => {
  const determinable = text.split(' ').length < 9;
  const failed = determinable ? index % 3 === 0 : null;
  const missed = [determinable ? [] : [index % 7, 0], failed ? [1] : []];
  return { text, determinable, failed, failedShare: determinable ? (failed ? 2 / 3 : 0) : null, missed };
});
const pool = texts.slice(40);

/** Nothing that a file of texts may contain breaks a predictor. */
const hostileTexts = [
  '',
  ' \n\t ',
  'a\0b\u001b[31m\u202e',
  '\ud800 half',
  'x'.repeat(20_000),
  'word '.repeat(2000),
  '\u0301'.repeat(500),
  '__proto__ constructor toString',
  '你好世界 🏽 สวัสดี',
  'same',
  'same',
];

/** Registers the tests that every predictor must pass, under its name. */
export function testPredictor<Options>({ kind, options, services }: PredictorCase<Options>): void {
  const proves = (what: string, prove: (open: () => Promise<Predictor>) => Promise<void>) =>
    test(`${kind.name} ${what}.`, async () => {
      const opened: Predictor[] = [];
      await prove(async () => {
        opened.push(await kind.open(kind.options.parse(options), services));
        return opened.at(-1)!;
      });
      await Promise.all(opened.map((predictor) => predictor.close()));
    });

  test(`${kind.name} describes every option and refuses unknown ones.`, () => {
    assertDescribed(kind.options, options);
  });

  proves('tells its identity without paths, the same each time', async (open) => {
    const predictor = await open();
    assert.deepEqual((await open()).identity, predictor.identity);
    assertWithoutPaths(predictor.identity, services.baseFolder);
    await predictor.close();
  });

  proves('predicts the same whatever it was asked before', async (open) => {
    const fresh = await (await open()).predict(tried, pool, 3);
    const used = await open();
    await used.predict(tried.slice(0, 10), [...tried.slice(10).map(({ text }) => text), ...pool], 1);
    await used.predict([], ['something else'], 2);
    assert.deepEqual(await used.predict(tried, pool, 3), fresh);
    assert.deepEqual(await used.predict(tried, pool, 3), fresh);
  });

  proves('gives chances for every text, also where nothing can be learned', async (open) => {
    const predictor = await open();
    const alike = (determinable: boolean, failed: boolean | null) =>
      texts.slice(0, 9).map((text) => ({ text, determinable, failed }));
    const one = { text: 'one text', determinable: true, failed: true };
    for (const known of [
      [],
      [one],
      alike(false, null),
      alike(true, true),
      alike(true, false),
      [one, ...alike(false, null)],
    ]) {
      checkChances(await predictor.predict(known, pool, 1), pool.length);
    }
    checkChances(await predictor.predict(tried, [], 1), 0);
    checkChances(await predictor.predict([], [], 1), 0);
  });

  proves('takes hostile texts', async (open) => {
    const predictor = await open();
    const hostile = hostileTexts.map((text, index) => ({
      text,
      determinable: index % 2 === 0,
      failed: index % 2 === 0 ? index % 4 === 0 : null,
    }));
    checkChances(await predictor.predict(tried, hostileTexts, 1), hostileTexts.length);
    checkChances(await predictor.predict(hostile, hostileTexts, 1), hostileTexts.length);
  });

  proves('predicts the same in whatever order texts were tried', async (open) => {
    const predictor = await open();
    const forward = await predictor.predict(tried, pool, 5);
    const { determinable, failing } = await predictor.predict(tried.toReversed(), pool.toReversed(), 5);
    for (const [name, chances] of Object.entries({ determinable, failing })) {
      chances.toReversed().forEach((chance, place) => {
        const expected = forward[name as keyof Prediction][place]!;
        assert.ok(Math.abs(chance - expected) < 1e-9, `${chance} and ${expected}`);
      });
    }
  });

  proves('stops when it is told to, and changes nothing it is given', async (open) => {
    const predictor = await open();
    await assert.rejects(predictor.predict(tried, pool, 1, AbortSignal.abort(new Error('stopped'))), {
      message: 'stopped',
    });
    const before = canonicalJson(tried.map((text) => ({ ...text })));
    await predictor.predict(Object.freeze(tried) as typeof tried, Object.freeze([...pool]), 1);
    assert.equal(canonicalJson(tried.map((text) => ({ ...text }))), before);
  });
}

function checkChances({ determinable, failing }: Prediction, count: number): void {
  for (const chances of [determinable, failing]) {
    assert.equal(chances.length, count);
    assert.ok(
      chances.every((chance) => chance >= 0 && chance <= 1),
      chances.join(),
    );
  }
}
