// Attacks the readers with mutated files and the commands with SIGKILL, and counts what came of it. Each mutation must be read, or refused
// in one sentence, within ten seconds; after each kill the store must be whole, and the same command must end as if nothing had been.
// Power cuts are imitated where there is gcc (power-loss.ts).
// usage: node bench/faults/faults.ts [mutations of each reader] [kills of each command] [seed] [power cuts]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { encodeWav } from '../../src/audio/encode-wav.ts';
import { systemClock } from '../../src/base/clock.ts';
import { EarwitnessError, messageOf } from '../../src/base/errors.ts';
import { createRandom } from '../../src/base/random.ts';
import { readStm } from '../../src/base/transcript-lines/read-stm.ts';
import { linesOf } from '../../src/cli/score/text-file.ts';
import { readOnnxGraph } from '../../src/packages/onnx-graph.ts';
import { onnxModel } from '../../src/packages/testing/onnx-writer.ts';
import { checkColumns } from '../../src/session/cases/check-columns.ts';
import { readCheckFile } from '../../src/session/cases/read-check-file.ts';
import { loadConfig } from '../../src/session/config/load-config.ts';
import { verifyBundle } from '../../src/session/evidence/verify-bundle.ts';
import { openCorpus } from '../../src/session/open-corpus.ts';
import { createServices } from '../../src/session/services.ts';
import { checkStore } from '../../src/store/sqlite/check.ts';
import { openFile } from '../../src/store/sqlite/database.ts';
import { openStore } from '../../src/store/sqlite/sqlite-store.ts';
import { cutPower, type Interrupted, recorder } from './power-loss.ts';

const [mutations, kills] = [Number(process.argv[2] ?? 300), Number(process.argv[3] ?? 5)];
const cuts = Number(process.argv[5] ?? 50);
const random = createRandom({ bench: 'faults', seed: Number(process.argv[4] ?? 1) });
const command = new URL('../../bin/earwitness.js', import.meta.url).pathname;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'earwitness-faults-')));
const longestMs = 10_000;
let failed = 0;

