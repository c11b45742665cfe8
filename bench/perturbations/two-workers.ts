import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../bin/earwitness.js', import.meta.url));

/** Pieces of 10 s: enough that starting, about a third of a second for each thread, does not decide. */
const rowCount = 180;

/**
 * What two workers gain over one on the whole command (`perturb --discard` of the ladder AequeVox over half an hour of sound, in
 * pieces of 10 s), in turns, the least of the repeats: wall-clock seconds, which other work on the machine spoils.
 *
 * @param folder with in.wav of 600 s
 */
export function twoWorkers(folder: string, repeats: number): object {
  const rows = Array.from({ length: rowCount }, (_, index) => {
    const start = (index % 60) * 10;
    return `p${index}\tin.wav\t${start}\t${start + 10}`;
  });
  writeFileSync(join(folder, 'list.tsv'), `id\tpath\tstart\tend\n${rows.join('\n')}\n`);
  const times = { one: [] as number[], two: [] as number[] };
  for (let repeat = 0; repeat < repeats; repeat++) {
    times.one.push(seconds(folder, 1));
    times.two.push(seconds(folder, 2));
  }
  const [one, two] = [Math.min(...times.one), Math.min(...times.two)];
  return { workers: { one, two, gain: one / two, cores: availableParallelism(), goal: 1.8 } };
}

function seconds(folder: string, workers: number): number {
  const started = performance.now();
  const args = [command, 'perturb', 'list.tsv', '--scenario', 'aequevox', '--discard', '--workers', String(workers)];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return (performance.now() - started) / 1000;
}
