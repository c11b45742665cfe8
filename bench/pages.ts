// How fast and how large the pages of a leaderboard are: an invented corpus in 54 groups, recognizers whose transcripts are recorded.
// The report, the pages of `view` and those of `view --bundle` in chromium: first paint, all of the page, processor time of its thread
// (medians of 5); wall and processor time of the server's answers, and its memory; whether the ranking is on the first screen.
//
//   node bench/pages.ts [SYSTEMS=12] [CLIPS=2900] [FOLDER]     FOLDER keeps what was run, for the next time
//
// Goals: a second for all of a page; at 10^6 trials (20 50000) 200 ms for each answer and 400 MB resident.
import { spawn, spawnSync } from 'node:child_process';
import {
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
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { createRandom } from '../src/base/random.ts';
import { median } from './median.ts';

const loads = 5;
const groups = 54;
const command = fileURLToPath(new URL('../bin/earwitness.js', import.meta.url));
const [systems, clips] = [Number(process.argv[2] ?? 12), Number(process.argv[3] ?? 2900)];
const given = process.argv[4];
const folder = given ?? mkdtempSync(join(tmpdir(), 'pages-'));

function earwitness(...options: string[]): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [command, ...options], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`earwitness ${options.join(' ')}: ${stderr}`);
  return (performance.now() - begun) / 1000;
}

function invent(): void {
  mkdirSync(folder, { recursive: true });
  const random = createRandom('pages');
  const words = Array.from({ length: 5000 }, (_, at) => `word${at.toString(36)}`);
  const texts = Array.from({ length: clips }, () =>
    Array.from({ length: 6 + Math.floor(8 * random.next()) }, () => words[Math.floor(5000 * random.next() ** 3)]!),
  );
  const list = texts.map((text, at) => {
    const speaker = at % Math.min(1000, Math.ceil(clips / 5));
    return `u${at}\ts${speaker}\taccent ${speaker % groups}\t${speaker % 2 ? 'female' : 'male'}\t${text.join(' ')}`;
  });
  writeFileSync(join(folder, 'list.tsv'), `id\tspeaker\taccent\tsex\ttext\n${list.join('\n')}\n`);
  const names = Array.from({ length: systems }, (_, at) => `system ${at + 1}`);
  names.forEach((_, at) => {
    const rows = texts.map((text, clip) => {
      const chance = 0.05 + 0.01 * at + 0.001 * (clip % groups);
      return `u${clip}\t${text.map((word) => (random.next() < chance ? words[Math.floor(5000 * random.next())] : word)).join(' ')}`;
    });
    writeFileSync(join(folder, `system-${at}.tsv`), `id\ttext\n${rows.join('\n')}\n`);
  });
  const config = {
    name: 'leaderboard',
    corpus: { type: 'manifest', file: 'list.tsv', language: 'en' },
    recognizers: Object.fromEntries(
      names.map((name, at) => [
        name,
        { type: 'recorded', file: `system-${at}.tsv`, columns: { utterance: 'id', text: 'text' } },
      ]),
    ),
    studies: [{ type: 'disparity', attributes: ['accent', 'sex'] }],
    report: { folder: 'report' },
  };
  writeFileSync(join(folder, 'earwitness.config.json'), JSON.stringify(config));
}

interface Load {
  readonly paintMs: number;
  readonly completeMs: number;
  readonly busyMs: number;
}

async function load(browser: Browser, address: string, cookie: string | null, ready: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  if (cookie !== null) {
    const [name, value] = cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: new URL(address).origin }]);
  }
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  // Of the page's thread, so that a busy machine tells the same.
  await tools.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await tools.send('Performance.enable');
  await page.goto(address, { timeout: 300_000 });
  await page.waitForSelector(ready, { timeout: 300_000 });
  const shown = Number(await page.evaluate('performance.now()'));
  await page.waitForTimeout(300);
  const [paintMs, completeMs] = (await page.evaluate(
    `[performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN, performance.getEntriesByType('navigation')[0].domComplete]`,
  )) as [number, number];
  const { metrics } = await tools.send('Performance.getMetrics');
  const busyMs = 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
  await context.close();
  return { paintMs, completeMs: Math.max(completeMs, address.startsWith('file:') ? shown : 0), busyMs };
}

async function measure(browser: Browser, name: string, address: string, cookie: string | null, ready = 'main') {
  const all: Load[] = [];
  for (let turn = 0; turn < loads; turn++) all.push(await load(browser, address, cookie, ready));
  const middle = (key: keyof Load) => Math.round(median(all.map((one) => one[key])));
  console.log(
    JSON.stringify({
      page: name,
      paintMs: middle('paintMs'),
      completeMs: middle('completeMs'),
      busyMs: middle('busyMs'),
    }),
  );
}

