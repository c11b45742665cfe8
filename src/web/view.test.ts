import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { runCommand, sineWav, temporaryFolder } from '../cli/testing/run-command.ts';
import type { Finding } from '../model/finding.ts';
import { csvLine } from '../report/csv/render-csv.ts';
import { resultTableOf } from '../report/prepare/result-table.ts';
import { run } from '../session/run/run.ts';
import { trialTable } from '../session/run/trial-table.ts';
import { openStore } from '../store/open-store.ts';
import { describedClips } from './audio.ts';
import { openRunClips } from './clips.ts';
import { type Serving, serveRuns } from './serve.ts';
import { normalizerOfFindings } from './stored-run.ts';
import {
  arrived,
  askServer,
  chooseFilter,
  noiseStudy,
  openBrowser,
  pageFaults,
  skipWithoutBrowser,
} from './testing/browser.ts';

const skip = skipWithoutBrowser;
const hostile = '<img src=x onerror="window.stolen=1">"\'`{1}</script>\u202e';

const texts = ['she sells sea shells', 'by the sea shore', 'red lorry', 'yellow lorry', 'good blood', 'bad blood'];

/** A finished run of six clips, two conditions and two recognizers, some of whose names and words are hostile. */
async function project() {
  const folder = await temporaryFolder();
  const rows = texts.map(
    (text, at) => `${at}\t${at}.wav\tspeaker ${at % 3}\t${at % 2 ? hostile.replaceAll('\t', ' ') : 'F'}\t${text}`,
  );
  await writeFile(folder.file('list.tsv'), `id\tpath\tspeaker\tsex\ttext\n${rows.join('\n')}\n`);
  for (const at of texts.keys()) await writeFile(folder.file(`${at}.wav`), sineWav(300 + 50 * at, 16_000, 1));
  const answers = Object.fromEntries(texts.map((text, at) => [String(at), text]));
  const config = {
    name: `Run ${hostile}`,
    seed: 1,
    corpus: { type: 'manifest', file: 'list.tsv', language: 'en' },
    recognizers: {
      good: { type: 'scripted', answers },
      bad: {
        type: 'scripted',
        failures: [{ match: { utterance: '5' } }],
        answers: { ...answers, 0: `she cells sea shells ${hostile}`, 2: 'red lorry red lorry' },
      },
    },
    failures: { maxShare: 1 },
    studies: [noiseStudy],
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  return { folder, config, store: folder.file('.earwitness/store.sqlite') };
}

let browser: Browser;
let made: Awaited<ReturnType<typeof project>>;
let store: ReturnType<typeof openStore>;
let serving: Serving;
/** What was made by the time that the link was there. */
let madeAtStart: string[];

before(async () => {
  made = await project();
  await run(made.config as never, { baseFolder: made.folder.path });
  store = openStore(made.store, { readonly: true });
  serving = await serveRuns({ store, storeFile: made.store, port: 0, audio: true });
  madeAtStart = await readdir(made.folder.file('.earwitness/view'));
  if (!skip) browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await serving[Symbol.asyncDispose]();
  store.close();
  await made.folder[Symbol.asyncDispose]();
});

const ask = (path: string, options?: Parameters<typeof askServer>[2]) => askServer(serving.origin, path, options);

/** One link opens one browser: all pages of these tests share its cookie. */
let entering: Promise<string> | null = null;
function cookie(): Promise<string> {
  entering ??= ask(serving.link.slice(serving.origin.length)).then(
    ({ headers }) => String(headers['set-cookie']).split(';')[0]!,
  );
  return entering;
}

async function open(path: string): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const [name, value] = (await cookie()).split('=') as [string, string];
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.context().addCookies([{ name, value, url: serving.origin, sameSite: 'Strict', httpOnly: true }]);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (asked) => {
    if (!asked.url().startsWith(serving.origin) && !asked.url().startsWith('data:')) complaints.push(asked.url());
  });
  await page.goto(serving.origin + path);
  return { page, complaints };
}

const runId = () => store.runs()[0]!.id;

