import type { Clip } from '../../audio/clip.ts';
import { messageOf } from '../../base/errors.ts';
import type { Fail } from '../../http/connections.ts';
import { RecognitionError, type RecognitionRequest } from '../contract.ts';

/**
 * The sound of a request, for recognizers that hear.
 *
 * @throws RecognitionError `sound` where the request has none, or a rate at which nothing can be played
 */
export function clipOf(request: RecognitionRequest): Clip {
  const { clip } = request;
  if (!clip) throw new RecognitionError('sound', 'this recognizer needs audio, but the utterance has none');
  if (!(clip.sampleRate > 0) || !Number.isFinite(clip.sampleRate)) {
    throw new RecognitionError('sound', `expected a sample rate above 0, got ${clip.sampleRate}`);
  }
  return clip;
}

/** What a call that was given up ends with. */
export function givenUp(signal: AbortSignal): RecognitionError {
  return new RecognitionError('error', `the recognition was given up: ${messageOf(signal.reason)}`, {
    cause: signal.reason,
  });
}

/**
 * The promise, or a failure as soon as the signal is aborted. What the promise stands for is not stopped by this.
 *
 * @throws RecognitionError `error` when aborted
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => {});
    return Promise.reject(givenUp(signal));
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(givenUp(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** What doors to services throw in recognizers. */
export const recognitionFailure: Fail = (kind, message, options) => new RecognitionError(kind, message, options);

/** The same failure, by whoever knows whether anything was heard before; other errors as they are. */
export function withUnheard(error: unknown, unheard: boolean): unknown {
  if (!(error instanceof RecognitionError) || error.unheard === unheard) return error;
  const { kind, message, retryable, retryAfterSeconds, cause } = error;
  return new RecognitionError(kind, message, {
    ...{ retryable, unheard, cause },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** Lets one piece of work follow another. */
interface Turns {
  /** Begins the work when all that was given before has ended, however it ended. */
  take<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/**
 * For engines that hear one clip at a time: a call that was given up may still be ending when the next one comes.
 *
 * @example turns.take(() => engine.hear(clip))
 */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const turn = last.then(work);
      last = turn.catch(() => {});
      return turn;
    },
    async idle() {
      await last;
    },
  };
}
