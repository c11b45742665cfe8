import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { categoryMeans, logErrorRateRatio, normalizeByDifficulty, wordErrorRateDegradation } from './degradation.ts';
import {
  createDifficultyTable,
  publishedQualityScales,
  qualityDifficulty,
  qualityScales,
  recentredQualityScales,
} from './quality-difficulty.ts';

const file = new URL('../../../../shared/golden/srb/difficulty.csv', import.meta.url);
const skip = existsSync(file) ? false : 'shared/golden/srb is not beside the repository';

const paper = new URL('../../../../shared/seeds/speech-robust-bench.txt', import.meta.url);
const skipPaper = existsSync(paper) ? false : 'shared/seeds is not beside the repository';

function readRows(): Record<string, string>[] {
  const [header, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const names = header!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index]!, cell])));
}

const numberOrNull = (cell: string) => (cell === '' ? null : Number(cell));

test('WERD is signed, and clipped at 0 only when asked for.', () => {
  assert.equal(wordErrorRateDegradation(0.5, 0.125).value, 0.375);
  assert.equal(wordErrorRateDegradation(0.125, 0.5).value, -0.375);
  assert.equal(wordErrorRateDegradation(0.125, 0.5, { clipped: true }).value, 0);
  assert.deepEqual(wordErrorRateDegradation(0.5, null), {
    value: null,
    reason: 'there is no word error rate of the clean sound',
  });
  assert.equal(wordErrorRateDegradation(null, 0.5).value, null);
  assert.throws(() => wordErrorRateDegradation(-1, 0), RangeError);
  assert.throws(() => wordErrorRateDegradation(Number.NaN, 0), RangeError);
});

/** Spanish accented speech, in per cent: WERD of the paper's Table 7, NWERD of its Table 1. */
const spanishAccent = [
  ['canary-1b', 205.0, 699.9],
  ['whisper-large', 2.0, 6.8],
  ['wav2vec2-large-es', 9.3, 31.6],
  ['whisper-base', 18.2, 62.0],
  ['mms-1b', 7.7, 26.3],
  ['wav2vec2-base-es', 13.3, 45.6],
] as const;

// The frozen table has no such row; by its scale 29.29 is a DNSMOS of 3.535 (its English accents: 3.4975, so 31.63).
test('Canary’s WERD of 205 on Spanish accents is an NWERD of 700, with the one difficulty that fits all recognizers.', () => {
  const difficulty = 29.29;
  for (const [name, degradation, printed] of spanishAccent) {
    const { value } = normalizeByDifficulty(degradation / 100, difficulty);
    // Both tables are printed to one decimal.
    assert.ok(Math.abs(100 * value! - printed) <= 0.05 + (0.05 / difficulty) * 100, `${name}: ${100 * value!}`);
  }
  assert.equal(Math.round(100 * normalizeByDifficulty(2.05, difficulty).value!), 700);
});

test('Without a difficulty above 0 nothing is normalized.', () => {
  assert.equal(normalizeByDifficulty(-0.5, 50).value, -1);
  for (const difficulty of [0, -3, null]) {
    const { value, reason } = normalizeByDifficulty(0.5, difficulty);
    assert.equal(value, null);
    assert.match(reason!, /difficulty/);
  }
  assert.equal(normalizeByDifficulty(null, 50).value, null);
  assert.throws(() => normalizeByDifficulty(0.1, Number.NaN), RangeError);
});

test('LWERR is 1 for twice the errors, changes its sign with the groups, and needs errors in both.', () => {
  assert.equal(logErrorRateRatio(0.25, 0.125).value, 1);
  assert.equal(logErrorRateRatio(0.125, 0.25).value, -1);
  assert.deepEqual(logErrorRateRatio(0.1, 0), { value: null, reason: 'a group has no errors' });
  assert.equal(logErrorRateRatio(null, 0.1).value, null);
  assert.throws(() => logErrorRateRatio(-0.1, 0.1), RangeError);
});