/** Once the trials can be filtered. */
async function scored(): Promise<void> {
  const headers = { cookie: await cookie() };
  while (!(await ask(`/runs/${runId()}/trials`, { headers })).body.includes('id="count"')) await pause(100);
}

test('Clips that were measured without a recognizer are no requests: the list says nothing of two totals.', async () => {
  await scored();
  const { body } = await ask(`/runs/${runId()}/trials`, { headers: { cookie: await cookie() } });
  const measured = store.batches(runId()).reduce((sum, { size }) => sum + size, 0);
  assert.ok(measured > 24, 'six clips in two conditions by two recognizers, and what was measured');
  assert.match(body, /<dt>of all<\/dt><dd>24<\/dd>/);
  assert.doesNotMatch(body, /requests/);
});

test('Without the cookie, from another host or site, by another method or another path nothing is shown.', async () => {
  const own = { cookie: await cookie() };
  await scored();
  assert.equal((await ask('/runs')).status, 403);
  assert.equal((await ask('/runs', { headers: own })).status, 200);
  assert.equal((await ask(serving.link.slice(serving.origin.length))).status, 403);
  assert.equal((await ask('/runs', { headers: { ...own, host: 'evil.example' } })).status, 403);
  assert.equal((await ask('/runs', { headers: { ...own, origin: 'https://evil.example' } })).status, 403);
  assert.equal((await ask('/runs', { headers: { ...own, 'sec-fetch-site': 'cross-site' } })).status, 403);
  assert.equal((await ask('/runs', { headers: own, method: 'POST' })).status, 405);
  for (const path of [
    '/audio/../../../etc/passwd',
    '/audio/%2e%2e%2fetc',
    '/assets/../x',
    '/assets/constructor',
    '/runs/nobody',
    '/runs/%ff/trials',
    '//evil.example/',
    `/runs/${runId()}/trials/9.9.9.9`,
  ]) {
    const { status, body } = await ask(path, { headers: own });
    assert.ok(status === 404 || status === 400, `${path}: ${status}`);
    assert.doesNotMatch(body, /root:/);
  }
  const { headers } = await ask('/runs', { headers: own });
  assert.match(String(headers['content-security-policy']), /default-src 'none'/);
  assert.equal(headers['cache-control'], 'no-store');
});

test('What was computed of a clip is told in digits that can be read.', () => {
  const clean = { seconds: 1, rms: 0.1, picture: { maxHz: 8000 } };
  const facts = [
    {
      perturbation: 'white-noise',
      achieved: 4.337423000905165e-7,
      below: -4.337423000905165e-7,
      asked: 1e-7,
      share: 2.34567891,
    },
  ];
  const told = describedClips({ clean, changed: null, timeMap: null, facts, same: true } as never);
  assert.deepEqual(
    told.facts.map(({ step, facts }) => [step, ...facts.map(([, value]) => value)]),
    [['white-noise', '0', '1e-7', '0', '2.34568']],
  );
});

test('Once the link is there, what its first pages show is made.', () => {
  assert.deepEqual(madeAtStart.map((name) => name.split('.').at(-1)).sort(), ['index', 'page', 'summary']);
});

test('What got worse between two recognizers leads to the clips that show it, and rows to the trials of both; a side that is nobody is said.', async () => {
  const id = runId();
  const headers = { cookie: await cookie() };
  const { body } = await ask(`/compare?a=${id}:good&b=last:bad`, { headers });
  const ways = [...body.matchAll(/href="(\/runs\/[^"]+\/clip\?[^"]+)"/g)].map(([, way]) =>
    way!.replaceAll('&amp;', '&'),
  );
  assert.ok(ways.length > 0);
  for (const way of ways) {
    const { status, headers: told } = await ask(way, { headers });
    assert.equal(status, 303);
    const { body: trial } = await ask(String(told.location), { headers });
    assert.match(trial, /id="texts"/);
  }
  const row = /<th scope="row"[^>]*><a class="way" href="(\/runs\/[^"]+\/trials\?[^"]+)"><bdi>([^<]+)/.exec(body)!;
  const chosen = new URL(row[1]!.replaceAll('&amp;', '&'), 'http://localhost').searchParams;
  assert.deepEqual(chosen.getAll('recognizer'), ['good', 'bad']);
  assert.ok([null, row[2]].includes(chosen.get('condition')));
  assert.match((await ask(row[1]!.replaceAll('&amp;', '&'), { headers })).body, /id="count"/);
  const nobody = await ask(`/compare?a=${id}:good&b=${id}:nobody`, { headers });
  assert.equal(nobody.status, 400);
  assert.match(nobody.body, /expected a recognizer of run .*nobody/);
});

