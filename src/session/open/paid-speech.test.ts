import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../base/testing/manual-clock.ts';
import { createBudget } from '../../engine/limits.ts';
import type { Synthesizer } from '../../synthesizers/contract.ts';
import { createSpeechPurse, paidSpeech } from './paid-speech.ts';

const eur = (amount: number) => ({ amount, currency: 'EUR' });

/** A purse of one euro, and the ends of its calls. */
function purseOfOneEuro() {
  const ends: (string | number | null)[][] = [];
  let attempts = 0;
  const budget = createBudget({ money: eur(1) }, { calls: 0, audioSeconds: 0, money: {} });
  const store: Parameters<typeof createSpeechPurse>[0] = {
    record(_, { begin = [], end = [] }) {
      ends.push(...end.map(({ attempt, state, price }) => [attempt, state, price?.amount ?? null]));
      return begin.map(() => attempts++);
    },
  };
  return { purse: createSpeechPurse(store, 'r', budget, createManualClock()), ends };
}

test('Speech that cost less than was reserved leaves the rest to the next.', () => {
  const { purse, ends } = purseOfOneEuro();
  purse.begin('a', eur(0.8)).answered(eur(0.1));
  purse.begin('b', eur(0.8)).answered(null);
  assert.throws(() => purse.begin('c', eur(0.2)), /0\.9000 used/);
  assert.deepEqual(ends, [
    [0, 'answered', 0.1],
    [1, 'answered', null],
  ]);
});

test('A call of a synthesizer that begins another has failed, and both count.', async () => {
  const { purse, ends } = purseOfOneEuro();
  const clip = { samples: new Float32Array(1), sampleRate: 8000 };
  const engine = {
    identity: { engine: 'far' },
    charges: { pricePerMillionCharacters: () => eur(100_000), characters: (text: string) => text.length },
    async speak(_text: string, _voice: string, _signal: undefined, beginCall: () => (characters?: number) => void) {
      beginCall();
      beginCall()(2);
      return clip;
    },
  } as unknown as Synthesizer;
  assert.equal(await paidSpeech(engine, {}, () => purse)('abcd', 'anna'), clip);
  assert.deepEqual(ends, [
    [0, 'failed', null],
    [1, 'answered', 0.2],
  ]);
  assert.throws(() => purse.begin('c', eur(0.5)), /0\.6000 used/);
});
