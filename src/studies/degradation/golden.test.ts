import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rowsOf as tableRows } from '../../model/finding-rows.ts';
import { violationExcess, violationTable } from '../../scoring/agreement/aequevox.ts';
import { readRatings } from '../shared/validity/ratings.ts';
import { type DistanceOptions, type DistanceRow, findingOfDistances, pairTables } from './finding-of-distances.ts';

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

const underCeiling = ({ mean }: { readonly mean: number }) => (mean > 0.85 ? 'too far apart' : null);

for (const dataset of ['Accents', 'AAVE_UK']) {
  test(`The ceiling leaves out of ${dataset} what AequeVox left out, and its Table 4 follows row by row.`, {
    skip,
  }, () => {
    const golden = JSON.parse(readFileSync(new URL('golden.json', folder), 'utf8'));
    const { tables, leftOut } = pairTables(rowsOf(dataset), underCeiling);
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
  const { tables } = pairTables(rowsOf('Accents'), underCeiling);
  const { rows, groups } = violationTable(tables, [0.01, 0.05, 0.1, 0.15]);
  const { excess } = violationExcess(rows[0]!.counts, groups.indexOf('Eng'));
  assert.equal((100 * excess!).toFixed(2), '109.03');
});

/** Totals of a finding, by group. */
function totals(dataset: string, options: Partial<DistanceOptions>): Record<string, number> {
  const finding = findingOfDistances(rowsOf(dataset), {
    tolerances: [0.01, 0.05, 0.1, 0.15],
    ceiling: null,
    reference: null,
    ...options,
  });
  const [{ by: _, row: __, ...counts }] = finding.sections[0]!.tables![0]!.rows as unknown as [Record<string, number>];
  return counts;
}

test('What the paper left out by name gives Table 4, what listeners rate above 7.2 Table 5, without a ceiling.', {
  skip,
}, () => {
  const groups = (counts: readonly number[]) =>
    Object.fromEntries(['Eng', 'Gan', 'Fr', 'Guj', 'Ind', 'Kor', 'Rus'].map((name, place) => [name, counts[place]]));
  const table4 = groups([312, 844, 413, 406, 311, 1086, 853]);
  assert.deepEqual(totals('Accents', { asPublished: true }), table4);
  assert.deepEqual(totals('Accents', { except: ['Scale 0.6', 'aequevox/scale:5'] }), table4);
  assert.notDeepEqual(totals('Accents', {}), table4);
  const table5 = groups([246, 509, 240, 166, 225, 687, 329]);
  assert.deepEqual(totals('Accents', { comprehensibility: 7.2 }), table5);
  // Means of one rating each: what is rated 8 counts, as if by listeners of one's own.
  const ratings = (text: string) => readRatings('r.csv', `condition,rating\n${text}`);
  const onlyNoise = totals('Accents', {
    comprehensibility: 7,
    ratings: ratings('Noise 10,8\naequevox/noise:2,8\nNoise 6,7'),
  });
  const except = ['Noise 6', 'Amp', 'Clipping', 'Drop', 'Frame', 'HP', 'LP', 'Scale'];
  const unrated = totals('Accents', { except: ['Noise 6'] });
  assert.deepEqual(onlyNoise, unrated, 'what nobody rated stays');
  assert.ok(Object.values(totals('Accents', { except })).every((count) => count < 200));
});

test('A mean distance just under the ceiling is left out by the paper’s names alone.', () => {
  // The paper's Nigerian and Midlands recordings have .8377 at Scale 0.6, so that a ceiling of .85 leaves it in.
  const row = (parameter: string | null, group: string, distance: number): DistanceRow => ({
    ...{ pair: 'p', transformation: 'Scale', parameter, group, distance },
  });
  const rows = [
    ...[row(null, 'Midlands', 0.2), row(null, 'Nigerian', 0.2)],
    ...[row('0.9', 'Midlands', 0.3), row('0.9', 'Nigerian', 0.35)],
    ...[row('0.6', 'Midlands', 0.8877), row('0.6', 'Nigerian', 0.7877)],
    ...[row('0.5', 'Midlands', 0.95), row('0.5', 'Nigerian', 0.95)],
  ];
  const options = { tolerances: [0.01], ceiling: 0.85, reference: null };
  const midlands = (more: object) => {
    const finding = findingOfDistances(rows, { ...options, ...more });
    const [total] = tableRows(finding, 'degradation-violations-groups-distance');
    return [[total?.Midlands, total?.Nigerian], finding.warnings[1]];
  };
  const [counts, gone] = midlands({});
  assert.deepEqual(counts, [1, 1]);
  assert.match(String(gone), /^Left out: Scale 0\.5 \(mean distance above 0\.85/);
  assert.deepEqual(midlands({ asPublished: true }), [
    [0, 1],
    'Left out: Scale 0.6 and Scale 0.5 (by name, as AequeVox did).',
  ]);
  assert.throws(() => midlands({ except: ['Scale 0.7'] }), /--except: .*\(Scale 0\.9, .* but got "Scale 0\.7"/);
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
  const { tables } = pairTables(rows, underCeiling);
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
  assert.match(finding.answer[0]!.text, /1,086 violations against Kor/);
  assert.match(
    finding.answer[0]!.text,
    /Against Eng it counts 312, and against each other group on average 652\.2 \(109\.0 % more\)\./,
  );
  assert.ok(finding.warnings.some((text) => /Scale 0\.6/.test(text)));
  assert.ok(finding.warnings.some((text) => /no interval and no test/.test(text)));
});
