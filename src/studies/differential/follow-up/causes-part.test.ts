import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Table } from '../../../model/finding.ts';
import { clusterFailures } from '../../../scoring/analysis/cluster-failures.ts';
import { causesPart } from './causes-part.ts';
import type { FailedCase } from './contract.ts';

test('Every cause has a label, and what came out of a longer stretch says of which.', () => {
  const failed = (reference: string, hypothesis: string) =>
    ({ reference: reference.split(' '), hypothesis: hypothesis === '' ? [] : hypothesis.split(' ') }) as never;
  const clusters = clusterFailures<FailedCase>([
    failed('please bring the box', 'bring the box'),
    failed('please open the door', 'open the door'),
    failed('please close it now and then', 'it now and then'),
    failed('one two three', ''),
    failed('four five six', ''),
  ]);
  const causes = clusters.causes.map((cause) => ({ cause, shortest: null }));
  const { sections } = causesPart(causes, clusters, { asked: 0, recognizers: 1 });
  const [table] = sections[0]!.tables as readonly Table[];
  assert.deepEqual(
    table!.rows.map(({ words, outcomes }) => [words, outcomes]),
    [
      ['please', '(nothing) 2, please close: (nothing) 1'],
      ['(no words in particular)', '(nothing) 2'],
    ],
  );
});