test('The list of runs says who makes the fewest errors; a comparison that nobody chose is of what is newest, as a forest plot with the words newly broken.', async () => {
  const headers = { cookie: await cookie() };
  const told = (body: string) => body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  const [leader] = findingRows(store.findings(runId())!);
  assert.ok(told((await ask('/runs', { headers })).body).includes(leader!));
  let { body } = await ask('/compare', { headers });
  while (body.includes('first time')) body = (await ask('/compare', { headers })).body;
  assert.match(body, new RegExp(`<option value="${runId()}:good" selected>`));
  assert.match(body, new RegExp(`<option value="${runId()}:bad" selected>`));
  const [plot, broken] = [...body.matchAll(/<table class="compared">.*?<\/table>/gs)].map(([table]) => table);
  // A difference with an interval or without, for each condition and group.
  const rows = told(plot!).match(/(all|clean|noise|sex \S+) [\d.]+ % [\d.]+ % [+−][\d.]+/g)!;
  assert.ok(rows.length >= 3, told(plot!));
  assert.match(plot!, /<a class="way" href="\/runs\/[^"]+condition=noise/);
  // `sea` was right by both, `sells` by one alone; another word of this clip is inserted, and broke none.
  assert.match(told(broken!), /sells cells \d+ \S+ , \w+/);
  assert.doesNotMatch(told(broken!), /\bsea \w+ \d/);
});

/** What a list of runs tells of the first table of a finding. */
function findingRows(findings: readonly Finding[]): string[] {
  return findings.flatMap((finding) => {
    const table = resultTableOf(finding);
    const [first] = table?.rows ?? [];
    const number = first?.cells[0]?.number;
    const { caption, columns } = table ?? {};
    return number === undefined ? [] : [`${first!.name} ${caption} ${columns![0]!.head.join(' ')} ${number}`];
  });
}

