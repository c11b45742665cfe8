import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClipMeasurement } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { klToUniform } from '../../statistics/intersectional-coverage.ts';
import { coverageReport, createCoverageCount } from './coverage.ts';
import { corpusStudyOptions } from './options.ts';

const optionsOf = (coverage: object) => corpusStudyOptions.parse({ coverage }).coverage!;

function countOf(
  people: readonly (readonly [speaker: string | null, attributes: object, seconds: number])[],
  options: object,
) {
  const chosen = optionsOf(options);
  const count = createCoverageCount(chosen);
  const utterances = people.map(([speaker, attributes], index): Utterance => {
    const known = attributes as Record<string, string>;
    return { id: `${index}`, language: 'en', ...(speaker !== null && { speaker }), attributes: known, tags: [] };
  });
  for (const utterance of utterances) count.addUtterance(utterance);
  for (const [index, [, , durationSeconds]] of people.entries())
    count.addSound(utterances[index]!, { durationSeconds } as ClipMeasurement);
  return { count, report: coverageReport(new Map([[null, count]]), chosen) };
}

const people = [
  ['a', { sex: 'female', age: '18' }, 1800],
  ['a', { sex: 'female', age: '18' }, 1800],
  ['b', { sex: 'female', age: '17' }, 3600],
  ['c', { sex: 'male', age: '60' }, 3600],
  [null, { sex: 'male', age: '60' }, 3600],
  ['d', { sex: 'male' }, 3600],
] as const;

test('combinations are counted by speakers, clips and hours, ages in ranges', () => {
  const { count, report } = countOf(people, { attributes: ['sex', 'age'], bins: { age: 'fairlens' }, minimum: 2 });
  const [only, ...others] = count.combinations();
  assert.deepEqual(others, []);
  assert.deepEqual(
    only!.asked.cells.map(({ values, amount, missing }) => [...values, amount, missing]),
    [
      ['female', 'senior (from 56)', 0, 2],
      ['female', 'teen (to 18)', 2, 0],
      ['male', 'senior (from 56)', 1, 1],
      ['male', 'teen (to 18)', 0, 2],
    ],
  );
  // By hand: clips 0, 3, 2, 0; speakers 0, 2, 1, 0 (one clip has none); hours 0, 2, 2, 0.
  assert.equal(only!.counted.clips.klToUniform, klToUniform([0, 3, 2, 0]).value);
  assert.equal(only!.counted.speakers.klToUniform, klToUniform([0, 2, 1, 0]).value);
  assert.ok(Math.abs(only!.counted.hours.klToUniform! - Math.log(2)) < 1e-12);
  assert.equal(report.answer[0]!.text, 'Of 4 combinations of sex and age, 1 (25.0 %) has at least 2 speakers.');
  assert.deepEqual(report.section.text, [report.answer[0]!.text, '1 clip without a known speaker is not counted.']);
  // Female has 2 and senior 1, male 1 and teen 2: equally rare, so the first two stay in the order of their cells.
  const [coverage, , next] = report.section.tables!;
  assert.deepEqual([coverage!.rows[0]!.combinations, coverage!.rows[0]!.leftOut], [4, 1]);
  assert.deepEqual(
    next!.rows.map(({ group, missing }) => [group, missing]),
    [
      ['sex: female, age: senior (from 56)', 2],
      ['sex: male, age: teen (to 18)', 2],
      ['sex: male, age: senior (from 56)', 1],
    ],
  );
});

test('values that should occur are missed where nobody has them; without sound there are no hours', () => {
  const silent = people.map(([speaker, attributes]) => [speaker, attributes, 0] as const);
  const { count } = countOf(silent, { attributes: ['sex'], values: { sex: ['female', 'male', 'other'] }, by: 'clips' });
  const [{ asked, counted } = assert.fail()] = count.combinations();
  assert.deepEqual(
    asked.cells.map(({ amount }) => amount),
    [3, 3, 0],
  );
  assert.deepEqual([counted.hours.klToUniform, counted.hours.reason], [null, { code: 'nothing-counted' }]);
});

test('attributes are paired, and options that cannot be are refused', () => {
  const { count } = countOf(people, { attributes: ['sex', 'age', 'accent'] });
  assert.deepEqual(
    count.combinations().map(({ asked }) => [asked.attributes, asked.cells.length]),
    [
      [['sex', 'age'], 6],
      [['sex', 'accent'], 0],
      [['age', 'accent'], 0],
    ],
  );
  const refused = (coverage: object) => assert.equal(corpusStudyOptions.safeParse({ coverage }).success, false);
  refused({ attributes: ['sex', 'sex'] });
  refused({ attributes: ['sex'], ways: 2 });
  refused({ attributes: [] });
  assert.deepEqual(optionsOf({ attributes: ['__proto__'] }).attributes, ['__proto__']);
});

test('Corpora stand side by side, each with the values that it has; what each group has is charted beside the minimum.', () => {
  const chosen = optionsOf({ attributes: ['sex', 'age'], ways: 1, by: 'clips', minimum: 2, corpusBy: 'corpus' });
  const counts = new Map(
    [
      ['old', ['F', 'M', 'M', 'M']],
      ['new', ['F', 'F', 'M', 'M']],
    ].map(([corpus, sexes]) => {
      const count = createCoverageCount(chosen);
      for (const [index, sex] of [...(sexes as string[])].entries()) {
        count.addUtterance({ id: `${corpus}${index}`, language: 'en', attributes: { sex, age: '20' }, tags: [] });
      }
      return [corpus as string, count] as const;
    }),
  );
  const { section, answer } = coverageReport(counts, chosen);
  assert.equal(answer[0]!.text, 'old: of 2 combinations of sex, 1 (50.0 %) has at least 2 clips.');
  const [covered, uneven, distribution] = section.bars!;
  assert.deepEqual([covered!.series, covered!.rows[0]], [['old', 'new'], { name: 'sex', values: [0.5, 1] }]);
  // log 2 + 1/4 log 1/4 + 3/4 log 3/4, and equal shares.
  const [old, even] = uneven!.rows[0]!.values as number[];
  assert.ok(Math.abs(old! - (Math.log(2) + 0.25 * Math.log(0.25) + 0.75 * Math.log(0.75))) < 1e-12);
  assert.ok(Math.abs(even!) < 1e-12);
  assert.deepEqual(distribution!.rows, [
    { name: 'F', values: [1] },
    { name: 'M', values: [3] },
  ]);
  assert.deepEqual(distribution!.means, [{ name: 'minimum', value: 2 }]);
  assert.deepEqual(
    section.tables![1]!.rows.map(({ corpus, group, amount }) => [corpus, group, amount]),
    [
      ['old', 'F', 1],
      ['old', 'M', 3],
      ['old', '20', 4],
      ['new', 'F', 2],
      ['new', 'M', 2],
      ['new', '20', 4],
    ],
  );
});
