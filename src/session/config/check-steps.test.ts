import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '../members/explain-issue.ts';
import { checkSteps } from './check-conditions.ts';

async function check(written: unknown) {
  const problems: Problem[] = [];
  const steps = await checkSteps(written, ['steps'], '.', problems);
  return { steps, problems: problems.map(({ path, text }) => `${path.join('.')}: ${text}`) };
}

test('parameters are completed with what is usual', async () => {
  const { steps, problems } = await check([{ perturbation: 'quantize', parameters: { bits: 8 } }]);
  assert.deepEqual(problems, []);
  assert.deepEqual(steps, [
    { perturbation: 'quantize', parameters: { bits: 8, rounding: 'nearest', fullScale: 'power-of-two' } },
  ]);
  assert.deepEqual(await check([]), { steps: [], problems: [] });
});

test('each mistake is told with its place, what was expected and what came', async () => {
  const cases: [unknown, RegExp][] = [
    ['gain', /^steps: expected a list, but got "gain"$/],
    [[{}], /^steps\.0\.perturbation: expected text, but it is missing$/],
    [[{ perturbation: 'gian' }], /^steps\.0\.perturbation: unknown perturbation "gian"; did you mean "gain"\?$/],
    [[{ perturbation: 'gain' }], /^steps\.0\.parameters\.factor: expected a number, but it is missing$/],
    [[{ perturbation: 'gain', parameters: { factor: 'loud' } }], /\.factor: expected a number, but got "loud"$/],
    [[{ perturbation: 'gain', parameters: { factor: -1 } }], /\.factor: expected .*at least 0, but got -1$/],
    [[{ perturbation: 'gain', parameters: { facto: 1, factor: 1 } }], /unknown key "facto"; did you mean "factor"\?$/],
    [[{ perturbation: 'gain', parameters: [] }], /^steps\.0\.parameters: expected an object, but got/],
    [[{ perturbation: 'gain', parameter: {} }], /unknown key "parameter"; did you mean "parameters"\?$/],
    [
      [{ perturbation: 'drop-chunks-at', parameters: { chunkSeconds: 1, startsSeconds: [0, -1] } }],
      /^steps\.0\.parameters\.startsSeconds\.1: expected .*at least 0, but got -1$/,
    ],
    [Array.from({ length: 101 }, () => ({ perturbation: 'gain' })), /^steps: expected at most 100 items, but got/],
  ];
  for (const [written, expected] of cases) {
    const { steps, problems } = await check(written);
    assert.equal(steps.length, 0);
    assert.match(problems[0] ?? 'no problem', expected);
    assert.ok(problems[0]!.length < 300);
  }
});
