// Ends commands at random moments, by SIGKILL, by the signals of terminals and systems, or by a disk that is full, and looks at what the same
// command finds when it is called again: what it leaves must be what it leaves where nobody disturbed it, and nothing else may be left.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  watch,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { messageOf } from '../../src/base/errors.ts';
import type { Random } from '../../src/base/random.ts';
import { checkStore } from '../../src/store/open-database.ts';
import { openFile, type SqliteDatabase } from '../../src/store/sqlite/database.ts';

/** What ends a command before its time. */
export type Interruption = 'kill' | 'signal' | 'disk';

export interface Interrupted {
  readonly name: string;
  /** A folder with all that the command needs; it is copied. */
  readonly from: string;
  readonly args: readonly string[];
  /** Exit code of what was not disturbed; 0 where it is missing. */
  readonly ends?: number;
  /** How many runs are looked at, since one that was ended after its end is followed by another; all where it is missing. */
  readonly runs?: number;
  /** Before the first call in each folder. */
  begin?(): void;
  /** Where it only reads until it ends, moments are counted from its start and not from its first write. */
  readonly fromStart?: true;
  /** What it wrote, by name: in the end it must be what it is where nobody disturbs it. */
  written?(cwd: string): Readonly<Record<string, string>>;
  /** What must be true of the folder in the end. */
  after?(cwd: string): readonly string[] | Promise<readonly string[]>;
}

export interface InterruptionOptions {
  readonly root: string;
  readonly command: readonly string[];
  readonly random: Random;
  /** How many are to come to nothing before their end. */
  readonly count: number;
}

/** What was promised of whoever outlives the one who started it. */
const goneMs = 2000;
const storeOf = (cwd: string) => join(cwd, '.earwitness/store.sqlite');

/** What a command takes and leaves where nobody disturbs it: each is disturbed in several ways. */
const undisturbed = new WeakMap<
  Interrupted,
  {
    readonly workMs: number;
    readonly rows: readonly string[];
    readonly largestBlocks: number;
    readonly written: Readonly<Record<string, string>>;
  }
>();

