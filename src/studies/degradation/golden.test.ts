import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { aequevoxComprehensibility } from '../../perturbations/ladders/listening/aequevox-comprehensibility.ts';
import { violationExcess, violationTable } from '../../scoring/agreement/violation-table.ts';
import { type DistanceRow, pairTables } from './distance-table.ts';
import { findingOfDistances } from './finding-of-distances.ts';

// Distances and counts of the authors of AequeVox; see the README of the golden numbers for their licence.

const folder = new URL('../../../../shared/golden/aequevox/', import.meta.url);
const skip = existsSync(folder) ? false : 'shared/golden/aequevox is not beside the repository';

const pairs = ['MS_IBM', 'GCP_IBM', 'MS_GCP'];
const transformations = ['Clipping', 'Drop', 'Frame', 'Noise', 'LP', 'Amp', 'HP', 'Scale'];

/** The files of a data set as the long table that the program reads. */
function rowsOf(dataset: string): DistanceRow[] {
  return pairs.flatMap((pair) =>
    transformations.flatMap((transformation) => {
      const text = readFileSync(new URL(`differential/${dataset}/${pair}/${transformation}.csv`, folder), 'utf8');
      const [header, ...lines] = text.split('\n').map((line) => line.split(','));
      const end = lines.findIndex(([first]) => first === '');
      const used = [...lines.slice(0, end), lines.find(([first]) => first === 'Original')!];
      return used.flatMap(([parameter, ...values]) =>
        header!.slice(1).map((group, place) => ({
          pair,
          transformation,
          parameter: parameter === 'Original' ? null : parameter!,
          group,
          distance: Number(values[place]),
        })),
      );
    }),
  );
}

for (const dataset of ['Accents', 'AAVE_UK']) {
  test(`The ceiling leaves out of ${dataset} what AequeVox left out, and its Table 4 follows row by row.`, {
    skip,
  }, () => {
    const golden = JSON.parse(readFileSync(new URL('golden.json', folder), 'utf8'));
    const { tables, leftOut } = pairTables(rowsOf(dataset), 0.85);
    assert.deepEqual(
      leftOut.map(({ transformation, parameter }) => `${transformation} ${parameter}`),
      ['Scale 0.6', 'Scale 0.5'],
    );
    const { rows } = violationTable(tables, golden.taus);
    const titles = { total: () => 'Total', tolerance: (name: string) => `tau=${name}` } as const;
    const found = Object.fromEntries(
      rows.map(({ by, name, counts }) => [by in titles ? titles[by as keyof typeof titles](name) : name, counts]),
    );
    assert.deepEqual(found, golden.table4[dataset]);
  });
}

test('Non-native speakers of English have 109 % more violations than native ones, as the abstract says.', {
  skip,
}, () => {
  const { tables } = pairTables(rowsOf('Accents'), 0.85);
  const { rows, groups } = violationTable(tables, [0.01, 0.05, 0.1, 0.15]);
  const { excess } = violationExcess(rows[0]!.counts, groups.indexOf('Eng'));
  assert.equal((100 * excess!).toFixed(2), '109.03');
});

test('What listeners rate above 7.2 has the violations of Table 5.', { skip }, () => {
  const families = ['clipping', 'drop', 'frame', 'noise', 'low-pass', 'amplitude', 'high-pass', 'scale'];
  const all = rowsOf('Accents');
  // The files have the severities in the order of the ladder, mildest first.
  const severities = Map.groupBy(
    all.filter(({ parameter }) => parameter !== null),
    ({ transformation }) => transformation!,
  );
  const understood = all.filter(({ transformation, parameter }) => {
    if (parameter === null) return true;
    const own = [...new Set(severities.get(transformation!)!.map((row) => row.parameter))];
    const rung = `aequevox/${families[transformations.indexOf(transformation!)]}:${1 + own.indexOf(parameter)}`;
    return aequevoxComprehensibility.get(rung)!.mean > 7.2;
  });
  const { tables, leftOut } = pairTables(understood, 0.85);
  assert.deepEqual(leftOut, []);
  const { rows, groups } = violationTable(tables, [0.01, 0.05, 0.1, 0.15]);
  assert.deepEqual(groups, ['Eng', 'Gan', 'Fr', 'Guj', 'Ind', 'Kor', 'Rus']);
  assert.deepEqual(rows[0]!.counts, [246, 509, 240, 166, 225, 687, 329]);
});

test('The totals printed in Table 4 for its other data sets exceed each other by what the abstract says.', () => {
  // Male and female of RAVDESS; Midlands and Nigerian. The paper cuts 156.99 off.
  const excessOf = (counts: readonly number[]) => (100 * violationExcess(counts, 0).excess!).toFixed(2);
  assert.deepEqual([excessOf([28, 176]), excessOf([93, 239])], ['528.57', '156.99']);
});

test('One severity of noise is counted as in the example that was worked out from the published distances.', {
  skip,
}, () => {
  const { worked_example: example } = JSON.parse(readFileSync(new URL('golden.json', folder), 'utf8'));
  const rows = rowsOf('Accents').filter(
    ({ pair, transformation, parameter }) =>
      pair === 'GCP_IBM' &&
      transformation === 'Noise' &&
      (parameter === null || Number(parameter) === Number(example.parameter)),
  );
  const { tables } = pairTables(rows, 0.85);
  const { original, transformed } = tables[0]!.distances;
  transformed[0]!.distances.forEach((distance, place) => {
    assert.ok(Math.abs(distance! - original[place]! - example.D[place]) < 1e-9);
  });
  for (const [tolerance, counts] of Object.entries(example.counts)) {
    assert.deepEqual(violationTable(tables, [Number(tolerance)]).rows[0]!.counts, counts, tolerance);
  }
});

test('The finding of a table says what it counted and what it cannot say.', { skip }, () => {
  const finding = findingOfDistances(rowsOf('Accents'), {
    tolerances: [0.01, 0.05, 0.1, 0.15],
    ceiling: 0.85,
    reference: 'Eng',
  });
  assert.match(finding.answer[0]!.text, /1086 violations against Kor/);
  assert.match(finding.answer[0]!.text, /652\.2 on average, 109\.0 % more than the 312 violations against Eng/);
  assert.ok(finding.warnings.some((text) => /Scale 0\.6/.test(text)));
  assert.ok(finding.warnings.some((text) => /no interval and no test/.test(text)));
});
