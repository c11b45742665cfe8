// Every page by the keyboard alone, and every address against those who may not ask, of a run in which everything that can be named is hostile.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { runCommand, sineWav, temporaryFolder } from '../cli/testing/run-command.ts';
import { run } from '../session/run/run.ts';
import { openStore } from '../store/open-store.ts';
import { type Serving, serveRuns } from './serve.ts';
import { arrived, askServer, openBrowser, skipWithoutBrowser } from './testing/browser.ts';

const skip = skipWithoutBrowser;
const script = '<img src=x onerror="window.stolen=1"></script><script>window.stolen=1</script>';
const bidi = '\u202egnp.\u2066';
const way = 'javascript:window.stolen=1';
const texts = ['she sells sea shells', 'red lorry', 'yellow lorry', 'good blood'];

async function project() {
  const folder = await temporaryFolder();
  await mkdir(folder.file(way));
  const rows = await Promise.all(
    texts.map(async (text, at) => {
      const file = `${way}/${at}<img src=x onerror=window.stolen=1>${bidi}.wav`;
      await writeFile(folder.file(file), sineWav(300 + 50 * at, 16_000, 1));
      return [
        `${at}${script}`,
        file,
        `${way} ${at % 2}${script}`,
        at % 2 ? way : `${bidi}${script}`,
        `${text} ${script}`,
      ];
    }),
  );
  const head = ['id', 'path', 'speaker', `sex${script}`, 'text'];
  await writeFile(folder.file('list.tsv'), `${[head, ...rows].map((row) => row.join('\t')).join('\n')}\n`);
  const noise = { perturbation: 'white-noise', parameters: { snrDb: 5 } };
  const heard = Object.fromEntries(texts.map((text, at) => [`${at}${script}`, `${text} ${script}${bidi}`]));
  const config = {
    ...{ name: `Run ${way} ${script}`, seed: 1 },
    // All columns share the words of the script.
    corpus: { type: 'manifest', file: 'list.tsv', language: 'en', columns: { reference: 'text' } },
    recognizers: {
      one: { type: 'scripted', answers: heard },
      two: {
        type: 'scripted',
        failures: [{ match: { utterance: `3${script}` } }],
        answers: { ...heard, [`1${script}`]: script },
      },
    },
    failures: { maxShare: 1 },
    studies: [
      {
        ...{ type: 'robustness', resamples: 100, groupBy: [`sex${script}`] },
        conditions: [{ name: 'noise', steps: [noise] }],
      },
    ],
  };
  await run(config as never, { baseFolder: folder.path });
  const file = folder.file('.earwitness/store.sqlite');
  return { folder, store: file, foreign: foreignRun(file) };
}

/** A run whose recognizers and condition have names that no config takes, as a store of somebody else's may have it. */
function foreignRun(file: string): string {
  using store = openStore(file);
  const recognizers = [`one ${script}`, `${way}${bidi}`].map((name) => ({
    name,
    identity: {},
    pinned: true,
    epoch: null,
  }));
  const about = {
    name: `${bidi}${script}`,
    purpose: 'test',
    config: {},
    seed: 1,
    fresh: false,
    parent: null,
    startedAtMs: 1,
  };
  const { id } = store.createRun({ ...about, recognizers });
  const utterance = {
    id: `${way}${script}`,
    reference: `good ${script}`,
    language: script,
    attributes: { [way]: script },
    tags: [],
  };
  store.addUtterances(id, 0, [utterance]);
  store.addCondition(id, 0, {
    name: `noise ${script}${bidi}`,
    steps: [{ perturbation: way, parameters: { [script]: script } }],
  });
  store.beginBatch(id, 0, 'robustness');
  const keys = recognizers.map((_, recognizer) => String(recognizer).padStart(64, 'a'));
  const plain = { utterance: 0, condition: 0, draw: 0, repeat: 0, twin: false };
  store.plan(
    id,
    0,
    keys.map((key, recognizer) => ({ ...plain, position: recognizer, key, recognizer })),
  );
  const base = { soundSeconds: null, timing: { seconds: 1, calls: 1 } };
  const observations = [
    { ...base, transcript: { text: `bad ${script}${bidi}` } },
    { ...base, failure: { kind: 'error' as const, message: `${script}${bidi}` } },
  ];
  store.record(id, {
    answers: keys.map((key, position) => ({
      ...{
        place: { batch: 0, position },
        key,
        utteranceId: utterance.id,
        speaker: null,
        observation: observations[position]!,
      },
    })),
  });
  store.completeBatch(id, 0, keys[0]!, keys.length);
  store.finishRun(id, 2, []);
  return id;
}

