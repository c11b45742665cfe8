import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Estimate } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import { LogHistogram, Speed } from './speed.ts';

test('quantiles of a histogram are right to half a percent, over the whole range', () => {
  const histogram = new LogHistogram();
  assert.equal(histogram.quantile(0.5), null);
  // 1 ms to 1 s: the middle one is .5, nine tenths reach at most .9.
  for (let ms = 1; ms <= 1000; ms++) histogram.add(ms / 1000);
  for (const share of [0.01, 0.5, 0.9, 1]) {
    assert.ok(Math.abs(histogram.quantile(share)! / share - 1) < 0.005, String(histogram.quantile(share)));
  }
  assert.equal(histogram.size, 1000);
});

const streamed = (firstPartialSeconds: number | null, wordsTakenBack: number): Observation => ({
  soundSeconds: 10,
  timing: { seconds: 11, calls: 1, stream: { firstPartialSeconds, finalLatencySeconds: 0.5, waitedSeconds: 9 } },
  transcript: { text: 'one two three four', details: { streaming: { wordsTakenBack } } },
});
const value = (cell: unknown) => (cell as Estimate).value;

test('what was waited for is no work, and words taken back are counted over final ones', () => {
  const speed = new Speed({ name: 'live', pricePerMinute: null });
  speed.add('a', streamed(2, 1));
  speed.add('b', streamed(null, 3));
  // Eleven seconds less the nine that the engine waited, for ten seconds of sound.
  assert.equal(speed.row(2).elapsedSecondsPerSecond.value, 0.2);
  const row = speed.streamRow(2)!;
  assert.ok(Math.abs(value(row.firstMedian)! - 2) < 0.02);
  assert.ok(Math.abs(value(row.finalMost)! - 0.5) < 0.005);
  assert.equal(value(row.takenBack), 4 / 8);
  assert.equal(row.answers, 2);
});

test('there is no row for a recognizer that heard whole clips', () => {
  const speed = new Speed({ name: 'batch', pricePerMinute: null });
  speed.add('a', { soundSeconds: 1, timing: { seconds: 1, calls: 1 }, transcript: { text: 'one' } });
  assert.equal(speed.streamRow(1), null);
  assert.equal(speed.row(1).elapsedSecondsPerSecond.value, 1);
});
