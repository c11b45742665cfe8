// What a run of N trials costs from beginning to end, each stage a process of its own: plan, run, tally, report, CSV and Parquet, the index and the
// pages of `view`; wall and processor seconds, peak memory, bytes on the disk. 10 recognizers that are told of names alone, 10 conditions, N / 100
// utterances of 200 speakers; of each word a recognizer makes what follows from the utterance and chance, so that it keeps nothing.
//
//   node bench/scale.ts N [FOLDER]       one line of JSON a stage, also added to bench/scale.jsonl; FOLDER (else a temporary one) is removed
//   node bench/scale.ts --keys N        what each of N keys costs in the index of the store, in tenths of a million
//   node bench/scale.ts --watch PID:FOLDER N    adds every two minutes how far a run of N trials in FOLDER is
//   node bench/scale.ts --table          what was measured, as the tables of design/scale.md, with growth and what 10^8 would take
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { withViewer } from './answers.ts';
import { processTree, residentMb } from './process-tree.ts';

const recognizers = 10;
const conditions = 10;
const speakers = 200;
const command = fileURLToPath(new URL('../bin/earwitness.js', import.meta.url));
const results = fileURLToPath(new URL('scale.jsonl', import.meta.url));

/** What one stage took. */
interface Stage {
  readonly trials: number;
  readonly stage: string;
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMb: number;
  readonly bytes?: number;
  readonly at: string;
  readonly load: string;
}

function note(stage: Omit<Stage, 'at' | 'load'>): void {
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ', 1)[0]!;
  const line = JSON.stringify({ ...stage, at: new Date().toISOString().slice(0, 16), load } satisfies Stage);
  console.log(line);
  appendFileSync(results, `${line}\n`);
}

const soFarMs = 120_000;

const round = (value: number) => Number(value.toPrecision(4));

