// How long `earwitness --help` takes beside bare Node.js. Goal: at most 1.5 times `node -e 0` plus 60 ms.
// usage: node bench/start.ts [runs]
import { spawnSync } from 'node:child_process';
import { median } from './median.ts';

const runs = Number(process.argv[2] ?? 15);
const command = new URL('../bin/earwitness.js', import.meta.url).pathname;

function seconds(args: readonly string[]): number {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
  return (performance.now() - started) / 1000;
}

const bare: number[] = [];
const help: number[] = [];
seconds([command, '--help']);
for (let run = 0; run < runs; run++) {
  bare.push(seconds(['-e', '0']));
  help.push(seconds([command, '--help']));
}
const limit = 1.5 * median(bare) + 0.06;
console.log(
  `node -e 0: ${(median(bare) * 1000).toFixed(0)} ms, earwitness --help: ${(median(help) * 1000).toFixed(0)} ms, limit ${(limit * 1000).toFixed(0)} ms (medians of ${runs}, in turn)`,
);
process.exitCode = median(help) <= limit ? 0 : 1;
