import { printable } from '../base/printable.ts';
import type { HttpAnswer } from './connections.ts';
import type { Fail } from './failures.ts';
import type { HiddenKey } from './hidden-key.ts';
import { retryAfterSeconds } from './retry-after.ts';

/** What helps whoever reads that a service refused. */
export interface RefusalHints {
  /** The option that holds the address. */
  readonly address: string;
  /** What to do where the key was not taken (401, 403). */
  readonly key: string;
  /** What to do where nothing is found (404). */
  readonly missing: string;
}

const shownCharacters = 300;
/** Nobody waits longer within a run; `run --retry-failed` asks again when it is time. */
const maxWaitSeconds = 3600;
/** Request Timeout, Too Early, Too Many Requests; and all of 500 and above. */
const passingStatuses: readonly number[] = [408, 425, 429];
/** OpenAI's code for an account without money, which waiting does not fill. */
const emptyAccount = 'insufficient_quota';

/**
 * An answer that is no success, as the failure it stands for: what can pass is worth asking again, what the service
 * understood and refused is not.
 *
 * @param nowMs milliseconds since 1970-01-01 UTC
 * @param meant the status that it stands for, where the service's own words say another than it has
 */
export function refusalOf(
  answer: HttpAnswer,
  hidden: HiddenKey,
  hints: RefusalHints,
  nowMs: number,
  fail: Fail,
  meant: number = answer.status,
): Error {
  const { status } = answer;
  if (status >= 300 && status < 400) {
    const target = redirectTarget(answer.header('location'));
    return fail(
      'refused',
      `the server redirects (${status})${target === null ? '' : ` to ${hidden.inMessage(target)}`}, which is not followed: neither sound nor key goes to an address that was not named; put it into ${hints.address} if it is to be trusted`,
    );
  }
  const said = errorIn(answer.body);
  const words = said.message === '' ? '' : `: ${printable(hidden.inMessage(said.message), shownCharacters)}`;
  if (passes(meant) && said.code !== emptyAccount) {
    const wait = retryAfterSeconds(answer.header('retry-after'), answer.header('date'), nowMs);
    const tooLong = wait !== undefined && wait > maxWaitSeconds;
    const when = tooLong ? `, to be asked again in ${(wait / 3600).toFixed(1)} hours` : '';
    return fail('unavailable', `the server answered ${status}${when}${words}`, {
      retryable: !tooLong,
      ...(wait === undefined || tooLong ? {} : { retryAfterSeconds: wait }),
    });
  }
  return fail('refused', `the server answered ${status}${words}${hintOf(meant, hints)}`);
}

/**
 * What a service says in other words than a status, such as the code with which it closes a socket, as the failure that the status would be.
 *
 * @param status the HTTP status that says the same
 * @param what it said, in a sentence
 */
export function refusedAs(status: number, what: string, hints: RefusalHints, fail: Fail): Error {
  return passes(status)
    ? fail('unavailable', what, { retryable: true })
    : fail('refused', `${what}${hintOf(status, hints)}`);
}

function passes(status: number): boolean {
  return passingStatuses.includes(status) || status >= 500;
}

function hintOf(status: number, hints: RefusalHints): string {
  switch (status) {
    case 401:
    case 403:
      return `; ${hints.key}`;
    case 402:
      return '; the account has no money or no plan for this';
    case 404:
      return `; ${hints.missing}`;
    case 413:
      return '; the sound is too large for this service';
    default:
      return '';
  }
}

/** Without its query, in which such addresses carry what is secret. */
function redirectTarget(location: string | null): string | null {
  const url = location === null ? null : URL.parse(location);
  return url === null ? null : printable(`${url.origin}${url.pathname}`, shownCharacters);
}

/** Where services write what is wrong: `error`, `message`, `detail`, `err_msg`, `title`, …, or a short text. */
const messageNames = ['message', 'error', 'detail', 'details', 'err_msg', 'error_message', 'Message', 'title'] as const;

function errorIn(body: Buffer): { readonly message: string; readonly code: unknown } {
  const text = body.toString('utf8').trim();
  try {
    const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const { error } = value;
    const holder = typeof error === 'object' && error !== null ? (error as Readonly<Record<string, unknown>>) : value;
    const message = messageNames.map((name) => holder[name]).find((said) => typeof said === 'string' && said !== '');
    return { message: typeof message === 'string' ? message : text, code: holder.code ?? null };
  } catch {
    if (!text.startsWith('<')) return { message: text, code: null };
    // As S3 writes it; a page of HTML has neither.
    const [code, message] = ['Code', 'Message'].map((tag) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1]);
    return { message: [code, message].filter(Boolean).join(': '), code: code ?? null };
  }
}
