import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignedTranscript, worstStretch } from './examples.ts';
import { failedWith, said } from './testing/testing.ts';

const words = (text: string) => text.split(' ').filter((word) => word !== '');

test('A megabyte of garbage is cut, and the note says how much.', () => {
  const row = alignedTranscript('a', ['x'], said('y '.repeat(100_000) + 'z'.repeat(1_000_000)), words);
  assert.equal(row.aligned!.length, 400);
  assert.match(row.note!, /and 99601 more words/);
  const long = alignedTranscript('a', [], said('z'.repeat(1_000_000)), words);
  assert.ok(long.aligned![0]!.hypothesis!.length <= 101);
});

test('A failure and a question that was not asked have no words.', () => {
  assert.deepEqual(alignedTranscript('a', ['x'], undefined, words), {
    label: 'a',
    aligned: null,
    note: 'was not asked',
  });
  assert.deepEqual(alignedTranscript('a', ['x'], failedWith('crash', 'it died'), words), {
    label: 'a',
    aligned: null,
    failure: { kind: 'crash', message: 'it died' },
  });
});

test('The stretch of a long sound that is played is where most errors are.', () => {
  const aligned = Array.from({ length: 60 }, (_, index) => ({
    reference: 'a',
    hypothesis: index >= 40 && index < 50 ? null : 'a',
  }));
  assert.equal(worstStretch(aligned, 15), undefined);
  assert.equal(worstStretch(aligned, null), undefined);
  assert.equal(worstStretch([], 60), undefined);
  // A word a second, fifteen in a window: the first window with all ten errors begins at 35, and is played from 34.
  assert.equal(worstStretch(aligned, 60), 34);
  assert.equal(worstStretch(aligned.toReversed(), 60), 4);
});