/** Prints one line, and on stderr the first faults; returns how many there were. */
export async function interrupt(
  kind: Interruption,
  one: Interrupted,
  { root, command, random, count }: InterruptionOptions,
): Promise<number> {
  const { name, from, args, ends = 0, runs, fromStart = false, begin = () => {}, after = () => [] } = one;
  const written: NonNullable<Interrupted['written']> = one.written ?? (() => ({}));
  const start = (cwd: string, limitBlocks: number | null = null) => {
    const [program, ...rest] = limitBlocks === null ? command : limited(command, limitBlocks);
    // Node's own cache of compiled modules is nothing that is left.
    const env = { ...process.env, TMPDIR: join(cwd, 'temporary'), NODE_COMPILE_CACHE: join(root, 'compiled') };
    return spawn(program!, [...rest, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const copy = () => {
    const cwd = mkdtempSync(join(root, `${kind}-`));
    cpSync(from, cwd, { recursive: true });
    mkdirSync(join(cwd, 'temporary'));
    begin();
    return cwd;
  };
  const wholeRun = async () => {
    const cwd = copy();
    const child = start(cwd);
    const begun = fromStart ? systemClock.monotonicMs() : firstWrite(cwd, child);
    const { code, stderr } = await end(child);
    const endedMs = systemClock.monotonicMs();
    if (code !== ends) throw new Error(`${name} ended with ${code}: ${stderr}`);
    const workMs = endedMs - ((await begun) ?? endedMs);
    const blocks = filesBelow(cwd).map((file) => Math.ceil(sizeOf(join(cwd, file)) / 1024));
    const found = { workMs, rows: dumpOf(cwd, runs), largestBlocks: Math.max(1, ...blocks), written: written(cwd) };
    rmSync(cwd, { recursive: true, force: true });
    undisturbed.set(one, found);
    return found;
  };
  const expected = undisturbed.get(one) ?? (await wholeRun());

  const faults: string[] = [];
  let [disturbed, rounds, slowestMs] = [0, 0, 0];
  while (disturbed < count && rounds < 3 * count) {
    rounds++;
    const cwd = copy();
    try {
      const child = start(cwd, kind === 'disk' ? 1 + random.integer(expected.largestBlocks) : null);
      const ended = end(child);
      if (kind !== 'disk') {
        void (fromStart ? Promise.resolve(0) : firstWrite(cwd, child)).then(async (at) => {
          if (at === null) return;
          await sleep(expected.workMs * random.next());
          if (kind === 'kill') child.kill('SIGKILL');
          else await signalled(child, random);
        });
      }
      const { code, signal, stderr } = await ended;
      if (signal !== null || code !== ends) disturbed++;
      // Before it has begun a signal ends it as it ends any program.
      const refused = signal === null && !polite.includes(code!);
      if (kind !== 'kill' && (refused || (signal !== null && kind === 'disk') || /\n\s+at /.test(stderr)))
        faults.push(`it ended with ${signal ?? code}: ${stderr}`);
      const started = systemClock.monotonicMs();
      while (processesIn(cwd).length > 0 && systemClock.monotonicMs() - started < 4 * goneMs) await sleep(50);
      const goneAfterMs = systemClock.monotonicMs() - started;
      slowestMs = Math.max(slowestMs, goneAfterMs);
      if (goneAfterMs > goneMs)
        faults.push(`lived on for ${Math.round(goneAfterMs)} ms: ${processesIn(cwd).join(', ')}`);
      const again = await end(start(cwd));
      // What was forgotten or bundled before the end is not there to be so again.
      if (again.code !== ends && !/knows no|exists already|already exists/.test(again.stderr))
        faults.push(`then it ended with ${again.code}: ${again.stderr}`);
      faults.push(...leftIn(cwd), ...differences(expected.rows, dumpOf(cwd, runs)), ...(await after(cwd)));
      const now = written(cwd);
      for (const file of new Set([...Object.keys(expected.written), ...Object.keys(now)]))
        if (expected.written[file] !== now[file])
          faults.push(`${file} is ${now[file] === undefined ? 'missing' : 'another one'}`);
    } catch (error) {
      faults.push(messageOf(error));
    }
    rmSync(cwd, { recursive: true, force: true });
  }
  const gone = kind === 'kill' ? `, its processes were gone after ${Math.round(slowestMs)} ms at most` : '';
  console.log(
    `${names[kind]} ${name}: ${disturbed} of ${rounds} ended before their time, ${faults.length} faults${gone}`,
  );
  for (const fault of faults.slice(0, 3)) console.error(fault);
  return faults.length;
}

const names = { kill: 'kills of', signal: 'signals to', disk: 'full disks under' };
/** Done; bad input, the store cannot be written, nothing could be answered, stopped. */
const polite = [0, 4, 6, 8, 11, 130];

/** Files longer than that cannot be written, which is what a quota does, too. */
function limited(command: readonly string[], blocks: number): readonly string[] {
  return ['bash', '-c', `ulimit -f ${blocks}; exec "$@"`, 'limited', ...command];
}

async function signalled(child: ChildProcess, random: Random): Promise<void> {
  child.kill((['SIGINT', 'SIGTERM', 'SIGINT'] as const)[random.integer(3)]!);
  await sleep(500 * random.next());
  if (random.next() < 0.5) child.kill('SIGINT');
}

async function end(child: ChildProcess) {
  let stderr = '';
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return { code, signal, stderr };
}

/** When the command first wrote below its folder; null where it has ended before. */
function firstWrite(cwd: string, child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    const watcher = watch(cwd, { recursive: true });
    const done = (at: number | null) => {
      watcher.close();
      resolve(at);
    };
    watcher.once('change', () => done(systemClock.monotonicMs()));
    child.once('exit', () => done(null));
  });
}

/** Command lines of processes that work in a folder, where the system tells. */
function processesIn(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((id) => {
    try {
      const inside = /^\d+$/.test(id) && readlinkSync(`/proc/${id}/cwd`).startsWith(folder);
      // One that has ended and was not asked about has no command line.
      const line = inside ? readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() : '';
      return line === '' ? [] : [line];
    } catch {
      // It has ended.
      return [];
    }
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}

function sizeOf(file: string): number {
  try {
    return readFileSync(file).length;
  } catch {
    // A folder.
    return 0;
  }
}

function leftIn(cwd: string): string[] {
  const half = filesBelow(cwd).filter((file) => /\.tmp$|\.part$|\.merge-|\.earwitness-/.test(file));
  return [...half, ...readdirSync(join(cwd, 'temporary'))].map((file) => `${file} was left`);
}

/** What is stored, without times and what is drawn anew for each run. What a run does after the first finished one is its own. */
function dumpOf(cwd: string, most: number | undefined): readonly string[] {
  if (!existsSync(storeOf(cwd))) return ['no store'];
  const { good, structure, missing } = checkStore(storeOf(cwd));
  if (!good) return [`the store is damaged: ${JSON.stringify({ structure, missing })}`];
  const database = openFile(storeOf(cwd), { readonly: true });
  try {
    return [...rowsOf(database, most), ...faultsOf(database)];
  } finally {
    database.close();
  }
}

function rowsOf(database: SqliteDatabase, most = 1e9): string[] {
  const trials = database
    .prepare(
      `SELECT t.run, t.batch, t.position, recognizer, t.utterance, transcript, failure_kind, failure_message, sound_seconds
       FROM run_trials AS t LEFT JOIN observations AS o ON o.number = t.observation
       WHERE t.run IN (SELECT number FROM runs ORDER BY number LIMIT ?) ORDER BY t.run, t.batch, t.position`,
    )
    .all(most);
  const runs = database
    .prepare(
      `SELECT name, seed, finished_at_ms IS NOT NULL AS finished, forgotten_at_ms IS NOT NULL AS forgotten, merged,
              (SELECT count(*) FROM run_utterances WHERE run = number) AS utterances,
              (SELECT count(*) FROM run_sounds WHERE run = number) AS sounds FROM runs ORDER BY number LIMIT ?`,
    )
    .all(most);
  const counts = database
    .prepare(
      `SELECT (SELECT count(*) FROM observations) AS answers, (SELECT count(*) FROM sounds) AS sounds,
              (SELECT count(*) FROM clips) AS clips, (SELECT count(*) FROM measurements) AS measurements,
              (SELECT count(*) FROM chores) AS chores`,
    )
    .all();
  return [...runs, ...trials, ...(most === 1e9 ? counts : [])].map((row) => JSON.stringify(row));
}

function faultsOf(database: SqliteDatabase): string[] {
  const count = (sql: string) => database.prepare(sql).pluck().get() as number;
  const doubled = count('SELECT count(*) - count(DISTINCT key) FROM observations');
  const askedAgain = count(
    `SELECT count(*) FROM attempts AS later JOIN attempts AS earlier USING (run, key)
     WHERE later.number > earlier.number AND earlier.state = 'answered'`,
  );
  return [
    ...(doubled > 0 ? [`${doubled} answers are there twice`] : []),
    ...(askedAgain > 0 ? [`${askedAgain} stored answers were asked again`] : []),
  ];
}

function differences(expected: readonly string[], found: readonly string[]): string[] {
  const [before, now] = [new Set(expected), new Set(found)];
  const lost = expected.filter((row) => !now.has(row));
  const new_ = found.filter((row) => !before.has(row));
  if (lost.length + new_.length === 0 && expected.length === found.length) return [];
  return [`${lost.length} rows are missing and ${new_.length} are new: ${lost[0] ?? ''} ${new_[0] ?? ''}`];
}
