import { isHtml } from '../base/first-bytes.ts';
import { foreignLimits, jsonProblem, textProblem, tooLongToWait, utf8Text } from '../base/foreign-data.ts';
import { printable } from '../base/printable.ts';
import type { Fail, HttpAnswer } from './connections.ts';
import type { HiddenKey } from './hidden-key.ts';

/**
 * Seconds that a service asks to be left alone (`Retry-After`, RFC 9110 section 10.2.3: seconds, or a date). A date is
 * meant by the service's own clock, where its answer has one.
 *
 * @param header null where there is none
 * @param date the answer's `Date` header, null where there is none
 * @param nowMs milliseconds since 1970-01-01 UTC
 * @returns undefined where there is none that can be read
 * @example retryAfterSeconds('120', null, Date.now()) // 120
 */
export function retryAfterSeconds(header: string | null, date: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d{1,15}(\.\d{1,9})?$/.test(text)) return Number(text);
  // Date.parse takes nearly anything for a date; those of HTTP begin with a day of the week.
  const isDate = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i.test(text);
  const until = isDate ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const theirNow = date === null ? Number.NaN : Date.parse(date);
  return Math.max(0, (until - (Number.isNaN(theirNow) ? nowMs : theirNow)) / 1000);
}

const beginningCharacters = 100;

/**
 * The text of a successful answer.
 *
 * An answer that cannot be understood is not asked for again: it was given in full, perhaps for money, and the next one
 * would come from the same server.
 *
 * @throws what `fail` makes: `garbage` for what is cut at the limit of an answer, no UTF-8, text with U+0000, or a web page
 */
export function textOf(answer: HttpAnswer, fail: Fail): string {
  const garbage = (what: string) => fail('garbage', `the server answered with ${what}`);
  if (answer.isCut) throw garbage(`more than ${foreignLimits.answerBytes} bytes`);
  const read = utf8Text(answer.body);
  if ('problem' in read) throw garbage(`bytes that are no UTF-8 text: ${read.problem}`);
  const body = read.text;
  const unfit = textProblem(body);
  if (unfit !== null) throw garbage(`a text that ${unfit}`);
  const type = answer.header('content-type') ?? '';
  if (/^text\/html\b/i.test(type) || isHtml(body)) throw garbage('a web page');
  return body;
}

/** @throws what `fail` makes: `garbage`, as `textOf`, and for what is no JSON, or JSON beyond the limits of `foreign-data` */
export function jsonOf(answer: HttpAnswer, hidden: HiddenKey, fail: Fail): unknown {
  return jsonIn(textOf(answer, fail), hidden, fail);
}

/** As `jsonOf`, of a text that a server gave in whatever way. */
export function jsonIn(text: string, hidden: HiddenKey, fail: Fail, how = 'answered with'): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const what = text.trim() === '' ? 'nothing' : `no JSON: ${beginningOf(text, hidden)}`;
    throw fail('garbage', `the server ${how} ${what}`);
  }
  const unfit = jsonProblem(value);
  if (unfit !== null) throw fail('garbage', `the server ${how} JSON that cannot be kept: ${unfit}`);
  return value;
}

/** How an answer begins, for a message. */
export function beginningOf(body: string, hidden: HiddenKey): string {
  return printable(hidden.inMessage(body.trim()), beginningCharacters);
}

/** What helps whoever reads that a service refused. */
export interface RefusalHints {
  /** The option that holds the address. */
  readonly address: string;
  /** What to do where no server is there: `check region and baseUrl`. */
  readonly unreachable: string;
  /** What to do where the key was not taken (401, 403). */
  readonly key: string;
  /** What to do where nothing is found (404). */
  readonly missing: string;
}

const shownCharacters = 300;
/** Request Timeout, Too Early, Too Many Requests; and all of 500 and above. */
const passingStatuses: readonly number[] = [408, 425, 429];
/** No access, no money, nothing there, too large, too many: nothing of what was sent was worked on. */
export const unheardStatuses: readonly number[] = [401, 402, 403, 404, 413, 429];
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
      { unheard: true },
    );
  }
  const said = errorIn(answer.body);
  const words = said.message === '' ? '' : `: ${printable(hidden.inMessage(said.message), shownCharacters)}`;
  const unheard = unheardStatuses.includes(meant) && { unheard: true };
  if (passes(meant) && said.code !== emptyAccount) {
    const wait = retryAfterSeconds(answer.header('retry-after'), answer.header('date'), nowMs);
    const tooLong = tooLongToWait(wait);
    return fail('unavailable', `the server answered ${status}${tooLong ?? ''}${words}`, {
      retryable: tooLong === null,
      ...unheard,
      ...(wait === undefined || tooLong !== null ? {} : { retryAfterSeconds: wait }),
    });
  }
  return fail('refused', `the server answered ${status}${words}${hintOf(meant, hints)}`, { ...unheard });
}

/**
 * What a service says in other words than a status, such as the code with which it closes a socket, as the failure that the status would be:
 * nothing was heard where the status says so, unless whoever asked knows better.
 *
 * @param status the HTTP status that says the same
 * @param what it said, in a sentence
 */
export function refusedAs(status: number, what: string, hints: RefusalHints, fail: Fail): Error {
  // AssemblyAI's 1008: "Unauthorized Connection: Too many concurrent sessions".
  const isBusy = [401, 403].includes(status) && /\btoo many\b/i.test(what);
  const unheard = unheardStatuses.includes(status) && { unheard: true };
  return passes(status) || isBusy
    ? fail('unavailable', what, { retryable: true, ...unheard })
    : fail('refused', `${what}${hintOf(status, hints)}`, { ...unheard });
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
