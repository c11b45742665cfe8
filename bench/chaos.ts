// A run by a queue is disturbed at so many random moments: workers, the run and the server are killed, networks are cut, clocks set off by an
// hour, disks filled, calls answered twice, and a worker with another model says that it is the right one. Each round is one run; at its end
// nothing may be lost, doubled, invented or overspent, and its report is that of a run on one machine that nobody disturbed.
// What needs root (networks and disks) or `faketime` and has it not is left out with a word.
// usage: node bench/chaos.ts [moments] [seed] [plain: nothing that needs root, one of each kind]
import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeWav } from '../src/audio/encode-wav.ts';
import { createRandom } from '../src/base/random.ts';
import { type Bill, checkBudget, checkRound, type Undisturbed, undisturbed } from './chaos/checks.ts';
import { createMachine, type Machine } from './chaos/machines.ts';
import { roughServer, rowsOf } from './chaos/server.ts';

const [moments, seed, isPlain] = [
  Number(process.argv[2] ?? 100),
  Number(process.argv[3] ?? 1),
  process.argv[4] === 'plain',
];
const random = createRandom({ bench: 'chaos', seed });
const between = (low: number, high: number) => low + random.next() * (high - low);
const withRoot = !isPlain && process.getuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), 'earwitness-chaos-'));
spawnSync('chmod', ['755', folder]);
const file = (name: string) => join(folder, name);
const command = new URL('../bin/earwitness.js', import.meta.url).pathname;
const utterances = 60;

const recognizers = (says: string) => ({
  plain: {
    ...{ type: 'scripted', needsAudio: true, default: `${says} {hash}`, delaySeconds: 0.1, concurrency: 4 },
    ...{ failures: [{ match: { utterance: 'u7' }, kind: 'unavailable' }], limits: { attempts: 1 } },
  },
  paid: {
    ...{ type: './paid.mjs', ledger: file('ledger'), seconds: 0.25, says },
    pricePerMinute: { amount: 0.6, currency: 'EUR' },
  },
});
/** Less than a run needs: 720 calls, 6 audio minutes, 1.8 EUR. */
const budgets: readonly (Bill | null)[] = [null, { money: 1.2 }, { calls: 450 }, { audioMinutes: 4 }];