test('From a run to its trials, to one of them, and its audio plays: both clips, switched in place, from a word.', {
  skip,
}, async () => {
  const { page, complaints } = await open('/runs');
  await page.click('tbody th a');
  await page.click('text=Largest rise from clean');
  await arrived(page, '#count');
  assert.equal(await page.textContent('#count'), '24');
  await chooseFilter(page, 'Recognizer', 'bad');
  await page.waitForURL(/recognizer=bad/);
  assert.equal(await page.textContent('#count'), '12');
  await page.selectOption('select[name=sort]', 'wer');
  await page.waitForURL(/sort=wer/);
  assert.match((await page.textContent('.untested'))!, /not tested/);
  const address = page.url();
  const list = await page.innerText('table.trials');
  await page.reload();
  assert.equal(await page.innerText('table.trials'), list);
  await page.click('tbody tr:nth-child(1) th a');
  await page.waitForSelector('[data-ready]');
  assert.doesNotMatch((await page.textContent('[data-status]'))!, /differs|cannot/);
  const here = page.url();
  await page.goto(here.replace(/\.0\.0\.0\?/, '.1.0.0?'));
  await page.waitForSelector('[data-ready]');
  assert.match((await page.textContent('#measured'))!, /white-noise/);
  await page.goto(here);
  await page.waitForSelector('[data-ready]');
  await page.keyboard.press('p');
  await until(page, 'document.querySelector("meter").value > 0.05');
  const seconds = () => page.textContent('[data-time]').then((text) => Number.parseFloat(text!));
  const [first] = [await seconds(), await page.waitForTimeout(150)];
  assert.ok((await seconds()) > first);
  const playing = () => page.textContent('.player.on h3');
  const before = await playing();
  await page.keyboard.press(' ');
  await until(page, `document.querySelector(".player.on h3")?.textContent !== ${JSON.stringify(before)}`);
  await page.keyboard.press('p');
  assert.match((await page.textContent('.diff'))!, /red/);
  await page.keyboard.press('j');
  await page.waitForURL(/at=1/);
  await page.keyboard.press('u');
  await arrived(page, '#count');
  assert.equal(page.url(), address);
  await page.goBack();
  await arrived(page, 'h2#texts');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('Next and previous go from clip to clip, and what was heard on the clean one stands above what was heard on the changed one.', {
  skip,
}, async () => {
  const { page, complaints } = await open(`/runs/${runId()}/trials`);
  await page.click('tbody tr:nth-child(2) th a');
  await arrived(page, 'h2#texts');
  const clip = () => new URL(page.url()).pathname;
  const first = clip();
  const rows = () => page.locator('.diff .names bdi').allTextContents();
  assert.deepEqual(await rows(), ['good, clean', 'good, noise', 'bad, clean', 'bad, noise']);
  await page.keyboard.press('j');
  await page.waitForURL(/at=2/);
  await arrived(page, 'h2#texts');
  assert.notEqual(clip(), first);
  assert.deepEqual(await rows(), ['good', 'bad']);
  await page.keyboard.press('k');
  await page.waitForURL(/at=1/);
  assert.equal(clip(), first);
  await arrived(page, 'h2#texts');
  await page.keyboard.press('k');
  await page.waitForURL(/at=0/);
  await arrived(page, 'h2#texts');
  assert.equal(await page.locator('a[rel=prev]').count(), 0);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('Hostile names and words stay text on every page; search, confusions, exports and comparison work.', {
  skip,
}, async () => {
  const id = runId();
  const { page, complaints } = await open(`/runs/${id}/trials?search=${encodeURIComponent('<IMG src=x')}`);
  assert.equal(await page.textContent('#count'), '2');
  for (const path of [
    '/runs',
    `/runs/${id}`,
    `/runs/${id}/words`,
    `/compare?a=${id}:good&b=${id}:bad`,
    `/runs/${id}/trials/0.0.0.0`,
  ]) {
    await page.goto(serving.origin + path);
    assert.equal(await page.evaluate('window.stolen'), undefined, path);
    assert.equal(
      await page.evaluate('document.querySelectorAll("img, iframe, [onerror], [style]:not(.cursor, .loop)").length'),
      0,
      path,
    );
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, path);
  }
  await page.goto(`${serving.origin}/runs/${id}/trials`);
  await chooseFilter(page, 'sex', 'U+202E');
  await page.waitForURL(/is\.sex=(~|%7E)/);
  assert.equal(await page.textContent('#count'), '12');
  await page.goto(`${serving.origin}/runs/${id}/trials?outcome=error`);
  assert.equal(await page.textContent('#count'), '2');
  await page.click('tbody th a');
  assert.match(await page.innerText('table.written'), /good[\s\S]*bad[\s\S]*failed/);
  for (const name of ['-1.0.0.0', '0.0.0', '0.x.0.0']) {
    assert.equal((await ask(`/runs/${id}/trials/${name}`, { headers: { cookie: await cookie() } })).status, 404, name);
  }
  await page.goto(`${serving.origin}/runs/${id}/words?recognizer=bad`);
  assert.match(await page.innerText('table'), /sells\s+cells\s+2/);
  const { body } = await ask(`/runs/${id}/trials.csv?recognizer=bad&condition=clean`, {
    headers: { cookie: await cookie() },
  });
  assert.equal(body.trim().split('\n').length, 7);
  const lines = (await ask(`/runs/${id}/trials.jsonl?outcome=answered`, { headers: { cookie: await cookie() } })).body
    .trim()
    .split('\n');
  assert.equal(lines.length, 22);
  assert.deepEqual([JSON.parse(lines[0]!).reference, JSON.parse(lines[0]!).sex], [texts[0], 'F']);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('The trials of a page are saved as the report saves them, so that their rates can be computed again.', async () => {
  const [own] = store.runs();
  const normalizer = normalizerOfFindings(store.findings(own!.id));
  const table = await trialTable(store, own!, store.findings(own!.id)!, async () => normalizer);
  const rows = [...table.rows()];
  const names = table.columns.map(({ name }) => name);
  await scored();
  const saved = async (name: string) =>
    (await ask(`/runs/${own!.id}/${name}`, { headers: { cookie: await cookie() } })).body;
  assert.equal(await saved('trials.csv'), [names, ...rows].map((row) => csvLine(row)).join(''));
  const lines = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
  const insertions = (await saved('trials.jsonl?recognizer=bad&sort=insertions')).trim().split('\n');
  const of = (wanted: readonly string[]) => wanted.toSorted();
  assert.deepEqual(
    of(insertions),
    of(lines.filter(({ recognizer }) => recognizer === 'bad').map((line) => JSON.stringify(line))),
  );
  assert.equal(JSON.parse(insertions[0]!).insertions, 2);
});

test('Confused words lead to the trials that hold them, as many as they say, and filters keep them.', {
  skip,
}, async () => {
  const { page, complaints } = await open(`/runs/${runId()}/words`);
  const ways = (await page.evaluate(
    `[...document.querySelectorAll('td a.way')].map((a) => [a.textContent.trim(), a.href])`,
  )) as [string, string][];
  assert.ok(ways.length >= 3);
  for (const [trials, to] of ways) {
    await page.goto(to);
    assert.equal(await page.textContent('#count'), trials, to);
  }
  await page.goto(`${serving.origin}/runs/${runId()}/trials?confused=sells+cells`);
  assert.equal(await page.textContent('#count'), '2');
  assert.match(await page.innerText('form'), /in which cells stands in place of sells/);
  await chooseFilter(page, 'Condition', 'clean');
  await page.waitForURL(/condition=clean/);
  assert.equal(await page.textContent('#count'), '1');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('Whoever filters by keyboard stays on the filter, and on the search.', { skip }, async () => {
  const { page } = await open(`/runs/${runId()}/trials`);
  await page.focus('.facet:has-text("Recognizer") summary');
  await page.keyboard.press('Enter');
  await page.focus('.facet:has-text("Recognizer") label:has-text("good") input');
  await page.keyboard.press('Space');
  await page.waitForURL(/recognizer=good/);
  await page.waitForLoadState();
  const focused = 'document.activeElement.name + " " + document.activeElement.value';
  assert.equal(await page.evaluate(focused), 'recognizer good');
  await page.keyboard.press('Space');
  await page.waitForURL((url) => !url.search.includes('recognizer'));
  await page.focus('input[type=search]');
  await page.keyboard.type('sea');
  await page.keyboard.press('Enter');
  await page.waitForURL(/search=sea/);
  await page.waitForLoadState();
  await page.keyboard.type(' shells');
  // As when the page is loaded only after somebody began to write.
  await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow"))');
  assert.equal(await page.evaluate(focused), 'search sea shells');
  // As a browser does that kept the page and comes back to it.
  await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))');
  assert.equal(await page.evaluate(focused), 'search sea');
  await page.close();
});

test('A rate leads to the trials that it was counted on.', { skip }, async () => {
  const { page } = await open(`/runs/${runId()}`);
  const ways = (await page.evaluate(
    `[...document.querySelectorAll('td a.way')].map((a) => [a.textContent.trim(), a.href, a.closest('table').caption.textContent + ' / ' + a.closest('table').tHead.rows[0].cells[a.closest('td').cellIndex].textContent])`,
  )) as [string, string, string][];
  assert.ok(ways.length >= 4, String(ways.length));
  for (const [told, to, where] of new Map(ways.map((way) => [way.join(), way])).values()) {
    await page.goto(to);
    const rate = await page.innerText('table.desk thead th .quiet');
    assert.equal(rate.replace(/^WER | %$/g, ''), told.replace(' %', ''), `${where}: ${to}`);
  }
  await page.close();
});

test('A claim leads to the trials that it is about, those that show it most first.', { skip }, async () => {
  const { page } = await open(`/runs/${runId()}`);
  const ways = (await page.evaluate(
    `[...document.querySelectorAll('.card a.way')].map((a) => [a.closest('.card').querySelector('.sentence').textContent, a.href])`,
  )) as [string, string][];
  assert.ok(ways.length > 0);
  for (const [claim, to] of ways) {
    const recognizer = new URL(to).searchParams.get('recognizer')!;
    assert.ok(claim.includes(recognizer), `${claim}: ${to}`);
    await page.goto(to);
    const shown = (await page.evaluate(
      `[...document.querySelectorAll('table.trials thead th')].slice(2).map((head) => head.querySelector('a').innerText.trim())`,
    )) as string[];
    assert.ok((await page.locator('table.trials tbody tr').count()) > 0, to);
    assert.deepEqual(shown, [recognizer]);
  }
  await page.close();
});

test('Nothing sticks out of a page on a phone, light or dark, and every stop of the keyboard can be seen.', {
  skip,
}, async () => {
  const { page } = await open('/runs');
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const path of [
        '/runs',
        `/runs/${runId()}`,
        `/runs/${runId()}/trials?sort=wer&search=s`,
        `/runs/${runId()}/trials/0.1.0.0`,
        `/runs/${runId()}/words`,
        '/compare',
      ]) {
        await page.goto(serving.origin + path);
        if (width === 390 && colorScheme === 'light') assert.deepEqual(await touchFaults(page), [], path);
        const isFirst = width === 390 && colorScheme === 'light';
        assert.deepEqual(await pageFaults(page, true, !isFirst), [], `${path} at ${width}, ${colorScheme}`);
        const cut = await page.evaluate(
          '[...document.querySelectorAll(".listed")].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)',
        );
        assert.ok(!cut, `the table of ${path} is wider than the page at ${width}`);
      }
    }
  }
  await page.goto(`${serving.origin}/runs/${runId()}/trials`);
  for (let stop = 0; stop < 30; stop++) {
    await page.keyboard.press('Tab');
    assert.notEqual(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none', String(stop));
  }
  await page.close();
});

test('Filters stand above the list at every width, and twelve clips are on a screen of 1440 by 900.', {
  skip,
}, async () => {
  const { page } = await open(`/runs/${runId()}/trials`);
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const [filters, list] = (await page.evaluate(
      `['.facets', '#trials'].map((one) => document.querySelector(one).getBoundingClientRect().top)`,
    )) as [number, number];
    assert.ok(filters < list && filters < 300, `${filters} ${list} at ${width}`);
  }
  const seen = await page.evaluate(
    `[...document.querySelectorAll('#clips tr')].filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`,
  );
  assert.equal(seen, 12);
  // What is longer than two lines is cut, but for what is searched.
  await page.goto(`${serving.origin}/runs/${runId()}/trials?search=sells`);
  assert.deepEqual(await page.locator('#clips td.text mark').allTextContents(), ['sells', 'sells']);
  assert.equal(await page.locator('#clips .said mark').first().isVisible(), true);
  await page.click('thead a:has-text("bad")');
  await page.waitForURL(/sort=wer&by=bad/);
  assert.equal(await page.getAttribute('thead th[aria-sort]', 'aria-sort'), 'descending');
  // The order of the corpus is nobody's.
  await page.selectOption('select[name=sort]', '');
  await page.waitForURL((url) => !url.searchParams.has('sort'));
  assert.match((await page.getAttribute('a:has-text("confused words")', 'href'))!, /^[^?]+\?search=sells$/);
  await page.close();
});

test('By keyboard the first trial is two steps from a link that skips the filters, and a key draws no ring around the page.', {
  skip,
}, async () => {
  const { page } = await open(`/runs/${runId()}/trials`);
  const focused = () => page.evaluate('document.activeElement.textContent.trim() || document.activeElement.id');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to the trials');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.matches("#clips tr:first-child th a")'), true);
  await page.goto(`${serving.origin}/runs/${runId()}/trials/0.1.0.0`);
  await page.click('h2#listen');
  await page.keyboard.press('l');
  assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none');
  await page.close();
});

