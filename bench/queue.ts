// Trials a second with `scripted` recognizers asked in this process and by so many workers in turns, answers in a PostgreSQL server.
// Goal: at least 3,000 with two workers. usage: node bench/queue.ts ADDRESS OF AN EMPTY DATABASE [workers] [turns] [utterances]
import { connect } from '../src/store/postgres/connection.ts';
import { measureInventedRun } from './invented-run.ts';
import { median } from './median.ts';
import { startWorker, stopWorkers } from './queue-worker.ts';

const [address = '', workers = '2', turns = '3', utterances = '1000'] = process.argv.slice(2);
const shape = { utterances: Number(utterances), speakers: 20, conditions: 0, recognizers: 2, repeats: 10 };

const rates = { here: [] as number[], queue: [] as number[] };
for (let turn = 0; turn < Number(turns); turn++) {
  for (const where of ['here', 'queue'] as const) {
    const server = connect(address);
    server.exec('DROP SCHEMA IF EXISTS earwitness CASCADE');
    server.close();
    const helping =
      where === 'here'
        ? []
        : await Promise.all(Array.from({ length: Number(workers) }, () => startWorker(address, 64, 0)));
    const before = process.cpuUsage();
    const { first } = await measureInventedRun(shape, false, address, where === 'queue');
    const { user, system } = process.cpuUsage(before);
    rates[where].push(first.trials / first.seconds);
    console.log(
      `${where}: ${first.trials} trials in ${first.seconds.toFixed(1)} s; processor ${((user + system) / 1e6).toFixed(1)} s`,
    );
    await stopWorkers(helping);
  }
}
console.log(
  `median trials a second: here ${median(rates.here).toFixed(0)}, by a queue ${median(rates.queue).toFixed(0)}`,
);
process.exitCode = median(rates.queue) >= 3000 ? 0 : 1;
