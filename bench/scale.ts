// What a run of N trials costs from beginning to end, each stage a process of its own: plan, run, tally, report, CSV and Parquet, the index and the
// pages of `view`; wall and processor seconds, peak memory, bytes on the disk. 10 recognizers that are told of names alone, 10 conditions, N / 100
// utterances of 200 speakers; of each word a recognizer makes what follows from the utterance and chance, so that it keeps nothing.
//
//   node bench/scale.ts N [FOLDER]       one line of JSON a stage, also added to bench/scale.jsonl; FOLDER (else a temporary one) is removed
//   node bench/scale.ts --table          what was measured, as the tables of design/scale.md, with growth and what 10^8 would take
import { spawn } from 'node:child_process';
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
    // How the pace changes while the store grows.
    const answered = part === asking ? Number(/: (\d+) of/.exec(line)?.[1] ?? 0) : 0;
    if (answered > 0) noteSoFar(trials, answered, begun, before, child.pid!, folder);
  }
  const [status] = await ended;
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

const asking = 'robustness: ask';

function noteSoFar(trials: number, answered: number, begun: number, before: number, pid: number, folder: string): void {
  note({
    ...{ trials, stage: `asked so far: ${answered}`, peakMb: residentMb(pid) },
    seconds: round((performance.now() - begun) / 1000),
    processorSeconds: round((processorMs(pid) - before) / 1000),
    bytes: bytesOf(join(folder, '.earwitness', 'store.sqlite')),
  });
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
      [/^robustness: \d+ of/, asking],
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

const [what, given] = process.argv.slice(2);
if (what !== '--table') {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'scale-'));
  try {
    await measure(Number(what), folder);
  } finally {
    if (process.env.KEEP !== '1') rmSync(folder, { recursive: true, force: true });
  }
}
