// The entry of the process that Python keeps between calls (`python/earwitness/channel.py`): answers what comes in over standard input, and ends
// with it.
import { EarwitnessError, type SentError, sentError } from '../base/errors.ts';
import type { Answer, Call, Caller } from './call.ts';
import { type Arrays, readFrames, writeFrame } from './frames.ts';

/** What may be asked, by name; each is loaded when it is first asked. */
const calls: Readonly<Record<string, () => Promise<Call>>> = {
  align: async () => (await import('./calls/align.ts')).align,
  compare: async () => (await import('./calls/compare.ts')).compare,
  perturb: async () => (await import('./calls/perturb.ts')).perturb,
  report: async () => (await import('./calls/report.ts')).report,
  run: async () => (await import('./calls/run.ts')).run,
};

/** What Python says. Replies are to what was asked during the call of the same number. */
type FromPython =
  | { readonly id: number; readonly call: string; readonly value: unknown }
  | { readonly id: number; readonly reply: number; readonly value: Answer['value'] }
  | { readonly id: number; readonly cancel: true };

/** What Python is told. Where something is asked that wants an answer, `answers` is the number of the reply. */
type ToPython =
  | { readonly id: number; readonly value: Answer['value'] }
  | { readonly id: number; readonly error: SentError }
  | { readonly id: number; readonly ask: string; readonly value: Answer['value']; readonly answers?: number };

interface OpenCall {
  readonly abort: AbortController;
  /** Who waits for a reply of which number. */
  readonly waiting: Map<number, (reply: Required<Answer>) => void>;
}

/** Answers until standard input ends. What is under way then is given up. */
export async function main(): Promise<void> {
  const write = process.stdout.write.bind(process.stdout);
  // What anything prints must not come between the frames.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const tell = (header: ToPython, arrays?: Arrays) => writeFrame(write, header, arrays);
  const open = new Map<number, OpenCall>();
  const underWay = new Map<number, Promise<void>>();
  /** Given up, and not yet ended: whatever is asked next finds what they hold (a store) free. */
  const ending = new Set<Promise<void>>();
  for await (const { header, arrays } of readFrames<FromPython>(process.stdin)) {
    const { id } = header;
    if ('cancel' in header) {
      open.get(id)?.abort.abort();
      const answered = underWay.get(id);
      if (answered !== undefined) ending.add(answered);
    } else if ('reply' in header) open.get(id)?.waiting.get(header.reply)?.({ value: header.value, arrays });
    else {
      const call: OpenCall = { abort: new AbortController(), waiting: new Map() };
      open.set(id, call);
      const answered = Promise.all(ending)
        .then(() => answer(header.call, header.value, arrays, callerOf(id, call, tell)))
        .then(
          (given) => tell({ id, value: given.value }, given.arrays),
          (error) => tell({ id, error: sentError(error) }),
        )
        .finally(() => {
          open.delete(id);
          underWay.delete(id);
          ending.delete(answered);
        });
      underWay.set(id, answered);
    }
  }
  for (const { abort } of open.values()) abort.abort();
  await Promise.all(underWay.values());
  process.exit(0);
}

async function answer(name: string, value: unknown, arrays: Arrays, caller: Caller): Promise<Answer> {
  if (!Object.hasOwn(calls, name)) throw new Error(`there is no call ${JSON.stringify(name)}`);
  const call = await calls[name]!();
  return call(value, arrays, caller);
}

function callerOf(id: number, { abort, waiting }: OpenCall, tell: (header: ToPython, arrays?: Arrays) => void): Caller {
  let asked = 0;
  return {
    signal: abort.signal,
    ask(what, { value, arrays }) {
      const number = ++asked;
      return new Promise((resolve, reject) => {
        const givenUp = () => reject(new EarwitnessError('interrupted', 'the caller gave the call up'));
        if (abort.signal.aborted) return givenUp();
        abort.signal.addEventListener('abort', givenUp, { once: true });
        waiting.set(number, (reply) => {
          waiting.delete(number);
          abort.signal.removeEventListener('abort', givenUp);
          resolve(reply);
        });
        tell({ id, ask: what, value, answers: number }, arrays);
      });
    },
    tell: (what, value) => tell({ id, ask: what, value }),
  };
}
