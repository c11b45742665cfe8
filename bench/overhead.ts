// Processor time of everything but the engine in a run with PocketSphinx on clean clips, as a share of the engine's. The
// engine's time is that of its processes from the moment they are told to open it; everything else is the command, its
// threads, and the start of those processes, all in the same run: two runs differ by more than what is measured here.
// Goal: at most 3 %. Needs TIMIT in ../shared and PocketSphinx. usage: node bench/overhead.ts [clips] [runs]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './median.ts';
import type { ProcessorTimes } from './processor-at-exit.ts';

const data = fileURLToPath(new URL('../../shared/data/', import.meta.url));
const command = fileURLToPath(new URL('../bin/earwitness.js', import.meta.url));
const preload = new URL('./processor-at-exit.ts', import.meta.url).href;

/** The share of one run. */
function shareOf(folder: string): number {
  const times = join(folder, 'times');
  rmSync(times, { recursive: true, force: true });
  rmSync(join(folder, '.earwitness'), { recursive: true, force: true });
  mkdirSync(times);
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', preload, command, 'run', '--config', join(folder, 'config.json')],
    { encoding: 'utf8', env: { ...process.env, EARWITNESS_PROCESSOR_TIMES: times } },
  );
  if (status !== 0) throw new Error(`the run ended with ${status}: ${stderr}`);
  let engine = 0;
  let rest = 0;
  for (const file of readdirSync(times)) {
    const used = JSON.parse(readFileSync(join(times, file), 'utf8')) as ProcessorTimes;
    engine += used.host ? used.seconds - used.secondsBeforeOpening : 0;
    rest += used.host ? used.secondsBeforeOpening : used.seconds;
  }
  console.log(
    `engine ${engine.toFixed(2)} s, everything else ${rest.toFixed(2)} s: ${((100 * rest) / engine).toFixed(2)} %`,
  );
  return rest / engine;
}

if (!existsSync(join(data, 'speech/manifest.tsv'))) {
  console.log(`skipped: no TIMIT at ${data}`);
} else {
  const [clips, runs] = [Number(process.argv[2] ?? 160), Number(process.argv[3] ?? 5)];
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-overhead-'));
  try {
    const rows = readFileSync(join(data, 'speech/manifest.tsv'), 'utf8').split('\n');
    const timit = rows.filter((row) => row.split('\t')[1] === 'timit').slice(0, clips);
    writeFileSync(join(folder, 'clips.tsv'), `${rows[0]}\n${timit.join('\n')}\n`);
    const config = {
      corpus: { type: 'manifest', file: 'clips.tsv', soundFolder: data },
      recognizers: { pocketsphinx: { type: 'pocketsphinx' } },
      studies: [{ type: 'robustness', conditions: [] }],
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    const shares = Array.from({ length: runs }, () => shareOf(folder));
    console.log(`median of ${runs}: ${(100 * median(shares)).toFixed(2)} % (goal: at most 3 %), ${clips} clips`);
    process.exitCode = median(shares) <= 0.03 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