function bytesOf(place: string): number {
  if (!statSync(place).isDirectory()) return statSync(place).size;
  return readdirSync(place).reduce((sum, name) => sum + bytesOf(join(place, name)), 0);
}
const megabytes = (bytes: number) => Number((bytes / 1e6).toFixed(1));

/** What the process takes now, and at most so far. */
function resident(pid: number): { readonly nowMb: number; readonly peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Math.round((1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1])) / 1e6);
  return { nowMb: of('VmRSS'), peakMb: of('VmHWM') };
}

function processorMs(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13).map(Number);
  return 10 * (user! + system!);
}

async function measureView(browser: Browser): Promise<void> {
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
    const ask = async (path: string) => (await fetch(link.origin + path, { headers: { cookie } })).text();
    const begun = performance.now();
    while (!(await ask('/runs/last/trials')).includes('id="count"')) await new Promise((done) => setTimeout(done, 500));
    console.log(
      JSON.stringify({ scored: `${((performance.now() - begun) / 1000).toFixed(1)} s`, ...resident(server.pid!) }),
    );
    const run = /\/runs\/([^/"?]+)\/trials/.exec(await ask('/runs/last'))![1]!;
    const pages = {
      'the run': `/runs/${run}`,
      trials: `/runs/${run}/trials`,
      'trials by WER of a group': `/runs/${run}/trials?sort=wer&is.accent=accent+7&recognizer=system+2`,
      'trials by a word': `/runs/${run}/trials?search=word1z&sort=loss`,
      'a trial': `/runs/${run}/trials/100.0.0.0?at=5&sort=wer`,
      'confused words': `/runs/${run}/words?recognizer=system+2`,
    };
    for (const [name, path] of Object.entries(pages)) {
      const answers: number[] = [];
      const before = processorMs(server.pid!);
      let bytes = 0;
      for (let turn = 0; turn < 2 * loads; turn++) {
        const asked = performance.now();
        bytes = (await ask(path)).length;
        answers.push(performance.now() - asked);
      }
      console.log(
        JSON.stringify({
          answer: name,
          firstMs: Math.round(answers[0]!),
          ms: Math.round(median(answers)),
          processorMs: (processorMs(server.pid!) - before) / answers.length,
          megabytes: megabytes(bytes),
          ...resident(server.pid!),
        }),
      );
      await measure(browser, `view: ${name}`, link.origin + path, cookie);
    }
    console.log(JSON.stringify({ view: 'in the end', ...resident(server.pid!) }));
  } finally {
    server.kill();
  }
}

/** With what GNU time says of memory, where it is there. */
function writeBundle(): void {
  const begun = performance.now();
  rmSync(join(folder, 'bundle'), { recursive: true, force: true });
  const bundle = ['view', 'last', '--bundle', 'bundle', '--transcripts', '--min-speakers', '1'];
  const { status, stderr } = spawnSync('/usr/bin/time', ['-f', 'peak %M', process.execPath, command, ...bundle], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const peakMb = Math.round((1024 * Number(/peak (\d+)/.exec(stderr)![1])) / 1e6);
  const seconds = Number(((performance.now() - begun) / 1000).toFixed(1));
  console.log(
    JSON.stringify({ bundle: 'written', seconds, peakMb, megabytes: megabytes(bytesOf(join(folder, 'bundle'))) }),
  );
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  if (!existsSync(join(folder, '.earwitness'))) {
    invent();
    console.log(JSON.stringify({ trials: systems * clips, ran: `${earwitness('run').toFixed(0)} s` }));
  }
  console.log(JSON.stringify({ reported: `${earwitness('report', 'last', '--out', 'again').toFixed(1)} s` }));
  const report = join(folder, 'again', 'report.html');
  console.log(JSON.stringify({ report: megabytes(statSync(report).size) }));
  await measure(browser, 'report.html', pathToFileURL(report).href, null);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(pathToFileURL(report).href, { timeout: 300_000 });
  const bottom = await page.evaluate(
    `[...document.querySelectorAll('.ranking tbody tr')].map((row) => row.getBoundingClientRect().bottom).at(-1)`,
  );
  console.log(JSON.stringify({ 'ranking ends at': Math.round(Number(bottom)), of: 900 }));
  await measureView(browser);
  writeBundle();
  const run = readdirSync(join(folder, 'bundle')).find((name) => /-trials\.html$/.test(name))!;
  const at = (name: string) => pathToFileURL(join(folder, 'bundle', name)).href;
  await measure(browser, 'bundle: the run', at(run.replace('-trials', '')), null);
  await measure(browser, 'bundle: trials', at(run), null, '#count');
  await measure(browser, 'bundle: trials by a word', `${at(run)}?search=word1z`, null, '#count');
  await measure(
    browser,
    'bundle: a trial',
    `${at(run.replace('-trials', '-trial'))}?clip=100.0.0.0&sort=wer&at=5`,
    null,
    '#texts',
  );
} finally {
  await browser.close();
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}
