import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import type { Browser, Page } from 'playwright-core';
import { renderHtml } from '../../session/render-html.ts';
import { openBrowser, skipWithoutBrowser } from '../../web/testing/browser.ts';
import { sampleClip } from '../testing/sample-clip.ts';
import { sampleReport } from '../testing/sample-report.ts';

const skip = skipWithoutBrowser;

let browser: Browser;
let folder: string;
/** One for all tests that ask for no other: to make a page costs more than most of them. */
let plainPage: Page;
/** The one of a test that asked for another. */
let own: Page | null = null;
let complaints: string[] = [];

before(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), 'report-'));
  browser = await openBrowser();
  plainPage = await listened({});
  for (const hostile of [false, true]) {
    const clip = sampleClip(0.5);
    const clips = () => ({ clean: clip, changed: clip });
    const text = renderHtml(sampleReport({ hostile }), { transcripts: true, sound: true, clips });
    await writeFile(join(folder, hostile ? 'hostile.html' : 'plain.html'), text);
  }
});

after(async () => {
  if (skip) return;
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

interface Visit {
  readonly page: Page;
  /** Console messages, page errors, and requests beyond the file. */
  readonly complaints: readonly string[];
}

async function listened(options: Parameters<Browser['newPage']>[0]): Promise<Page> {
  const page = await browser.newPage(options);
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  page.on('request', (request) => {
    if (!/^(?:file|data):/.test(request.url())) complaints.push(request.url());
  });
  return page;
}

/** @param options of a page of its own */
async function visit(name: string, options?: Parameters<Browser['newPage']>[0]): Promise<Visit> {
  await own?.close();
  own = options ? await listened(options) : null;
  const page = own ?? plainPage;
  complaints = [];
  await page.goto(pathToFileURL(join(folder, name)).href);
  return { page, complaints };
}

/** What is folded is there all the same. */
const unfold = (page: Page) =>
  page.evaluate('document.querySelectorAll(".part").forEach((part) => { part.open = true; })');

test('hostile text runs no script, and the page asks the network for nothing', { skip }, async () => {
  const { page, complaints } = await visit('hostile.html');
  await page.evaluate(() => new Promise((done) => setTimeout(done, 0)));
  assert.equal(await page.evaluate('window.stolen'), undefined);
  assert.equal(await page.evaluate('document.querySelectorAll("img, iframe, object, embed, form").length'), 0);
  assert.equal(await page.evaluate('document.scripts.length'), 1);
  assert.deepEqual(complaints, []);
});

test('what the policy forbids cannot be smuggled in later', { skip }, async () => {
  const { page } = await visit('plain.html');
  const stolen = await page.evaluate(`new Promise((done) => {
    const script = document.createElement('script');
    script.textContent = 'window.stolen = 3';
    document.body.append(script);
    const image = new Image();
    image.onerror = () => done(window.stolen);
    image.onload = () => done('loaded');
    image.src = 'http://127.0.0.1:9/x.png';
  })`);
  assert.equal(stolen, undefined);
});

for (const width of [360, 1280]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`nothing sticks out at ${width} pixels, ${colorScheme}, hostile text or not`, { skip }, async () => {
      for (const name of ['plain.html', 'hostile.html']) {
        await plainPage.setViewportSize({ width, height: 740 });
        await plainPage.emulateMedia({ colorScheme });
        const { page, complaints } = await visit(name);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
        assert.deepEqual(complaints, []);
        await page.setViewportSize({ width: 1280, height: 720 });
        await page.emulateMedia({ colorScheme: 'light' });
      }
    });
  }
}