function writeConfig(name: string, store: string, says: string, budget: Bill | null): void {
  const { money, ...counted } = budget ?? {};
  const config = {
    corpus: { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' } },
    recognizers: recognizers(says),
    studies: [{ type: 'robustness', conditions: ['aequevox/noise'], resamples: 200 }],
    ...{ store, report: { folder: name, sound: false }, failures: { maxShare: 1 } },
    ...(name !== 'local' && { executor: 'queue' }),
    budget: { ...counted, ...(money !== undefined && { money: { amount: money, currency: 'EUR' } }) },
  };
  writeFileSync(file(`${name}.json`), JSON.stringify(config));
}

function writeClips(): void {
  mkdirSync(file('clips'));
  const rows = ['id\tpath\tsentence\tspeaker'];
  for (let index = 0; index < utterances; index++) {
    const samples = Float32Array.from({ length: 4000 }, (_, place) => Math.sin((place * (index + 1)) / 50) / 3);
    writeFileSync(file(`clips/${index}.wav`), encodeWav({ samples, sampleRate: 8000 }, { format: 's16' }));
    rows.push(`u${index}\tclips/${index}.wav\tone two three u${index}\ts${index % 12}`);
  }
  writeFileSync(file('clips.tsv'), `${rows.join('\n')}\n`);
  copyFileSync(new URL('chaos/paid.mjs', import.meta.url), file('paid.mjs'));
}

/** What takes part in a round. */
interface Scene {
  readonly database: string;
  readonly run: Machine;
  readonly workers: readonly Machine[];
  readonly working: ChildProcess[];
  running: ChildProcess;
  startWorker(index: number): ChildProcess;
  startRun(): ChildProcess;
}

type Moment = (scene: Scene) => Promise<void>;

const away = async (how: 'fast' | 'immediate' | 'kill') => {
  server.end(how);
  await pause(between(200, 4000));
  server.start();
};
const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random.next() * items.length)]!;
const ends = new WeakMap<ChildProcess, Promise<unknown>>();
const ended = (child: ChildProcess) => {
  if (!ends.has(child)) ends.set(child, (child.exitCode ?? child.signalCode) ? Promise.resolve() : once(child, 'exit'));
  return ends.get(child)!;
};
const kinds: Readonly<Record<string, Moment>> = {
  async 'a worker is killed'({ working, startWorker }) {
    const index = Math.floor(random.next() * working.length);
    working[index]!.kill('SIGKILL');
    working[index] = startWorker(index);
  },
  async 'the run is killed'(scene) {
    scene.running.kill('SIGKILL');
    await ended(scene.running);
    scene.running = scene.startRun();
  },
  'the server is restarted (fast)': () => away('fast'),
  'the server is restarted (immediate)': () => away('immediate'),
  'the server is killed': () => away('kill'),
  // Longer than a worker may be silent: its calls are made by another, and then it answers too.
  async 'a worker answers twice: it sleeps, and its calls are made by another'({ working }) {
    const one = oneOf(working);
    one.kill('SIGSTOP');
    await pause(between(16_000, 20_000));
    one.kill('SIGCONT');
  },
  async 'a worker answers twice: by statements of its role'({ database }) {
    const address = server.address(database, 'worker');
    const seen = rowsOf(
      address,
      "SELECT DISTINCT data->>'call', data->>'owner' FROM earwitness_queue.job WHERE name LIKE 'calls-%'",
    );
    await pause(2000);
    // Those that are made are not in the queue any more.
    rowsOf(
      address,
      `INSERT INTO earwitness_calls.outcomes (call, owner, outcome)
       SELECT call, owner, '{"seconds":0,"transcript":{"text":"answered twice"}}' FROM unnest($1::uuid[], $2::bigint[]) AS seen (call, owner)
       WHERE NOT EXISTS (SELECT 1 FROM earwitness_queue.job WHERE data->>'call' = seen.call::text AND state <> 'completed')
       ON CONFLICT DO NOTHING`,
      [0, 1].map((column) => `{${seen.map((row) => row[column]).join(',')}}`),
    );
  },
  async 'a worker lies about its model'({ database, workers }) {
    const queues = rowsOf(
      server.address(database),
      "SELECT name FROM earwitness_queue.queue WHERE name LIKE 'calls-%'",
    );
    const offered = queues.map(([queue]) => ({ name: 'paid', engine: 'paid', queue, concurrency: 4 }));
    const about = { host: 'liar', gpu: null, memoryBytes: 1, recognizers: offered };
    rowsOf(
      server.address(database, 'worker'),
      "INSERT INTO earwitness_calls.workers (id, name, about, done, in_flight, wish) VALUES ($1, 'liar', $2, 0, 0, 'work')",
      [randomUUID(), JSON.stringify(about)],
    );
    const liar = workers[0]!.start([
      'worker',
      '--config',
      file('liar.json'),
      '--store',
      server.address(database, 'worker', workers[0]!.host),
    ]);
    await pause(between(6000, 9000));
    liar.kill('SIGKILL');
    await ended(liar);
  },
  async 'a clock is an hour off'({ workers }) {
    oneOf(workers).clock!.setOff(random.next() < 0.5 ? 3600 : -3600);
  },
  async 'the network of a worker is cut'({ workers }) {
    const { network } = oneOf(workers);
    network!.cut();
    await pause(between(500, 25_000));
    network!.mend();
  },
  async 'the network of the run is cut'({ run }) {
    run.network!.cut();
    await pause(between(500, 25_000));
    run.network!.mend();
  },
  async 'the disk of a worker is full'({ workers }) {
    const { disk } = oneOf(workers);
    disk!.fill();
    await pause(between(2000, 5000));
    disk!.free();
  },
};

const awayAtStart = /no server answers there|no way leads to that host|the server is starting|the server was stopped/;
let startedAgain = 0;
const lastWords = ({ folder: own }: Machine) => readFileSync(join(own, 'log'), 'utf8').trimEnd().split('\n').at(-1);

/** In an order by chance, each kind as often as the others. */
function* bag(names: readonly string[]): Generator<string> {
  for (;;) {
    const left = [...names];
    while (left.length > 0) yield left.splice(Math.floor(random.next() * left.length), 1)[0]!;
  }
}

const server = await roughServer(folder);
const machines = [1, 2, 3].map((number) => createMachine(number, folder, withRoot));
const counts = new Map<string, number>();
const differences: string[] = [];
const patience = AbortSignal.timeout(4 * 3_600_000);

