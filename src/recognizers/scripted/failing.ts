import { appendFile, mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sha256 } from '../../base/hash.ts';
import type { Transcript } from '../../model/observation.ts';
import { RecognitionError, type RecognitionRequest } from '../contract.ts';
import type { ScriptedFailure, ScriptedOptions } from './options.ts';

/** How many calls of a trial have failed. */
interface Counts {
  /** Counts one more, before it fails: it may end the process. */
  next(key: string): Promise<number>;
}

/**
 * The failures of a script.
 *
 * @returns a function that does what the script says of a call: fails, answers with rubbish, never settles, ends the
 * process; or gives null, and the call is to be answered
 */
export function createFailing(
  options: ScriptedOptions,
  baseFolder: string,
): (request: RecognitionRequest) => Promise<Transcript | null> {
  const counts = options.countsFolder === undefined ? inMemory() : inFolder(resolve(baseFolder, options.countsFolder));
  return async (request) => {
    for (const [position, failure] of options.failures.entries()) {
      if (!matches(failure, request)) continue;
      if (failure.times === undefined) return fail(failure, options.hugeCharacters);
      const key = JSON.stringify([position, request.utteranceId, request.conditionName, request.repeat]);
      if ((await counts.next(key)) <= failure.times) return fail(failure, options.hugeCharacters);
      return null;
    }
    return null;
  };
}

function matches({ match }: ScriptedFailure, request: RecognitionRequest): boolean {
  return (
    (match.utterance === undefined || match.utterance === request.utteranceId) &&
    (match.condition === undefined || match.condition === request.conditionName) &&
    (match.repeat === undefined || match.repeat === request.repeat)
  );
}

async function fail(failure: ScriptedFailure, hugeCharacters: number): Promise<Transcript> {
  switch (failure.how) {
    case 'error':
      throw new RecognitionError(failure.kind, `the script says: ${failure.kind}`, {
        retryable: failure.retryable ?? (failure.times !== undefined || failure.kind === 'unavailable'),
        ...(failure.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: failure.retryAfterSeconds }),
      });
    case 'throw':
      throw new TypeError('the script says: something went wrong');
    case 'exit':
      return process.exit(3);
    case 'abort':
      return process.abort();
    case 'hang':
      return new Promise(() => {});
    case 'spin':
      for (;;);
    case 'garbage':
      return { text: 42 } as unknown as Transcript;
    case 'huge':
      return { text: 'x'.repeat(hugeCharacters) };
  }
}

function inMemory(): Counts {
  const counts = new Map<string, number>();
  return {
    async next(key) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count;
    },
  };
}

/** One file for each key, a byte for each call: appending is safe whatever happens next. */
function inFolder(folder: string): Counts {
  return {
    async next(key) {
      await mkdir(folder, { recursive: true });
      const file = join(folder, sha256(key));
      await appendFile(file, '.');
      return (await stat(file)).size;
    },
  };
}
