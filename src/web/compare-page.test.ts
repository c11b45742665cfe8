import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRecord } from '../store/contract.ts';
import { newestSides } from './compare-page.ts';

const recorded = (id: string, names: readonly string[], more: Partial<RunRecord> = {}): RunRecord => ({
  ...{ id, name: 'r', purpose: 'same', config: {}, seed: 1, fresh: false, parent: null, startedAtMs: 1 },
  ...{ finishedAtMs: 2, utterancesComplete: true, utteranceCount: 1, forgottenAtMs: null, merged: false },
  reportMissing: false,
  recognizers: names.map((name) => ({ name, identity: {}, pinned: true, epoch: null })),
  ...more,
});

test('Compared are the newest finished run and the newest before it that is another and has a recognizer of it; else two recognizers of one.', () => {
  const [newest, again] = [recorded('d', ['x', 'y']), recorded('c', ['x', 'y'])];
  const other = recorded('b', ['x'], { purpose: 'before' });
  const foreign = recorded('a', ['z'], { purpose: 'other' });
  const open = recorded('e', ['x'], { finishedAtMs: null });
  assert.deepEqual(newestSides([open, newest, again, foreign, other]), ['b', 'd']);
  assert.deepEqual(newestSides([newest, again, foreign]), ['d:x', 'd:y']);
  const epoch = { name: 'x', identity: {}, pinned: false, epoch: '1' };
  assert.deepEqual(newestSides([newest, { ...again, recognizers: [epoch] }]), ['c', 'd']);
  assert.deepEqual([newestSides([foreign]), newestSides([open])], [null, null]);
});
