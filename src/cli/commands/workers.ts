import { Argument, type Command } from 'commander';
import { isoTime } from '../../base/clock.ts';
import { badUsage } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable, someOf } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import {
  identityOf,
  type ListedWorker,
  listWorkers,
  makersOf,
  tellWorkers,
  type Wish,
} from '../../queue/announced-workers.ts';
import type { SeenWorkers } from '../../queue/watch-workers.ts';
import { workersText } from '../../queue/workers-text.ts';
import { textTable } from '../../report/text/text-table.ts';
import { stateOf, workersTables } from '../../session/stored/workers-tables.ts';
import { asServerError } from '../../store/postgres/connection.ts';
import { requireServer } from '../../store/store-place.ts';
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
    'Lists who makes calls for runs with `executor: queue`. pause: no new calls are taken, until resume. drain: what is in hand is ended, the rest goes back, and the worker ends. Workers hear it within three seconds. One that was not heard from for 12 seconds is silent, for a minute gone.',
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
    const came = name === undefined ? '' : ', not both';
    throw badUsage(
      `expected the name of a worker or --all${came} behind pause, drain or resume; \`earwitness workers\` lists them`,
    );
  }
  const { file: address } = await namedStore(options);
  requireServer(address);
  if (order === undefined) return await seen(address, options.json === true);
  const { openQueue } = await import('../../queue/open-queue.ts');
  const queue = await openQueue(address);
  try {
    const listed = await queue.transaction(listWorkers);
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

async function seen(address: string, json: boolean): Promise<void> {
  const watch = await (await import('../../queue/watch-workers.ts')).watchWorkers(address);
  try {
    await list(await watch.look(), json);
  } finally {
    await watch.close();
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

async function list({ workers: listed, queued }: SeenWorkers, json: boolean): Promise<void> {
  if (json) {
    return printJson(
      listed.map((worker) => {
        const { name, sinceMs, silentSeconds, done, inFlight, perSecond, about } = worker;
        return {
          ...{ name, state: stateOf(worker), since: isoTime(sinceMs), silentSeconds, done, inFlight, perSecond },
          ...{ host: about?.host ?? null, gpu: about?.gpu ?? null, memoryBytes: about?.memoryBytes ?? null },
          recognizers: (about?.recognizers ?? []).map((one) => ({
            ...{ name: one.name, engine: one.engine, identity: identityOf(one.queue), concurrency: one.concurrency },
          })),
        };
      }),
    );
  }
  const sum = workersText(makersOf(listed), { queued });
  if (listed.length === 0) return printLine(sum);
  const page = { width: terminalWidth(), rows: Number.POSITIVE_INFINITY, paint: (_: string, text: string) => text };
  await printLine([sum, ...workersTables(listed).map((table) => textTable(table, page).join('\n'))].join('\n\n'));
}