test('Where a recording cannot be read any more, the page says why.', {
  skip,
}, async () => {
  const other = await project();
  await using _folder = other.folder;
  await run(other.config as never, { baseFolder: other.folder.path });
  await writeFile(other.folder.file('1.wav'), Buffer.from('not audio'));
  using own = openStore(other.store, { readonly: true });
  await using site = await serveRuns({ store: own, storeFile: other.store, port: 0, audio: true });
  const page = await browser.newPage();
  await page.goto(site.link);
  await page.goto(`${site.origin}/runs/${own.runs()[0]!.id}/trials/1.0.0.0`);
  await until(page, '/cannot be made again/.test(document.querySelector("[data-status]").textContent)');
  await page.close();
});

test('A recording that was replaced is said to differ from what the recognizers received, and what is made of it.', async () => {
  const other = await project();
  await using _folder = other.folder;
  const { recognizers } = other.config;
  const hearing = Object.entries(recognizers).map(([name, one]) => [name, { ...one, needsAudio: true }]);
  await run({ ...other.config, recognizers: Object.fromEntries(hearing) } as never, {
    baseFolder: other.folder.path,
  });
  await writeFile(other.folder.file('1.wav'), sineWav(999, 16_000, 1));
  using own = openStore(other.store, { readonly: true });
  const [made] = own.runs();
  await using clips = await openRunClips(own, other.store, made!.id);
  for (const [position, same] of [
    [0, true],
    [1, false],
  ] as const)
    for (const conditionName of ['clean', 'noise']) {
      const found = await clips.make({ position, conditionName, draw: 0 });
      assert.equal(found.same, same, `${position} ${conditionName}`);
    }
});

