// How fast `earwitness view` answers, and what it takes in memory.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { processorMs, residentMb } from './process-tree.ts';

const warmTurns = 9;

interface Viewer {
  readonly origin: string;
  readonly cookie: string;
  readonly process: ChildProcess;
  ask(path: string): Promise<Asked>;
}

interface Asked {
  readonly text: string;
  readonly ms: number;
  readonly processorMs: number;
  readonly bytes: number;
}

/** Starts it in a folder, and ends it with what was done. */
export async function withViewer<Value>(
  command: string,
  folder: string,
  work: (viewer: Viewer) => Promise<Value>,
): Promise<Value> {
  const server = spawn(process.execPath, [command, 'view', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let told = '';
    for await (const part of server.stdout) {
      told += part;
      if (/http:\/\/\S+/.test(told)) break;
    }
    const link = new URL(/http:\/\/[^\s"]+/.exec(told)![0]);
    const entered = await fetch(link, { redirect: 'manual' });
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
    const ask = async (path: string): Promise<Asked> => {
      const before = processorMs(server.pid!);
      const begun = performance.now();
      const answer = await fetch(link.origin + path, { headers: { cookie } });
      let [bytes, text] = [0, ''];
      const decoder = new TextDecoder();
      for await (const part of answer.body!) {
        bytes += part.length;
        if (bytes < 2e7) text += decoder.decode(part, { stream: true });
      }
      const ms = performance.now() - begun;
      return { text, bytes, ms, processorMs: processorMs(server.pid!) - before };
    };
    return await work({ origin: link.origin, cookie, process: server, ask });
  } finally {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** What is made once of a run: until its findings and its trials are there, and how much memory that takes at most. */
export async function measureFirstLook(command: string, folder: string): Promise<void> {
  rmSync(join(folder, '.earwitness', 'view'), { recursive: true, force: true });
  await withViewer(command, folder, async ({ ask, process: { pid } }) => {
    let peakMb = 0;
    const watch = setInterval(() => {
      peakMb = Math.max(peakMb, residentMb(pid!));
    }, 100);
    for (const [what, path, sign] of [
      ['runs with their counts', '/runs', /"Found" class="wide">(?!…)/],
      ['findings', '/runs/last', /id="answer"|class="warnings"|class="ranking"/],
      ['trials', '/runs/last/trials', /id="count"/],
    ] as const) {
      const begun = performance.now();
      while (!sign.test((await ask(path)).text)) await new Promise((done) => setTimeout(done, 250));
      console.log(
        JSON.stringify({ firstLook: what, seconds: Number(((performance.now() - begun) / 1000).toFixed(1)), peakMb }),
      );
    }
    clearInterval(watch);
  });
}

/** Each page of a fresh server (cold), then again and again (warm). */
export async function measureAnswers(command: string, folder: string): Promise<void> {
  const { run, word } = await withViewer(command, folder, async ({ ask }) => {
    const trials = (await ask('/runs/last/trials')).text;
    const word = /<bdi lang="en">(?:\S+ )?(\S+)/.exec(trials)![1]!;
    return { run: /\/runs\/([^/"?]+)\/trials/.exec(trials)![1]!, word };
  });
  const list = `/runs/${run}/trials`;
  const group = 'is.accent=accent+3&recognizer=system+2';
  const pages: Record<string, string> = {
    runs: '/runs',
    'a run': `/runs/${run}`,
    trials: list,
    'trials of a group and a recognizer': `${list}?${group}`,
    'trials with a word': `${list}?search=${word}`,
    'trials with a word, of a group, by loss': `${list}?${group}&search=${word}&sort=loss`,
    ...Object.fromEntries(
      ['wer', 'loss', 'disagreement', 'insertions', 'seconds'].map((sort) => [
        `trials by ${sort}`,
        `${list}?sort=${sort}`,
      ]),
    ),
    'the last page of trials by WER': `${list}?sort=wer&page=99999999`,
    'trials with a letter': `${list}?search=e`,
    'a trial': `${list}/100.0.0.0?at=5&sort=wer`,
    'confused words': `/runs/${run}/words`,
    'confused words of a group': `/runs/${run}/words?${group}`,
    'trials with a confusion': `${list}?confused=${word}+`,
    'compare, of two recognizers': `/compare?a=${run}:system+1&b=${run}:system+2`,
    'export of a group, CSV': `${list}.csv?${group}`,
    'export of everything, CSV': `${list}.csv`,
  };
  for (const [name, path] of Object.entries(pages)) {
    await withViewer(command, folder, async ({ ask, process: { pid } }) => {
      let peakMb = 0;
      const watch = setInterval(() => {
        peakMb = Math.max(peakMb, residentMb(pid!));
      }, 50);
      const cold = await ask(path);
      const warm: Asked[] = [];
      const turns = cold.ms > 5000 ? 0 : warmTurns;
      for (let turn = 0; turn < turns; turn++) warm.push(await ask(path));
      const resident = residentMb(pid!);
      clearInterval(watch);
      const round = (ms: number) => Math.round(ms);
      console.log(
        JSON.stringify({
          answer: name,
          cold: { ms: round(cold.ms), processorMs: round(cold.processorMs) },
          ...(warm.length > 0 && {
            warm: {
              medianMs: round(median(warm.map(({ ms }) => ms))),
              maxMs: round(Math.max(...warm.map(({ ms }) => ms))),
              processorMs: round(median(warm.map(({ processorMs }) => processorMs))),
            },
          }),
          kilobytes: round(cold.bytes / 1000),
          ...{ residentMb: resident, peakMb: Math.max(peakMb, resident) },
        }),
      );
    });
  }
}

/** One server that is warm, asked what it was not asked before; and what it takes in memory in the end. */
export async function measureSession(command: string, folder: string): Promise<void> {
  await withViewer(command, folder, async ({ ask, process: { pid } }) => {
    let peakMb = 0;
    const watch = setInterval(() => {
      peakMb = Math.max(peakMb, residentMb(pid!));
    }, 50);
    const run = /\/runs\/([^/"?]+)\/trials/.exec((await ask('/runs/last/trials')).text)![1]!;
    const searches = ['badenfi', 'ka ', 'gor', 'xeya', 'mi l', 'ser', 'puti', 'vom'];
    for (const search of ['warm', 'warmer']) await ask(`/runs/${run}/trials?search=${search}`);
    const sorts = ['wer', 'loss', 'disagreement', 'insertions', 'seconds'];
    const asked = new Map<string, Asked[]>();
    for (const [at, search] of searches.entries()) {
      for (const [name, path] of Object.entries({
        'a run': '',
        'trials, filtered': `/trials?recognizer=system+${at + 1}&is.accent=accent+${at}`,
        'trials, searched': `/trials?search=${search}`,
        'trials, filtered and sorted': `/trials?condition=noise+${at + 1}+dB&sort=${sorts[at % sorts.length]}`,
        'confused words, filtered': `/words?condition=noise+${at + 1}+dB`,
        'a trial in a list': `/trials/${100 + at}.0.0.0?at=${at}&sort=wer&is.accent=accent+${at}`,
      }))
        asked.set(name, [...(asked.get(name) ?? []), await ask(`/runs/${run}${path}`)]);
    }
    clearInterval(watch);
    for (const [name, answers] of asked) {
      const told = (key: 'ms' | 'processorMs') => {
        const values = answers.map((one) => Math.round(one[key]));
        return { median: median(values), max: Math.max(...values) };
      };
      console.log(JSON.stringify({ anew: name, ms: told('ms'), processorMs: told('processorMs') }));
    }
    console.log(JSON.stringify({ 'after a long look': { residentMb: residentMb(pid!), peakMb } }));
  });
}
