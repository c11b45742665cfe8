// Trials a second with `scripted` recognizers, clips of one second in memory, answers committed, report included.
// Goal: at least 5,000. usage: node bench/throughput.ts [runs]
import { measureInventedRun } from './invented-run.ts';
import { median } from './median.ts';

const runs = Number(process.argv[2] ?? 3);
const rates: number[] = [];
for (let run = 0; run < runs; run++) {
  const { first } = await measureInventedRun({
    utterances: 2000,
    speakers: 20,
    conditions: 0,
    recognizers: 2,
    repeats: 10,
  });
  rates.push(first.trials / first.seconds);
  console.log(`${first.trials} trials in ${first.seconds.toFixed(2)} s`);
}
console.log(
  `median ${median(rates).toFixed(0)} trials a second, processor ${(process.cpuUsage().user / 1e6 / runs).toFixed(2)} s a run`,
);
process.exitCode = median(rates) >= 5000 ? 0 : 1;
