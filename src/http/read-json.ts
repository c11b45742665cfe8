import { isUtf8 } from 'node:buffer';
import { printable } from '../base/printable.ts';
import type { HttpAnswer } from './connections.ts';
import type { Fail } from './failures.ts';
import type { HiddenKey } from './hidden-key.ts';

/** More than the longest transcript that is kept, with the times of its words. */
export const maxAnswerBytes = 16 * 1024 * 1024;
const shownCharacters = 100;

/**
 * The text of a successful answer.
 *
 * An answer that cannot be understood is not asked for again: it was given in full, perhaps for money, and the next one
 * would come from the same server.
 *
 * @throws what `fail` makes: `garbage` for what is cut at `maxAnswerBytes`, no UTF-8, or a web page
 */
export function textOf(answer: HttpAnswer, fail: Fail): string {
  const garbage = (what: string) => fail('garbage', `the server answered with ${what}`);
  if (answer.isCut) throw garbage(`more than ${maxAnswerBytes} bytes`);
  if (!isUtf8(answer.body)) throw garbage('bytes that are no UTF-8 text');
  const body = answer.body.toString('utf8');
  const type = answer.header('content-type') ?? '';
  if (/^text\/html\b/i.test(type) || /^\s*<(!doctype|html)\b/i.test(body)) throw garbage('a web page');
  return body;
}

/** @throws what `fail` makes: `garbage`, as `textOf`, and for what is no JSON */
export function jsonOf(answer: HttpAnswer, hidden: HiddenKey, fail: Fail): unknown {
  const body = textOf(answer, fail);
  try {
    return JSON.parse(body);
  } catch {
    const what = body.trim() === '' ? 'nothing' : `no JSON: ${beginningOf(body, hidden)}`;
    throw fail('garbage', `the server answered with ${what}`);
  }
}

/** How an answer begins, for a message. */
export function beginningOf(body: string, hidden: HiddenKey): string {
  return printable(hidden.inMessage(body.trim()), shownCharacters);
}
