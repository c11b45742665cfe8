import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { systemClock } from '../../base/clock.ts';
import { exitCodes } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { sampleCases } from '../../cases/sample-cases.ts';
import { sameLetters } from '../../cases/summarize-verdicts.ts';
import { runCommand, sineWav, temporaryFolder } from '../../cli/testing/run-command.ts';
import { readCheckFiles, readUnfilledCheckFile } from '../../session/cases/read-check-file.ts';
import { type CheckCells, caseCell, checkText } from '../../session/cases/write-check-file.ts';
import { openFile } from '../../store/sqlite/database.ts';
import { pageFaults, primaryButtons, skipWithoutBrowser } from '../testing/browser.ts';
import {
  ask,
  cookieOf,
  killAgainAndAgain,
  kills,
  onPhone,
  onSmallDisk,
  press,
  put,
  sharedBrowser,
  skipWithoutMounts,
  started,
} from '../testing/session.ts';
import { openJudging, personsFile } from './judge.ts';
import { openPeopleStore } from './people-store.ts';
import { servePeople } from './serve-people.ts';

const skip = skipWithoutBrowser;
const hostile = '<img src=x onerror="window.stolen=1"></script>\u202e';

const spoken = [
  ['the tax is due', 'the tacks is due'],
  ['red lorry', 'read lorry'],
  [`she sells ${hostile}`, `sea shells ${hostile}`],
  ['good blood', ''],
] as const;

interface Sampled {
  readonly text: string;
  readonly transcript: string;
  readonly recognizer?: string;
}

/** A table as `cases sample` writes it: each text is a clip, which cases of several recognizers share. */
async function sampled(
  context: TestContext,
  of: readonly Sampled[] = spoken.map(([text, transcript]) => ({ text, transcript })),
) {
  const folder = await temporaryFolder();
  context.after(() => folder[Symbol.asyncDispose]());
  const drawn = sampleCases(
    of.map(({ text, transcript, recognizer = 'secret-recognizer' }) => ({
      ...{ text, voice: 'flite:slt', recognizer, transcript, status: 'failed' as const },
      ...{ sound: { utteranceId: text, conditionName: 'clean', draw: 0 }, iteration: 1, otherwise: {} },
    })),
    { seed: 1 },
  );
  const file = folder.file('check.csv');
  await mkdir(folder.file('check-sounds'));
  const texts = [...new Set(of.map(({ text }) => text))];
  const rows: CheckCells[] = [];
  for (const [at, { id, row, cellFailed }] of drawn.cases.entries()) {
    const sound = `check-sounds/${at}.wav`;
    await writeFile(folder.file(sound), sineWav(200 + 100 * texts.indexOf(row.text), 16_000, 1));
    const sampleSize = drawn.cases.length;
    rows.push({
      ...{ case: caseCell({ id, sound, sampleSize, cellFailed }), sound, text: row.text, transcript: row.transcript },
      ...{ heard: '', sound_says_text: '', sound_says_transcript: '', person: '', note: '' },
      ...{ recognizer: row.recognizer, voice: row.voice, condition: 'clean', draw: '0' },
      ...{ sample_size: String(sampleSize), cell_failed: String(cellFailed) },
    });
  }
  await writeFile(file, checkText(file, rows));
  return { folder, file, rows };
}

async function judging(context: TestContext, names: readonly string[], of?: readonly Sampled[]) {
  const made = await sampled(context, of);
  const people = openPeopleStore(made.folder.file('check-judging.sqlite'), 'judging', systemClock);
  const links = names.map((name) => people.invite(name));
  const told: string[] = [];
  const cases = await readUnfilledCheckFile(made.file);
  const pages = await openJudging({
    ...{ file: made.file, cases, people, seed: 1, same: sameLetters },
    problem: (sentence) => void told.push(sentence),
  });
  const serving = await servePeople(people, pages, {});
  context.after(async () => {
    await serving[Symbol.asyncDispose]();
    people[Symbol.dispose]();
  });
  const ids = new Map<string, string>();
  for (const { text, sound } of made.rows)
    ids.set(text, people.alias('clip', sha256(await readFile(made.folder.file(sound)))));
  /** Where somebody finds the clip of a text. */
  const clipOf = async (person: number, text: string) => `${links[person]!.home}/clips/${ids.get(text)}`;
  /** A judgement of a clip, as its form has it. */
  const says = async (person: number, text: string, answers: Readonly<Record<string, string>>, more: object = {}) => {
    const cookie = await cookieOf(serving.links[person]!.link);
    const { body } = await ask(origin, await clipOf(person, text), { headers: { cookie } });
    const fields = [...body.matchAll(/<bdi>([^<]*)<\/bdi>|<i>\((nothing)\)<\/i>|name="(says-[\w-]+)" value="yes"/g)];
    let shown = '';
    const form: Record<string, string> = {};
    for (const [, some, none, field] of fields) {
      if (field === undefined) shown = none === undefined ? some! : '';
      else form[field] = answers[shown] ?? 'no';
    }
    return { ...form, ...more };
  };
  const origin = new URL(serving.links[0]!.link).origin;
  return { ...made, people, pages, serving, links, told, clipOf, says, origin };
}

