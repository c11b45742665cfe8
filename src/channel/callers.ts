import type { Caller } from './call.ts';

/** Who is asked during a run, by its number; a run ends before its call does. */
export const callers = new Map<number, Pick<Caller, 'ask'>>();
let runs = 0;

/** Notes who is asked as long as it lasts. @returns its number */
export function answering(caller: Pick<Caller, 'ask'>): { readonly number: number } & Disposable {
  const number = ++runs;
  callers.set(number, caller);
  return { number, [Symbol.dispose]: () => void callers.delete(number) };
}