/** Runs the command to its end, and notes what it took since each line of its that begins a part. */
async function measured(
  trials: number,
  stage: string,
  folder: string,
  options: string[],
  parts: readonly [RegExp, string][] = [],
): Promise<void> {
  const times = join(folder, 'times');
  const child = spawn('/usr/bin/time', ['-o', times, '-f', '%e %U %S %M', process.execPath, command, ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let [part, begun, before] = ['', performance.now(), 0];
  let last = '';
  const ended = once(child, 'exit');
  const sampling = setInterval(() => noteSoFar(trials, child.pid!, folder), soFarMs);
  const next = (name: string) => {
    const [now, used] = [performance.now(), processorMs(child.pid!)];
    if (part !== '' && used > 0)
      note({
        trials,
        stage: part,
        seconds: round((now - begun) / 1000),
        processorSeconds: round((used - before) / 1000),
        peakMb: residentMb(child.pid!),
      });
    [part, begun, before] = [name, now, used];
  };
  for await (const line of createInterface({ input: child.stderr })) {
    last = line;
    for (const [sign, name] of parts) if (name !== part && sign.test(line)) next(name);
  }
  const [status] = await ended;
  clearInterval(sampling);
  if (status !== 0) throw new Error(`earwitness ${options.join(' ')}: ${last}`);
  const [seconds, user, system, kilobytes] = readFileSync(times, 'utf8').trim().split(' ').map(Number) as [
    number,
    number,
    number,
    number,
  ];
  note({
    trials,
    stage,
    seconds,
    processorSeconds: round(user + system),
    peakMb: Math.round((1024 * kilobytes) / 1e6),
  });
}

/** Milliseconds of processors that a process and those below it have used, threads and processes that ended included. */
function processorMs(root: number): number {
  return processTree(root).reduce((sum, pid) => {
    try {
      const told = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      // Of itself, and of children that ended; in hundredths of a second.
      return sum + 10 * told.slice(11, 15).reduce((all, ticks) => all + Number(ticks), 0);
    } catch {
      return sum;
    }
  }, 0);
}

function bytesOf(place: string): number {
  if (!existsSync(place)) return 0;
  if (!statSync(place).isDirectory()) return statSync(place).size;
  return readdirSync(place).reduce((sum, name) => sum + bytesOf(join(place, name)), 0);
}

/** How many are planned and answered, what that has taken, and how large the store is: how the pace changes while it grows. */
function noteSoFar(trials: number, pid: number, folder: string): void {
  const file = join(folder, '.earwitness', 'store.sqlite');
  try {
    using store = new DatabaseSync(file, { readOnly: true });
    const last = (what: string, table: string) =>
      Number(store.prepare(`SELECT max(${what}) AS last FROM ${table}`).get()!.last);
    const [planned, answered] = [
      last('position', 'run_trials WHERE run = 1 AND batch = 0') + 1,
      last('number', 'observations'),
    ];
    note({
      ...{ trials, stage: `so far: ${planned} planned, ${answered} answered`, peakMb: residentMb(pid) },
      seconds: round((Date.now() - statSync(`/proc/${pid}`).ctimeMs) / 1000),
      processorSeconds: round(processorMs(pid) / 1000),
      bytes: bytesOf(file),
    });
  } catch {
    // There is none yet, or the process has ended.
  }
}

/** Texts and what is heard follow from numbers: nothing of the corpus is kept. */
const recognizer = `import { z } from 'zod';
import { RecognitionError } from 'earwitness';
import { textOf, numbers } from './texts.mjs';

export default {
  name: 'mishearing',
  about: 'Mishears words for others',
  options: z.strictObject({ chance: z.number().describe('Of each word'), seed: z.int().describe('Of chance') }),
  isolation: 'none',
  async describe({ chance, seed }) {
    return { identity: { engine: 'mishearing', chance, seed }, input: 'names', pinned: true, concurrency: 64, usesProcessor: false, facts: {} };
  },
  async open({ chance, seed }) {
    return {
      async recognize({ utteranceId, conditionName }) {
        const utterance = Number(utteranceId.slice(1));
        const noise = conditionName === 'clean' ? 0 : 0.01 * (20 - parseInt(conditionName.slice(6)));
        const next = numbers(utterance * 131 + seed * 7919 + Math.round(100 * noise));
        if (next() < 0.005) throw new RecognitionError('timeout', 'no answer in time', { retryable: false });
        const wrong = chance + noise + 0.001 * (utterance % 8);
        const words = textOf(utterance).split(' ');
        return { text: words.flatMap((word) => next() >= wrong ? [word] : next() < 0.2 ? [] : [word + 'n']).join(' ') };
      },
      async close() {},
    };
  },
  async readiness() {
    return { ready: true, found: 'nothing is needed' };
  },
};
`;

const texts = `export function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const syllables = ['ba', 'den', 'fi', 'gor', 'hu', 'ka', 'len', 'mi', 'nos', 'pu', 'ra', 'ser', 'ti', 'vom', 'xe', 'ya'];

/** One of 20,000 words, frequent ones about as in Zipf's law. */
function word(rank) {
  let text = '';
  for (let rest = rank + 16; rest > 0; rest = Math.floor(rest / 16)) text += syllables[rest % 16];
  return text;
}

export function textOf(utterance) {
  const next = numbers(utterance);
  return Array.from({ length: 6 + Math.floor(9 * next()) }, () => word(Math.floor(20000 ** next()) - 1)).join(' ');
}
`;

async function prepare(folder: string, trials: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'mishearing.mjs'), recognizer);
  writeFileSync(join(folder, 'texts.mjs'), texts);
  const { textOf } = (await import(join(folder, 'texts.mjs'))) as { textOf(utterance: number): string };
  const list = createWriteStream(join(folder, 'list.tsv'));
  list.write('id\tfile\tspeaker\taccent\tsex\ttext\n');
  for (let at = 0; at < trials / recognizers / conditions; at++) {
    const speaker = at % speakers;
    const about = [`speaker ${speaker}`, `accent ${speaker % 8}`, speaker % 2 ? 'female' : 'male'];
    if (!list.write(`${[`u${at}`, 'audio.wav', ...about, textOf(at)].join('\t')}\n`)) await once(list, 'drain');
  }
  list.end();
  await once(list, 'finish');
  writeFileSync(
    join(folder, 'audio.wav'),
    Buffer.from('UklGRiYAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQIAAAAAAA==', 'base64'),
  );
  const config = {
    name: 'scale',
    corpus: { type: 'manifest', file: 'list.tsv', language: 'en' },
    recognizers: Object.fromEntries(
      Array.from({ length: recognizers }, (_, at) => [
        `system ${at + 1}`,
        { type: './mishearing.mjs', chance: 0.05 + 0.01 * at, seed: at },
      ]),
    ),
    studies: [
      {
        type: 'robustness',
        groupBy: ['accent', 'sex'],
        conditions: Array.from({ length: conditions - 1 }, (_, at) => ({
          name: `noise ${at + 10} dB`,
          steps: [{ perturbation: 'white-noise', parameters: { snrDb: at + 10 } }],
        })),
      },
      { type: 'disparity', attributes: ['accent', 'sex'] },
    ],
    report: { folder: 'report', trials: [] },
  };
  writeFileSync(join(folder, 'earwitness.config.json'), JSON.stringify(config));
}

