import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { rateInterval, rateIntervalWith } from '../../statistics/bootstrap/rate-interval.ts';
import { openResamplingWorkers } from './open-resampling-workers.ts';

const source = createRandom('speakers');
const denominators = Float64Array.from({ length: 31 }, () => 50 + source.integer(100));
const counts = { numerators: denominators.map((words) => source.integer(words / 4)), denominators };
const options = () => ({ resamples: 1001, random: createRandom('shared work') });

test('Intervals are the same for any number of threads, and the same as without.', async () => {
  const alone = rateInterval(counts, options());
  for (const threads of [1, 3]) {
    await using workers = openResamplingWorkers(threads);
    const both = await Promise.all([
      rateIntervalWith(workers.resample, counts, options()),
      rateIntervalWith(workers.resample, counts, { ...options(), method: 'BCa' }),
    ]);
    assert.deepEqual(both[0], alone);
    assert.deepEqual(both[1], rateInterval(counts, { ...options(), method: 'BCa' }));
  }
});

test('Closed threads say so instead of waiting forever.', async () => {
  const workers = openResamplingWorkers(1);
  const pending = rateIntervalWith(workers.resample, counts, options());
  await Promise.all([assert.rejects(pending, /closed/), workers.close()]);
  await assert.rejects(rateIntervalWith(workers.resample, counts, options()), /closed/);
  assert.throws(() => openResamplingWorkers(0), RangeError);
});
