// What Python answers is written out here; what comes of it follows from docs/python.md and the contract of recognizers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../base/json.ts';
import { RecognitionError } from '../recognizers/contract.ts';
import { plainServices } from '../recognizers/testing/tones.ts';
import { called } from './called-recognizer.ts';
import { callers } from './callers.ts';

const options = { name: 'mine', rate: 8000, revision: null, fingerprint: 'f' };
const services = plainServices(import.meta.dirname, {});

const request = {
  ...{ utteranceId: 'u', conditionName: 'clean', repeat: 0, language: 'en-GB' },
  clip: { samples: new Float32Array(1600), sampleRate: 16_000 },
};

/** What is asked of Python about a tenth of a second at 16 kHz, and what comes of its answer. */
async function heard(answer: Json) {
  const asked: unknown[] = [];
  const caller = {
    async ask(name: string, { value, arrays }: { value?: Json; arrays?: Readonly<Record<string, ArrayLike<number>>> }) {
      asked.push([name, value, arrays!.samples!.length]);
      return { value: answer, arrays: {} };
    },
  };
  const recognize = async () => (await called.open(options, services)).recognize(request, new AbortController().signal);
  const outcome = await callers.run(caller as Parameters<typeof callers.run>[0], recognize).catch((error: unknown) => {
    if (!(error instanceof RecognitionError)) throw error;
    return { kind: error.kind, message: error.message };
  });
  return { asked, outcome };
}

test('A function is pinned by the revision that its program gives, and by nothing else; without one its code identifies it.', async () => {
  const described = async (revision: string | null) => {
    const { identity, pinned } = await called.describe({ ...options, revision }, services);
    return [identity, pinned];
  };
  const own = { engine: 'python-function', name: 'mine', rate: 8000 };
  assert.deepEqual(await described(null), [{ ...own, fingerprint: 'f' }, false]);
  assert.deepEqual(await described('v2'), [{ ...own, revision: 'v2' }, true]);
});

test('A function is asked at its own rate; its text, its failure and nonsense are told apart.', async () => {
  const { asked, outcome } = await heard({ text: 'one two' });
  assert.deepEqual(asked, [['recognize', { name: 'mine', rate: 8000, language: 'en-GB' }, 800]]);
  assert.deepEqual(outcome, { text: 'one two' });
  assert.deepEqual((await heard({ failure: 'no model' })).outcome, { kind: 'error', message: 'no model' });
  for (const nonsense of [null, 'one two', { text: 7 }, { text: 'one', more: 1 }])
    assert.deepEqual((await heard(nonsense)).outcome, { kind: 'garbage', message: 'mine gave no text' });
});

test('Where its program has ended, a function cannot be asked.', async () => {
  const recognizer = await called.open(options, services);
  await assert.rejects(
    recognizer.recognize(request, new AbortController().signal),
    (error) =>
      error instanceof RecognitionError && error.kind === 'unavailable' && /run it from there/.test(error.message),
  );
});
