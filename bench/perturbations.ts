/**
 * Processor seconds per hour of speech of every effect beside SoX and the quickest Python libraries, in turns, so that all
 * have the same minutes; then what two workers gain over one.
 *
 *   node bench/perturbations.ts [REPEATS=15] [TEXT]       only effects with TEXT in their names
 *
 * Input: the 600 s of speech of speech-input.ts; ours and Python get pieces of 10 s (again and again, or fewer, for passes of a third of a second), SoX
 * one file; what SoX takes for .01 s is subtracted, what it takes to read and convert is not. Two passes to warm up. Prints a
 * line with the machine and its load, a JSON line for each effect with medians, ratios of medians and the peers' versions, then
 * the geometric means and the slowest. EARWITNESS_PEERS is the Python to use (`../shared/peers/setup.sh` makes one; python3 if
 * not given).
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clip } from '../src/audio/clip.ts';
import { encodeWav } from '../src/audio/encode-wav.ts';
import type { Step } from '../src/model/trial.ts';
import { resolveScenario } from '../src/perturbations/scenarios.ts';
import { loadLadders } from '../src/session/members/listings.ts';
import { createServices, type Services } from '../src/session/open/services.ts';
import { median } from './median.ts';
import { ownPass } from './perturbations/own-pass.ts';
import { type PythonPeers, startPythonPeers } from './perturbations/python-peers.ts';
import { soxSeconds } from './perturbations/sox-seconds.ts';
import { twoWorkers } from './perturbations/two-workers.ts';
import { nothing, type Work, works } from './perturbations/works.ts';
import { pieces, speechInput } from './speech-input.ts';

const repeats = Number(process.argv[2] ?? 15);
const only = process.argv[3] ?? '';
const pieceSeconds = 10;
/** A pass of about this long is long enough: of quick effects the pieces come again, slow ones get fewer. */
const longPassSeconds = 0.3;
const maxPieces = 600;
const acoustics = fileURLToPath(new URL('../../shared/data/acoustics/', import.meta.url));
const ladders = await loadLadders();

