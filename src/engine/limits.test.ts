import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarwitnessError } from '../base/errors.ts';
import { createRandom } from '../base/random.ts';
import { createManualClock } from '../base/testing/manual-clock.ts';
import { backoffSeconds, billedSeconds } from './ask-trial.ts';
import { createBudget, createRate, createSemaphore, shareSemaphore } from './limits.ts';

const never = new AbortController().signal;

test('a semaphore lets in as many as it has permits, and the others in the order in which they came', async () => {
  const semaphore = createSemaphore(2);
  const entered: number[] = [];
  const enter = async (who: number) => {
    const release = await semaphore.acquire(never);
    entered.push(who);
    return release;
  };
  const [first] = await Promise.all([enter(1), enter(2)]);
  const waiting = [enter(3), enter(4)];
  await Promise.resolve();
  assert.deepEqual(entered, [1, 2]);
  first!();
  first!();
  await waiting[0];
  assert.deepEqual(entered, [1, 2, 3], 'a permit given back twice counts once');
});

test('who stops waiting for a permit leaves the queue', async () => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire(never);
  const stop = new AbortController();
  const stopped = semaphore.acquire(stop.signal);
  const next = semaphore.acquire(never);
  stop.abort(new Error('stopped'));
  await assert.rejects(stopped, /stopped/);
  release();
  await next;
});

test('calls of one batch share a permit, and others get theirs between two batches', async () => {
  const whole = createSemaphore(1);
  const shared = shareSemaphore(whole, 2);
  const entered: string[] = [];
  const enter = async (who: string, through = shared) => {
    const release = await through.acquire(never);
    entered.push(who);
    return release;
  };
  const [first, second] = await Promise.all([enter('a1'), enter('a2')]);
  const other = enter('other', whole);
  const third = enter('a3');
  first!();
  // The batch is not over while one of its calls is.
  const fourth = enter('a4');
  await new Promise(setImmediate);
  assert.deepEqual(entered, ['a1', 'a2']);
  second!();
  const releaseOther = await other;
  await new Promise(setImmediate);
  assert.deepEqual(entered, ['a1', 'a2', 'other']);
  releaseOther();
  await Promise.all([third, fourth]);
  assert.deepEqual(entered, ['a1', 'a2', 'other', 'a3', 'a4']);
});

test('a batch that nobody waits for leaves no permit held', async () => {
  const whole = createSemaphore(1);
  const shared = shareSemaphore(whole, 4);
  const release = await whole.acquire(never);
  const stop = new AbortController();
  const waiting = [shared.acquire(stop.signal), shared.acquire(stop.signal)];
  stop.abort(new Error('stopped'));
  for (const one of waiting) await assert.rejects(one, /stopped/);
  release();
  (await whole.acquire(never))();
  (await shared.acquire(never))();
  await whole.acquire(never);
});

test('a rate never lets more calls through in any window than it allows', async () => {
  const clock = createManualClock();
  const rate = createRate([{ calls: 3, perSeconds: 1 }], clock);
  const moments: number[] = [];
  const calls = Array.from({ length: 20 }, async () => {
    await rate.wait(never);
    moments.push(clock.monotonicMs());
  });
  await clock.advance(10_000);
  await Promise.all(calls);
  for (let index = 3; index < moments.length; index++) assert.ok(moments[index]! - moments[index - 3]! >= 1000);
  assert.equal(moments.at(-1), 6000, '20 calls at 3 a second start within 6 s');
});

test('a pause holds everybody back for as long as the service asked', async () => {
  const clock = createManualClock();
  const rate = createRate([], clock);
  await rate.wait(never);
  assert.equal(rate.pause(30), true);
  assert.equal(rate.pause(30), false, 'is to be waited anyway');
  let called = false;
  const call = rate.wait(never).then(() => {
    called = true;
  });
  await clock.advance(29_999);
  assert.equal(called, false);
  await clock.advance(1);
  await call;
});

test('waits grow from between .5 and 1 s, double to at most 60 s, and are never shorter than the service asked', () => {
  const random = createRandom('backoff');
  for (let failures = 1; failures < 12; failures++) {
    const whole = Math.min(60, 2 ** (failures - 1));
    for (let repeat = 0; repeat < 100; repeat++) {
      const seconds = backoffSeconds(failures, random);
      assert.ok(seconds >= whole / 2 && seconds <= whole, `${seconds} after ${failures} failures`);
    }
  }
  assert.equal(backoffSeconds(1, random, 120), 120);
});

test('a budget stops before it is exceeded, and counts what was spent before', () => {
  const spent = { calls: 8, audioSeconds: 0, money: {} };
  const budget = createBudget({ calls: 10 }, spent);
  budget.reserve({ audioSeconds: 1, price: null });
  budget.reserve({ audioSeconds: 1, price: null });
  assert.throws(
    () => budget.reserve({ audioSeconds: 1, price: null }),
    (error) => error instanceof EarwitnessError && error.code === 'budget' && /10 calls/.test(error.message),
  );
});

