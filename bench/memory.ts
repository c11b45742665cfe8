// Peak resident memory of a run of 10^6 trials beside one of 10^4, report included, each in a process of its own.
// Goal: at most 64 MiB more. usage: node bench/memory.ts
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { measureInventedRun } from './invented-run.ts';

// The flags that the thread of a run has.
const likeARun = ['--optimize-for-size', '--max-semi-space-size=4'];
const utterances = process.argv[2];
if (utterances !== undefined) {
  const { first } = await measureInventedRun({
    utterances: Number(utterances),
    speakers: 50,
    conditions: 4,
    recognizers: 2,
    repeats: 10,
  });
  console.log(JSON.stringify({ ...first, peakMebibytes: process.resourceUsage().maxRSS / 1024 }));
} else {
  const peak = (count: number): number => {
    const { stdout } = spawnSync(process.execPath, [...likeARun, fileURLToPath(import.meta.url), String(count)], {
      encoding: 'utf8',
    });
    console.log(stdout.trim());
    return JSON.parse(stdout).peakMebibytes;
  };
  const [small, large] = [peak(100), peak(10_000)];
  console.log(
    `10^4 trials: ${small.toFixed(0)} MiB, 10^6 trials: ${large.toFixed(0)} MiB, ${(large - small).toFixed(0)} MiB more (goal: at most 64)`,
  );
  process.exitCode = large - small <= 64 ? 0 : 1;
}
