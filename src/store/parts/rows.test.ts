import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../model/observation.ts';
import { fromRow, toRow } from './rows.ts';

test('how a stream went is kept beside the transcript, and comes back in timing', () => {
  const stream = { firstPartialSeconds: 0.5, finalLatencySeconds: 0.1, waitedSeconds: 2 };
  const transcript = { text: 'go', words: [{ text: 'go' }], details: { streaming: { wordsTakenBack: 1 } } };
  const answered: Observation = { soundSeconds: 2, timing: { seconds: 2.2, calls: 1, stream }, transcript };
  const batch: Observation = { soundSeconds: 2, timing: { seconds: 0.2, calls: 1 }, transcript: { text: 'go' } };
  const failed: Observation = {
    soundSeconds: null,
    timing: { seconds: 0, calls: 1 },
    failure: { kind: 'crash', message: 'x' },
  };
  for (const observation of [answered, batch, failed]) assert.deepEqual(fromRow(toRow(observation)), observation);
  assert.equal(toRow(batch).extra, null);
});
