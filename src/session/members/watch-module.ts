import { EarwitnessError, type ErrorCode, exitCodes, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Schema } from '../../base/schema.ts';
import { checked } from '../config/checked.ts';
import type { Problem } from '../config/plain-data.ts';

/** What is the module's fault is told in its name; everything else passes. */
export interface Watch {
  /** What a function of the module gives, or the sentence that it failed. */
  call<Result>(what: string, run: () => Result | Promise<Result>): Promise<Result>;
  /** Both in one: calls a function and looks at what it gives. */
  ask<Result>(what: string, shape: Schema<unknown>, run: () => Result | Promise<Result>): Promise<Result>;
  /** What the module gave (what it exports, where `what` is empty), if it has the shape that its contract says. */
  expect<Value>(what: string, shape: Schema<unknown>, value: Value): Value;
  fault(problem: string, cause?: unknown): Error;
}

/** @param path as the config names it */
export function watched(path: string): Watch {
  const shown = printable(path, 200);
  const fault = (problem: string, cause?: unknown) =>
    new EarwitnessError('bad-config', `${shown}: ${problem}`, { cause });
  const call: Watch['call'] = async (what, run) => {
    try {
      return await run();
    } catch (error) {
      throw (
        passedOn(error) ?? fault(`${what} failed: ${printable(messageOf(error), 500)}${lineIn(path, error)}`, error)
      );
    }
  };
  const expect: Watch['expect'] = (what, shape, value) => {
    const problems: Problem[] = [];
    checked(shape, value, [], problems);
    if (problems.length === 0) return value;
    const said = problems
      .slice(0, 3)
      .map(({ path: at, text }) => `${at.length === 0 ? '' : `${at.join('.')}: `}${text}`);
    const where = what === '' ? 'what it exports' : what.includes(' ') ? `what ${what}` : `what ${what} gives`;
    throw fault(`${where} is not as docs/own-members.md shows it: ${said.join('; ')}`);
  };
  return { fault, call, expect, ask: async (what, shape, run) => expect(what, shape, await call(what, run)) };
}

/** What was stopped, failures of a call, and errors with a sentence of their own, whichever copy of the package they are from. */
function passedOn(error: unknown): Error | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'RecognitionError' || error.name === 'AbortError' || error instanceof EarwitnessError)
    return error;
  const known = error.name === 'EarwitnessError' && 'code' in error && Object.hasOwn(exitCodes, String(error.code));
  return known ? new EarwitnessError(error.code as ErrorCode, error.message, { cause: error }) : null;
}

/** The line of the module where it failed: the first of its stack that is in its file. */
function lineIn(path: string, error: unknown): string {
  const file = path.split(/[/\\]/).at(-1)!;
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const at = stack.split('\n').find((line) => line.includes(`/${encodeURI(file)}:`) || line.includes(`/${file}:`));
  const line = at === undefined ? undefined : /:(\d+):\d+\)?$/.exec(at)?.[1];
  return line === undefined ? '' : ` (line ${line})`;
}
