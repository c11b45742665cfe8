import type { AttemptEnd, NewAnswer, NewAttempt, Store } from '../store/contract.ts';

/** Journals calls and keeps answers, many together in one transaction: what is waiting is written in the next turn. */
export interface GroupCommit {
  /** Resolves with the call's number when it is safely journaled: only then may it be made. */
  begin(attempt: NewAttempt): Promise<number>;
  /** Resolves when the end of a call, and the answer if it gave one, are safely kept. */
  end(end: AttemptEnd | null, answer: NewAnswer | null): Promise<void>;
}

interface Waiting<Entry, Result> {
  readonly entry: Entry;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export function createGroupCommit(store: Store, runId: string): GroupCommit {
  let begins: Waiting<NewAttempt, number>[] = [];
  let ends: Waiting<{ end: AttemptEnd | null; answer: NewAnswer | null }, void>[] = [];
  let scheduled = false;

  const flush = () => {
    scheduled = false;
    const [starting, ending] = [begins, ends];
    begins = [];
    ends = [];
    try {
      const numbers = store.record(runId, {
        begin: starting.map(({ entry }) => entry),
        end: ending.flatMap(({ entry }) => entry.end ?? []),
        answers: ending.flatMap(({ entry }) => entry.answer ?? []),
      });
      for (const { resolve } of ending) resolve();
      starting.forEach(({ resolve }, index) => {
        resolve(numbers[index]!);
      });
    } catch (error) {
      for (const { reject } of [...ending, ...starting]) reject(error);
    }
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };

  return {
    begin(entry) {
      schedule();
      return new Promise((resolve, reject) => {
        begins.push({ entry, resolve, reject });
      });
    },
    end(end, answer) {
      schedule();
      return new Promise((resolve, reject) => {
        ends.push({ entry: { end, answer }, resolve, reject });
      });
    },
  };
}
