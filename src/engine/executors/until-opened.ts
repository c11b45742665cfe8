import { EarwitnessError } from '../../base/errors.ts';
import type { Job } from './contract.ts';

/**
 * Waits for an engine to open: no longer than its time limit, and no longer than the run goes on.
 *
 * @throws the signal's reason; what opening threw, with the name of the recognizer; EarwitnessError `nothing-answered` when
 * its time is up
 */
export async function untilOpened<Opened>(
  { recognizer, openTimeLimitSeconds }: Pick<Job, 'recognizer' | 'openTimeLimitSeconds'>,
  opening: Promise<Opened>,
  signal: AbortSignal,
): Promise<Opened> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => {
    const late = `its engine was not open after ${openTimeLimitSeconds} s; see whether it works by itself, or give it longer with limits.openTimeLimitSeconds`;
    reject(new EarwitnessError('nothing-answered', late));
  }, openTimeLimitSeconds * 1000);
  try {
    return await Promise.race([opening, givenUp]);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EarwitnessError)) throw error;
    throw new EarwitnessError(error.code, `${recognizer}: ${error.message}`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