const speech = await speechInput();
if (speech !== null) {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-bench-'));
  try {
    const clips = pieces(speech, 60);
    const services = await prepareFolder(folder, speech);
    await everyEffect(clips, services, folder);
    if (only === '') console.log(JSON.stringify(twoWorkers(folder, Math.min(repeats, 3))));
    await services.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes what the peers read, and names noise and room as collections. */
async function prepareFolder(folder: string, samples: Float32Array): Promise<Services> {
  const clip = (of: Float32Array) => encodeWav({ samples: of, sampleRate: 16_000 }, { format: 's16' });
  writeFileSync(join(folder, 'in.wav'), clip(samples));
  writeFileSync(join(folder, 'short.wav'), clip(samples.subarray(0, 160)));
  writeFileSync(join(folder, 'speech.raw'), samples);
  const plain = createServices({ baseFolder: folder });
  for (const [name, file] of [
    ['noises', 'noise/pink_noise.wav'],
    ['rooms', 'rir/speechbrain-rir2.wav'],
  ] as const) {
    mkdirSync(join(folder, name));
    cpSync(join(acoustics, file), join(folder, name, 'sound.wav'));
    writeFileSync(join(folder, `${name}.raw`), (await plain.sounds.read(join(acoustics, file))).samples);
  }
  return plain;
}

async function everyEffect(clips: readonly Clip[], services: Services, folder: string): Promise<void> {
  const sox = /v([\d.]+)/.exec(spawnSync('sox', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? null;
  if (sox === null) console.error('no SoX here: left out');
  const python = process.env.EARWITNESS_PEERS ?? 'python3';
  const raw = ['speech', 'noises', 'rooms'].map((name) => join(folder, `${name}.raw`));
  const peers = await startPythonPeers(python, raw);
  const machine = machineHere();
  console.log(JSON.stringify({ machine, load: loadavg().map(round), node: process.version, python: peers?.versions }));
  const ratios = { sox: [] as Ratio[], python: [] as Ratio[] };
  try {
    for (const work of works) {
      if (!work.name.includes(only)) continue;
      const line = await measure(work, clips, services, { folder, sox, peers });
      console.log(JSON.stringify({ ...line, machine }));
      if (work === nothing) continue;
      if (line.ratioToSox !== null) ratios.sox.push({ work: work.name, ratio: line.ratioToSox });
      if (line.ratioToPython !== null) ratios.python.push({ work: work.name, ratio: line.ratioToPython });
    }
  } finally {
    peers?.close();
  }
  summary('SoX', ratios.sox, 0.45);
  summary('the quickest Python library', ratios.python, 0.45);
}

interface Ratio {
  readonly work: string;
  readonly ratio: number;
}

interface Peers {
  readonly folder: string;
  /** Its version; null where it is absent. */
  readonly sox: string | null;
  readonly peers: PythonPeers | null;
}

/** Ours, SoX and every library in turns. */
async function measure(work: Work, clips: readonly Clip[], services: Services, { folder, sox: version, peers }: Peers) {
  const pass = await ownPass(stepsOf(work.ours), services);
  const runners = new Map<string, (count: number) => number | null | Promise<number | null>>([
    ['ours', (count) => pass(Array.from({ length: count }, (_, place) => clips[place % clips.length]!))],
  ]);
  const { sox } = work;
  for (const name of work.python ?? []) {
    if (peers?.names.has(name)) runners.set(name, (count) => peers.seconds(name, count));
  }
  // SoX gets the whole file, whatever the others get.
  if (sox !== undefined && version !== null)
    runners.set('SoX', (count) => (soxSeconds(folder, sox) * count) / clips.length);

  const counts = new Map<string, number>();
  const times = new Map<string, number[]>();
  for (const [name, run] of runners) {
    const few = (await run(6)) ?? Number.NaN;
    const count = name === 'SoX' ? clips.length : Math.max(6, Math.min(maxPieces, (6 * longPassSeconds) / few));
    counts.set(name, Math.floor(count));
    times.set(name, []);
    // What is compiled when it has run often is compiled then.
    await run(Math.floor(count));
  }
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [name, run] of runners) {
      const count = counts.get(name)!;
      const seconds = await run(count);
      if (seconds !== null) times.get(name)!.push((seconds * 3600) / (count * pieceSeconds));
    }
  }
  const medians = new Map([...times].flatMap(([name, found]) => (found.length > 0 ? [[name, median(found)]] : [])));
  const own = medians.get('ours')!;
  const soxMedian = medians.get('SoX') ?? null;
  const libraries = [...medians].filter(([name]) => name !== 'ours' && name !== 'SoX');
  const [quickest] = libraries.sort(([, first], [, second]) => first - second);
  return {
    work: work.name,
    units: 'processor seconds per hour of audio',
    repeats,
    ours: round(own),
    sox: soxMedian && round(soxMedian),
    ratioToSox: soxMedian && round(own / soxMedian),
    python: Object.fromEntries(libraries.map(([name, seconds]) => [name, round(seconds)])),
    versions: {
      ...(sox !== undefined && { sox: version }),
      ...Object.fromEntries(
        libraries.map(([name]) => name.split(' ')[0]!).map((name) => [name, peers?.versions[name]]),
      ),
    },
    ratioToPython: quickest ? round(own / quickest[1]) : null,
  };
}

/** Processor and its instruction sets for vectors, as far as Linux says them. */
function machineHere(): string {
  const about = existsSync('/proc/cpuinfo') ? readFileSync('/proc/cpuinfo', 'utf8') : '';
  const flags = (/^(?:flags|Features)\s*:(.*)$/m.exec(about)?.[1] ?? '').split(' ');
  const sets = ['sse4_2', 'avx', 'avx2', 'avx512f', 'asimd', 'sve'].filter((set) => flags.includes(set));
  const family = /^cpu family\s*:\s*(\d+)$/m.exec(about)?.[1];
  return `${cpus().length} x ${cpus()[0]?.model ?? process.arch}${family ? `, family ${family}` : ''} (${sets.join(', ')})`;
}

function stepsOf(work: Work['ours']): readonly Step[] {
  return typeof work === 'string' ? resolveScenario(work, ladders)[0]!.steps : [work];
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

function summary(peer: string, ratios: readonly Ratio[], goal: number): void {
  if (ratios.length === 0) return;
  const mean = Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length);
  const slowest = ratios.toSorted((first, second) => second.ratio - first.ratio).slice(0, 3);
  console.log(JSON.stringify({ beside: peer, effects: ratios.length, geometricMean: round(mean), goal, slowest }));
}
