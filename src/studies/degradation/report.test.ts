import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../../model/finding.ts';
import { mostTelling } from './report.ts';

function compared(group: string, verdict: Verdict, low: number | null) {
  const difference = { value: 0.1, low, high: low === null ? null : 0.3, level: 0.95, method: 'BCa', n: null };
  const comparison = { difference, pValue: 0.5, adjustedPValue: 0.5, test: 'permutation', verdict };
  const scope = { quantity: 'degradation', kind: 'distance', measure: null, recognizer: null, family: null } as const;
  return { attribute: 'sex', group, comparedWith: 'F', ...scope, comparison } as unknown as Parameters<
    typeof mostTelling
  >[0][number];
}

test('what is too small for an interval stands behind what has one', () => {
  const { told, open } = mostTelling([
    compared('few', 'cannot tell', null),
    compared('M', 'cannot tell', -0.1),
    compared('old', 'worse', 0.05),
  ]);
  assert.deepEqual(
    [told, open].map((list) => list.map(({ group }) => group)),
    [['old'], ['M', 'few']],
  );
});
