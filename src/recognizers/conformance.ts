import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import { assertDescribed, assertWithoutPaths } from '../base/testing/described.ts';
import type { Transcript } from '../model/observation.ts';
import { RecognitionError } from './contract.ts';
import { proveHearing } from './testing/conformance/hearing.ts';
import { proveLifetime } from './testing/conformance/lifetime.ts';
import {
  type ConformanceCase,
  checkTranscript,
  openBench,
  type TrialBench,
} from './testing/conformance/trial-bench.ts';

/** What a member says of itself: options, identity, readiness. */
function proveDescription<Options>({ tried, hears, options, title, proves }: TrialBench<Options>): void {
  const { kind, services } = tried;

  test(title('describes every option and refuses unknown ones'), () => {
    assertDescribed(kind.options, tried.options);
  });

  proves('tells its identity without paths and secrets, the same each time', async () => {
    const description = await kind.describe(options(), services);
    assert.deepEqual(await kind.describe(options(), services), description);
    assertWithoutPaths({ ...description } as unknown as JsonObject, services.baseFolder, ...(tried.secrets ?? []));
    assert.doesNotMatch(canonicalJson(description.identity), /"\/|file:/);
    assert.equal(description.input, hears ? 'sound' : 'names');
    assert.ok(description.concurrency >= 1);
  });

  proves('would work on this machine, and says what it found', async () => {
    const readiness = await kind.readiness(services);
    assert.equal(readiness.ready, true, readiness.found);
    assert.ok(readiness.found.length > 0);
  });
}

/** What a member answers follows from the request alone, and failures have a kind. */
function proveAnswers<Options>({ tried, hears, mayDiffer, proves, opened, ask }: TrialBench<Options>): void {
  const [first, second] = tried.requests;

  proves(
    'gives the same transcript for the same request',
    async () => {
      await opened(async (recognizer) => {
        const transcript = await ask(recognizer, first);
        checkTranscript(transcript, first.clip);
        assert.deepEqual(await ask(recognizer, first), transcript);
      });
    },
    mayDiffer,
  );

  proves(
    'answers from the request alone: B after A is B of a fresh one',
    async () => {
      let fresh: Transcript | undefined;
      await opened(async (recognizer) => {
        fresh = await ask(recognizer, second);
      });
      await opened(async (recognizer) => {
        assert.notEqual((await ask(recognizer, first)).text, fresh?.text);
        assert.deepEqual(await ask(recognizer, second), fresh);
        await ask(recognizer, first);
        assert.deepEqual(await ask(recognizer, second), fresh);
      });
    },
    mayDiffer,
  );

  proves(
    'answers two requests at once as it does one after the other',
    async () => {
      await opened(async (one) => {
        const expected = [await ask(one, first), await ask(one, second)];
        assert.deepEqual(await Promise.all([ask(one, first), ask(one, second)]), expected);
        await opened(async (other) => {
          assert.deepEqual(await Promise.all([ask(one, first), ask(other, second)]), expected);
        });
      });
    },
    mayDiffer,
  );

  proves('fails with a kind', async () => {
    await opened(async (recognizer) => {
      const { clip: _, ...soundless } = first;
      const impossible = hears ? soundless : { ...first, utteranceId: 'no\u0000such\nutterance' };
      await assert.rejects(ask(recognizer, impossible), (error: unknown) => {
        assert.ok(error instanceof RecognitionError, String(error));
        assert.equal(error.kind, hears ? 'sound' : 'unknown-utterance');
        assert.doesNotMatch(error.message, /[\p{Cc}]/u);
        return true;
      });
    });
  });
}

/** Registers the tests that every recognizer must pass, under its name. */
export function testRecognizer<Options>(tried: ConformanceCase<Options>): void {
  const bench = openBench(tried);
  const { hears, proves, cameOut } = bench;
  proveDescription(bench);
  proveAnswers(bench);
  proveLifetime(bench);
  if (hears) proveHearing(bench);

  // Last: of everything that came out in the tests before.
  proves('shows its secrets in no transcript and no error', async () => {
    assert.ok(cameOut.length > 0);
    for (const secret of tried.secrets ?? []) {
      for (const text of cameOut) assert.ok(!text.includes(secret), `a secret stands in ${text.slice(0, 1000)}`);
    }
  });
}
