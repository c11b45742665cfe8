import type { Table } from '../../model/finding.ts';
import type { ListedWorker, Wish } from '../../queue/announced-workers.ts';
import { column, tableOf } from '../../studies/shared/tables.ts';

const doing: Readonly<Record<Wish, string>> = { work: 'working', pause: 'paused', drain: 'draining' };

/** What a worker is at, in a word. */
export const stateOf = ({ gone, wish }: ListedWorker) => (gone ? 'gone' : doing[wish]);

/** As much of what a recognizer is as tells whether two are the same. */
export const identityOf = (queue: string) => queue.replace(/^calls-/, '').slice(0, 8);

/** Who makes calls, and of which recognizers. */
export function workersTables(workers: readonly ListedWorker[]): readonly Table[] {
  const called = { key: 'name', label: 'Worker', kind: 'text' } as const;
  const offers = workers.flatMap(({ name, about }) => (about?.recognizers ?? []).map((of) => ({ name, about, of })));
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
