import { RecognitionError } from '../contract.ts';
import type { HiddenKey } from '../shared/hidden-key.ts';
import type { HttpAnswer } from '../shared/http-post.ts';
import { printable } from '../shared/printable.ts';
import { retryAfterSeconds } from '../shared/retry-after.ts';

const shownCharacters = 300;
/** Nobody waits longer within a run; `run --retry-failed` asks again when it is time. */
const longestWaitSeconds = 3600;
/** Request Timeout, Too Early, Too Many Requests; and all of 500 and above. */
const passingStatuses: readonly number[] = [408, 425, 429];

/**
 * An answer that is no success, as the failure it stands for.
 *
 * @param keyVariable null where no key was sent
 * @param nowMs milliseconds since 1970-01-01 UTC
 */
export function refusalOf(
  answer: HttpAnswer,
  keyVariable: string | null,
  hidden: HiddenKey,
  nowMs: number,
): RecognitionError {
  const { status } = answer;
  if (status >= 300 && status < 400) {
    const target = redirectTarget(answer.header('location'));
    return new RecognitionError(
      'refused',
      `the server redirects (${status})${target === null ? '' : ` to ${hidden.inMessage(target)}`}, which is not followed: neither sound nor key goes to an address that was not named; put it into baseUrl if it is to be trusted`,
    );
  }
  const said = errorIn(answer.body);
  const words = said.message === '' ? '' : `: ${printable(hidden.inMessage(said.message), shownCharacters)}`;
  // OpenAI's code for an account without money, which waiting does not fill.
  if ((passingStatuses.includes(status) || status >= 500) && said.code !== 'insufficient_quota') {
    const wait = retryAfterSeconds(answer.header('retry-after'), answer.header('date'), nowMs);
    const tooLong = wait !== undefined && wait > longestWaitSeconds;
    const when = tooLong ? `, to be asked again in ${(wait / 3600).toFixed(1)} hours` : '';
    return new RecognitionError('unavailable', `the server answered ${status}${when}${words}`, {
      retryable: !tooLong,
      ...(wait === undefined || tooLong ? {} : { retryAfterSeconds: wait }),
    });
  }
  const hint =
    status === 401 || status === 403
      ? keyVariable === null
        ? '; if it wants a key, name its environment variable in keyVariable'
        : `; check the key in ${keyVariable}`
      : status === 404
        ? '; check baseUrl and model'
        : '';
  return new RecognitionError('refused', `the server answered ${status}${words}${hint}`);
}

/** Without its query, in which such addresses carry what is secret. */
function redirectTarget(location: string | null): string | null {
  const url = location === null ? null : URL.parse(location);
  return url === null ? null : printable(`${url.origin}${url.pathname}`, shownCharacters);
}

/** `{"error": {"message", "code"}}` as OpenAI writes it, `{"error": "…"}` or `{"detail": "…"}` as others do, or a short text. */
function errorIn(body: Buffer): { readonly message: string; readonly code: unknown } {
  const text = body.toString('utf8').trim();
  try {
    const value = JSON.parse(text) as { error?: { message?: unknown; code?: unknown } | string; detail?: unknown };
    const { error, detail } = value;
    if (typeof error === 'object' && error !== null && typeof error.message === 'string') {
      return { message: error.message, code: error.code };
    }
    if (typeof error === 'string') return { message: error, code: null };
    if (typeof detail === 'string') return { message: detail, code: null };
    return { message: text, code: null };
  } catch {
    return { message: text.startsWith('<') ? '' : text, code: null };
  }
}
