import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonText } from '../../model/reason.ts';
import { studentQuantile } from '../distributions.ts';
import { type CrossedCell, crossedContrast } from './crossed-contrast.ts';

const strata = [
  { weight: -1, side: 0 },
  { weight: 1, side: 1 },
];
const options = { level: 0.95, minimumSpeakers: 5 };

/** Twenty speakers of two groups, each heard by five listeners, one of whom has trouble with the second group. */
const cells: CrossedCell[] = Array.from({ length: 100 }, (_, place) => {
  const [speaker, listener] = [Math.floor(place / 5), place % 5];
  const stratum = speaker < 8 ? 0 : 1;
  const trouble = listener === 1 && stratum === 1 ? 6 : 0;
  return {
    ...{ speaker, listener, stratum, denominator: 4 + ((speaker * listener) % 5) },
    numerator:
      (((speaker * speaker * 3 + listener * listener * 5 + speaker * listener * 7) % 11) % 5) + trouble + (speaker % 3),
  };
});

test('The variance is that of speakers and what listeners add, as a plain program of the published formula has it.', () => {
  const { interval, pValue, speakers, listeners } = crossedContrast(cells, strata, options);
  const { value, low, high, method } = interval;
  assert.deepEqual([speakers, listeners], [20, 5]);
  // Python, from Cameron, Gelbach and Miller (2011) with residuals divided by the root of 1 less their share.
  assert.ok(Math.abs(value! - 0.17860962566844918) < 1e-12);
  assert.match(method, /t with 3.5 degrees of freedom/);
  assert.ok(Math.abs((low! + high!) / 2 - value!) < 1e-12);
  assert.ok(
    Math.abs((high! - value!) / studentQuantile(0.975, 3.5279282535869205) - 0.18075703240715463) < 1e-9,
    String(high! - value!),
  );
  assert.ok(pValue! > 0 && pValue! < 1);
});

test('Listeners who differ widen the interval, and turned round it is the same with the other sign.', () => {
  const both = crossedContrast(cells, strata, options).interval;
  const alone = crossedContrast(
    cells.map((cell, listener) => ({ ...cell, listener })),
    strata,
    options,
  ).interval;
  assert.ok(both.high! - both.low! > 1.2 * (alone.high! - alone.low!));
  const turned = crossedContrast(
    cells,
    strata.map(({ weight, side }) => ({ weight: -weight, side })),
    options,
  ).interval;
  assert.ok(Math.abs(turned.low! + both.high!) < 1e-12);
});

test('With too few listeners or speakers there is a value and no interval, and without words nothing; all with a reason.', () => {
  const of = (chosen: readonly CrossedCell[]) => crossedContrast(chosen, strata, options);
  const three = of(cells.filter(({ listener }) => listener < 3)).interval;
  assert.deepEqual([three.low, three.reason], [null, { code: 'few-units', need: 4, have: [3], unit: 'listener' }]);
  assert.notEqual(three.value, null);
  const few = of(cells.filter(({ speaker }) => speaker > 4));
  assert.deepEqual([few.interval.low, few.pValue, few.detectable], [null, null, null]);
  assert.match(reasonText(few.interval.reason!), /5.*3/);
  const one = of(cells.filter(({ stratum }) => stratum === 1)).interval;
  assert.deepEqual([one.value, one.reason], [null, { code: 'not-heard-by-listeners' }]);
  const alike = of(cells.map((cell) => ({ ...cell, numerator: cell.denominator })));
  assert.deepEqual([alike.interval.value, alike.interval.low], [0, null]);
});

test('What a further study finds does not rest on listeners who, by chance, differed less than chance.', () => {
  // Every listener has the same sum of errors, so that listeners add less than nothing.
  const level: CrossedCell[] = [0, 1].flatMap((stratum) =>
    Array.from({ length: 64 }, (_, n) => {
      const [speaker, listener] = [n >> 2, n & 3];
      const numerator = 5 + (speaker % 2 === 0 ? 1 : -1) + [2, 0, -2, 0][(listener + (speaker >> 1)) % 4]!;
      return { speaker: 16 * stratum + speaker, listener, stratum, numerator, denominator: 20 };
    }),
  );
  const { interval, detectable } = crossedContrast(level, strata, options);
  const freedom = Number(/with ([\d.]+) degrees/.exec(interval.method)![1]);
  const ofThisOne =
    (interval.high! - interval.value!) * (1 + studentQuantile(0.8, freedom) / studentQuantile(0.975, freedom));
  assert.ok(detectable! > 1.03 * ofThisOne, `${detectable} beside ${ofThisOne}`);
});
