import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aequevox } from './ladders/aequevox.ts';
import { listScenarios, resolveScenario } from './scenarios.ts';

const names = (name: string) => resolveScenario(name, [aequevox]).map((condition) => condition.name);

test('a scenario, a family and a ladder stand for one, some and all conditions', () => {
  assert.deepEqual(names('aequevox/noise:5'), ['aequevox/noise:5']);
  assert.deepEqual(
    names('aequevox/noise'),
    [1, 2, 3, 4, 5].map((rank) => `aequevox/noise:${rank}`),
  );
  assert.equal(names('aequevox').length, 42);
  assert.deepEqual(
    listScenarios([aequevox]).map(({ condition }) => condition.name),
    names('aequevox'),
  );
  assert.deepEqual(resolveScenario('aequevox/noise:5', [aequevox])[0]!.rung, {
    family: 'aequevox/noise',
    rank: 5,
    label: '2 dB',
  });
});

test('names are unique', () => {
  assert.equal(new Set(names('aequevox')).size, names('aequevox').length);
});

test('a name that stands for nothing is answered with the nearest one', () => {
  const rejects = (name: string, expected: RegExp) =>
    assert.throws(() => resolveScenario(name, [aequevox]), { code: 'bad-config', message: expected });
  rejects('aequevox/nose:2', /there is no "aequevox\/nose:2"; did you mean "aequevox\/noise:2"\?/);
  rejects('aequivox', /did you mean "aequevox"\?/);
  rejects('aequevox/noise:6', /expected a rank from 1 to 5 after aequevox\/noise, but got "6"/);
  rejects('aequevox/noise:', /expected a rank from 1 to 5/);
  rejects('banana', /list them with: earwitness list scenarios/);
  rejects('', /there is no ""/);
});