test('A store that names a module as its corpus has nothing of it run for a page.', async () => {
  const other = await project();
  await using _folder = other.folder;
  const module = `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(other.folder.file('ran'))}, '');
export { manifest as default } from ${JSON.stringify(new URL('../corpora/manifest/manifest.ts', import.meta.url).href)};`;
  await writeFile(other.folder.file('theirs.ts'), module);
  await run({ ...other.config, corpus: { ...other.config.corpus, type: './theirs.ts' } } as never, {
    baseFolder: other.folder.path,
  });
  assert.ok(existsSync(other.folder.file('ran')));
  await rm(other.folder.file('ran'));
  using own = openStore(other.store, { readonly: true });
  await using site = await serveRuns({ store: own, storeFile: other.store, port: 0, audio: true });
  const entered = await fetch(site.link, { redirect: 'manual' });
  const headers = { cookie: entered.headers.get('set-cookie')!.split(';')[0]! };
  const page = async (path: string) => (await fetch(site.origin + path, { headers })).text();
  let audio: string | undefined;
  for (let tries = 0; audio === undefined && tries < 100; tries++) {
    audio = /data-audio="([^"]+)"/.exec(await page('/runs/last/trials/0.0.0.0'))?.[1];
    await pause(100);
  }
  assert.match(await page(audio!), /"problem":"The audio cannot be made again: .*theirs\.ts/);
  assert.ok(!existsSync(other.folder.file('ran')));
});