test('Nobody judges who is not invited, from another site, as somebody else, or with what is no answer.', async (context) => {
  const { origin, links, people, serving, clipOf, says } = await judging(context, ['anna', 'ben']);
  const [anna, ben] = [await cookieOf(serving.links[0]!.link), await cookieOf(serving.links[1]!.link)];
  const [clip, bensClip] = [await clipOf(0, 'red lorry'), await clipOf(1, 'red lorry')];
  const heard = `${clip}/heard`;
  const sent = { method: 'PUT', body: '{"heard":"x"}' };
  const json = { 'content-type': 'application/json' };
  const refused = [
    await ask(origin, clip),
    await ask(origin, clip, { headers: { cookie: `${anna}x` } }),
    await ask(origin, clip, { headers: { cookie: ben } }),
    await ask(origin, bensClip, { headers: { cookie: anna } }),
    await ask(origin, clip, { headers: { cookie: anna.replace(/^[^=]*/, ben.replace(/=.*/, '')) } }),
    await ask(origin, '/', { headers: { cookie: anna } }),
    await ask(origin, heard, { ...sent, headers: { ...json, origin, cookie: ben } }),
    await ask(origin, '/?token=nobody'),
    await ask(origin, heard, { ...sent, headers: { ...json, origin } }),
    await ask(origin, heard, { ...sent, headers: { ...json, cookie: anna } }),
    await ask(origin, heard, { ...sent, headers: { ...json, cookie: anna, origin: 'https://evil.example' } }),
    await ask(origin, heard, { ...sent, headers: { ...json, cookie: anna, origin, 'sec-fetch-site': 'cross-site' } }),
    await ask(origin, heard, { ...sent, headers: { ...json, cookie: anna, origin, host: 'evil.example' } }),
  ];
  assert.deepEqual(
    refused.map(({ status }) => status),
    refused.map(() => 403),
  );
  assert.equal((await ask(origin, heard, { method: 'POST', headers: { cookie: anna, origin } })).status, 405);
  assert.equal(
    (await ask(origin, heard, { ...sent, headers: { 'content-type': 'text/plain', cookie: anna, origin } })).status,
    415,
  );
  const large = await put(origin, anna, heard, { heard: 'x'.repeat(100_000) });
  assert.equal(large.status, 413);
  for (const [value, status] of [
    [{}, 400],
    [[], 400],
    [null, 400],
    [{ heard: '  ' }, 400],
    [{ heard: 7 }, 400],
    [{ heard: 'x', nothing: 'yes' }, 400],
    [{ heard: 'x', note: 5 }, 400],
  ] as const)
    assert.equal((await put(origin, anna, heard, value)).status, status, JSON.stringify(value));
  assert.equal((await put(origin, anna, `${clip}/judgement`, { 'says-x': 'yes' })).status, 409);
  for (const path of [
    '/clips/0',
    '/clips/1',
    '/clips/constructor',
    '/audio/x',
    '/audio/..%2f..%2fcheck.csv',
    '/overview',
    `${clip.slice(links[0]!.home.length)}/heard/x`,
  ]) {
    const { status, body } = await ask(origin, `${links[0]!.home}${path}`, { headers: { cookie: anna } });
    assert.equal(status, 404, path);
    assert.match(body, /for <bdi>anna/);
    assert.doesNotMatch(body, /"\/runs"/);
  }
  const nothing = await put(origin, anna, `${clip}x/heard`, { heard: 'x' });
  assert.deepEqual([nothing.status, JSON.parse(nothing.body).problem.length > 0], [404, true]);
  assert.deepEqual(people.answers(), []);

  assert.equal((await put(origin, anna, heard, { heard: 'the tax' })).status, 200);
  assert.equal((await put(origin, anna, heard, { heard: 'the tax' })).status, 200);
  assert.equal((await put(origin, anna, heard, { heard: 'the tacks, now that I read it' })).status, 409);
  const own = await ask(origin, clip, { headers: { cookie: anna } });
  const others = await ask(origin, bensClip, { headers: { cookie: ben } });
  assert.match(own.body, /You heard/);
  assert.doesNotMatch(others.body, /You heard|lorry/);
  for (const { body } of [own, others]) assert.doesNotMatch(body, /secret-recognizer|flite|saysText|reference/);
  const perhaps = await says(0, 'red lorry', { 'red lorry': 'perhaps' });
  assert.equal(Object.keys(perhaps).length, 2);
  assert.equal((await put(origin, anna, `${clip}/judgement`, perhaps)).status, 400);
  assert.equal((await put(origin, anna, `${clip}/judgement`, { saysText: 'yes', saysTranscript: 'no' })).status, 400);
  const head = await ask(origin, clip, { method: 'HEAD', headers: { cookie: anna } });
  assert.deepEqual([head.status, head.body], [200, '']);

  people.revoke('anna');
  const ended = /This invitation has ended\. What you had saved is kept\./;
  for (const path of [clip, `/?token=${links[0]!.invitation}`]) {
    const { status, body } = await ask(origin, path, { headers: { cookie: anna } });
    assert.equal(status, 403);
    assert.match(body, ended);
    assert.equal((await ask(origin, /href="(\/assets\/style\.css)"/.exec(body)![1]!)).status, 200);
  }
  assert.match((await put(origin, anna, heard, { heard: 'x' })).body, ended);
  assert.notEqual(people.invite('anna').invitation, links[0]!.invitation);
  assert.match((await ask(origin, `/?token=${links[0]!.invitation}`)).body, ended);
  assert.equal((await ask(origin, bensClip, { headers: { cookie: ben } })).status, 200);
});