async function round(
  number: number,
  budget: Bill | null,
  expected: Undisturbed,
  left: () => string | null,
): Promise<void> {
  const database = `round_${number}`;
  rowsOf(server.address('postgres'), `CREATE DATABASE ${database}`);
  rmSync(file('ledger'), { force: true });
  const [run, ...workers] = machines as [Machine, ...Machine[]];
  const name = `round-${number}`;
  writeConfig(name, server.address(database, 'earwitness', run.host), 'one two', budget);
  writeConfig('liar', server.address(database), 'LIE', null);
  const allowed = spawnSync(
    process.execPath,
    [command, 'store', 'allow-worker', 'worker', '--store', server.address(database)],
    { cwd: folder },
  );
  if (allowed.status !== 0) throw new Error(allowed.stderr.toString());
  const startWorker = (index: number) => {
    const { host } = workers[index]!;
    const store = server.address(database, 'worker', host);
    return workers[index]!.start(['worker', '--config', file(`${name}.json`), '--store', store]);
  };
  const startRun = () => run.start(['run', '--config', file(`${name}.json`), '--json'], file(`${name}.out`));
  const scene: Scene = { ...{ database, run, workers, startWorker, startRun }, working: [], running: startRun() };
  for (const index of workers.keys()) scene.working.push(startWorker(index));
  const note = (what: string, machine: Machine) => {
    const said = `round ${number}: ${what}: ${lastWords(machine)}`;
    process.stderr.write(`${said}\n`);
    // Who begins while the server is away is told so, and begins again.
    if (awayAtStart.test(said)) startedAgain++;
    else differences.push(said);
  };
  let isOver = false;
  let hasBudget = budget !== null;
  const started = performance.now();
  try {
    for (let here = 0; !isOver; ) {
      const wait = between(500, 3000);
      await Promise.race([ended(scene.running), pause(wait)]);
      for (const [index, worker] of scene.working.entries()) {
        if (worker.exitCode === null) continue;
        note(`a worker ended by itself with ${worker.exitCode}`, workers[index]!);
        scene.working[index] = startWorker(index);
      }
      const { exitCode } = scene.running;
      if (exitCode === 8 && hasBudget) {
        differences.push(
          ...checkBudget(server.address(database), file('ledger'), budget!).map((what) => `round ${number}: ${what}`),
        );
        hasBudget = false;
        writeConfig(name, server.address(database, 'earwitness', run.host), 'one two', null);
        scene.running = startRun();
      } else if (exitCode === 0) {
        isOver = true;
        if (hasBudget) differences.push(`round ${number}: the budget of ${JSON.stringify(budget)} was not used up`);
      } else if (exitCode !== null) {
        note(`the run ended with ${exitCode}`, run);
        if (exitCode !== 8) scene.running = startRun();
        else isOver = true;
      } else if (here < 12) {
        const kind = left();
        if (kind === null) here = Number.POSITIVE_INFINITY;
        else {
          here++;
          counts.set(kind, (counts.get(kind) ?? 0) + 1);
          process.stderr.write(`round ${number}, ${((performance.now() - started) / 1000).toFixed(0)} s: ${kind}\n`);
          await kinds[kind]!(scene);
        }
      }
      if (performance.now() - started > 600_000) {
        differences.push(`round ${number}: not done after 600 s`);
        break;
      }
    }
  } finally {
    for (const child of [...scene.working, scene.running]) child.kill('SIGKILL');
    await Promise.all([...scene.working, scene.running].map(ended));
    for (const machine of machines) machine.clock?.setOff(0);
  }
  const found = checkRound(
    server.address(database),
    file('ledger'),
    readFileSync(file(`${name}.out`), 'utf8'),
    expected,
  );
  differences.push(...found.differences.map((what) => `round ${number}: ${what}`));
  process.stderr.write(
    `round ${number} (${JSON.stringify(budget)}): ${((performance.now() - started) / 1000).toFixed(0)} s, ${found.said}; ${found.differences.length} differences\n${found.differences
      .slice(0, 5)
      .map((what) => `  ${what}\n`)
      .join('')}`,
  );
}

try {
  writeClips();
  rowsOf(server.address('postgres'), 'CREATE ROLE worker LOGIN');
  const missing = new Map<string, string>();
  if (machines.some(({ network }) => network === null)) {
    for (const one of ['the network of a worker is cut', 'the network of the run is cut'])
      missing.set(one, 'no network namespaces can be made here');
  }
  if (machines.some(({ disk }) => disk === null))
    missing.set('the disk of a worker is full', 'no small disk can be mounted here');
  if (machines.some(({ clock }) => clock === null)) missing.set('a clock is an hour off', 'faketime is not installed');
  for (const [kind, why] of missing) console.log(`left out: ${kind} (${why})`);
  const names = Object.keys(kinds).filter((kind) => !missing.has(kind));
  writeConfig('local', file('local.sqlite'), 'one two', null);
  const local = spawnSync(process.execPath, [command, 'run', '--config', file('local.json'), '--json'], {
    cwd: folder,
  });
  if (local.status !== 0) throw new Error(local.stderr.toString());
  const expected = undisturbed(file('local.sqlite'), local.stdout.toString());
  const order = bag(names);
  let done = 0;
  const total = isPlain ? Math.max(moments, names.length) : moments;
  const left = () => (done++ < total ? order.next().value! : null);
  for (let number = 1; done < total && !patience.aborted; number++)
    await round(number, budgets[(number - 1) % budgets.length]!, expected, left);
  for (const [kind, count] of counts) console.log(`${String(count).padStart(3)}  ${kind}`);
  const many = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${startedAgain} times a worker or a run that had just begun found no server, said so and was started again`,
  );
  console.log(`${many} moments, seed ${seed}: ${differences.length} differences`);
  for (const difference of differences.slice(0, 20)) console.log(difference);
  process.exitCode = differences.length === 0 ? 0 : 1;
} finally {
  for (const machine of machines) machine.remove();
  try {
    server.end('immediate');
  } catch {}
  if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`what was said lies in ${folder}`);
}
