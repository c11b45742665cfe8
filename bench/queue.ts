// Trials a second with `scripted` recognizers asked in this process and by so many workers in turns, answers in a PostgreSQL server.
// Goal: at least 3,000 with two workers. usage: node bench/queue.ts ADDRESS OF AN EMPTY DATABASE [workers] [turns] [utterances]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from '../src/store/postgres/connection.ts';
import { identityOf, measureInventedRun } from './invented-run.ts';
import { median } from './median.ts';

const [address = '', workers = '2', turns = '3', utterances = '1000'] = process.argv.slice(2);
const shape = { utterances: Number(utterances), speakers: 20, conditions: 0, recognizers: 2, repeats: 10 };

async function startWorker(): Promise<ChildProcess> {
  const source = (file: string) => JSON.stringify(import.meta.resolve(`../src/${file}`));
  const script = `import { runWorker } from ${source('queue/queue-worker.ts')};
    import { inProcessExecutor } from ${source('engine/executors/executors.ts')};
    import { scripted } from ${source('recognizers/scripted/scripted.ts')};
    import { systemClock } from ${source('base/clock.ts')};
    const services = { baseFolder: '.', environment: () => undefined, fileHash: async () => '' };
    const options = scripted.options.parse({ needsAudio: true, rule: 'echo-id', concurrency: 64 });
    const drain = new AbortController();
    process.on('SIGTERM', () => drain.abort());
    console.log('begun');
    await runWorker({ address: ${JSON.stringify(address)}, place: null, drain: drain.signal, abort: new AbortController().signal,
      executor: inProcessExecutor(() => scripted.open(options, services), systemClock),
      recognizers: ${JSON.stringify([0, 1].map((index) => ({ name: `r${index}`, identity: identityOf(index), concurrency: 64 })))} });
    const { user, system } = process.cpuUsage();
    console.error('worker: processor ' + ((user + system) / 1e6).toFixed(1) + ' s');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return child;
}

const rates = { here: [] as number[], queue: [] as number[] };
for (let turn = 0; turn < Number(turns); turn++) {
  for (const where of ['here', 'queue'] as const) {
    const server = connect(address);
    server.exec('DROP SCHEMA IF EXISTS earwitness CASCADE');
    server.close();
    const helping = where === 'here' ? [] : await Promise.all(Array.from({ length: Number(workers) }, startWorker));
    const before = process.cpuUsage();
    const { first } = await measureInventedRun(shape, false, address, where === 'queue');
    const { user, system } = process.cpuUsage(before);
    rates[where].push(first.trials / first.seconds);
    console.log(
      `${where}: ${first.trials} trials in ${first.seconds.toFixed(1)} s; processor ${((user + system) / 1e6).toFixed(1)} s`,
    );
    for (const child of helping) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
}
console.log(
  `median trials a second: here ${median(rates.here).toFixed(0)}, by a queue ${median(rates.queue).toFixed(0)}`,
);
process.exitCode = median(rates.queue) >= 3000 ? 0 : 1;
