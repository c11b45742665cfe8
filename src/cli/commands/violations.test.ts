import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { exitCodes } from '../../base/errors.ts';
import { rowsOf } from '../../model/finding-rows.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const header = 'pair,transformation,parameter,group,distance';
const rows = [
  'p,,original,x,0.1',
  'p,,original,y,0.1',
  'p,noise,2,x,0.5',
  'p,noise,2,y,0.2',
  'p,scale,9,x,1',
  'p,scale,9,y,1',
];

test('violations counts those of a table of distances, without what is above the ceiling', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('distances.csv');
  await writeFile(file, [header, ...rows].join('\n'));
  const { code, stdout, stderr } = await runCommand(['violations', file, '--reference', 'y', '--json']);
  assert.equal(code, 0, stderr);
  const [finding] = JSON.parse(stdout).findings;
  // A gap of .3 is above all four tolerances.
  const [total] = rowsOf(finding, 'degradation-violations-groups-distance');
  assert.deepEqual([total?.x, total?.y], [4, 0]);
  assert.deepEqual(
    rowsOf(finding, 'degradation-excess-groups-distance').map(({ absolute, before }) => [absolute, before]),
    [
      [4, 0],
      [4, 0],
    ],
  );
  assert.match(finding.warnings[1], /^Left out: scale 9 \(mean distance above 0\.85, /);
  const lines = await runCommand(['violations', file, '--tolerances', '0.3,0.2', '--ceiling', '2']);
  assert.match(lines.stdout, /tolerance 0\.3 +0 +0\n/);
  assert.match(lines.stdout, /scale +0 +0\n/);
});

test('violations leaves out what is named, and what listeners did not understand; their ratings stand in the report', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('distances.csv');
  await writeFile(file, [header, ...rows].join('\n'));
  const ratings = folder.file('listeners.csv');
  await writeFile(ratings, 'listener,condition,rating\na,noise 2.0,9\nb,noise 2.00,8\na,scale 9,2\na,noise 20,2\n');
  const named = await runCommand(['violations', file, '--ceiling', '2', '--except', 'aequevox/noise:5, scale 9.0']);
  assert.match(named.stdout, /total +0 +0\n/);
  const rated = await runCommand([
    'violations',
    file,
    '--ceiling',
    '2',
    '--comprehensibility',
    '8.4',
    '--ratings',
    ratings,
  ]);
  assert.match(rated.stdout, /Left out: scale 9 \(not rated above 8\.4 by listeners\)/);
  assert.match(rated.stdout, /Ratings of noise 20 were not used: no parameter of the table is called so/);
  assert.doesNotMatch(rated.stdout, /No ratings for/);
  assert.match(rated.stdout, /noise 2 +8\.50. +2 +2\n[\s\S]*an interval needs 10 listeners, and there are 2\n/);
  const published = await runCommand(['violations', file, '--profile', 'aequevox']);
  assert.match(published.stdout, /scale +0 +0\n/);
  const { code, stderr } = await runCommand(['violations', file, '--except', 'noise 3']);
  assert.deepEqual(
    [code, /--except: expected .* but got "noise 3"/.test(stderr)],
    [exitCodes['bad-usage'], true],
    stderr,
  );
});

test('violations says what is wrong with a table, and where', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('d.tsv');
  for (const [lines, problem] of [
    [[header, 'p,noise,2,x,far'], /d\.tsv:2:13: expected a distance of 0 or more, but got "far"/],
    [[header, 'p,noise,2,x,-1'], /got "-1"/],
    [[header, 'p,,2,x,1'], /expected a transformation, but it is empty/],
    [[header, 'p,noise,2,,1'], /expected a group, but it is empty/],
    [[header, 'p,noise,2,x,1', 'p,noise,2,x,1'], /d\.tsv:3:1: .*line 2 has it too/],
    [['pair,transformation,parameter,groups,distance', 'p,noise,2,x,1'], /no "group"; rename "groups"/],
    [[header], /at least one distance/],
  ] as const) {
    await writeFile(file, lines.join('\n').replaceAll(',', '\t'));
    const { code, stderr } = await runCommand(['violations', file]);
    assert.equal(code, exitCodes['bad-input'], stderr);
    assert.match(stderr, problem);
  }
  const named = await runCommand(['violations', folder.file('d.txt')]);
  assert.match(named.stderr, /d\.txt: expected a name that ends in \.tsv, \.csv or \.jsonl; rename the file/);
  const { stderr } = await runCommand(['violations', file, '--tolerances', '0.1,x']);
  assert.match(stderr, /parted by commas/);
});

test('violations of a table without distances before any transformation are refused, and none are counted as 0', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('distances.csv');
  const changed = rows.filter((row) => !row.includes('original'));
  await writeFile(file, [header, ...changed].join('\n'));
  const none = await runCommand(['violations', file]);
  assert.equal(none.code, exitCodes['bad-input']);
  assert.match(
    none.stderr,
    /distances\.csv: expected distances before .* "original", of at least two groups, but none of the 4 rows has it; add/,
  );
  await writeFile(file, [header, 'p,,original,x,0.1', ...changed].join('\n'));
  const one = await runCommand(['violations', file]);
  assert.equal(one.code, exitCodes['bad-input']);
  assert.match(one.stderr, /of each pair of recognizers one group alone has it \(1 of 5 rows\)/);
});

test('violations of groups that were compared unequally often stand beside their comparisons, with a rate', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('distances.csv');
  // z has one transformation, in which it loses more than both; x loses more than y in both.
  await writeFile(
    file,
    [header, ...rows.slice(0, 4), 'p,,original,z,0.1', 'p,noise,2,z,0.9', 'p,drop,1,x,0.5', 'p,drop,1,y,0.2'].join(
      '\n',
    ),
  );
  const { code, stdout, stderr } = await runCommand(['violations', file, '--json', '--ceiling', '2']);
  assert.equal(code, 0, stderr);
  const [finding] = JSON.parse(stdout).findings;
  const excess = finding.sections[0].tables[1].rows;
  // Four tolerances: z with two others in one transformation; x and y with two in one and with each other in the other.
  assert.deepEqual(
    excess.map(({ group, violations, comparisons, rate }: Record<string, unknown>) => [
      ...[group, violations, comparisons, rate],
    ]),
    [
      ['x', 8, 12, 8 / 12],
      ['y', 0, 12, 0],
      ['z', 8, 8, 1],
    ],
  );
  assert.match(
    finding.answer[0].text,
    /counts 8 violations against z in 8 comparisons \(100\.0 %\), the most per comparison of 3 groups/,
  );
});
