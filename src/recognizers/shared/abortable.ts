import { messageOf } from '../../base/errors.ts';
import { RecognitionError } from '../contract.ts';

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
