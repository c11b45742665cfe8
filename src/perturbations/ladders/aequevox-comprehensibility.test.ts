import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listScenarios } from '../scenarios.ts';
import { aequevox, aequevoxComprehensibility } from './aequevox.ts';

const survey = new URL('../../../../shared/golden/aequevox/user-study/', import.meta.url);
const skip = existsSync(survey) ? false : 'shared/golden is not beside the repository';

test('Every scenario of AequeVox but the original sound has a mean, and no other has.', () => {
  const rated = listScenarios([aequevox])
    .map(({ condition }) => condition.name)
    .filter((name) => !name.startsWith('aequevox/original'));
  assert.deepEqual([...aequevoxComprehensibility.keys()].sort(), rated.sort());
});

test('The filter of the paper at 7.2 keeps the severities that its Table 5 was made with.', () => {
  const kept = listScenarios([aequevox])
    .filter(({ condition }) => (aequevoxComprehensibility.get(condition.name)?.mean ?? 0) > 7.2)
    .map(({ condition, family }) => `${family.name} ${condition.rung.label}`);
  assert.deepEqual(kept, [
    ...['amplitude 2', 'amplitude 0.5', 'amplitude 0.4', 'amplitude 0.3', 'amplitude 0.2'],
    ...['clipping 0.05', 'clipping 0.03'],
    ...['drop 5 %', 'drop 10 %', 'drop 15 %', 'drop 20 %'],
    ...['frame 10 ms', 'frame 20 ms', 'frame 30 ms', 'frame 40 ms', 'frame 50 ms'],
    ...['high-pass 500 Hz', 'high-pass 600 Hz', 'high-pass 700 Hz', 'high-pass 800 Hz', 'high-pass 900 Hz'],
    'low-pass 900 Hz',
    'noise 10 dB',
    ...['scale 0.9', 'scale 0.8', 'scale 0.7'],
  ]);
});

test('To two decimals the means are those that the paper prints in Table 10, and so is what they lose of 10.', () => {
  const printed: Readonly<Record<string, readonly number[]>> = {
    // The paper prints no mean of amplitude 2.
    amplitude: [7.63, 7.49, 7.56, 7.5, 7.18],
    clipping: [7.42, 7.16, 7.34, 6.93, 6.97],
    drop: [7.9, 7.43, 7.46, 7.22, 7.07],
    frame: [7.45, 7.42, 7.51, 7.51, 7.38],
    'high-pass': [7.76, 7.55, 7.4, 7.32, 7.41],
    'low-pass': [7.34, 7.18, 7.07, 7.13, 7.03],
    noise: [7.22, 7.05, 7.03, 6.99, 6.84],
    scale: [7.78, 7.34, 7.2, 6.94, 6.78],
  };
  const ends = [0, 0];
  for (const [family, means] of Object.entries(printed)) {
    const first = family === 'amplitude' ? 2 : 1;
    const own = means.map((_, place) => aequevoxComprehensibility.get(`aequevox/${family}:${first + place}`)!.mean);
    assert.deepEqual(
      own.map((mean) => Number(mean.toFixed(2))),
      means,
      family,
    );
    ends[0]! += own[0]! / 8;
    ends[1]! += own.at(-1)! / 8;
  }
  assert.deepEqual(
    ends.map((mean) => (10 * (10 - mean)).toFixed(2)),
    ['24.36', '29.18'],
  );
});

test("The means are those of the authors' survey.", { skip }, () => {
  for (const [file, family] of [
    ['Amp', 'amplitude'],
    ['Noise', 'noise'],
  ] as const) {
    const rows = readFileSync(new URL(`${file}.csv`, survey), 'utf8').split(/\r?\n/);
    const means = rows
      .find((row) => row.startsWith('Average'))!
      .split(',')
      .slice(1)
      .map(Number);
    assert.ok(means.length >= 5);
    for (const [index, mean] of means.entries()) {
      assert.ok(Math.abs(aequevoxComprehensibility.get(`aequevox/${family}:${index + 1}`)!.mean - mean) < 1e-8);
    }
  }
});
