/**
 * Processor seconds per hour of speech of every scenario of the ladders, beside SoX where SoX has the effect, in turns.
 *
 *   node bench/perturbations.ts [REPEATS=3] [TEXT]     only names with TEXT in them
 *
 * Input: the 600 s of speech of speech-input.ts; ours in 60 pieces of 10 s, SoX one file whose reading and start is
 * subtracted (as the time that it takes for 0.01 s). One warm-up, then the least of the repeats. Prints a JSON line for each
 * scenario, the geometric mean of the ratios to SoX, and what two workers gain over one on the whole command.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeWav } from '../src/audio/encode-wav.ts';
import { messageOf } from '../src/base/errors.ts';
import { createRandom } from '../src/base/random.ts';
import type { Step } from '../src/model/condition.ts';
import { applySteps, readyStep } from '../src/perturbations/apply-steps.ts';
import { listScenarios } from '../src/perturbations/scenarios.ts';
import { loadMember } from '../src/session/members/load-member.ts';
import { loadLadders } from '../src/session/members/scenarios.ts';
import { createServices } from '../src/session/services.ts';
import { median } from './median.ts';
import { pieces, speechInput } from './speech-input.ts';

const repeats = Number(process.argv[2] ?? 3);
const only = process.argv[3] ?? '';

/** What SoX is asked for the same: the arguments of Speech Robust Bench (../shared/methods/speech-robust-bench.md). */
const sox: Readonly<Record<string, string>> = {
  'srb/echo:2': 'echo 0.8 0.9 250 0.3',
  'srb/bass:1': 'bass 20',
  'srb/treble:1': 'treble 10',
  'srb/phaser:2': 'phaser 0.6 0.8 3 0.5 2 -t',
  'srb/chorus:2': 'chorus 0.7 0.9 50 0.4 0.25 2 -t 60 0.3 0.4 2 -s',
  'srb/tremolo:1': 'tremolo 20 50',
  'srb/tempo_up:1': 'tempo 1.25 30',
  'srb/tempo_down:2': 'tempo 0.75 30',
  'srb/speedup:1': 'speed 1.25 rate 16k',
  'srb/slowdown:2': 'speed 0.75 rate 16k',
  'srb/pitch_up:1': 'pitch 300',
  'srb/pitch_down:1': 'pitch -300',
  'srb/resample:2': 'rate 8000 rate 16000',
  'srb/lowpass:1': 'sinc 0-4000',
  'srb/highpass:2': 'sinc 1333',
};

