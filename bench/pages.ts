// How fast and how large the pages of a run are, over an invented corpus with recognizers that mishear it: the report, the pages of `view`
// and those of `view --pages`. Answers of the server: cold (the first of a fresh server) and warm, wall and processor milliseconds, with
// megabytes of its whole process tree. In chromium (medians of 5): first paint, all of the page, processor time of its thread; whether the
// ranking is on the first screen.
//
//   node bench/pages.ts [SYSTEMS=12] [CLIPS=2900] [CONDITIONS=1] [FOLDER]     FOLDER keeps what was run, for the next time
//
// Goals: of a leaderboard (as it is) a second for all of a page; of 10^6 trials (10 5000 20) 200 ms for each answer, 400 MB resident.
// ONLY=answers (or report, bundle) measures that alone.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { measureAnswers, measureFirstLook, measureSession, withViewer } from './answers.ts';
import { inventCorpus } from './invented-corpus.ts';
import { median } from './median.ts';

const loads = 5;
const command = fileURLToPath(new URL('../bin/earwitness.js', import.meta.url));
const [systems, clips, conditions] = [2, 3, 4].map((at) => Number(process.argv[at] ?? [12, 2900, 1][at - 2]));
const given = process.argv[5];
const folder = given ?? mkdtempSync(join(tmpdir(), 'pages-'));
const isMeasured = (part: string) => (process.env.ONLY ?? part) === part;

function earwitness(...options: string[]): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [command, ...options], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`earwitness ${options.join(' ')}: ${stderr}`);
  return (performance.now() - begun) / 1000;
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

async function loadViews(browser: Browser): Promise<void> {
  await withViewer(command, folder, async ({ origin, cookie, ask }) => {
    const run = /\/runs\/([^/"?]+)\/trials/.exec((await ask('/runs/last')).text)![1]!;
    for (const path of [`/runs/${run}`, `/runs/${run}/trials?sort=wer`, `/runs/${run}/trials/100.0.0.0?at=5&sort=wer`])
      await measure(browser, `view: ${path.replace(run, 'RUN')}`, origin + path, cookie);
  });
}

/** With what GNU time says of memory, where it is there. */
function writeBundle(): void {
  const begun = performance.now();
  rmSync(join(folder, 'bundle'), { recursive: true, force: true });
  const bundle = ['view', 'last', '--pages', 'bundle', '--transcripts', '--min-speakers', '1'];
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

if (!existsSync(join(folder, '.earwitness'))) {
  const large = conditions! > 1;
  const [speakers, groups] = large ? [200, 8] : [Math.min(1000, Math.ceil(clips! / 5)), 54];
  inventCorpus(folder, { systems: systems!, clips: clips!, conditions: conditions!, speakers, groups });
  console.log(JSON.stringify({ trials: systems! * clips! * conditions!, ran: `${earwitness('run').toFixed(0)} s` }));
}
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  if (isMeasured('report')) {
    console.log(JSON.stringify({ reported: `${earwitness('report', 'last', '--out', 'again').toFixed(1)} s` }));
    const report = join(folder, 'again', 'report.html');
    console.log(JSON.stringify({ report: megabytes(statSync(report).size) }));
    await measure(browser, 'report.html', pathToFileURL(report).href, null);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(pathToFileURL(report).href, { timeout: 300_000 });
    const bottom = await page.evaluate(
      `[...document.querySelector('.ranking').querySelectorAll('tbody tr')].at(-1).getBoundingClientRect().bottom`,
    );
    console.log(JSON.stringify({ 'ranking ends at': Math.round(Number(bottom)), of: 900 }));
  }
  if (isMeasured('answers')) {
    await measureFirstLook(command, folder);
    await measureAnswers(command, folder);
    await measureSession(command, folder);
    await loadViews(browser);
  }
  if (isMeasured('bundle')) {
    writeBundle();
    const run = readdirSync(join(folder, 'bundle')).find((name) => /-trials\.html$/.test(name))!;
    const at = (name: string) => pathToFileURL(join(folder, 'bundle', name)).href;
    await measure(browser, 'bundle: the run', at(run.replace('-trials', '')), null);
    await measure(browser, 'bundle: trials', at(run), null, '#count');
    await measure(browser, 'bundle: trials by WER', `${at(run)}?sort=wer`, null, '#count');
    await measure(browser, 'bundle: trials by a word', `${at(run)}?search=badenfi`, null, '#count');
    const trial = `${at(run.replace('-trials', '-trial'))}?clip=100.0.0.0&sort=wer&at=5`;
    await measure(browser, 'bundle: a trial', trial, null, '#texts');
  }
} finally {
  await browser.close();
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
}