test('A link from a mail opens, its page leads on, and the cookie is for this server alone.', async (context) => {
  const { origin, links } = await judging(context, ['anna']);
  const from = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  const entered = await ask(origin, `/?token=${links[0]!.invitation}`, { headers: from });
  assert.equal(entered.status, 200);
  const { home } = links[0]!;
  assert.ok(entered.body.includes(`http-equiv="refresh" content="0;url=${home}/"`));
  assert.match(String(entered.headers['set-cookie']), new RegExp(`Path=${home}; HttpOnly; SameSite=Strict`));
  assert.equal(
    (await ask(origin, `/?token=${links[0]!.invitation}`, { headers: { ...from, 'sec-fetch-mode': 'no-cors' } }))
      .status,
    403,
  );
});

test('Audio is served whole and in parts.', async (context) => {
  const { origin, serving, folder, clipOf, told } = await judging(context, ['anna']);
  const cookie = await cookieOf(serving.links[0]!.link);
  const page = await ask(origin, await clipOf(0, 'red lorry'), { headers: { cookie } });
  const [, path] = /src="(\/p\/[\w-]+\/audio\/[\w-]+)"/.exec(page.body)!;
  const whole = await ask(origin, path!, { headers: { cookie } });
  const clips = await Promise.all([0, 1, 2, 3].map((at) => readFile(folder.file(`check-sounds/${at}.wav`), 'latin1')));
  assert.ok(clips.includes(whole.body));
  const part = await ask(origin, path!, { headers: { cookie, range: 'bytes=4-11' } });
  assert.deepEqual(
    [part.status, part.headers['content-range'], part.body],
    [206, `bytes 4-11/${whole.body.length}`, whole.body.slice(4, 12)],
  );
  // To the end, and beyond it: the last byte is the one before so many.
  for (const range of ['bytes=4-', `bytes=4-${whole.body.length}`]) {
    const rest = await ask(origin, path!, { headers: { cookie, range } });
    const told = `bytes 4-${whole.body.length - 1}/${whole.body.length}`;
    assert.deepEqual([rest.status, rest.headers['content-range'], rest.body], [206, told, whole.body.slice(4)]);
  }
  const past = await ask(origin, path!, { headers: { cookie, range: `bytes=${whole.body.length}-` } });
  assert.equal(past.status, 416);
  for (const at of [0, 1, 2, 3]) await rm(folder.file(`check-sounds/${at}.wav`));
  assert.equal((await ask(origin, path!, { headers: { cookie } })).status, 404);
  assert.match(told.join(), /ENOENT.*check-sounds/);
});

test('Tables that were filled in, have no clips, or name files elsewhere are refused, and so is a database of something else.', async (context) => {
  const { folder, rows } = await sampled(context);
  const refused = async (change: Partial<CheckCells>, message: RegExp) => {
    const file = folder.file('other.csv');
    const row = { ...rows[0]!, ...change };
    const [, id] = /^(case-[0-9a-f]+)/.exec(row.case)!;
    const cell = caseCell({ id: id!, sound: row.sound, sampleSize: 4, cellFailed: 4 });
    await writeFile(file, checkText(file, [{ ...row, case: cell }]));
    const result = await runCommand(['cases', 'judge', file, '--person', 'anna']);
    assert.notEqual(result.code, 0);
    assert.match(result.stderr, message);
  };
  await writeFile(folder.file('secret.wav'), 'no clip');
  await symlink('/etc/passwd', folder.file('check-sounds/link.wav'));
  await refused({ heard: 'x' }, /other\.csv:2:\d+: expected a table that nobody filled in, but heard has "x"/);
  await refused({ sound: '' }, /expected a clip for each case/);
  for (const [sound, why] of [
    ['../../etc/passwd', 'lies elsewhere'],
    ['/etc/passwd', 'lies elsewhere'],
    ['check-sounds/link.wav', 'lies elsewhere'],
    ['secret.wav', 'is no WAV file'],
    ['none.wav', 'is missing'],
    ['..', 'lies elsewhere'],
  ] as const)
    await refused({ sound }, new RegExp(`expected the clip of case-\\w+ as a WAV file in the folder .* ${why}`));
  assert.match((await runCommand(['cases', 'judge', folder.file('check.csv')])).stderr, /expected somebody to judge/);
  for (const name of ['../anna', 'a/b', '.', '', 'x'.repeat(41), 'con\u202e'])
    assert.match(
      (await runCommand(['cases', 'judge', folder.file('check.csv'), '--person', name])).stderr,
      /expected letters/,
    );
  const open = ['cases', 'judge', folder.file('check.csv'), '--person', 'anna', '--listen', '0.0.0.0'];
  assert.match((await runCommand(open)).stderr, /expected HTTPS for other machines/);
  for (const name of ['cert.pem', 'key.pem']) await writeFile(folder.file(name), 'none');
  const tls = ['--tls-cert', folder.file('cert.pem'), '--tls-key', folder.file('key.pem')];
  assert.match((await runCommand([...open, ...tls])).stderr, /expected what browsers call this machine/);
  const named = [...open, ...tls, '--address', 'https://listen.example.org'];
  assert.match((await runCommand(named)).stderr, /expected a certificate and its key as PEM/);
  await writeFile(folder.file('check-judging.sqlite'), 'no database at all, but long enough to be looked at');
  const command = ['cases', 'judge', folder.file('check.csv'), '--person', 'anna'];
  assert.match(
    (await runCommand(command)).stderr,
    /check-judging\.sqlite: expected what people answered, but the file is damaged/,
  );
});