const speech = await speechInput();
if (speech !== null) {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-bench-'));
  try {
    writeFileSync(join(folder, 'in.wav'), encodeWav({ samples: speech, sampleRate: 16_000 }, { format: 's16' }));
    writeFileSync(
      join(folder, 'short.wav'),
      encodeWav({ samples: speech.subarray(0, 160), sampleRate: 16_000 }, { format: 's16' }),
    );
    await everyScenario(speech, folder);
    twoWorkers(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function everyScenario(samples: Float32Array, folder: string): Promise<void> {
  const hasSox = spawnSync('sox', ['--version']).status === 0;
  if (!hasSox) console.error('no SoX here: ours alone');
  const clips = pieces(samples, 60);
  const ratios: number[] = [];
  const services = createServices({ baseFolder: process.cwd() });
  for (const { condition } of listScenarios(await loadLadders())) {
    if (!condition.name.includes(only)) continue;
    const run = await ours(condition.steps, clips, services.assets).catch((error: unknown) => messageOf(error));
    if (typeof run === 'string') {
      console.log(JSON.stringify({ work: condition.name, left: run.slice(0, 200) }));
      continue;
    }
    const arguments_ = hasSox ? sox[condition.name] : undefined;
    const peer = arguments_ === undefined ? null : () => soxSeconds(folder, arguments_);
    const times = { ours: [] as number[], sox: [] as number[] };
    await run();
    peer?.();
    for (let repeat = 0; repeat < repeats; repeat++) {
      times.ours.push(await run());
      if (peer) times.sox.push(peer());
    }
    const seconds = Math.min(...times.ours);
    const soxBest = peer ? Math.min(...times.sox) : null;
    const ratio = soxBest === null ? null : seconds / soxBest;
    if (ratio !== null) ratios.push(ratio);
    const units = 'processor seconds per hour of sound';
    console.log(
      JSON.stringify({
        work: condition.name,
        units,
        seconds,
        median: median(times.ours),
        sox: soxBest,
        ratio,
        repeats,
      }),
    );
  }
  if (ratios.length === 0) return;
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  const worst = Math.max(...ratios);
  console.log(JSON.stringify({ geometricMeanOfRatiosToSox: mean, worst, effects: ratios.length, goal: 0.7 }));
}

type Assets = ReturnType<typeof createServices>['assets'];

/** One pass over all pieces, in processor seconds per hour. */
async function ours(steps: readonly Step[], clips: ReturnType<typeof pieces>, assets: Assets) {
  const ready = await Promise.all(
    steps.map(async ({ perturbation, parameters }) => {
      const { member } = await loadMember('perturbations', perturbation, process.cwd());
      return readyStep(member, parameters, assets);
    }),
  );
  return async (): Promise<number> => {
    const before = process.cpuUsage();
    for (const [index, clip] of clips.entries()) {
      await applySteps(clip, steps, {
        ready: (position) => ready[position]!,
        randomFor: (position) => createRandom({ index, position }),
      });
    }
    const { user, system } = process.cpuUsage(before);
    return ((user + system) / 1e6) * (3600 / (clips.length * 10));
  };
}

/** What SoX uses of the processor for an effect, per hour of sound; its start is subtracted. */
function soxSeconds(folder: string, effect: string): number {
  return 6 * (soxProcessorSeconds(join(folder, 'in.wav'), effect) - soxProcessorSeconds(join(folder, 'short.wav'), ''));
}

function soxProcessorSeconds(file: string, effect: string): number {
  const raw = ['-t', 'raw', '-e', 'floating-point', '-b', '32', '/dev/null'];
  const words = effect === '' ? [] : effect.split(' ');
  const args = ['-c', 'time "$@" 2>/dev/null', 'bash', 'sox', '-D', '--single-threaded', file, ...raw, ...words];
  const { status, stderr } = spawnSync('bash', args, {
    encoding: 'utf8',
    env: { ...process.env, TIMEFORMAT: '%U %S' },
  });
  if (status !== 0) throw new Error(`SoX could not do: ${effect}`);
  const [user, system] = stderr.trim().split(' ').map(Number);
  return user! + system!;
}

/** The whole command over one heavy scenario with one worker and with two, in turns: wall-clock seconds. */
function twoWorkers(folder: string): void {
  const command = fileURLToPath(new URL('../bin/earwitness.js', import.meta.url));
  const rows = Array.from({ length: 60 }, (_, index) => `p${index}\tin.wav\t${index * 10}\t${index * 10 + 10}`);
  writeFileSync(join(folder, 'list.tsv'), `id\tpath\tstart\tend\n${rows.join('\n')}\n`);
  const seconds = (workers: number): number => {
    const started = performance.now();
    const args = [command, 'perturb', 'list.tsv', '--scenario', 'aequevox', '--discard', '--workers', String(workers)];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return (performance.now() - started) / 1000;
  };
  const times = { one: [] as number[], two: [] as number[] };
  for (let repeat = 0; repeat < repeats; repeat++) {
    times.one.push(seconds(1));
    times.two.push(seconds(2));
  }
  const [one, two] = [Math.min(...times.one), Math.min(...times.two)];
  console.log(JSON.stringify({ workers: { one, two, gain: one / two, cores: availableParallelism(), goal: 1.8 } }));
}
