// Processor time of a whole run with PocketSphinx on clean clips, beside the engine alone on the same clips in memory.
// Goal: everything but the engine takes at most 3 % of what the engine takes. Needs TIMIT in ../shared and PocketSphinx.
// One engine in both, since two beside each other slow each other's memory down.
// usage: node bench/overhead.ts [clips] [runs]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wav } from '../src/decoders/wav/wav.ts';
import { pocketsphinx } from '../src/recognizers/pocketsphinx/pocketsphinx.ts';
import { plainServices } from '../src/recognizers/shared/plain-services.ts';
import { median } from './median.ts';

const data = fileURLToPath(new URL('../../shared/data/', import.meta.url));
const command = fileURLToPath(new URL('../bin/earwitness.js', import.meta.url));
const own = fileURLToPath(import.meta.url);

interface Clips {
  readonly paths: readonly string[];
}

/** Processor seconds of a child and of all that it started, as the operating system counts them. */
function processorSeconds(args: readonly string[], cwd: string): number {
  const script =
    'times=$(mktemp); /usr/bin/env bash -c \'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>"$0.err"\' "$times" "$@" 2>"$times"; cat "$times"; rm -f "$times" "$times.err"';
  const { stdout } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], { cwd, encoding: 'utf8' });
  const [user, system] = stdout.trim().split(/\s+/).slice(-2).map(Number);
  return user! + system!;
}

async function engineAlone({ paths }: Clips): Promise<void> {
  const services = plainServices(data);
  const clips = await Promise.all(paths.map((path) => wav.decode(readFileSync(join(data, path)), path)));
  const before = process.cpuUsage();
  const recognizer = await pocketsphinx.open(pocketsphinx.options.parse({}), services);
  for (const [index, clip] of clips.entries()) {
    const request = { clip, utteranceId: String(index), conditionName: 'clean', repeat: 0, language: 'en' };
    await recognizer.recognize(request, new AbortController().signal);
  }
  const { user, system } = process.cpuUsage(before);
  await recognizer.close();
  console.log((user + system) / 1e6);
}

async function main(count: number, runs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-overhead-'));
  try {
    const rows = readFileSync(join(data, 'speech/manifest.tsv'), 'utf8').split('\n');
    const timit = rows.filter((row) => row.split('\t')[1] === 'timit').slice(0, count);
    writeFileSync(join(folder, 'clips.tsv'), `${rows[0]}\n${timit.join('\n')}\n`);
    writeFileSync(join(folder, 'clips.json'), JSON.stringify({ paths: timit.map((row) => row.split('\t')[0]) }));
    const config = {
      corpus: { type: 'manifest', file: 'clips.tsv', soundFolder: data },
      recognizers: { pocketsphinx: { type: 'pocketsphinx' } },
      studies: [{ type: 'robustness', conditions: [] }],
    };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    const shares: number[] = [];
    for (let run = 0; run < runs; run++) {
      const alone = spawnSync(process.execPath, [own, 'alone', join(folder, 'clips.json')], { encoding: 'utf8' });
      const engine = Number(alone.stdout.trim());
      rmSync(join(folder, '.earwitness'), { recursive: true, force: true });
      const whole = processorSeconds(
        [command, 'run', '--workers', '1', '--config', join(folder, 'config.json')],
        folder,
      );
      shares.push((whole - engine) / engine);
      console.log(
        `engine ${engine.toFixed(2)} s, whole run ${whole.toFixed(2)} s, everything else ${(100 * shares.at(-1)!).toFixed(2)} %`,
      );
    }
    console.log(`median of ${runs}: ${(100 * median(shares)).toFixed(2)} % (goal: at most 3 %), ${count} clips`);
    process.exitCode = median(shares) <= 0.03 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[2] === 'alone') await engineAlone(JSON.parse(readFileSync(process.argv[3]!, 'utf8')) as Clips);
else if (!existsSync(join(data, 'speech/manifest.tsv'))) console.log(`skipped: no TIMIT at ${data}`);
else await main(Number(process.argv[2] ?? 160), Number(process.argv[3] ?? 5));
