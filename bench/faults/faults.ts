// Attacks Earwitness from outside, with seeds, and counts what came of it, a line for each kind:
// - readers get files with bytes, words and lines changed: each must be read, or refused in one sentence, within 10 s and 1 GB
//   (mutated-inputs.ts);
// - commands are ended at random moments, by SIGKILL, by other signals and by disks that are full: the same command must then leave what it
//   leaves where nobody disturbed it, and no process, folder or file besides (interruptions.ts);
// - the power is cut, where there is gcc to record what was written (power-loss.ts).
// usage: node bench/faults/faults.ts [--mutations 300] [--kills 5] [--signals 5] [--disks 5] [--cuts 50] [--seed 1] [--only run,merge,…]
// each number is for each reader or command; --only names commands that are ended, by the first words of their lines
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encodeWav } from '../../src/audio/encode-wav.ts';
import { sha256 } from '../../src/base/hash.ts';
import { createRandom } from '../../src/base/random.ts';
import { writeTinyCtc } from '../../src/recognizers/transformers/testing/tiny-ctc.ts';
import { verifyBundle } from '../../src/session/evidence/verify-bundle.ts';
import { toneCorpus } from '../../src/session/testing/tone-speakers.ts';
import { checkStore } from '../../src/store/open-database.ts';
import { covered } from '../../src/store/parts/checksums.ts';
import { openFile } from '../../src/store/sqlite/database.ts';
import { openAnywhere } from '../../src/store/sqlite/open-anywhere.ts';
import { type Interrupted as Ended, interrupt } from './interruptions.ts';
import { attackReaders } from './mutated-inputs.ts';
import { cutPower, type Interrupted, recorder } from './power-loss.ts';

const text = (usual: string) => ({ type: 'string', default: usual }) as const;
const { values } = parseArgs({
  options: {
    ...{ mutations: text('300'), kills: text('5'), signals: text('5'), disks: text('5'), cuts: text('50') },
    ...{ seed: text('1'), only: text('') },
  },
});
const cuts = Number(values.cuts);
const random = createRandom({ bench: 'faults', seed: Number(values.seed) });
const command = new URL('../../bin/earwitness.js', import.meta.url).pathname;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'earwitness-faults-')));
let failed = 0;