test('landmarks, labels, captions and scopes are there for those who listen', { skip }, async () => {
  const { page } = await visit('plain.html');
  const faults = await page.evaluate(`(() => {
    const faults = [];
    const one = (selector) => { if (document.querySelectorAll(selector).length !== 1) faults.push(selector); };
    one('main'); one('nav[aria-label]'); one('h1'); one('html[lang]'); one('a.skip');
    for (const table of document.querySelectorAll('table')) {
      if (!table.caption || !table.caption.textContent.trim()) faults.push('caption');
      for (const head of table.querySelectorAll('thead th')) if (head.scope !== 'col') faults.push('scope col');
      for (const row of table.tBodies[0].rows) if (!row.querySelector('th[scope=row]')) faults.push('scope row');
    }
    for (const audio of document.querySelectorAll('audio')) if (!audio.controls || !audio.getAttribute('aria-label')) faults.push('audio');
    for (const element of document.querySelectorAll('[aria-labelledby]')) {
      for (const id of element.getAttribute('aria-labelledby').split(' ')) {
        const label = document.getElementById(id);
        if (!label || !label.textContent.trim()) faults.push('label ' + id);
      }
    }
    for (const link of document.querySelectorAll('a[href^="#"]')) {
      if (!document.getElementById(link.getAttribute('href').slice(1))) faults.push('link ' + link.href);
    }
    for (const svg of document.querySelectorAll('svg')) {
      const named = svg.getAttribute('role') === 'img' && svg.querySelector('title') && svg.querySelector('desc');
      if (!named && svg.getAttribute('aria-hidden') !== 'true' && !svg.closest('[aria-hidden=true]')) faults.push('svg');
    }
    const levels = [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((heading) => Number(heading.tagName[1]));
    levels.forEach((level, at) => { if (level > (levels[at - 1] ?? 0) + 1) faults.push('heading ' + at); });
    return faults;
  })()`);
  assert.deepEqual(faults, []);
});

test('the first stop of the keyboard is the way to the answer, and every stop can be seen', { skip }, async () => {
  const { page } = await visit('plain.html');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.className'), 'skip');
  assert.ok(Number(await page.evaluate('document.activeElement.getBoundingClientRect().top')) >= 0);
  for (let stop = 0; stop < 40; stop++) {
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(
      'document.activeElement.tagName === "AUDIO" ? "solid" : getComputedStyle(document.activeElement).outlineStyle',
    );
    assert.equal(outline, 'solid', String(await page.evaluate('document.activeElement.outerHTML.slice(0, 100)')));
  }
});

test('tables sort by number, missing values last both ways', { skip }, async () => {
  const { page } = await visit('plain.html');
  await unfold(page);
  const column = `[...document.querySelectorAll('#table-robustness-groups tbody tr')].map((row) => row.cells[4].dataset.order ?? 'none')`;
  const button = page.locator('#table-robustness-groups thead button').nth(4);
  await button.click();
  assert.deepEqual(await page.evaluate(column), ['0.117', '0.148', '0.617', '0.93', 'none']);
  assert.equal(await page.locator('#table-robustness-groups th[aria-sort]').getAttribute('aria-sort'), 'ascending');
  await button.press('Enter');
  assert.deepEqual(await page.evaluate(column), ['0.93', '0.617', '0.148', '0.117', 'none']);
});

test('a chart tells its values to pointer and keyboard', { skip }, async () => {
  const { page } = await visit('plain.html');
  await page.locator('.hit').nth(3).hover();
  const readout = page.locator('#detail');
  assert.match(await readout.innerText(), /SNR \(dB\) 10\s+debian-default: 47\.\d %/);
  await page.locator('.plot svg').first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  assert.match(await readout.innerText(), /SNR \(dB\) 5.*narrow-beams: – only 1 speaker/s);
  await page.keyboard.press('Escape');
  assert.equal(await readout.isVisible(), false);
});

const heatMap = {
  title: 'Gaps',
  kind: 'difference' as const,
  columns: ['debian-default'],
  rows: [{ name: 'women', cells: [sampleReport().findings[0]!.answer[0]!.comparison!] }],
};