/** NWERD by category and their average: Table 1 of the paper. */
const tableOne = [
  { name: 'prkt-rnnt-1.1b', categories: [11.6, 8.7, 4.2, 1.6, 6.4, 48.3, 39.8, 11.8, 3.0], average: 15.0 },
  { name: 'cnry-1b', categories: [13.9, 18.2, 4.4, 2.7, 15.0, 45.7, 36.7, 15.3, 5.7], average: 17.5 },
  { name: 'wsp-lg', categories: [11.2, 12.7, 3.1, 2.9, 2.8, 40.9, 34.9, 4.5, 4.4], average: 13.0 },
  { name: 'cnry-1b, Spanish', categories: [699.9, 21.7, 17.4, 7.6, 30.5, null, null, 36.3, 28.6], average: 120.3 },
];

test('The average of the paper’s Table 1 is the mean of the categories that have a value.', () => {
  for (const { name, categories, average } of tableOne) {
    const { overall } = categoryMeans(categories.map((value, index) => ({ category: `${index}`, value })));
    assert.ok(Math.abs(overall.value! - average) <= 0.1, name);
  }
  const { categories, overall } = categoryMeans([
    { category: 'noise', value: 1 },
    { category: 'noise', value: 3 },
    { category: 'noise', value: null },
    { category: 'rooms', value: 8 },
    { category: 'none', value: null },
  ]);
  assert.equal(overall.value, 5);
  assert.deepEqual(categories[0], { category: 'noise', scenarios: 2, missing: 1, value: 2 });
  assert.equal(categories[2]!.reason, 'no scenario has a value');
  assert.equal(categoryMeans([]).overall.value, null);
});

test('Difficulty follows from quality as in the published table.', () => {
  // LibriSpeech with bass 1 and 4, the accents of Common Voice: rows of SRB's table, quality rounded to 4 decimals.
  for (const [dnsmos, pesq, expected] of [
    [3.7727, 4.1336, 14.093],
    [3.2119, 2.3692, 52.3921],
    [3.4975, null, 31.6312],
  ] as const) {
    assert.ok(Math.abs(qualityDifficulty({ dnsmos, pesq }).value! - expected) < 0.004);
  }
  const { mean, deviation } = publishedQualityScales.pesq!;
  assert.equal(qualityDifficulty({ dnsmos: null, pesq: -mean }).value, 62.5);
  assert.ok(
    Math.abs(qualityDifficulty({ dnsmos: null, pesq: 4.1336 }, recentredQualityScales).value! - 0.2984) < 0.004,
  );
  assert.ok(Math.abs(qualityDifficulty({ dnsmos: null, pesq: -mean - deviation }).value! - 87.5) < 1e-9);
  assert.equal(qualityDifficulty({ dnsmos: null, pesq: null }).reason, 'neither DNSMOS nor PESQ is known');
  assert.throws(() => qualityDifficulty({ dnsmos: Number.NaN, pesq: null }), RangeError);
});

test('Scales are mean and population deviation of what was measured; without spread there is no difficulty.', () => {
  const scales = qualityScales([
    { dnsmos: 3, pesq: 2 },
    { dnsmos: 1, pesq: null },
  ]);
  assert.deepEqual(scales, { dnsmos: { mean: -2, deviation: 1, center: 50 }, pesq: null });
  assert.equal(qualityDifficulty({ dnsmos: 1, pesq: 2 }, scales).value, 75);
  assert.equal(qualityDifficulty({ dnsmos: null, pesq: 2 }, scales).reason, 'the scale has no spread');
  assert.deepEqual(qualityScales([]), { dnsmos: null, pesq: null });
});

test('A difficulty that the table lacks is null with a reason, and rows that cannot be read are refused.', () => {
  const row = { dataset: 'TEDLIUM', perturbation: 'gnoise', severity: '4', difficulty_published: '103.5357' };
  const table = createDifficultyTable([row, { ...row, severity: '3', difficulty_published: '' }]);
  assert.equal(table.scenarios, 2);
  assert.equal(table.difficulty('TEDLIUM', 'gnoise', 4).value, 103.5357);
  assert.deepEqual(table.difficulty('TEDLIUM', 'gnoise', 3), {
    value: null,
    reason: 'the table gives this scenario no difficulty',
  });
  assert.match(table.difficulty('TEDLIUM', 'rir', 1).reason!, /lacks TEDLIUM, rir, severity 1/);
  const refused: readonly [readonly Record<string, string>[], RegExp][] = [
    [[row, row], /line 3: expected each scenario once/],
    [[{ ...row, difficulty_published: 'hard' }], /line 2: expected a number as difficulty_published, but got "hard"/],
    [[{ ...row, severity: '' }], /expected a number as severity/],
    [[{ dataset: 'x' }], /expected a column "severity", but there are dataset/],
  ];
  for (const [rows, message] of refused) {
    assert.throws(
      () => createDifficultyTable(rows),
      (thrown) => thrown instanceof EarwitnessError && message.test(thrown.message),
    );
  }
});