test('what the previews of a run have spent counts into its budget, and is told', () => {
  const nothing = { calls: 0, audioSeconds: 0, money: {} };
  const preview = { calls: 3, audioSeconds: 60, money: { EUR: 0.25 } };
  const price = { amount: 0.25, currency: 'EUR' };
  const money = createBudget({ money: { amount: 0.6, currency: 'EUR' } }, nothing, preview);
  money.reserve({ audioSeconds: 1, price });
  assert.throws(() => money.reserve({ audioSeconds: 1, price }), /0\.5000 used, 0\.2500 of it by the preview/);
  assert.deepEqual(money.used(), { calls: 4, audioSeconds: 61, money: { EUR: 0.5 } });
  const calls = createBudget({ calls: 3 }, nothing, preview);
  assert.throws(() => calls.reserve({ audioSeconds: 1, price }), /3 used, 3 of it by the preview/);
  const minutes = createBudget({ audioMinutes: 1 }, nothing, preview);
  assert.throws(() => minutes.reserve({ audioSeconds: 1, price }), /1\.00 used, 1\.00 of it by the preview/);
});

test('a budget in audio minutes and in money allows exactly what it says', () => {
  const nothing = { calls: 0, audioSeconds: 0, money: {} };
  const minutes = createBudget({ audioMinutes: 1 }, nothing);
  for (let call = 0; call < 6; call++) minutes.reserve({ audioSeconds: 10, price: null });
  assert.throws(() => minutes.reserve({ audioSeconds: 0.1, price: null }), /audio minutes/);

  const price = { amount: 0.1, currency: 'EUR' };
  const money = createBudget({ money: { amount: 1, currency: 'EUR' } }, nothing);
  for (let call = 0; call < 10; call++) money.reserve({ audioSeconds: 0, price });
  assert.throws(() => money.reserve({ audioSeconds: 0, price }), /1 EUR/);
  money.settle(price, { amount: 0, currency: 'EUR' });
  money.reserve({ audioSeconds: 0, price });
  assert.throws(() => money.reserve({ audioSeconds: 0, price: { amount: 1, currency: 'USD' } }), /one currency/);
});

test('speech and recognition are paid from one budget, of which speech counts no calls', () => {
  const budget = createBudget(
    { calls: 2, money: { amount: 1, currency: 'EUR' } },
    { calls: 1, audioSeconds: 0, money: { EUR: 0.5 } },
  );
  const price = { amount: 0.2, currency: 'EUR' };
  budget.reserveSpeech(price);
  assert.throws(() => budget.reserve({ audioSeconds: 0, price: { amount: 0.4, currency: 'EUR' } }), /1 EUR/);
  budget.reserve({ audioSeconds: 0, price });
  assert.throws(() => budget.reserveSpeech(price), /0\.9000 used/);
  budget.settle(price, { amount: 0.1, currency: 'EUR' });
  budget.reserveSpeech(price);
});

test('a rate asks for no longer wait than a timer can take', () => {
  const rate = createRate([{ calls: 1, perSeconds: 1e9 }], createManualClock());
  assert.equal(rate.take(), 0);
  assert.ok(rate.take() > 0 && rate.take() < 2 ** 31);
});

test('what a service bills for is at least its minimum, in whole steps', () => {
  const rows = [
    [{ minSeconds: 15, stepSeconds: 1 }, 0.6, 15],
    [{ minSeconds: 15, stepSeconds: 1 }, 15.2, 16],
    [{ minSeconds: 15, stepSeconds: 15 }, 15, 15],
    [{ minSeconds: 15, stepSeconds: 15 }, 15.0000000001, 15],
    [{ minSeconds: 15, stepSeconds: 15 }, 15.01, 30],
    [{ minSeconds: 60, stepSeconds: 60 }, 61, 120],
  ] as const;
  for (const [billing, seconds, billed] of rows) assert.equal(billedSeconds(billing, seconds), billed);
});

test('what a call cost in another currency is paid beside what was reserved, which stays', () => {
  const budget = createBudget({ money: { amount: 1, currency: 'EUR' } }, { calls: 0, audioSeconds: 0, money: {} });
  const reserved = { amount: 0.6, currency: 'USD' };
  budget.reserveSpeech({ amount: 0.5, currency: 'EUR' });
  budget.settle(reserved, { amount: 0.4, currency: 'EUR' });
  assert.throws(() => budget.reserveSpeech({ amount: 0.2, currency: 'EUR' }), /0\.9000 used/);
});

test('who is asked to wait shortly waits no less than was asked before', async () => {
  const clock = createManualClock();
  const rate = createRate([], clock);
  rate.pause(30);
  assert.equal(rate.pause(2), false);
  assert.equal(rate.take(), 30_000);
});
