import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../base/testing/manual-clock.ts';
import type { EngineEvent } from './events.ts';
import { createMakingMeter } from './making-meter.ts';

test('the time left is that of all passes that are left, at the pace so far; what was made before shortens it', async () => {
  const clock = createManualClock();
  const events: EngineEvent[] = [];
  const meter = createMakingMeter(clock, (event) => events.push(event));
  meter.expect(10);
  for (const clip of ['a', 'b']) meter.made(clip);
  meter.told('c', 'pgd', 1, 21);
  await clock.advance(2000);
  meter.told('c', 'pgd', 2, 21);
  await clock.advance(2000);
  // Two at once.
  meter.told('d', 'pgd', 1, 21);
  assert.deepEqual(
    events.map((event) => event.type === 'making' && [event.sound, event.sounds, event.pass, event.secondsLeft]),
    [
      [3, 10, 1, null],
      // Two seconds a pass; 19 of this one and 21 of each of seven others.
      [3, 10, 2, 2 * (19 + 7 * 21)],
      [3, 10, 1, 2 * (19 + 20 + 6 * 21)],
    ],
  );
  assert.equal(meter.secondsLeft(), 2 * (19 + 20 + 6 * 21));
});

test('nothing is left where no sound is wanted, or all are there; before the second pass nobody knows', async () => {
  const clock = createManualClock();
  const meter = createMakingMeter(clock, () => {});
  assert.equal(meter.secondsLeft(), 0);
  meter.expect(2);
  assert.equal(meter.secondsLeft(), null);
  meter.told('a', 'pgd', 1, 2);
  assert.equal(meter.secondsLeft(), null);
  await clock.advance(1000);
  meter.told('a', 'pgd', 2, 2);
  meter.made('a');
  assert.equal(meter.secondsLeft(), 2);
  meter.made('b');
  assert.equal(meter.secondsLeft(), 0);
});
