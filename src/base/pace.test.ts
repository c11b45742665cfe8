import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace, ShareLeft } from './pace.ts';

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

test('many that come together were not made in the instant in which they came', () => {
  const pace = new Pace(0);
  for (let second = 1; second <= 100; second++) {
    for (let done = 0; done < 50; done++) pace.done(second * 1000 + done);
  }
  assert.equal(pace.secondsEach(100_000), 0.02);
});

test('what is left of something is told by what was done of it since it was first told of', () => {
  const left = new ShareLeft();
  assert.equal(left.secondsLeft(0.2, 10_000), null);
  // A tenth in 5 s: seven more take 35 s.
  assert.equal(Math.round(left.secondsLeft(0.3, 15_000)!), 35);
  assert.equal(left.secondsLeft(1, 60_000), 0);
  assert.equal(left.secondsLeft(0.1, 70_000), null, 'begun again');
  assert.equal(Math.round(left.secondsLeft(0.2, 71_000)!), 8);
});