test('Both published tables follow from their qualities; the first leaves PESQ out for Spanish.', { skip }, () => {
  const rows = readRows();
  for (const row of rows) {
    const dnsmos = numberOrNull(row.dnsmos!);
    const pesq = numberOrNull(row.pesq!);
    const published = qualityDifficulty({ dnsmos, pesq: row.dataset === 'MLS-ES' ? null : pesq });
    const recentred = qualityDifficulty({ dnsmos, pesq }, recentredQualityScales);
    const what = `${row.dataset} ${row.perturbation} ${row.severity}`;
    // Quality is given to 4 decimals, of which half of one is 0.003 points.
    assert.ok(Math.abs(published.value! - Number(row.difficulty_published)) < 0.004, what);
    assert.ok(Math.abs(recentred.value! - Number(row.difficulty_recentred)) < 0.004, what);
  }
  const pesq = qualityScales(rows.map((row) => ({ dnsmos: null, pesq: numberOrNull(row.pesq!) }))).pesq!;
  assert.ok(Math.abs(pesq.mean - recentredQualityScales.pesq!.mean) < 1e-6);
  assert.ok(Math.abs(pesq.deviation - recentredQualityScales.pesq!.deviation) < 1e-6);
  assert.equal(createDifficultyTable(rows).scenarios, 304);
  const other = createDifficultyTable(rows, 'difficulty_recentred');
  assert.equal(other.difficulty('TEDLIUM', 'bass', 1).value, 14.9141);
});

/** Names of the paper's Table 3 that differ from those of the program. */
const printedNames: Record<string, string> = { 'synth. speech': 'voice_conversion_vctk' };

test('The published difficulties give the paper’s Table 3.', { skip: skip || skipPaper }, () => {
  const scenarios = new Map<string, { average: number[]; dnsmos: number[]; pesq: number[] }>();
  const table = createDifficultyTable(readRows());
  for (const row of readRows()) {
    const key = `${row.perturbation} ${row.severity}`;
    const values = scenarios.get(key) ?? { average: [], dnsmos: [], pesq: [] };
    scenarios.set(key, values);
    values.average.push(table.difficulty(row.dataset!, row.perturbation!, Number(row.severity)).value!);
    values.dnsmos.push(Number(row.n_dnsmos));
    if (row.n_pesq_published === '') continue;
    values.pesq.push(Number(row.n_pesq_published));
    // The PESQ of Spanish stands apart in the program's table, so it counts as a scenario of its own in the mean.
    if (row.dataset === 'MLS-ES') values.average.push(Number(row.n_pesq_published));
  }
  const text = readFileSync(paper, 'utf8');
  const lines = text.slice(0, text.indexOf('Table 3: Normalized')).split('\n');
  const printed = lines.slice(lines.findLastIndex((line) => line.startsWith('Perturbation / Severity')) + 1);
  let compared = 0;
  for (const line of printed.filter(Boolean)) {
    const cells = line.split(' ').slice(-12);
    const name = line.split(' ').slice(0, -12).join(' ');
    for (const [index, cell] of cells.entries()) {
      if (cell === '-') continue;
      const measure = (['average', 'dnsmos', 'pesq'] as const)[Math.floor(index / 4)]!;
      const key = `${printedNames[name] ?? name.replaceAll(' ', '_')} ${(index % 4) + 1}`;
      // Rows of another perturbation came under this name in the program's own file.
      if (key === 'pitch_down 3' && measure !== 'dnsmos') continue;
      const values = scenarios.get(key)![measure];
      const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
      assert.ok(Math.abs(mean - Number(cell)) <= 0.0501, `${key} ${measure}: ${mean}, printed ${cell}`);
      compared++;
    }
  }
  assert.equal(compared, 314);
});