test('one sound at a time and details open on paper, beside a heat map too', { skip }, async () => {
  const report = sampleReport();
  const [finding] = report.findings;
  const sections = [{ id: 'map', title: 'Map', heatMaps: [heatMap] }, ...finding!.sections];
  const clip = sampleClip(0.5);
  const clips = () => ({ clean: clip, changed: clip });
  const text = renderHtml(
    { ...report, findings: [{ ...finding!, sections }] },
    { transcripts: true, sound: true, clips },
  );
  await writeFile(join(folder, 'map.html'), text);
  const { page, complaints } = await visit('map.html');
  const playing = await page.evaluate(`(async () => {
    const [first, second] = document.querySelectorAll('audio');
    first.loop = true;
    await first.play();
    await second.play();
    return [first.paused, document.querySelectorAll('audio').length];
  })()`);
  assert.deepEqual(playing, [true, 12]);
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  assert.equal(await page.evaluate('document.querySelectorAll("main details:not([open], .tools)").length'), 0);
  assert.deepEqual(complaints, []);
});

test('on paper as narrow as a phone tables have their heads, without buttons, which come back', { skip }, async () => {
  const { page, complaints } = await visit('plain.html', { viewport: { width: 703, height: 900 } });
  const state = `[document.querySelectorAll('table.cards').length, document.querySelectorAll('thead button').length,
    [...document.querySelectorAll('thead th')].map((head) => head.textContent).join()]`;
  const [cards, buttons, heads] = (await page.evaluate(state)) as [number, number, string];
  assert.ok(cards > 0 && buttons > 0);
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  assert.deepEqual(await page.evaluate(state), [0, 0, heads]);
  await page.evaluate('dispatchEvent(new Event("afterprint"))');
  assert.deepEqual(await page.evaluate(state), [cards, buttons, heads]);
  assert.deepEqual(complaints, []);
});

test('a clip that a claim and a section show is in the file once, and is played in both places', { skip }, async () => {
  const report = sampleReport();
  const [finding] = report.findings;
  const [shown] = finding!.sections.flatMap((section) => section.examples ?? []);
  const examples = [{ ...shown! }];
  const [first, ...others] = finding!.answer;
  const answer = [{ ...first!, about: { recognizer: 'debian-default' }, examples }, ...others];
  const clip = sampleClip(0.5);
  const clips = () => ({ clean: clip, changed: clip });
  const findings = [{ ...finding!, answer }];
  const text = renderHtml({ ...report, findings }, { transcripts: true, sound: true, clips });
  await writeFile(join(folder, 'again.html'), text);
  const { page, complaints } = await visit('again.html');
  await unfold(page);
  assert.equal(await page.evaluate('document.querySelectorAll("audio").length'), 12);
  await page.locator('.card.first .shown summary').click();
  assert.equal(await page.locator('.card.first .shown audio').count(), 2);
  await page.locator('.again a').click();
  assert.equal(await page.evaluate('document.querySelectorAll("audio").length'), 14);
  assert.equal(await page.evaluate('document.querySelectorAll(".again").length'), 0);
  assert.deepEqual(complaints, []);
});

test('what a number rests on is told on focus and tap, and put away by Escape', { skip }, async () => {
  const { page } = await visit('plain.html', { hasTouch: true });
  await unfold(page);
  const cell = page.locator('#table-robustness-speed td[title], #table-robustness-groups td[title]').first();
  await cell.tap();
  const detail = page.locator('#detail');
  assert.match(await detail.innerText(), /160 utterances, 16 speakers/);
  const first = page.locator('#table-robustness-groups [tabindex="0"]').first();
  await first.focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-describedby")'), 'detail');
  assert.equal(await detail.isVisible(), true);
  await page.keyboard.press('Escape');
  assert.equal(await detail.isVisible(), false);
});