/** Twelve sounds of four speakers, and a config. */
function prepare(folder: string, delaySeconds = 0, others: object | null = null, more: object = {}): void {
  mkdirSync(join(folder, 'clips'), { recursive: true });
  const rows = ['id\tpath\tsentence\tspeaker'];
  for (let index = 0; index < 12; index++) {
    const samples = Float32Array.from({ length: 1600 }, (_, place) => Math.sin((place * (index + 1)) / 50) / 3);
    writeFileSync(join(folder, 'clips', `${index}.wav`), encodeWav({ samples, sampleRate: 8000 }, { format: 's16' }));
    rows.push(`u${index}\tclips/${index}.wav\tone two three u${index}\ts${index % 4}`);
  }
  writeFileSync(join(folder, 'clips.tsv'), `${rows.join('\n')}\n`);
  const recognizer = { type: 'scripted', needsAudio: true, default: 'one two {hash}', delaySeconds };
  const config = {
    corpus: { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' } },
    recognizers: others ?? { here: recognizer, apart: { ...recognizer, seed: 2, isolate: 'process' } },
    studies: [
      { type: 'robustness', conditions: [delaySeconds > 0 ? 'aequevox/noise' : 'aequevox/noise:1'], resamples: 100 },
    ],
    report: { sound: false },
    ...more,
  };
  writeFileSync(join(folder, 'earwitness.config.json'), JSON.stringify(config));
}

const storeOf = (cwd: string) => join(cwd, '.earwitness/store.sqlite');

function reported(cwd: string): string[] {
  const files = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter((file) => /-report.*\.\w+$/.test(file));
  const empty = files.filter((file) => readFileSync(join(cwd, file)).length === 0);
  return [
    ...(files.length < 5 ? [`the report has ${files.length} files`] : []),
    ...empty.map((file) => `${file} is empty`),
  ];
}

/** What the first report says, without what differs between two runs of the same. */
function firstReport(cwd: string): Readonly<Record<string, string>> {
  const [first] = globSync('*-report/*/report.json', { cwd }).sort();
  if (first === undefined) return {};
  const kept = JSON.stringify(JSON.parse(readFileSync(join(cwd, first), 'utf8')), (key, value) =>
    key === 'timing' ? undefined : value,
  );
  return { 'the report': kept };
}

/** Files by their hashes. */
const filesOf =
  (...patterns: readonly string[]) =>
  (cwd: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      globSync(patterns, { cwd })
        .filter((file) => statSync(join(cwd, file)).isFile())
        .map((file) => [file, sha256(readFileSync(join(cwd, file)))]),
    );

/** Texts that two recognizers fail in part, searched the best first; each batch depends on the answers before it. */
function prepareDifferential(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'golf'];
  const texts = words.flatMap((one) => words.map((other) => `${one} and ${other} too`));
  const heard = (lost: readonly string[]) =>
    Object.fromEntries(
      texts.map((one) => [`${sha256(one).slice(0, 16)}-slt`, lost.some((word) => one.includes(word)) ? 'what' : one]),
    );
  const recognizer = { type: 'scripted', delaySeconds: 0.004, default: 'what' };
  const config = {
    corpus: { type: 'sentences', texts, synthesizer: 'flite', voices: ['slt'] },
    synthesizers: { flite: { type: 'flite' } },
    recognizers: {
      here: { ...recognizer, answers: heard(['golf']) },
      apart: { ...recognizer, answers: heard(['golf', 'delta']), seed: 2, isolate: 'process' },
    },
    studies: [{ type: 'differential', asking: 'best-first', replicates: 2, stop: { iterations: 3 } }],
    report: { sound: false },
  };
  writeFileSync(join(folder, 'earwitness.config.json'), JSON.stringify(config));
}

/** Three clips of tones that a tiny model hears, attacked along its gradient and without asking it. */
async function prepareAdversarial(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeTinyCtc(join(folder, 'x'));
  const corpus = toneCorpus();
  const rows = ['id\treference\tspeaker\taudio'];
  for await (const utterance of corpus.utterances()) {
    if (rows.length > 3) break;
    const { id, reference, speaker } = utterance;
    writeFileSync(join(folder, `${id}.wav`), encodeWav(await corpus.clip(utterance), { format: 's16' }));
    rows.push(`${id}\t${reference}\t${speaker}\t${id}.wav`);
  }
  writeFileSync(join(folder, 'list.tsv'), `${rows.join('\n')}\n`);
  const config = {
    corpus: { type: 'manifest', file: 'list.tsv' },
    recognizers: { x: { type: 'transformers', model: 'x', threads: 1 } },
    studies: [
      {
        type: 'adversarial',
        attacks: ['pgd', 'kenansville'],
        ...{ sources: ['x'], snrDb: [30, 20], steps: 20, resamples: 100 },
      },
    ],
    failures: { maxShare: 1 },
    report: { sound: false },
  };
  writeFileSync(join(folder, 'earwitness.config.json'), JSON.stringify(config));
}

