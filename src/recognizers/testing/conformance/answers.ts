import assert from 'node:assert/strict';
import type { Transcript } from '../../../model/observation.ts';
import { RecognitionError } from '../../contract.ts';
import type { TrialBench } from './trial-bench.ts';
import { checkTranscript } from './tried-sounds.ts';

/** What a member answers follows from the request alone, and failures have a kind. */
export function proveAnswers<Options>({ tried, hears, mayDiffer, proves, opened, ask }: TrialBench<Options>): void {
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