let made: Awaited<ReturnType<typeof project>>;
let store: ReturnType<typeof openStore>;
let serving: Serving;
let cookie: string;
let browser: Browser;

before(async () => {
  made = await project();
  store = openStore(made.store, { readonly: true });
  serving = await serveRuns({ store, storeFile: made.store, port: 0, audio: true });
  const entered = await askServer(serving.origin, serving.link.slice(serving.origin.length));
  cookie = String(entered.headers['set-cookie']).split(';')[0]!;
  if (!skip) browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await serving[Symbol.asyncDispose]();
  store.close();
  await made.folder[Symbol.asyncDispose]();
});

const runId = () => store.runs().find(({ id }) => id !== made.foreign)!.id;
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  askServer(serving.origin, path, { headers, method });

/** What is behind every address of the server. */
async function addresses(): Promise<readonly string[]> {
  const [id, foreign] = [runId(), made.foreign];
  const trial = `/runs/${id}/trials/0.1.0.0`;
  const { body } = await ask(trial, { cookie });
  const audio = /data-audio="([^"]+)"/.exec(body)![1]!;
  const clips = JSON.parse((await ask(audio, { cookie })).body).clips as { wav: string; picture: string }[];
  return [
    ...['/', '/runs', `/runs/${id}`, `/runs/${id}/trials`, `/runs/${id}/words`, trial],
    ...['csv', 'jsonl'].map((form) => `/runs/${id}/trials.${form}`),
    `/runs/${id}/clip?utterance=${encodeURIComponent(`0${script}`)}&condition=clean`,
    ...[`/runs/${id}/events`, '/compare', `/compare?a=${id}:one&b=${id}:two`, audio],
    ...['', '/trials', '/words', '/trials/0.0.0.0', '/trials.csv'].map((path) => `/runs/${foreign}${path}`),
    `/compare?a=${foreign}&b=${encodeURIComponent(`${id}:${way}${bidi}`)}`,
    ...clips.flatMap(({ wav, picture }) => [wav, picture]),
    ...['style.css', 'report.js', 'explorer.js', 'search.js', 'player.js', 'live.js', 'again.js'].map(
      (name) => `/assets/${name}`,
    ),
  ];
}

test('Every address is closed to other hosts, sites, methods, users and used links, and answers its own page alone.', async () => {
  const own = { cookie };
  const used = serving.link.split('token=')[1]!;
  for (const path of await addresses()) {
    const more = path.includes('?') ? '&' : '?';
    const refused: [string, number, Record<string, string>, string?, string?][] = [
      ['without a cookie', 403, {}],
      ['with a wrong cookie', 403, { cookie: `${cookie}x` }],
      ['by another name (DNS rebinding)', 403, { ...own, host: 'evil.example' }],
      ['by a name that ends alike', 403, { ...own, host: `${new URL(serving.origin).host}.evil.example` }],
      ['from another site', 403, { ...own, origin: 'https://evil.example' }],
      ['from no site', 403, { ...own, origin: 'null' }],
      ['as an image of another site', 403, { ...own, 'sec-fetch-site': 'cross-site' }],
      ['as a frame of a neighbour', 403, { ...own, 'sec-fetch-site': 'same-site' }],
      ['with the used link', 403, {}, 'GET', `${path}${more}token=${used}`],
      ['with the used link and the cookie', 403, own, 'GET', `${path}${more}token=${used}`],
      ...['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].map(
        (method): [string, number, Record<string, string>, string] => [
          method,
          405,
          { ...own, origin: serving.origin },
          method,
        ],
      ),
    ];
    for (const [how, status, headers, method, instead = path] of refused) {
      const told = await ask(instead, headers, method);
      assert.equal(told.status, status, `${path} ${how}`);
      assert.ok(told.body.length < 4000 && !told.body.includes('sells'), `${path} ${how}`);
      assert.equal(told.headers['set-cookie'], undefined, `${path} ${how}`);
    }
    const { status, headers, body } = await ask(path, own);
    assert.ok([200, 303].includes(status) || path.includes(`a=${made.foreign}`), `${path}: ${status}`);
    assert.match(String(headers['content-security-policy']), /^default-src 'none'.*trusted-types 'none'$/, path);
    assert.deepEqual(
      [headers['x-content-type-options'], headers['cross-origin-resource-policy'], headers['cache-control']],
      ['nosniff', 'same-origin', 'no-store'],
      path,
    );
    if (String(headers['content-type']).startsWith('text/html')) {
      assert.doesNotMatch(body, /<img|<script>|href="javascript|[\u202a-\u202e\u2066-\u2069]/i, path);
    }
    assert.equal((await ask(path, own, 'HEAD')).body, '', path);
  }
});

test('No address leads to a file, whatever stands in place of each part of it.', async () => {
  const climbing = [
    '..',
    '%2e%2e',
    '..%2f..%2f..%2fetc%2fpasswd',
    '%2fetc%2fpasswd',
    '%00',
    '..%5c',
    'constructor',
    '%ff',
  ];
  for (const path of await addresses()) {
    const parts = path.split('?')[0]!.split('/').slice(1);
    for (const [place] of parts.entries())
      for (const one of climbing) {
        const asked = `/${parts.toSpliced(place, 1, one).join('/')}`;
        const { status, body } = await ask(asked, { cookie });
        assert.ok([200, 303, 400, 404].includes(status), `${asked}: ${status}`);
        assert.doesNotMatch(body, /root:|SQLite format|ENOENT|node:internal/, asked);
      }
  }
});

/** Those that are pages, and not refused. */
async function pageAddresses(): Promise<readonly string[]> {
  const all = await addresses();
  return all.filter(
    (path) => /^\/(runs|compare)/.test(path) && !/trials\.|events|clip\?|compare\?.*javascript/.test(path),
  );
}

/** Opens pages as whoever started the command. */
async function open(path: string): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const [name, value] = cookie.split('=') as [string, string];
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await context.addCookies([{ name, value, url: serving.origin, sameSite: 'Strict', httpOnly: true }]);
  return { page, complaints: await watched(page, serving.origin + path) };
}