test('Two people judge by keyboard on a phone, through a lost network, a reload and a change of mind; their tables are what verdicts reads.', {
  skip,
}, async (context) => {
  const { serving, file, folder, pages } = await judging(context, ['anna', 'ben']);
  const browser = await sharedBrowser(context);
  const all: (readonly string[])[] = [];
  const come = async (link: string) => {
    const { page, complaints } = await onPhone(browser);
    all.push(complaints);
    await page.goto(link);
    await page.waitForSelector('text=You will hear 4 short clips of speech');
    assert.match(await page.innerText('main'), /about \d+ minutes?\. Every answer is kept at once/);
    assert.deepEqual(await pageFaults(page), []);
    await page.click('text=Begin');
    await page.waitForSelector('h1:has-text("Clip 1 of 4")');
    return page;
  };
  const annas = await come(serving.links[0]!.link);
  const first = annas.url();
  assert.match(await annas.innerText('header'), /for anna/);
  assert.deepEqual(await pageFaults(annas), []);
  assert.doesNotMatch(await annas.content(), /lorry|tax|shells/);
  assert.equal(await annas.locator('nav').count(), 0);
  assert.deepEqual(await primaryButtons(annas), ['Save and go on']);

  // Words and no words contradict each other, and are not sent.
  await annas.check('input[name=nothing]');
  await annas.fill('input[name=heard]', 'words');
  await annas.waitForSelector('text=Either words, or none');
  await annas.click('text=Save and go on');
  await annas.uncheck('input[name=nothing]');
  await annas.fill('input[name=heard]', '');
  assert.equal(await annas.locator('text=Either words, or none').count(), 0);

  // Typed, and the tab is closed: it is there again.
  await annas.keyboard.type('red lorry');
  await annas.goto('about:blank');
  await annas.goBack();
  await annas.waitForSelector('text=What you had entered is here again.');
  assert.equal(await annas.inputValue('input[name=heard]'), 'red lorry');

  // Without a network nothing is lost, and it is sent when there is one again.
  await annas.context().setOffline(true);
  await annas.focus('input[name=heard]');
  await press(annas, 'Enter');
  await annas.waitForSelector('text=It stays in this browser and is sent again.');
  // What is typed meanwhile is not what waits to be sent.
  await annas.fill('input[name=heard]', 'red lorries');
  await annas.waitForSelector('text=Changed since it could not be sent: press the button again.');
  await annas.fill('input[name=heard]', 'red lorry');
  await press(annas, 'Enter');
  await annas.waitForSelector('text=It stays in this browser and is sent again.');
  await annas.context().setOffline(false);
  await annas.waitForSelector('text=First text');
  assert.deepEqual(await pageFaults(annas), []);
  assert.equal(await annas.evaluate('document.activeElement.getAttribute("aria-label")'), 'What you heard');
  assert.match(
    await annas.innerText('main'),
    /yes\s+1\s+no\s+2\s+unsure\s+3[\s\S]*yes\s+4\s+no\s+5\s+unsure\s+6[\s\S]*1 to 6 choose/,
  );
  assert.equal(await annas.evaluate('window.stolen'), undefined);

  // Both questions by number: 1 to 3, and 4 to 6.
  const judge = async (page: Page, text: string, transcript: string) => {
    const before = page.url();
    await press(page, text, transcript, 'Enter');
    await page.waitForURL((url) => String(url) !== before);
  };
  await judge(annas, '1', '5');
  for (const at of [2, 3, 4]) {
    await annas.waitForSelector(`h1:has-text("Clip ${at} of 4")`);
    await annas.waitForSelector('input[name=heard]');
    await annas.check('input[name=nothing]');
    await annas.click('text=Save and go on');
    await annas.waitForSelector('text=First text');
    await judge(annas, '2', '5');
  }
  await annas.waitForSelector('text=All 4 clips are judged');

  // A change of mind: the verdict goes, what was heard stays.
  await annas.goto(first);
  assert.equal(await annas.inputValue('input[type=radio]:checked >> nth=0'), 'yes');
  assert.equal(await annas.locator('input[name=heard]').count(), 0);
  await press(annas, '3');
  await annas.click('text=Save the change');
  await annas.waitForURL(/done/);

  const bens = await come(serving.links[1]!.link);
  await bens.fill('input[name=heard]', 'something');
  await bens.click('text=Save and go on');
  await bens.waitForSelector('text=First text');
  await judge(bens, '1', '5');

  const overview = await browser.newPage();
  await overview.goto(serving.overview);
  // On a phone its tables are wider than the window: they scroll, by keyboard too.
  await overview.setViewportSize({ width: 390, height: 800 });
  // It reloads by itself, but not while something on it is focused.
  await overview.clock.install();
  await overview.goto(new URL('/', serving.overview).href);
  await overview.focus('[role=region]');
  await overview.evaluate('window.isSame = true');
  await overview.clock.runFor(5000);
  assert.deepEqual(await pageFaults(overview), []);
  assert.equal(await overview.evaluate('window.isSame'), true);
  assert.match(
    await overview.innerText('main'),
    /anna\s+4\s+4\s+\S+ \S+ UTC\s+open[\s\S]*ben\s+1\s+4\s+\S+ \S+ UTC\s+open/,
  );
  assert.match(await overview.innerText('main'), /Agreement so far/);
  assert.match(await overview.innerText('main'), /earwitness cases verdicts \S+check-anna\.csv \S+check-ben\.csv/);
  await overview.evaluate('document.activeElement.blur()');
  await overview.clock.runFor(5000);
  await overview.waitForFunction('window.isSame === undefined');
  assert.deepEqual(all.flat(), []);

  await pages.writeTables();
  const rows = await readCheckFiles([folder.file('check-anna.csv'), folder.file('check-ben.csv')]);
  const given = rows.filter(({ verdict }) => verdict.saysText !== null);
  assert.deepEqual(given.map(({ person }) => person).sort(), ['anna', 'anna', 'anna', 'anna', 'ben']);
  assert.deepEqual(
    given
      .filter(({ person }) => person === 'anna')
      .map(({ verdict }) => verdict.heard)
      .sort(),
    [null, null, null, 'red lorry'].sort(),
  );
  const verdicts = await runCommand(['cases', 'verdicts', folder.file('check-anna.csv'), folder.file('check-ben.csv')]);
  assert.equal(verdicts.code, 0, verdicts.stderr);
  assert.equal((await readUnfilledCheckFile(file)).length, 4);
});