/** What asks, finds failed cases and judges, and how each begins. */
async function laterCommands(): Promise<Ended[]> {
  const place = (name: string) => join(root, name);
  const limits = [{ wer: 0.9 }, { wer: 0.9, condition: 'all' }];
  prepare(place('asking'), 0.01, null, { gate: { limits, minimumSpeakers: 2, askUntil: 'verdict' } });
  prepare(place('gate'), 0, null, { gate: { limits, minimumSpeakers: 2, ifInconclusive: 'warn' } });
  prepareDifferential(place('differential'));
  await prepareAdversarial(place('adversarial'));
  cpSync(place('differential'), place('cases'), { recursive: true });
  for (const name of ['gate', 'cases']) ended(place(name), ['run', '--no-sound']);
  const run = ['run', '--no-sound'];
  return [
    { name: 'differential', from: place('differential'), args: run, runs: 1, written: firstReport, after: reported },
    { name: 'adversarial', from: place('adversarial'), args: run, runs: 1, written: firstReport, after: reported },
    { name: 'asking until the verdict', from: place('asking'), args: run, runs: 1, written: firstReport },
    {
      ...{ name: 'gate', from: place('gate'), args: ['gate', '--junit', 'g.xml', '--markdown', 'g.md'] },
      ...{ fromStart: true, written: filesOf('g.*') },
    },
    { name: 'cases export', from: place('cases'), args: ['cases', 'export', '-o', 'out'], written: filesOf('out/**') },
    {
      name: 'cases sample',
      from: place('cases'),
      args: ['cases', 'sample', '-o', 'c.csv'],
      written: filesOf('c*/**', 'c*'),
    },
  ];
}