test('tables and charts are saved, hostile text in them as text', { skip }, async () => {
  const { page, complaints } = await visit('hostile.html');
  await unfold(page);
  await page.evaluate('document.querySelectorAll("details.tools").forEach((tools) => { tools.open = true; })');
  const saved = async (place: string, name: string) => {
    const waiting = page.waitForEvent('download');
    await page.locator(`${place} + .tools`).first().getByRole('button', { name, exact: true }).click();
    const download = await waiting;
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const groups = '.scroll:has(#table-robustness-groups)';
  const csv = await saved(groups, 'Save CSV');
  assert.equal(csv.name, 'table-robustness-groups.csv');
  const [head, ...rows] = parse(csv.bytes) as string[][];
  assert.deepEqual([head!.length, rows.length], [rows[0]!.length, 5]);
  assert.ok(head!.some((name) => name.endsWith(' % low')) && rows.flat().includes('11.7'), csv.bytes.toString());
  const suspicious = '.scroll:has(#table-robustness-suspicious)';
  assert.match((await saved(groups, 'Save Markdown')).bytes.toString(), /\| – \(2\) \|[\s\S]*\n\n\(2\) \S.*\n$/);
  assert.match((await saved(suspicious, 'Save Markdown')).bytes.toString(), /\\<script\\>/);
  const latex = (await saved(groups, 'Save LaTeX')).bytes.toString();
  assert.doesNotMatch(latex, /[✗✓≈]|(?<!\$)<|(?<!\\)%(?! )/);
  assert.match(latex, /^\\begin\{tabular\}\{l.*r\}\n\\hline\n/);
  const svg = (await saved('.plot', 'Save SVG')).bytes.toString();
  assert.match(svg, /^<svg[^>]*viewBox="0 0 \d+ [\d.]+"/);
  assert.match(svg, /fill="rgb\(/);
  assert.doesNotMatch(svg, /<script|var\(--|class=/);
  const png = (await saved('.plot', 'Save PNG')).bytes;
  assert.deepEqual([...png.subarray(1, 4)], [...Buffer.from('PNG')]);
  assert.deepEqual(complaints, []);
});

test('numbers are larger than their sentence, and the sentence larger than its verdict', { skip }, async () => {
  const { page } = await visit('plain.html');
  const sizes = (await page.evaluate(`['.big', '.sentence', '.verdict'].map((part) =>
    parseFloat(getComputedStyle(document.querySelector('.card.first ' + part)).fontSize))`)) as number[];
  assert.ok(sizes[0]! > sizes[1]! && sizes[1]! > sizes[2]!, String(sizes));
});

test('a link in the contents leads to its section', { skip }, async () => {
  const { page } = await visit('plain.html', { viewport: { width: 1440, height: 900 } });
  for (const id of ['robustness-worst', 'robustness-groups']) {
    await page.locator(`.toc a[href="#${id}"]`).click();
    await page.waitForTimeout(200);
    const top = Number(await page.evaluate(`document.getElementById('${id}').getBoundingClientRect().top`));
    assert.ok(top >= 0 && top < 300, `${id} at ${top}`);
  }
});

test('the sound plays', { skip }, async () => {
  const { page, complaints } = await visit('plain.html');
  const seconds = await page.evaluate(`new Promise((done) => {
    const audio = document.querySelector('audio');
    audio.onerror = () => done('error');
    if (audio.readyState > 0) done(audio.duration); else audio.onloadedmetadata = () => done(audio.duration);
    audio.load();
  })`);
  assert.equal(seconds, 0.5);
  assert.deepEqual(complaints, []);
});

test('without script every number is still in the page', { skip }, async () => {
  const { page } = await visit('plain.html', { javaScriptEnabled: false });
  const text = String(await page.evaluate('document.querySelector("main").textContent')).replace(/\s+/g, ' ');
  for (const part of ['47.3', '[8.8, 14.0]', 'only 1 speaker: an interval needs at least 5'])
    assert.ok(text.includes(part), part);
});

test('on paper the page is light and the sound is left out', { skip }, async () => {
  const { page } = await visit('plain.html', { colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)');
  assert.equal(await page.locator('audio').first().isVisible(), false);
});
