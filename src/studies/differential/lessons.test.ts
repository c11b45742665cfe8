import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { CaseStatus } from './case.ts';
import type { Heard } from './heard.ts';
import { type CalibrationPoint, gatherOtherResults, type Lesson, withFailures, withOtherResults } from './lessons.ts';

const heardAs = (statuses: Readonly<Record<string, readonly (CaseStatus | null)[]>>): Heard => {
  const texts = Object.keys(statuses);
  return {
    pool: { texts: texts.map((text) => ({ text })) },
    at: (place: number) => ({ judgement: { exact: statuses[texts[place]!]! } }),
  } as unknown as Heard;
};

test('Others tell of what they tried whether anybody was right; what nobody answered tells nothing.', () => {
  const told = gatherOtherResults(
    [
      {
        tried: [0, 1, 2],
        heard: heardAs({
          a: ['success', 'failed'],
          b: ['indeterminable', 'indeterminable'],
          c: [null, null],
          d: ['success', null],
        }),
      },
      { tried: [0, 1], heard: heardAs({ b: ['success', null], a: ['failed', 'success'] }) },
    ],
    'exact',
  );
  assert.deepEqual(['a', 'b', 'c', 'd', 'e'].map(told), [
    { right: 2, wrong: 0 },
    { right: 1, wrong: 1 },
    { right: 0, wrong: 0 },
    { right: 0, wrong: 0 },
    { right: 0, wrong: 0 },
  ]);
});

test('What others tell is worth what it was worth before, and expectations that were too high are lowered.', () => {
  const random = createRandom('hearsay');
  const worth = { intercept: -0.5, right: 1.5, wrong: -0.2 };
  const lessons = Array.from({ length: 20_000 }, (): Lesson => {
    const chance = 0.1 + 0.8 * random.next();
    const otherResults = { right: random.integer(3), wrong: random.integer(2) };
    const odds =
      Math.log(chance / (1 - chance)) +
      worth.intercept +
      worth.right * otherResults.right +
      worth.wrong * otherResults.wrong;
    return { chance, otherResults, determinable: random.next() < 1 / (1 + Math.exp(-odds)) };
  });
  const told = [
    { right: 0, wrong: 0 },
    { right: 1, wrong: 0 },
    { right: 0, wrong: 1 },
  ];
  const even = Float64Array.of(0.5, 0.5, 0.5);
  const odds = (chances: Float64Array) => Array.from(chances, (chance) => Math.log(chance / (1 - chance)));
  for (const [place, expected] of [-0.5, 1, -0.7].entries()) {
    assert.ok(Math.abs(odds(withOtherResults(even, told, lessons))[place]! - expected) < 0.1);
  }
  // Before anything was learned, and where all came alike: a round number either way.
  for (const few of [[], lessons.filter(({ determinable }) => determinable).slice(0, 50)]) {
    for (const [place, expected] of [0, 0.7, -0.7].entries()) {
      assert.ok(Math.abs(odds(withOtherResults(even, told, few))[place]! - expected) < 1e-12);
    }
  }
  assert.ok(
    withOtherResults(Float64Array.of(0, 1), told.slice(1), lessons).every((chance) => chance >= 0 && chance <= 1),
  );
});

test('Expected failures are told apart as far as they deserved it before, and never turned round.', () => {
  const random = createRandom('failures');
  const odds = (chances: Float64Array) => Array.from(chances, (chance) => Math.log(chance / (1 - chance)));
  const lessons = (intercept: number, slope: number, count = 20_000) =>
    Array.from({ length: count }, (): CalibrationPoint => {
      const expected = 0.1 + 0.8 * random.next();
      const chance = 1 / (1 + Math.exp(-(intercept + slope * Math.log(expected / (1 - expected)))));
      // Two recognizers can fail.
      return { expected, failed: (Number(random.next() < chance) + Number(random.next() < chance)) / 2 };
    });
  const shares = Float64Array.of(0.5, 0.8);
  const told = (intercept: number, slope: number) => odds(withFailures(shares, lessons(intercept, slope)));
  for (const [intercept, slope] of [
    [0.5, 1],
    [-0.5, 0.2],
  ] as const) {
    const [height, high] = told(intercept, slope);
    assert.ok(Math.abs(height! - intercept) < 0.1, `${height}`);
    assert.ok(Math.abs(high! - intercept - slope * Math.log(4)) < 0.15, `${high}`);
  }
  const [low, same] = told(0, -1);
  assert.equal(low, same, 'what told the contrary tells nothing');
  for (const few of [[], [{ expected: 0.9, failed: 1 }]]) {
    assert.ok(Math.abs(odds(withFailures(shares, few))[1]! - Math.log(4) / 2) < 1e-12);
  }
});