/** Asks until it says what is wanted. */
async function views(trials: number, folder: string): Promise<void> {
  await withViewer(command, folder, async ({ ask, process: { pid } }) => {
    let peakMb = 0;
    const watch = setInterval(() => {
      peakMb = Math.max(peakMb, residentMb(pid!));
    }, 100);
    const told = async (stage: string, work: () => Promise<unknown>) => {
      const [begun, before] = [performance.now(), processorMs(pid!)];
      await work();
      note({
        ...{ trials, stage, seconds: round((performance.now() - begun) / 1000), peakMb },
        processorSeconds: round((processorMs(pid!) - before) / 1000),
      });
    };
    await told('view: index', async () => {
      while (!/id="count"/.test((await ask('/runs/last/trials')).text))
        await new Promise((done) => setTimeout(done, 250));
    });
    const run = /\/runs\/([^/"?]+)\/trials/.exec((await ask('/runs/last/trials')).text)![1]!;
    for (const [name, path] of [
      ['a run', ''],
      ['trials', '/trials'],
      ['trials by WER', '/trials?sort=wer'],
      ['trials with a word', '/trials?search=denhu'],
      ['trials of a group', '/trials?is.accent=accent+3&recognizer=system+2'],
      ['confused words', '/words'],
    ]) {
      await told(`view: ${name}`, () => ask(`/runs/${run}${path}`));
    }
    clearInterval(watch);
  });
}

async function measure(trials: number, folder: string): Promise<void> {
  await prepare(folder, trials);
  const store = join(folder, '.earwitness', 'store.sqlite');
  // It plans once more, which takes as long as the plan of the run.
  if (trials <= 1e6) await measured(trials, 'plan (dry run)', folder, ['run', '--dry-run']);
  await measured(
    trials,
    'run',
    folder,
    ['run', '--verbose'],
    [
      [/^plan fixed/, 'robustness: plan'],
      [/^robustness: \d+ of/, 'robustness: ask'],
      [/^robustness: (\d+) of \1(?!\d)/, 'robustness: tally'],
      [/^disparity: /, 'disparity and report'],
    ],
  );
  note({ trials, stage: 'store', seconds: 0, processorSeconds: 0, peakMb: 0, bytes: bytesOf(store) });
  await measured(trials, 'report', folder, ['report', 'last', '--out', 'again', '--trials', 'none']);
  for (const form of ['csv', 'parquet'] as const) {
    await measured(trials, `report with ${form}`, folder, ['report', 'last', '--out', form, '--trials', form]);
    note({ trials, stage: form, seconds: 0, processorSeconds: 0, peakMb: 0, bytes: bytesOf(join(folder, form)) });
    rmSync(join(folder, form), { recursive: true });
  }
  await views(trials, folder);
  note({
    trials,
    stage: 'index',
    seconds: 0,
    processorSeconds: 0,
    peakMb: 0,
    bytes: bytesOf(join(folder, '.earwitness', 'view')),
  });
}

function readResults(): readonly Stage[] {
  return readFileSync(results, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Stage);
}

const markdownTable = (rows: readonly (readonly (string | number)[])[]) =>
  [rows[0]!, rows[0]!.map(() => '---'), ...rows.slice(1)].map((row) => `| ${row.join(' | ')} |`).join('\n');
const power = (trials: number) => `10^${Math.log10(trials)}`;
const short = (value: number) => String(Number(value.toPrecision(3)));

/** What every stage took at each size, a million more from one size to the next, and what 10^8 would take if that goes on growing so. */
function tables(): string {
  const all = readResults();
  const sizes = [...new Set(all.map(({ trials }) => trials))].sort((a, b) => a - b);
  const told = (stage: string, trials: number) => all.findLast((one) => one.stage === stage && one.trials === trials);
  const whole = (rows: readonly Stage[]) => [
    ...new Set(rows.filter(({ stage }) => !stage.startsWith('so far')).map(({ stage }) => stage)),
  ];
  const timed = whole(all.filter(({ seconds }) => seconds > 0));
  const times = timed.map((stage) => {
    const known = sizes.flatMap((trials) => told(stage, trials) ?? []);
    const more = known.slice(1).map((one, place) => {
      const before = known[place]!;
      return (1e6 * (one.processorSeconds - before.processorSeconds)) / (one.trials - before.trials);
    });
    const last = more.at(-1);
    const decades = known.length < 3 ? null : Math.log10(known.at(-1)!.trials / known.at(-2)!.trials);
    const growth = decades === null || more.at(-2)! <= 0 ? null : (last! / more.at(-2)!) ** (1 / decades);
    const ahead = known.length === 0 ? 0 : 8 - Math.log10(known.at(-1)!.trials);
    const hours = last === undefined ? null : (100 * last * Math.max(1, growth ?? 1) ** ahead) / 3600;
    return [
      stage,
      ...sizes
        .map((trials) => told(stage, trials))
        .map((one) => (one ? `${short(one.processorSeconds)} (${short(one.seconds)}), ${one.peakMb} MB` : '')),
      last === undefined ? '' : short(last),
      growth === null ? '' : short(growth),
      // Pages are asked one by one.
      hours === null || hours < 0.1 ? '' : short(hours),
    ];
  });
  const sizesOf = whole(all.filter(({ bytes, stage }) => bytes !== undefined && !stage.startsWith('so far'))).map(
    (stage) => [
      stage,
      ...sizes.map((trials) => told(stage, trials)).map((one) => (one ? short(one.bytes! / one.trials) : '')),
      short(
        ((sizes.map((trials) => told(stage, trials)).findLast(Boolean)!.bytes ?? 0) /
          sizes.findLast((trials) => told(stage, trials))!) *
          0.1,
      ),
    ],
  );
  const soFar = all.filter(({ stage }) => stage.startsWith('so far'));
  const done = ({ stage }: Stage) => stage.match(/\d+/g)!.map(Number) as [planned: number, answered: number];
  const ways = soFar.map((one, place) => {
    const { trials, processorSeconds, seconds, peakMb, bytes, at, load } = one;
    const [now, before] = [done(one), place === 0 ? [0, 0] : done(soFar[place - 1]!)];
    const more = now[0] + now[1] - before[0]! - before[1]!;
    const took = processorSeconds - (place === 0 ? 0 : soFar[place - 1]!.processorSeconds);
    const counts = now.map((count) => count.toLocaleString('en'));
    return [
      power(trials),
      ...counts,
      short((1e6 * took) / more),
      ...[processorSeconds, seconds].map(short),
      peakMb,
      short(bytes! / 1e6),
      at.slice(11),
      load,
    ];
  });
  const when = sizes.map((trials) => {
    const own = all.filter((one) => one.trials === trials);
    const loads = own.map(({ load }) => Number(load));
    return `${power(trials)}: ${own[0]!.at.replace('T', ' ')}, load ${Math.min(...loads)} to ${Math.max(...loads)}`;
  });
  return [
    `Made by \`node bench/scale.ts N\`, written here by \`node bench/scale.ts --table\`. ${when.join('; ')} (two cores, shared).`,
    markdownTable([
      [
        'processor s (elapsed s), memory',
        ...sizes.map(power),
        's a million more',
        'times that for ten times as many',
        'hours for 10^8',
      ],
      ...times,
    ]),
    markdownTable([['bytes a trial', ...sizes.map(power), 'GB for 10^8'], ...sizesOf]),
    ...(ways.length > 0
      ? [
          markdownTable([
            [
              'of',
              'planned',
              'answered',
              'processor s a million more',
              'processor s',
              'elapsed s',
              'memory, MB',
              'store, MB',
              'at',
              'load',
            ],
            ...ways,
          ]),
        ]
      : []),
  ].join('\n\n');
}

/** What the index of keys alone costs as it grows: keys are hashes, so that each has a page of its own once there are many. */
function measureKeys(count: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'scale-'));
  using database = new DatabaseSync(join(folder, 'keys.sqlite'));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -8192;
    CREATE TABLE observations (number INTEGER PRIMARY KEY, key BLOB NOT NULL, text TEXT NOT NULL);
    CREATE INDEX observations_by_key ON observations (key)`);
  const insert = database.prepare('INSERT INTO observations (key, text) VALUES (?, ?)');
  const written = () => Number(/write_bytes: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))![1]);
  let [before, wrote] = [process.cpuUsage(), written()];
  for (let row = 0; row < count; ) {
    database.exec('BEGIN');
    // As many as a run of ten quick recognizers keeps at once.
    for (const end = row + 640; row < end; row++)
      insert.run(createHash('sha256').update(String(row)).digest(), 'x'.repeat(100));
    database.exec('COMMIT');
    if (row % 320_000 !== 0) continue;
    const { user, system } = process.cpuUsage(before);
    const line = {
      keys: row,
      microsecondsEach: short((user + system) / 320_000),
      bytesWrittenEach: short((written() - wrote) / 320_000),
    };
    console.log(JSON.stringify(line));
    [before, wrote] = [process.cpuUsage(), written()];
  }
  rmSync(folder, { recursive: true });
}

const [what, given, trialsOf] = process.argv.slice(2);
if (what === '--keys') {
  measureKeys(Number(given));
} else if (what === '--table') {
  console.log(tables());
} else if (what === '--watch') {
  // Of a run that is under way: PID FOLDER TRIALS.
  const [pid, folder] = given!.split(':') as [string, string];
  while (existsSync(`/proc/${pid}`)) {
    noteSoFar(Number(trialsOf), Number(pid), folder);
    await new Promise((done) => setTimeout(done, soFarMs));
  }
} else {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'scale-'));
  try {
    await measure(Number(what), folder);
  } finally {
    if (process.env.KEEP !== '1') rmSync(folder, { recursive: true, force: true });
  }
}