test('Links of two people live in one browser, also of one server: what is written on a page is its person’s.', {
  skip,
}, async (context) => {
  const { serving, people, links, clipOf } = await judging(context, ['anna', 'ben']);
  const browser = await sharedBrowser(context);
  const tablet = await browser.newContext();
  const [annas, bens] = [await tablet.newPage(), await tablet.newPage()];
  await annas.goto(serving.links[0]!.link);
  await annas.waitForSelector('text=Begin');
  await annas.goto(new URL(await clipOf(0, 'red lorry'), serving.links[0]!.link).href);
  await annas.fill('input[name=heard]', 'words of anna');
  await bens.goto(serving.links[1]!.link);
  await bens.waitForSelector('text=Begin');
  await annas.click('text=Save and go on');
  await annas.waitForSelector('text=First text');
  assert.match(await annas.innerText('header'), /for anna/);
  assert.match(await bens.innerText('header'), /for ben/);
  const told = people.answers().filter(({ question }) => question === 'heard');
  assert.deepEqual(
    told.map(({ person, value }) => [person, value]),
    [['anna', 'words of anna']],
  );
  assert.notEqual(links[0]!.home, links[1]!.home);
});

test('A second device gets the page with the texts, and is told why; an answer that replaces one not seen is told too.', {
  skip,
}, async (context) => {
  const { serving, clipOf, people } = await judging(context, ['anna']);
  const browser = await sharedBrowser(context);
  const devices = await Promise.all([browser.newContext(), browser.newContext()]);
  const pages = await Promise.all(devices.map((device) => device.newPage()));
  const at = new URL(await clipOf(0, 'red lorry'), serving.links[0]!.link).href;
  for (const page of pages) {
    await page.goto(serving.links[0]!.link);
    await page.waitForSelector('text=Begin');
    await page.goto(at);
  }
  const [one, two] = pages as [Page, Page];
  await one.fill('input[name=heard]', 'red');
  await one.click('text=Save and go on');
  await one.waitForSelector('text=First text');
  await two.fill('input[name=heard]', 'lorry');
  await two.click('text=Save and go on');
  await two.waitForSelector('text=was written down before the texts were shown, and stays.');
  await two.waitForSelector('blockquote:has-text("red")');
  const judge = async (page: Page, ...keys: readonly string[]) => {
    await press(page, ...keys, 'Enter');
    await page.waitForSelector('input[name=heard]');
  };
  await judge(one, '1', '5');
  assert.equal(await one.locator('text=replaced another one').count(), 0);
  await judge(two, '2', '5');
  await two.click('text=look at it');
  await two.waitForSelector('text=Save the change');
  assert.equal(await two.inputValue('input[type=radio]:checked >> nth=0'), 'no');
  // Seen, and changed: nothing is to be said.
  await judge(two, '3');
  assert.equal(await two.locator('text=replaced another one').count(), 0);
  const last = people.answers('anna').find(({ question }) => question === 'judgement')!.value as object;
  assert.ok(Object.values(last).includes('unsure'));
});

