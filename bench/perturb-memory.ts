/**
 * Peak resident memory of `earwitness perturb --discard` over hours of speech beside ten minutes of it, through 20 scenarios.
 * Goal for 10 hours: at most 64 MiB more.
 *
 *   node bench/perturb-memory.ts [HOURS=10] [WORKERS=1] [SCENARIOS=20]
 *
 * The 600 s of speech-input.ts are looped: every row of the manifest is a stretch of 10 s.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeWav } from '../src/audio/encode-wav.ts';
import { listScenarios } from '../src/perturbations/scenarios.ts';
import { loadLadders } from '../src/session/members/listings.ts';
import { speechInput } from './speech-input.ts';

const hours = Number(process.argv[2] ?? 10);
const workers = process.argv[3] ?? '1';
const count = Number(process.argv[4] ?? 20);

const command = new URL('../src/cli/main.ts', import.meta.url).href;
const measured = `process.on('exit', () => console.error('peak ' + process.resourceUsage().maxRSS / 1024));
const { main } = await import(${JSON.stringify(command)}); await main(process.argv.slice(1));`;

function peakMebibytes(folder: string, list: string, scenarios: string): number {
  const args = ['--input-type=module', '-e', measured, '--', 'perturb', list, '--scenario', scenarios, '--discard'];
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { stderr } = spawnSync(process.execPath, [...args, '--workers', workers], options);
  const peak = /^peak ([\d.]+)$/m.exec(stderr)?.[1];
  if (peak === undefined) throw new Error(stderr.slice(-2000));
  if (/failed/.test(stderr)) console.error(stderr.slice(-500));
  return Number(peak);
}

const speech = await speechInput();
if (speech !== null) {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-bench-'));
  try {
    writeFileSync(join(folder, 'in.wav'), encodeWav({ samples: speech, sampleRate: 16_000 }, { format: 's16' }));
    const write = (name: string, rows: number) => {
      const lines = Array.from({ length: rows }, (_, row) => {
        const start = (row % 60) * 10;
        return `u${row}\tin.wav\t${start}\t${start + 10}\n`;
      });
      writeFileSync(join(folder, name), `id\tpath\tstart\tend\n${lines.join('')}`);
    };
    write('short.tsv', 60);
    write('long.tsv', Math.round(hours * 360));
    // The scenarios that need nothing but the sound: the ladder of AequeVox.
    const ladders = (await loadLadders()).filter(({ name }) => name === 'aequevox');
    const scenarios = listScenarios(ladders)
      .slice(0, count)
      .map(({ condition }) => condition.name);
    const short = peakMebibytes(folder, 'short.tsv', scenarios.join(','));
    const long = peakMebibytes(folder, 'long.tsv', scenarios.join(','));
    const figures = { hours, workers: Number(workers), scenarios: scenarios.length, short, long, more: long - short };
    console.log(JSON.stringify({ units: 'MiB at the peak', ...figures, goal: 64 }));
    process.exitCode = long - short <= 64 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
