import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failuresSection } from './failures-section.ts';

test('Failures are counted by kind and as a share of what was asked; without any, one sentence says so.', () => {
  const answered = { condition: 'clean', recognizer: 'a', asked: 8, answered: 8, failed: 0, failures: [] };
  const failed = {
    ...answered,
    recognizer: 'b',
    answered: 6,
    failed: 2,
    failures: [{ kind: 'timeout', count: 2 }],
  } as const;
  const some = JSON.stringify(failuresSection('s', 'they are left out', [answered, failed]));
  assert.match(some, /"recognizer":"b"/);
  assert.match(some, /timeout/);
  assert.match(some, /0\.25/);
  assert.doesNotMatch(some, /"recognizer":"a"/);
  assert.deepEqual(failuresSection('s', 'they are left out', [answered]).text, ['No trial failed.']);
});
