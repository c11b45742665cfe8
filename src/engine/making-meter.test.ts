import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../base/manual-clock.ts';
import type { EngineEvent } from './events.ts';
import { createMakingMeter } from './making-meter.ts';

test('the time left is that of all passes that are left, at the pace so far; what was made before shortens it', async () => {
  const clock = createManualClock();
  const events: EngineEvent[] = [];
  const meter = createMakingMeter(clock, (event) => events.push(event));
  meter.expect(10);
  for (const clip of ['a', 'b', 'c']) meter.seen(clip);
  meter.told('pgd', 1, 21);
  await clock.advance(2000);
  meter.told('pgd', 2, 21);
  await clock.advance(2000);
  meter.told('pgd', 3, 21);
  assert.deepEqual(
    events.map((event) => event.type === 'making' && [event.sound, event.sounds, event.pass, event.secondsLeft]),
    [
      [3, 10, 1, null],
      // Two seconds a pass; 19 of this one and 21 of each of seven others.
      [3, 10, 2, 2 * (19 + 7 * 21)],
      [3, 10, 3, 2 * (18 + 7 * 21)],
    ],
  );
});