function prepare(folder: string, delaySeconds = 0): void {
  mkdirSync(join(folder, 'clips'), { recursive: true });
  const rows = ['id\tpath\tsentence\tspeaker'];
  for (let index = 0; index < 12; index++) {
    const samples = Float32Array.from({ length: 1600 }, (_, place) => Math.sin((place * (index + 1)) / 50) / 3);
    writeFileSync(join(folder, 'clips', `${index}.wav`), encodeWav({ samples, sampleRate: 8000 }, { format: 's16' }));
    rows.push(`u${index}\tclips/${index}.wav\tone two three u${index}\ts${index % 4}`);
  }
  writeFileSync(join(folder, 'clips.tsv'), `${rows.join('\n')}\n`);
  const recognizer = { type: 'scripted', hearsSound: true, default: 'one two {hash}', delaySeconds };
  const config = {
    corpus: { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' } },
    recognizers: { here: recognizer, apart: { ...recognizer, seed: 2, isolate: 'process' } },
    studies: [
      { type: 'robustness', conditions: [delaySeconds > 0 ? 'aequevox/noise' : 'aequevox/noise:1'], resamples: 100 },
    ],
    report: { sound: false },
  };
  writeFileSync(join(folder, 'earwitness.config.json'), JSON.stringify(config));
}

function mutated(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = () => random.integer(Math.max(1, copy.length));
  switch (random.integer(6)) {
    case 0:
      return copy.subarray(0, at());
    case 1: {
      const from = at();
      return Buffer.concat([copy.subarray(0, from), copy.subarray(from + random.integer(50))]);
    }
    case 2:
      return Buffer.concat([copy, copy.subarray(at())]);
    case 3:
      copy.writeUInt32LE([0, 0xffffffff, 0x7fffffff, 0x80000000][random.integer(4)]!, Math.min(at(), copy.length - 4));
      return copy;
    default:
      for (let change = 0; change <= random.integer(20); change++) copy[at()] = random.integer(256);
      return copy;
  }
}

/** One reader: a whole file, and what reads a changed one. */
async function attack(
  name: string,
  whole: Buffer,
  file: string,
  read: (file: string) => Promise<unknown>,
  pack: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Promise<void> {
  const counts = { read: 0, refused: 0, wrong: 0 };
  let slowestMs = 0;
  for (let round = 0; round < mutations; round++) {
    writeFileSync(file, pack(mutated(whole)));
    const started = systemClock.monotonicMs();
    try {
      await read(file);
      counts.read++;
    } catch (error) {
      if (error instanceof EarwitnessError) counts.refused++;
      else {
        counts.wrong++;
        console.error(`${name}: ${error instanceof Error ? error.stack : messageOf(error)}`);
      }
    }
    slowestMs = Math.max(slowestMs, systemClock.monotonicMs() - started);
  }
  const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
  if (slowestMs > longestMs || memory > 1024) counts.wrong++;
  failed += counts.wrong;
  console.log(
    `${name}: ${mutations} mutations, ${counts.read} read, ${counts.refused} refused, ${counts.wrong} wrong, slowest ${Math.round(slowestMs)} ms, ${memory} MB`,
  );
}

function ended(cwd: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [command, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
}

/** Command lines of processes that work in a folder, where the system tells. */
function processesIn(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((id) => {
    try {
      const inside = /^\d+$/.test(id) && readlinkSync(`/proc/${id}/cwd`).startsWith(folder);
      return inside ? [readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
    } catch {
      // It has ended.
      return [];
    }
  });
}

/** Kills a command at random moments; what it left must be whole, and the same command ends. */
async function killing(name: string, from: string, args: readonly string[], after: (cwd: string) => string[]) {
  const faults: string[] = [];
  let killed = 0;
  const once_ = mkdtempSync(join(root, 'once-'));
  cpSync(from, once_, { recursive: true });
  const started = systemClock.monotonicMs();
  ended(once_, args);
  const wholeMs = systemClock.monotonicMs() - started;
  for (let round = 0; round < kills; round++) {
    const cwd = mkdtempSync(join(root, 'kill-'));
    cpSync(from, cwd, { recursive: true });
    const child = spawn(process.execPath, [command, ...args], { cwd, stdio: 'ignore' });
    setTimeout(() => child.kill('SIGKILL'), wholeMs * random.next());
    if ((await once(child, 'exit'))[1] === 'SIGKILL') killed++;
    try {
      const { status, stderr } = spawnSync(process.execPath, [command, ...args], { cwd, encoding: 'utf8' });
      // What was forgotten or bundled before the kill is not there to be so again.
      if (status !== 0 && !/knows no|exists already/.test(stderr)) faults.push(`ended with ${status}: ${stderr}`);
      const store = join(cwd, '.earwitness/store.sqlite');
      if (!checkStore(store).good) faults.push('the store is damaged');
      const left = readdirSync(cwd, { recursive: true }).filter((file) => /\.tmp$|\.part$|\.merge-/.test(String(file)));
      faults.push(...left.map((file) => `${file} was left`), ...after(cwd));
      faults.push(...processesIn(cwd).map((line) => `still at work: ${line}`));
    } catch (error) {
      faults.push(messageOf(error));
    }
    rmSync(cwd, { recursive: true, force: true });
  }
  failed += faults.length;
  console.log(`${name}: ${killed} kills of ${kills}, ${faults.length} faults`);
  for (const fault of faults.slice(0, 3)) console.error(fault);
}

/** Cuts the power over what writes; a run takes long enough for its log to be synced in between. */
function losePower(project: string, fresh: string): void {
  const shim = recorder(root);
  if ('missing' in shim) {
    console.log(`power cuts: skipped, ${shim.missing}`);
    return;
  }
  const slow = join(root, 'slow');
  prepare(slow, 0.05);
  const store = (cwd: string) => join(cwd, '.earwitness/store.sqlite');
  const numbers = (cwd: string, sql: string): number[] => {
    if (!existsSync(store(cwd))) return [];
    const database = openFile(store(cwd), { readonly: true });
    try {
      // Before its first migration a store holds nothing.
      return database.pragma('user_version') === 0 ? [] : (database.prepare(sql).pluck().all() as number[]);
    } finally {
      database.close();
    }
  };
  const unfinished = (cwd: string) =>
    readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tmp$|\.merge-/.test(file));
  const left = (cwd: string) => unfinished(cwd).map((file) => `${file} was left`);
  const reported = (cwd: string) => {
    const files = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /-report.*\.\w+$/.test(file),
    );
    const empty = files.filter((file) => readFileSync(join(cwd, file)).length === 0);
    return [
      ...(files.length < 5 ? [`the report has ${files.length} files`] : []),
      ...empty.map((file) => `${file} is empty`),
    ];
  };
  const forgotten = (cwd: string) =>
    /u1"|"s1"/.test(readFileSync(store(cwd), 'latin1')) ? ['somebody was half forgotten'] : [];
  const runs = (wanted: number) => (cwd: string) => {
    const [count] = numbers(cwd, 'SELECT count(*) FROM runs');
    return count === wanted ? [] : [`${count} runs and not ${wanted}`];
  };
  const commands: readonly (Interrupted & { readonly share: number })[] = [
    { name: 'run', share: 0.6, from: slow, args: ['run', '--no-sound'], ended: reported, again: left },
    {
      ...{ name: 'forget', share: 0.1, from: project, args: ['forget', '--speaker', 's1', '--yes'] },
      ...{ ended: forgotten, again: forgotten },
    },
    {
      ...{ name: 'prune', share: 0.1, from: project, args: ['store', 'prune', '--keep', '1', '--answers'] },
      ...{ ended: runs(1), again: runs(1) },
    },
    {
      ...{ name: 'merge', share: 0.1, from: fresh, args: ['store', 'merge', 'other.sqlite'] },
      ...{ ended: runs(3), again: runs(3) },
    },
    {
      ...{ name: 'bundle', share: 0.1, from: project, args: ['bundle', '--out', 'again.gz'] },
      ended: (cwd) => (existsSync(join(cwd, 'again.gz')) ? [] : ['the bundle is not there']),
      again: left,
    },
  ];
  if (!existsSync(join(fresh, 'other.sqlite'))) {
    cpSync(store(project), join(fresh, 'other.sqlite'));
    ended(fresh, ['run', '--no-sound', '--new']);
  }
  for (const { share, ...interrupted } of commands) {
    const result = cutPower(interrupted, {
      ...{ root, library: shim.library, random, cuts: Math.max(1, Math.round(share * cuts)) },
      command: [process.execPath, command],
      check: (cwd) => {
        if (numbers(cwd, 'SELECT 1').length === 0) return [];
        const { good, missing, structure } = checkStore(store(cwd));
        return good ? [] : [`the store is damaged: ${JSON.stringify({ missing, structure })}`];
      },
      sentAt: (cwd) => numbers(cwd, 'SELECT sent_at_ms FROM attempts ORDER BY number').map((ms) => ms / 1000),
    });
    failed += result.faults.length;
    // Twice a second it is synced, and the disk takes its time.
    if (result.lostSeconds > 2) failed++;
    console.log(
      `power cuts over ${result.name}: ${result.cuts}, ${result.faults.length} faults, at most ${result.lostSeconds.toFixed(1)} s lost`,
    );
    for (const fault of result.faults.slice(0, 3)) console.error(fault);
  }
}

try {
  const project = join(root, 'project');
  prepare(project);
  const fresh = join(root, 'fresh');
  cpSync(project, fresh, { recursive: true });
  ended(project, ['run', '--no-sound']);
  ended(project, ['run', '--no-sound', '--new']);
  ended(project, ['bundle']);
  const work = join(root, 'work');
  cpSync(project, work, { recursive: true });
  const services = createServices({ baseFolder: work });
  const bytes = (file: string) => readFileSync(join(project, file));
  const place = (file: string) => join(work, file);

  await attack('sounds', bytes('clips/3.wav'), place('clips/3.wav'), (file) => services.sounds.read(file));
  const { config } = await loadConfig(place('earwitness.config.json'));
  await attack('manifests', bytes('clips.tsv'), place('clips.tsv'), async () => {
    const corpus = await openCorpus(config, null, services.corpus);
    for await (const _ of corpus.utterances());
    await corpus.close();
  });
  writeFileSync(place('clips.tsv'), bytes('clips.tsv'));
  await attack('configs', bytes('earwitness.config.json'), place('earwitness.config.json'), (file) => loadConfig(file));
  const nothing = { plan: null, seal: null, modules: null, on() {} };
  const bundle = gunzipSync(bytes('evidence.jsonl.gz'));
  await attack('bundles', bundle, place('evidence.jsonl.gz'), (file) => verifyBundle(file, nothing), gzipSync);
  await attack('stores', bytes('.earwitness/store.sqlite'), place('store.sqlite'), async (file) => {
    using store = openStore(file, { readonly: true });
    for (const { id } of store.runs()) {
      store.findings(id);
      for (const { batch, size } of store.batches(id)) store.answers(id, batch, { from: 0, limit: size });
    }
  });

  const stm = Buffer.from(
    Array.from({ length: 20 }, (_, n) => `call 1 s${n} ${n}.0 ${n}.9 <o,f0,male> one {two / too / @} three\n`).join(''),
  );
  await attack('transcripts', stm, place('heard.stm'), (file) =>
    readStm(linesOf({ name: file, path: file, format: 'stm' }), file),
  );
  const row = (n: number) => `case-${n},sounds/${n}.wav,one two,yes,yes,me,"a, note"\n`;
  const verdicts = Buffer.from(
    `${checkColumns.slice(0, 7).join(',')}\n${Array.from({ length: 20 }, (_, n) => row(n)).join('')}`,
  );
  await attack('cases', verdicts, place('verdicts.csv'), (file) => readCheckFile(file));
  const model = onnxModel({
    nodes: [{ operator: 'MatMul', inputs: ['x', 'matrix'], outputs: ['y'] }],
    weights: [{ name: 'matrix', shape: [3, 20], values: Array.from({ length: 60 }, () => 1) }],
    inputs: [{ name: 'x', type: 'float', shape: ['batch', 3] }],
    outputs: [{ name: 'y', type: 'float', shape: ['batch', 20] }],
    metadata: { vocab_size: '20' },
  });
  await attack('models', Buffer.from(model), place('model.onnx'), (file) => readOnnxGraph(file));

  const finished = (cwd: string) => {
    using store = openStore(join(cwd, '.earwitness/store.sqlite'), { readonly: true });
    const [run] = store.runs();
    const { trials, answered } = store.tally(run!.id);
    return run!.finishedAtMs !== null && trials === answered && trials === 48
      ? []
      : [`${answered} of ${trials} answered`];
  };
  if (kills > 0) {
    await killing('run', fresh, ['run', '--no-sound'], finished);
    await killing('forget', project, ['forget', '--speaker', 's1', '--yes'], (cwd) =>
      /u1"|"s1"/.test(readFileSync(join(cwd, '.earwitness/store.sqlite'), 'latin1')) ? ['it was half forgotten'] : [],
    );
    await killing('prune', project, ['store', 'prune', '--keep', '1', '--answers'], () => []);
    cpSync(join(project, '.earwitness/store.sqlite'), join(fresh, 'other.sqlite'));
    ended(fresh, ['run', '--no-sound', '--new']);
    await killing('merge', fresh, ['store', 'merge', 'other.sqlite'], finished);
    await killing('bundle', project, ['bundle', '--out', 'again.gz'], () => []);
  }
  if (cuts > 0) losePower(project, fresh);
  console.log(failed === 0 ? 'nothing broke' : `${failed} faults`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