test('A run under way tells how far it is; killed and resumed under the open page it ends with its findings.', {
  skip,
}, async () => {
  const other = await project();
  await using _folder = other.folder;
  const slow = structuredClone(other.config) as { recognizers: Record<string, object> };
  for (const name of ['good', 'bad']) slow.recognizers[name] = { ...slow.recognizers[name], delaySeconds: 1 };
  await writeFile(other.folder.file('earwitness.config.json'), JSON.stringify(slow));
  const script = fileURLToPath(new URL('../../bin/earwitness.js', import.meta.url));
  const child = spawn(process.execPath, [script, 'run'], { cwd: other.folder.path, stdio: 'ignore', detached: true });
  const ended = once(child, 'exit');
  while (!existsSync(other.store) || (await readdir(other.folder.file('.earwitness'))).length < 2) await pause(100);
  let own: ReturnType<typeof openStore> | null = null;
  while (own === null) {
    try {
      own = openStore(other.store, { readonly: true });
      if (own.runs().length === 0) {
        own.close();
        own = null;
      }
    } catch {}
    await pause(100);
  }
  const context = await browser.newContext();
  const page = await context.newPage();
  {
    await using site = await serveRuns({ store: own, storeFile: other.store, port: 0, audio: true });
    await page.goto(site.link);
    await page.goto(`${site.origin}/runs/last`);
    await until(page, '/^[1-9]\\d* of 24/.test(document.querySelector("[data-done]").textContent)');
    // What is counted stands there once, and is told anew.
    assert.equal(await page.locator('dt:text-is("Failed")').count(), 1);
    assert.doesNotMatch(await page.innerText('main'), /better|worse/);
    assert.equal(await page.textContent('[data-stopped]'), '');
    process.kill(-child.pid!, 'SIGKILL');
    await ended;
    await until(page, 'document.querySelector("[data-stopped]").textContent.includes("the run has stopped")');
    assert.equal(await page.textContent('[data-left]'), '–');
    // On a page of its own: the other may load itself anew at any moment.
    const trials = await context.newPage();
    const counts = async (wanted: (count: number) => boolean) => {
      let count = Number.NaN;
      for (let tries = 0; !wanted(count) && tries < 200; tries++) {
        // The page that waits for the index loads itself anew, it may be while it is asked for.
        await trials
          .goto(`${site.origin}/runs/last/trials`)
          .catch((thrown) => assert.match(String(thrown), /interrupted by another/));
        const text = await trials
          .locator('#count')
          .textContent({ timeout: 1000 })
          .catch(() => null);
        count = text === null ? Number.NaN : Number(text);
        if (!wanted(count)) await pause(50);
      }
      return count;
    };
    assert.ok((await counts((count) => count >= 1)) >= 1);
    await page.waitForSelector('progress[value]');
    const resumed = runCommand(['resume'], { cwd: other.folder.path });
    await until(page, 'document.querySelector("[data-stopped]")?.textContent === ""');
    assert.equal((await resumed).code, 0);
    await arrived(page, '#answer');
    assert.equal(await counts((count) => count === 24), 24);
  }
  await context.close();
  own.close();
});

