import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from './pace.ts';

test('the pace is that of the last ones: a machine that gets five times slower is noticed after as many as are looked at', () => {
  const pace = new Pace(0);
  assert.equal(pace.secondsEach(5000), null);
  let now = 0;
  for (let done = 0; done < 1000; done++) {
    now += 1000;
    pace.done(now);
  }
  assert.equal(pace.secondsEach(now), 1);
  for (let done = 0; done < 32; done++) {
    now += 5000;
    pace.done(now);
  }
  assert.equal(pace.secondsEach(now), 5);
  // One that does not end is seen before it has.
  assert.equal(pace.secondsEach(now + 160_000), 10);
});
