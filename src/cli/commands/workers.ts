import { Argument, type Command } from 'commander';
import { isoTime, minuteInUtc } from '../../base/clock.ts';
import { badUsage } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable, someOf } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { ListedWorker, Wish } from '../../queue/announced-workers.ts';
import { textTable } from '../../report/text/text-table.ts';
import { asServerError } from '../../store/postgres/connection.ts';
import { requireServer } from '../../store/store-place.ts';
import { column, tableOf } from '../../studies/shared/tables.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { namedStore } from '../options.ts';
import { printJson, printLine, terminalWidth } from '../output.ts';

const flags = [
  ['--store <address>', "postgres://user@host/database; else the config's"],
  ['-c, --config <file>', 'the config whose store is meant; by default the one in this folder'],
  ['--all', 'tell all workers'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

const orders: Readonly<Record<string, Wish>> = { pause: 'pause', drain: 'drain', resume: 'work' };

/** `workers [ORDER [NAME]]` */
export const workers: CliCommand = {
  examples: [
    'workers',
    'workers pause gpu1-4711',
    'workers drain --all',
    'workers --store postgres://me@db.example/asr',
  ],
  notes:
    'Lists who makes calls for runs with `executor: queue`. pause: no new calls are taken, until resume. drain: what is in hand is ended, the rest goes back, and the worker ends. Workers hear it within three seconds. One that was not heard from for a minute is gone, and is listed once more.',
  flags,
  configure(command: Command) {
    command
      .addArgument(new Argument('[order]', 'what to tell workers (default: list them)').choices(Object.keys(orders)))
      .argument('[name]', 'which worker, as it is listed')
      .action(run);
  },
};

async function run(order: string | undefined, name: string | undefined, options: Options): Promise<void> {
  if (order === undefined ? options.all : (name === undefined) !== (options.all === true)) {
    throw badUsage(
      `expected the name of a worker or --all behind pause, drain or resume; \`earwitness workers\` lists them`,
    );
  }
  const { file: address } = await namedStore(options);
  requireServer(address);
  const [{ openQueue }, { listWorkers, removeGone, tellWorkers }] = await Promise.all([
    import('../../queue/open-queue.ts'),
    import('../../queue/announced-workers.ts'),
  ]);
  const queue = await openQueue(address);
  try {
    const listed = await queue.transaction(listWorkers);
    if (order === undefined) {
      await queue.transaction(removeGone);
      return await list(listed, options.json === true);
    }
    const told = await queue.transaction((client) => tellWorkers(client, orders[order]!, name ?? null));
    if (told.length === 0 && name !== undefined) throw nobodyTold(name, listed);
    if (options.json) return await printJson({ order, told: [...told] });
    const names = told.length === 0 ? '' : `: ${someOf(told.map((one) => printable(one, 60)))}`;
    await printLine(`${counted(told.length, 'worker')} told to ${order}${names}`);
  } catch (error) {
    throw asServerError(error, address);
  } finally {
    await queue.close();
  }
}

function nobodyTold(name: string, listed: readonly ListedWorker[]): Error {
  const found = listed.find((one) => one.name === name);
  const called = JSON.stringify(printable(name, 100));
  if (found !== undefined)
    return badUsage(`expected a worker that can be told, but ${called} ${found.gone ? 'is gone' : 'drains already'}`);
  const nearest = nearestName(
    name,
    listed.map((one) => one.name),
  );
  const meant = nearest === null ? '' : `; did you mean ${JSON.stringify(printable(nearest, 100))}?`;
  return badUsage(`no worker is called ${called}${meant}; \`earwitness workers\` lists them`);
}

const doing: Readonly<Record<Wish, string>> = { work: 'working', pause: 'paused', drain: 'draining' };
const stateOf = ({ gone, wish }: ListedWorker) => (gone ? 'gone' : doing[wish]);

/** As much of what a recognizer is as tells whether two are the same. */
const identityOf = (queue: string) => queue.replace(/^calls-/, '').slice(0, 8);

async function list(listed: readonly ListedWorker[], json: boolean): Promise<void> {
  if (json) {
    return printJson(
      listed.map((worker) => {
        const { name, sinceMs, silentSeconds, done, inFlight, about } = worker;
        return {
          ...{ name, state: stateOf(worker), since: isoTime(sinceMs), silentSeconds, done, inFlight },
          ...{ host: about?.host ?? null, gpu: about?.gpu ?? null, memoryBytes: about?.memoryBytes ?? null },
          recognizers: (about?.recognizers ?? []).map((one) => ({
            ...{ name: one.name, engine: one.engine, identity: identityOf(one.queue), concurrency: one.concurrency },
          })),
        };
      }),
    );
  }
  if (listed.length === 0) return printLine('no worker is there; `earwitness worker` starts one');
  const offers = listed.flatMap(({ name, about }) => (about?.recognizers ?? []).map((of) => ({ name, about, of })));
  const called = { key: 'name', label: 'Worker', kind: 'text' } as const;
  const tables = [
    tableOf('workers', 'Workers', listed, [
      called,
      column('state', 'State', 'text', stateOf),
      column('since', 'Since (UTC)', 'text', ({ sinceMs }) => minuteInUtc(sinceMs)),
      column('heard', 'Heard, s ago', 'count', ({ silentSeconds }) => Math.round(silentSeconds)),
      column('done', 'Calls', 'count', ({ done }) => done),
      column('inFlight', 'In flight', 'count', ({ inFlight }) => inFlight),
    ]),
    tableOf('offers', 'Recognizers', offers, [
      called,
      column('memory', 'Memory', 'text', ({ about }) => `${((about?.memoryBytes ?? 0) / 2 ** 30).toFixed(0)} GB`),
      column('gpu', 'GPU', 'text', ({ about }) => about?.gpu ?? null),
      column('recognizer', 'Recognizer', 'text', ({ of }) => of.name),
      column('identity', 'Identity', 'text', ({ of }) => `${of.engine} ${identityOf(of.queue)}`),
      column('concurrency', 'At once', 'count', ({ of }) => of.concurrency),
    ]),
  ];
  const page = { width: terminalWidth(), rows: Number.POSITIVE_INFINITY, paint: (_: string, text: string) => text };
  await printLine(tables.map((table) => textTable(table, page).join('\n')).join('\n\n'));
}