test('forget and prune take the index along, which holds what was said.', async () => {
  const other = await project();
  await using _folder = other.folder;
  await run(other.config as never, { baseFolder: other.folder.path });
  using own = openStore(other.store, { readonly: true });
  const index = async () => {
    await using site = await serveRuns({ store: own, storeFile: other.store, port: 0, audio: true });
    const entered = await fetch(site.link, { redirect: 'manual' });
    const headers = { cookie: entered.headers.get('set-cookie')!.split(';')[0]! };
    for (let tries = 0; tries < 100; tries++) {
      const page = await (await fetch(`${site.origin}/runs/last/trials`, { headers })).text();
      if (page.includes('id="count"')) return page;
      await pause(100);
    }
    throw new Error('no index');
  };
  assert.match(await index(), /she sells sea shells/);
  assert.equal((await readdir(other.folder.file('.earwitness/view'))).length, 3);
  const { code } = await runCommand(['forget', '--speaker', 'speaker 0', '--yes'], { cwd: other.folder.path });
  assert.equal(code, 0);
  assert.deepEqual(await readdir(other.folder.file('.earwitness/view')), []);
  assert.doesNotMatch(await index(), /she sells sea shells/);
  assert.equal((await runCommand(['store', 'prune', '--keep', '1'], { cwd: other.folder.path })).code, 0);
  assert.deepEqual(await readdir(other.folder.file('.earwitness/view')), []);
});

/** What is too small to be touched, and regions that are called alike. */
async function touchFaults(page: Page): Promise<readonly string[]> {
  const options = { runOnly: { type: 'rule', values: ['target-size', 'landmark-unique'] } };
  const { violations } = (await page.evaluate(
    `${axe.source};axe.run(document, ${JSON.stringify(options)})`,
  )) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** Waits until an expression holds in a page, asked from outside: the pages forbid what `waitForFunction` does. */
async function until(page: Page, expression: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if ((await page.evaluate(expression).catch(() => false)) === true) return;
    await pause(100);
  }
  throw new Error(`never came true: ${expression}`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
