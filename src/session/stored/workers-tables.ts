import type { Table } from '../../model/finding.ts';
import { identityOf, isSilent, type ListedWorker, type Wish } from '../../queue/announced-workers.ts';
import { column, tableOf } from '../../studies/shared/tables.ts';

const doing: Readonly<Record<Wish, string>> = { work: 'working', pause: 'paused', drain: 'draining' };

/** What a worker is at, in a word. */
export const stateOf = (worker: ListedWorker) =>
  worker.gone ? 'gone' : isSilent(worker) ? 'silent' : doing[worker.wish];

/** Who makes calls, and of which recognizers. */
export function workersTables(workers: readonly ListedWorker[]): readonly Table[] {
  const called = { key: 'name', label: 'Worker', kind: 'text' } as const;
  const offers = workers.flatMap(({ name, gone, about }) =>
    gone ? [] : (about?.recognizers ?? []).map((of) => ({ name, about, of })),
  );
  return [
    tableOf('workers', 'Workers', workers, [
      called,
      column('state', 'State', 'text', stateOf),
      column('perSecond', 'Calls a second', 'number', ({ perSecond }) => perSecond),
      column('inFlight', 'In hand', 'count', ({ inFlight }) => inFlight),
      column('done', 'Calls', 'count', ({ done }) => done),
      column('seen', 'Seen, s ago', 'count', ({ silentSeconds }) => Math.round(silentSeconds)),
    ]),
    tableOf('offers', 'Recognizers', offers, [
      called,
      column('recognizer', 'Recognizer', 'text', ({ of }) => of.name),
      column('identity', 'Identity', 'text', ({ of }) => `${of.engine} ${identityOf(of.queue)}`),
      column('concurrency', 'At once', 'count', ({ of }) => of.concurrency),
      column('memory', 'Memory', 'text', ({ about }) => `${((about?.memoryBytes ?? 0) / 2 ** 30).toFixed(0)} GB`),
      column('gpu', 'GPU', 'text', ({ about }) => about?.gpu ?? null),
    ]),
  ];
}