async function watched(page: Page, address: string): Promise<string[]> {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  await page.goto(address);
  return complaints;
}

const looks = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const bidi = [];
  while (walker.nextNode()) if (/[\\u202a-\\u202e\\u2066-\\u2069]/.test(walker.currentNode.data)) bidi.push(walker.currentNode.data);
  return {
    stolen: window.stolen ?? null,
    made: document.querySelectorAll('img, iframe, object, embed, [onerror], [onclick], [href^="javascript" i], [src^="javascript" i], script:not([src])').length,
    bidi,
  };
})()`;
const harmless = { stolen: null, made: 0, bidi: [] };

test('Names and words of everything stay text on every page, of the server and of a folder from file://.', {
  skip,
}, async () => {
  const { page, complaints } = await open('/runs');
  const pages = await pageAddresses();
  assert.ok(pages.length >= 10);
  for (const path of pages) {
    await page.goto(serving.origin + path);
    assert.deepEqual(await page.evaluate(looks), harmless, path);
  }
  await page.waitForSelector('main');
  assert.deepEqual(complaints, []);
  const bundled = await runCommand(
    ['view', runId(), '--pages', 'pages', '--transcripts', '--audio', '--min-speakers', '1'],
    { cwd: made.folder.path },
  );
  assert.equal(bundled.code, 0, bundled.stderr);
  const local = await (await browser.newContext()).newPage();
  const told = await watched(local, pathToFileURL(made.folder.file('pages/index.html')).href);
  for (const path of [
    'index.html',
    `${runId()}.html`,
    `${runId()}-trials.html?search=img`,
    `${runId()}-trial.html?clip=0.1.0.0`,
  ]) {
    const [file, query] = path.split('?') as [string, string?];
    await local.goto(pathToFileURL(made.folder.file(`pages/${file}`)).href + (query === undefined ? '' : `?${query}`));
    await local.waitForSelector(
      file.includes('trials') ? '#count' : file.includes('trial') ? '[data-ready]' : 'main table',
    );
    assert.deepEqual(await local.evaluate(looks), harmless, path);
  }
  assert.deepEqual(told, []);
  await local.context().close();
  await page.context().close();
});

/** Presses Tab until it comes round; what was not reached, and what was reached unseen. */
async function unreached(page: Page): Promise<readonly string[]> {
  const count = await page.evaluate(`(() => {
    const all = document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]');
    const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.type !== 'hidden' && !one.disabled;
    window.waiting = new Set([...all].filter(isShown));
    window.unseen = [];
    addEventListener('focusin', ({ target }) => {
      window.waiting.delete(target);
      const { outlineStyle, outlineWidth } = getComputedStyle(target);
      if (outlineStyle === 'none' || outlineWidth === '0px') window.unseen.push(target);
    });
    return window.waiting.size;
  })()`);
  for (let stop = 0; stop < Number(count) + 5; stop++) await page.keyboard.press('Tab');
  return (await page.evaluate(
    '[...window.waiting, ...window.unseen].map((one) => one.outerHTML.slice(0, 120))',
  )) as string[];
}

test('Tab reaches everything on every page, and whatever it reaches can be seen.', { skip }, async () => {
  const { page } = await open('/runs');
  for (const path of (await pageAddresses()).filter((path) => !path.includes(made.foreign))) {
    await page.goto(serving.origin + path);
    if (path.includes('trials/')) await page.waitForSelector('[data-ready]');
    assert.deepEqual(await unreached(page), [], path);
  }
  await page.context().close();
});

/** Goes with Tab to the first element that a selector finds. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stop = 0; stop < 300; stop++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) === true) return;
  }
  throw new Error(`Tab never came to ${selector}`);
}

const until = async (page: Page, expression: string) => {
  for (let tries = 0; tries < 300; tries++) {
    if ((await page.evaluate(expression).catch(() => false)) === true) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`never came true: ${expression}`);
};

test('By keyboard alone: from a number to audio in two steps, loops, filters, searches, sorts, confused words, export, comparison.', {
  skip,
}, async () => {
  const { page, complaints } = await open('/runs');
  await tabTo(page, `tbody th a[href*="${runId()}"]`);
  await page.keyboard.press('Enter');
  await arrived(page, '#answer');
  await tabTo(page, 'td a.way');
  await page.keyboard.press('Enter');
  await arrived(page, '#count');
  await tabTo(page, 'a.play');
  await page.keyboard.press('Enter');
  await until(page, 'document.querySelector("meter")?.value > 0.05');
  for (const key of ['p', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'a']) await page.keyboard.press(key);
  assert.equal(await page.getAttribute('[data-do=loop]', 'aria-pressed'), 'true');
  const marked =
    '[...new Set([...document.querySelectorAll(".drawn .loop")].map(({ style }) => Math.round(parseFloat(style.left)) + " " + Math.round(parseFloat(style.width))))]';
  assert.deepEqual(await page.evaluate(marked), ['50 50']);
  for (const key of ['ArrowLeft', 'a', 'ArrowRight', 'b']) await page.keyboard.press(key);
  assert.deepEqual(await page.evaluate(marked), ['0 50']);
  for (const key of ['l', 'm', ' ', 'p']) await page.keyboard.press(key);
  assert.equal(await page.getAttribute('[data-do=match]', 'aria-pressed'), 'true');
  await page.keyboard.press('j');
  await page.waitForURL((url) => !url.searchParams.has('play') && url.searchParams.get('at') !== '0');
  await arrived(page, 'h2#texts');
  await page.keyboard.press('u');
  await arrived(page, '#count');
  await page.keyboard.press('/');
  await page.keyboard.type('lorry');
  await page.keyboard.press('Enter');
  await page.waitForURL(/search=lorry/);
  await arrived(page, '#count');
  await tabTo(page, 'select[name=sort]');
  await page.keyboard.press('w');
  await page.waitForURL(/sort=wer/);
  await arrived(page, '#count');
  await page.goto(`${serving.origin}/runs/${runId()}/trials`);
  await tabTo(page, '.facet summary');
  await page.keyboard.press('Enter');
  await tabTo(page, '.facet input');
  await page.keyboard.press('Space');
  await page.waitForURL(/recognizer=/);
  await arrived(page, '#count');
  const saved = page.waitForEvent('download');
  await tabTo(page, 'a[download]');
  await page.keyboard.press('Enter');
  assert.match((await saved).suggestedFilename(), /^trials-.*\.csv$/);
  await tabTo(page, 'a[href*="/words"]');
  await page.keyboard.press('Enter');
  await arrived(page, '#words-caption');
  await tabTo(page, 'td a.way');
  await page.keyboard.press('Enter');
  await page.waitForURL(/confused=/);
  await page.goto(`${serving.origin}/compare`);
  for (const [side, recognizer] of [
    ['a', 'one'],
    ['b', 'two'],
  ]) {
    await tabTo(page, `select[name=${side}]`);
    const isChosen = `document.activeElement.value === ${JSON.stringify(`${runId()}:${recognizer}`)}`;
    for (let presses = 0; presses < 9 && (await page.evaluate(isChosen)) !== true; presses++)
      await page.keyboard.press('ArrowDown');
  }
  await tabTo(page, 'form.controls button');
  await page.keyboard.press('Enter');
  await page.waitForURL(/a=.*b=/);
  await arrived(page, '#answer');
  assert.deepEqual(complaints, []);
  await page.context().close();
});