test('A clip that does not load is told, can be left out, and counts as not judged until it was.', {
  skip,
}, async (context) => {
  const { serving, clipOf, folder, rows, file, pages } = await judging(context, ['anna']);
  const browser = await sharedBrowser(context);
  const page = await browser.newPage();
  const { sound } = rows.find(({ text }) => text === 'red lorry')!;
  const bytes = await readFile(folder.file(sound));
  await rm(folder.file(sound));
  await page.goto(serving.links[0]!.link);
  await page.waitForSelector('text=Begin');
  await page.goto(new URL(await clipOf(0, 'red lorry'), page.url()).href);
  await page.waitForSelector('text=The clip cannot be played now; it is asked for again.');
  const unplayed = page.url();
  await page.click('text=I could not play it');
  await page.waitForURL((url) => String(url) !== unplayed);
  const link = serving.links[0]!.link;
  const cookie = await cookieOf(link);
  const { origin } = new URL(link);
  const table = async () =>
    (await readCheckFiles([folder.file('check-anna.csv')])).filter(({ verdict }) => verdict.saysText);
  for (const [text] of spoken.filter(([one]) => one !== 'red lorry')) {
    const path = await clipOf(0, text);
    await put(origin, cookie, `${path}/heard`, { nothing: 'yes' });
    const names = (await ask(origin, path, { headers: { cookie } })).body.matchAll(/name="(says-[\w-]+)" value="yes"/g);
    const form = Object.fromEntries([...names].map(([, name]) => [name!, 'no']));
    assert.equal((await put(origin, cookie, `${path}/judgement`, form)).status, 200);
  }
  await page.goto(`${origin}${new URL(link).pathname}`);
  await page.waitForSelector('text=3 of 4 clips are judged, and your answers are kept. 1 could not be played');
  await pages.writeTables();
  assert.equal((await table()).length, 3);
  assert.match(await readFile(personsFile(file, 'anna'), 'utf8'), /anna,could not play the clip/);
  const verdicts = await runCommand(['cases', 'verdicts', personsFile(file, 'anna'), '--json']);
  assert.equal(
    JSON.parse(verdicts.stdout).findings[0].warnings[0],
    '1 of 4 cases have no complete verdict: 1 are empty, in 0 a question is not answered. They are left out as if at random.',
  );

  // It is there again.
  await writeFile(folder.file(sound), bytes);
  await page.click('a:has-text("Clip ")');
  await page.fill('input[name=heard]', 'red');
  await page.click('text=Save and go on');
  await page.waitForSelector('text=First text');
  await press(page, '1', '5', 'Enter');
  await page.waitForSelector('text=All 4 clips are judged, and your answers are kept');
  assert.equal((await table()).length, 4);
});

test('What several recognizers got wrong is heard once, and each text of it is read once; the table has every case.', async (context) => {
  const shared = [
    { text: 'tax payers', transcript: 'tacks payers', recognizer: 'a' },
    { text: 'tax payers', transcript: 'taxpayers', recognizer: 'b' },
    { text: 'tax payers', transcript: 'tacks payers', recognizer: 'c' },
    { text: 'red lorry', transcript: 'read lorry', recognizer: 'a' },
  ];
  const { clipOf, says, serving, origin, pages, folder, people } = await judging(context, ['anna'], shared);
  assert.equal(pages.clips, 2);
  const cookie = await cookieOf(serving.links[0]!.link);
  const path = await clipOf(0, 'tax payers');
  const before = await ask(origin, path, { headers: { cookie } });
  assert.match(before.body, /Clip \d of 2/);
  assert.doesNotMatch(before.body, /payers/);
  assert.equal((await put(origin, cookie, `${path}/heard`, { heard: 'tax payers' })).status, 200);
  const { body } = await ask(origin, path, { headers: { cookie } });
  assert.deepEqual(
    [...body.matchAll(/<h2>(\w+) text<\/h2>/g)].map(([, which]) => which),
    ['First', 'Second', 'Third'],
  );
  const form = await says(0, 'tax payers', { 'tax payers': 'yes', taxpayers: 'unsure' }, { note: 'n' });
  assert.equal(Object.keys(form).length, 4);
  const half = Object.fromEntries(Object.entries(form).slice(1));
  assert.match((await put(origin, cookie, `${path}/judgement`, half)).body, /Answer all 3 questions/);
  assert.equal((await put(origin, cookie, `${path}/judgement`, form)).status, 200);
  await pages.writeTables();
  const rows = (await readCheckFiles([folder.file('check-anna.csv')])).filter(
    ({ verdict }) => verdict.saysText !== null,
  );
  assert.deepEqual(
    rows
      .map(({ checked, verdict }) => [checked.recognizer, verdict.saysText, verdict.saysTranscript, verdict.heard])
      .sort(),
    [
      ['a', 'yes', 'no', 'tax payers'],
      ['b', 'yes', 'unsure', 'tax payers'],
      ['c', 'yes', 'no', 'tax payers'],
    ],
  );
  assert.equal(people.answers('anna').filter(({ question }) => question === 'judgement').length, 3);
});

