// Trials a second with `scripted` recognizers into a file and into a PostgreSQL server, in turns: 100,000 trials, report included.
// Goal: at least 3,000 on the server. usage: node bench/server-store.ts ADDRESS OF AN EMPTY DATABASE [turns] [utterances]
import { connect } from '../src/store/postgres/connection.ts';
import { measureInventedRun } from './invented-run.ts';
import { median } from './median.ts';

const [address = '', turns = '3', utterances = '5000'] = process.argv.slice(2);
const shape = { utterances: Number(utterances), speakers: 20, conditions: 0, recognizers: 2, repeats: 10 };
const rates = { file: [] as number[], server: [] as number[] };
for (let turn = 0; turn < Number(turns); turn++) {
  for (const place of ['file', 'server'] as const) {
    if (place === 'server') {
      const server = connect(address);
      server.exec('DROP SCHEMA IF EXISTS earwitness CASCADE');
      server.close();
    }
    const before = process.cpuUsage();
    const { first, second } = await measureInventedRun(shape, true, place === 'server' ? address : undefined);
    const { user, system } = process.cpuUsage(before);
    rates[place].push(first.trials / first.seconds);
    console.log(
      `${place}: ${first.trials} trials in ${first.seconds.toFixed(1)} s, again in ${second!.seconds.toFixed(1)} s; processor ${((user + system) / 1e6).toFixed(1)} s`,
    );
  }
}
console.log(`median trials a second: file ${median(rates.file).toFixed(0)}, server ${median(rates.server).toFixed(0)}`);
process.exitCode = median(rates.server) >= 3000 ? 0 : 1;