function forgotten(cwd: string): string[] {
  const kept = readdirSync(join(cwd, '.earwitness')).map((file) =>
    readFileSync(join(cwd, '.earwitness', file), 'latin1'),
  );
  return kept.some((bytes) => /u1"|"s1"/.test(bytes)) ? ['somebody was half forgotten'] : [];
}

function ended(cwd: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [command, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
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
  const numbers = (cwd: string, sql: string): number[] => {
    if (!existsSync(storeOf(cwd))) return [];
    const { database, removeCopy } = openAnywhere(storeOf(cwd));
    try {
      // Before its first migration a store holds nothing.
      return database.pragma('user_version') === 0 ? [] : (database.prepare(sql).pluck().all() as number[]);
    } finally {
      database.close();
      removeCopy();
    }
  };
  const unfinished = (cwd: string) =>
    readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tmp$|\.merge-/.test(file));
  const left = (cwd: string) => unfinished(cwd).map((file) => `${file} was left`);
  const runs = (wanted: number) => (cwd: string) => {
    const [count] = numbers(cwd, 'SELECT count(*) FROM runs');
    return count === wanted ? [] : [`${count} runs and not ${wanted}`];
  };
  const commands: readonly (Interrupted & { readonly share: number })[] = [
    { name: 'run', share: 0.6, from: slow, args: ['run', '--no-sound'], asks: true, ended: reported, again: left },
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
  for (const { share, ...interrupted } of commands) {
    const result = cutPower(interrupted, {
      ...{ root, library: shim.library, random, cuts: Math.max(1, Math.round(share * cuts)) },
      command: [process.execPath, command],
      check: (cwd) => {
        if (numbers(cwd, 'SELECT 1').length === 0) return [];
        const { good, missing, structure } = checkStore(storeOf(cwd));
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

interface Hearing extends AsyncDisposable {
  readonly baseUrl: string;
  /** How often it was asked since `restart`. */
  asked(): number;
  restart(): void;
}

/** A server that says how many bytes it heard, after a while. */
async function hearingServer(): Promise<Hearing> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    let bytes = 0;
    request.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    request.on('end', () => {
      const answer = JSON.stringify({ text: `one two ${bytes}` });
      setTimeout(() => response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer), 20);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => asked,
    restart() {
      asked = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Brings a store back to the version before rows had checksums. */
function makeOld(path: string): void {
  const database = openFile(path, { readonly: false });
  for (const table of Object.keys(covered)) database.exec(`ALTER TABLE ${table} DROP COLUMN checksum`);
  database.exec('ALTER TABLE runs DROP COLUMN warnings');
  database.pragma('user_version = 7');
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  rmSync(`${path}.last`, { force: true });
}

function interruptedCommands(project: string, fresh: string, server: Hearing): Ended[] {
  const runWith = (name: string, others: object, more: object = {}) => {
    const from = join(root, name);
    prepare(from, 0, others, more);
    return { name: `run (${name})`, from, args: ['run', '--no-sound'], runs: 1, after: reported };
  };
  // Each call leaves a child in a session of its own behind.
  const program = ['sh', '-c', 'setsid sleep 300 >/dev/null 2>&1 & cat > /dev/null; sleep 0.05; echo one two'];
  const scripted = { type: 'scripted', needsAudio: true, default: 'one two {hash}', delaySeconds: 0.03 };
  const http = {
    type: 'openai-compatible',
    baseUrl: server.baseUrl,
    model: 'm',
    keyVariable: null,
    responseFormat: 'json',
  };
  const most = 20;
  const old = join(root, 'old');
  cpSync(project, old, { recursive: true });
  makeOld(storeOf(old));
  const verified = async (cwd: string) => {
    const { verdict } = await verifyBundle(join(cwd, 'again.gz'), { plan: null, seal: null, modules: null, on() {} });
    return verdict === 'verified' ? [] : [`the bundle is ${verdict}`];
  };
  return [
    runWith('scripted', { here: scripted }),
    runWith('command', { program: { type: 'command', program, concurrency: 2 } }),
    runWith('isolated', { apart: { ...scripted, isolate: 'process' } }),
    ...(existsSync('/usr/share/pocketsphinx/model/en-us')
      ? [runWith('PocketSphinx', { sphinx: { type: 'pocketsphinx' } })]
      : []),
    runWith('HTTP server', { server: http }),
    {
      ...runWith('budget', { server: http }, { budget: { calls: most } }),
      name: 'run within a budget',
      ends: 8,
      // How far it came depends on how many calls were lost.
      runs: 0,
      begin: () => server.restart(),
      after: () => (server.asked() > most ? [`${server.asked()} calls were made, and ${most} allowed`] : []),
    },
    { name: 'merge', from: fresh, args: ['store', 'merge', 'other.sqlite'] },
    { name: 'prune', from: project, args: ['store', 'prune', '--keep', '1', '--answers'] },
    { name: 'forget', from: project, args: ['forget', '--speaker', 's1', '--yes'], after: forgotten },
    { name: 'bundle', from: project, args: ['bundle', '--out', 'again.gz'], after: verified },
    { name: 'migration of an older store', from: old, args: ['store', 'prune', '--keep', '9'] },
  ];
}

try {
  const project = join(root, 'project');
  prepare(project);
  const fresh = join(root, 'fresh');
  cpSync(project, fresh, { recursive: true });
  ended(project, ['run', '--no-sound']);
  ended(project, ['run', '--no-sound', '--new']);
  ended(project, ['bundle']);
  if (Number(values.mutations) > 0) {
    const work = join(root, 'work');
    cpSync(project, work, { recursive: true });
    failed += await attackReaders({ project, work }, Number(values.mutations), random);
  }
  const counts = { kill: Number(values.kills), signal: Number(values.signals), disk: Number(values.disks) };
  const interrupting = Object.values(counts).some((count) => count > 0);
  if (interrupting || cuts > 0) {
    cpSync(storeOf(project), join(fresh, 'other.sqlite'));
    ended(fresh, ['run', '--no-sound', '--new']);
  }
  if (interrupting) {
    await using server = await hearingServer();
    const only = values.only.split(',');
    for (const one of [...interruptedCommands(project, fresh, server), ...(await laterCommands())]) {
      if (!only.some((name) => one.name.startsWith(name))) continue;
      for (const kind of ['kill', 'signal', 'disk'] as const) {
        const options = { root, command: [process.execPath, command], random, count: counts[kind] };
        // A full disk under a server's or an engine's run is the same disk.
        if (counts[kind] > 0 && (kind === 'kill' || !one.name.startsWith('run (') || one.name === 'run (scripted)'))
          failed += await interrupt(kind, one, options);
      }
    }
  }
  if (cuts > 0) losePower(project, fresh);
  console.log(failed === 0 ? 'nothing broke' : `${failed} faults`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
