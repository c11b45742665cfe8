import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { publishedQualityScales, qualityDifficulty, recentredQualityScales } from './quality-difficulty.ts';
import { srbTable3 } from './table-3.ts';

const file = new URL('../../../../shared/golden/srb/difficulty.csv', import.meta.url);
const skip = existsSync(file) ? false : 'shared/golden/srb is not beside the repository';

function readRows(): Record<string, string>[] {
  const [header, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const names = header!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index]!, cell])));
}

const numberOrNull = (cell: string) => (cell === '' ? null : Number(cell));

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
  assert.deepEqual(qualityDifficulty({ dnsmos: null, pesq: null }).reason, { code: 'not-measured' });
  assert.throws(() => qualityDifficulty({ dnsmos: Number.NaN, pesq: null }), RangeError);
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
});

test('The published difficulties give the paper’s Table 3.', { skip }, () => {
  const scenarios = new Map<string, { average: number[]; dnsmos: number[]; pesq: number[] }>();
  for (const row of readRows()) {
    const key = `${row.perturbation} ${row.severity}`;
    const values = scenarios.get(key) ?? { average: [], dnsmos: [], pesq: [] };
    scenarios.set(key, values);
    values.average.push(Number(row.difficulty_published));
    values.dnsmos.push(Number(row.n_dnsmos));
    if (row.n_pesq_published === '') continue;
    values.pesq.push(Number(row.n_pesq_published));
    // The PESQ of Spanish stands apart in the program's table, so it counts as a scenario of its own in the mean.
    if (row.dataset === 'MLS-ES') values.average.push(Number(row.n_pesq_published));
  }
  let compared = 0;
  for (const { family, ...printed } of srbTable3) {
    for (const measure of ['average', 'dnsmos', 'pesq'] as const) {
      for (const [index, cell] of printed[measure].entries()) {
        if (cell === null) continue;
        const key = `${family} ${index + 1}`;
        // Rows of another perturbation came under this name in the program's own file.
        if (key === 'pitch_down 3' && measure !== 'dnsmos') continue;
        const values = scenarios.get(key)![measure];
        const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
        assert.ok(Math.abs(mean - cell) <= 0.0501, `${key} ${measure}: ${mean}, printed ${cell}`);
        compared++;
      }
    }
  }
  assert.equal(compared, 314);
});