test('Texts come in an order drawn for each clip: which one was to be said is not told by its place.', async (context) => {
  const many = Array.from({ length: 24 }, (_, at) => ({ text: `text ${at}`, transcript: `heard ${at}` }));
  const { clipOf, serving, origin, rows } = await judging(context, ['anna'], many);
  const cookie = await cookieOf(serving.links[0]!.link);
  let first = 0;
  assert.ok(rows.length > 20);
  for (const { text } of rows) {
    const path = await clipOf(0, text);
    await put(origin, cookie, `${path}/heard`, { nothing: 'yes' });
    const { body } = await ask(origin, path, { headers: { cookie } });
    if (body.indexOf('<bdi>text ') < body.indexOf('<bdi>heard ')) first++;
  }
  // Of 21 to 24 fair draws, fewer than 4 or more than all but 4 come once in 500.
  assert.ok(first >= 4 && first <= rows.length - 4, String(first));
});

test('The order, the links and the port stay; a damaged answer is named, and the tables of others are written.', async (context) => {
  const { file, folder, rows } = await sampled(context);
  const path = folder.file('check-judging.sqlite');
  const first = await started(['cases', 'judge', file, '--person', 'anna', '--person', 'ben k', '--seed', '3']);
  const { link } = first.links[0]!;
  const { origin } = new URL(link);
  const judge = async (at: number) => {
    const { pathname } = new URL(first.links[at]!.link);
    const cookie = await cookieOf(first.links[at]!.link);
    const clip = /href="([^"]*\/clips\/[^"]*)"/.exec((await ask(origin, pathname, { headers: { cookie } })).body)![1]!;
    await put(origin, cookie, `${clip}/heard`, { heard: 'words' });
    const { body } = await ask(origin, clip, { headers: { cookie } });
    const form = [...body.matchAll(/name="(says-[\w-]+)" value="yes"/g)].map(([, name]) => [name!, 'no']);
    assert.equal((await put(origin, cookie, `${clip}/judgement`, Object.fromEntries(form))).status, 200);
    return clip;
  };
  const [annas] = [await judge(0), await judge(1)];
  const ended = await first.end();
  assert.equal(ended.code, 0, ended.said);
  assert.match(ended.said, /earwitness cases verdicts \S*check-anna\.csv '[^']*check-ben k\.csv'\n/);
  for (const name of ['check-judging.sqlite', 'check-judging.sqlite.lock'])
    assert.equal((await stat(folder.file(name))).mode & 0o777, 0o600, name);

  const refused = async (flags: readonly string[], message: RegExp, code: number) => {
    const result = await runCommand(['cases', 'judge', file, ...flags]);
    assert.match(result.stderr, message);
    assert.equal(result.code, code);
  };
  await refused(
    ['--seed', '4'],
    /expected --seed 3, by which people began to judge, but got 4/,
    exitCodes['bad-usage'],
  );
  await refused(
    ['--person', 'ANNA'],
    /expected names that differ in more .* but there are anna and ANNA/,
    exitCodes['bad-usage'],
  );
  await refused(['--revoke', 'Anna'], /there is no Anna; did you mean anna\?/, exitCodes['bad-usage']);
  await refused(
    ['--person', 'Stra\u00dfe', '--person', 'STRASSE'],
    /expected names that differ in more than upper and lower case/,
    exitCodes['bad-usage'],
  );
  await refused(['--address', 'http://example.org'], /expected --address with https:\/\//, exitCodes['bad-usage']);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(Number(new URL(origin).port), '127.0.0.1', resolve));
  await refused([], /port \d+, that of the last start, is in use.*add --port 0/, exitCodes['bad-usage']);
  await new Promise((resolve) => other.close(resolve));

  // Filled in by hand, or all that is left of another database: it is not written over.
  const table = personsFile(file, 'anna');
  const text = await readFile(table, 'utf8');
  await writeFile(table, text.replace(',no,no,', ',yes,no,'));
  await refused(
    [],
    /check-anna\.csv: expected the table as it was written from check-judging\.sqlite, but it has 1 row filled in/,
    exitCodes['bad-input'],
  );
  await writeFile(table, 'a list of mine\n');
  await refused([], /check-anna\.csv: .* it is another file otherwise; move it away/, exitCodes['bad-input']);
  await writeFile(table, checkText(table, rows));
  const again = await started(['cases', 'judge', file]);
  assert.deepEqual(again.links, first.links);
  await refused([], /another earwitness shows these pages already/, exitCodes['store-busy']);
  assert.equal((await again.end()).code, 0);
  assert.equal(await readFile(table, 'utf8'), text);
  await rename(path, `${path}.away`);
  await refused(['--person', 'anna'], /it has 1 row filled in/, exitCodes['bad-input']);
  await rename(`${path}.away`, path);

  const damaged = (sql: string) => {
    const database = openFile(path, { readonly: false });
    database.exec(sql);
    database.close();
  };
  // The log has it whole, and puts it back.
  damaged(`UPDATE answer SET value = replace(value, 'words', 'swords') WHERE person = 1`);
  const mended = await started(['cases', 'judge', file]);
  const { code, said } = await mended.end();
  assert.equal(code, 0, said);
  assert.match(said, /an answer of anna was damaged and put back from the log/);
  assert.equal(await readFile(table, 'utf8'), text);
  for (const one of ['answer', 'log'])
    damaged(`UPDATE ${one} SET value = '{"says' WHERE person = 1 AND question = 'judgement'`);
  const broken = await started(['cases', 'judge', file]);
  const cookie = await cookieOf(broken.links[0]!.link);
  assert.equal((await ask(origin, annas, { headers: { cookie } })).status, 500);
  await rm(personsFile(file, 'ben k'));
  const last = await broken.end();
  assert.equal(last.code, exitCodes.store, last.said);
  assert.match(last.said, /what anna answered \(judgement of case-\w+\) is damaged, and so is its log/);
  assert.match(await readFile(personsFile(file, 'ben k'), 'utf8'), /words,no,no,ben k,/);
});

test('Killed at any moment, nothing that was acknowledged is lost and nothing is doubled; the same link goes on.', async (context) => {
  const { folder, file, rows } = await sampled(context);
  const clips = await Promise.all(rows.map(({ sound }) => readFile(folder.file(sound)).then((bytes) => sha256(bytes))));
  let paths: readonly string[];
  {
    using people = openPeopleStore(folder.file('check-judging.sqlite'), 'judging', systemClock);
    const { home } = people.invite('anna');
    paths = clips.map((hash) => `${home}/clips/${people.alias('clip', hash)}`);
  }
  const acknowledged = new Map<string, string>();
  await killAgainAndAgain(
    () => started(['cases', 'judge', file]),
    kills,
    async ({ origin, cookie }, sent) => {
      const clip = sent % 4;
      const note = `note ${clip} ${sent}`;
      await put(origin, cookie, `${paths[clip]}/heard`, { heard: `clip ${clip}` });
      const { body } = await ask(origin, paths[clip]!, { headers: { cookie } });
      const form = [...body.matchAll(/name="(says-[\w-]+)" value="yes"/g)].map(([, name]) => [name!, 'no']);
      const { status } = await put(origin, cookie, `${paths[clip]}/judgement`, { ...Object.fromEntries(form), note });
      if (status === 200) acknowledged.set(String(clip), note);
      return status === 200;
    },
  );
  using people = openPeopleStore(folder.file('check-judging.sqlite'), 'judging', systemClock);
  const kept = people.answers('anna').filter(({ question }) => question === 'judgement');
  assert.equal(new Set(kept.map(({ task }) => task)).size, kept.length);
  const notes = kept.map(({ value }) => (value as { note: string }).note);
  for (const [clip, note] of acknowledged) {
    const [, , count] = note.split(' ');
    // One that was sent and not acknowledged may have come after it.
    assert.ok(
      notes.some((one) => one === note || (one.split(' ')[1] === clip && Number(one.split(' ')[2]) >= Number(count))),
      note,
    );
  }
});

test('On a disk that is full an answer is refused and said not to be kept; what was acknowledged is there, and with room it goes on.', {
  skip: skipWithoutMounts,
}, async (context) => {
  const { folder, file } = await sampled(context);
  const judging = await onSmallDisk(context, folder.path, 2, (disk) => [
    ...['cases', 'judge', join(disk, basename(file)), '--person', 'anna'],
  ]);
  const { link } = judging.links[0]!;
  const { origin, pathname } = new URL(link);
  const cookie = await cookieOf(link);
  const page = async (path: string) => (await ask(origin, path, { headers: { cookie } })).body;
  const home = await page(pathname);
  const paths = [...new Set([...home.matchAll(/href="([^"]*\/clips\/[^"]*)"/g)].map(([, path]) => path!))];
  assert.ok(paths.length > 0);
  const note = 'n'.repeat(900);
  const acknowledged: string[] = [];
  const judge = async (at: number) => {
    const path = paths[0]!;
    const heard = await put(origin, cookie, `${path}/heard`, { heard: 'words' });
    if (heard.status !== 200) return heard;
    const form = [...(await page(path)).matchAll(/name="(says-[\w-]+)" value="yes"/g)].map(([, name]) => [name!, 'no']);
    const answer = await put(origin, cookie, `${path}/judgement`, {
      ...Object.fromEntries(form),
      note: `${at} ${note}`,
    });
    if (answer.status === 200) acknowledged.push(`${at} ${note}`);
    return answer;
  };
  assert.equal((await judge(0)).status, 200);
  await judging.fill();
  let [refused, sent] = [await judge(1), 1];
  while (refused.status === 200 && sent < 500) refused = await judge(++sent);
  assert.equal(refused.status, 500, `after ${sent} answers`);
  assert.match(refused.body, /the disk is full: this answer is not kept yet, all that were acknowledged are/);
  const atFull = acknowledged.at(-1)!;
  assert.match(await page(paths[0]!), new RegExp(atFull));
  await judging.free();
  assert.equal((await judge(++sent)).status, 200);
  const { code, said } = await judging.end();
  assert.equal(code, 0, said);
  assert.match(said, /the disk is full/);
  assert.match(await readFile(judging.left.file('check-anna.csv'), 'utf8'), new RegExp(acknowledged.at(-1)!));
  using people = openPeopleStore(judging.left.file('check-judging.sqlite'), 'judging', systemClock);
  const kept = people.answers('anna').filter(({ question }) => question === 'judgement');
  assert.deepEqual(
    kept.map(({ value }) => (value as { note: string }).note),
    [acknowledged.at(-1)],
  );
});
