import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { systemClock } from '../../base/clock.ts';
import { sampleCases } from '../../cases/sample-cases.ts';
import { sameLetters } from '../../cases/summarize-verdicts.ts';
import { runCommand, sineWav, temporaryFolder } from '../../cli/testing/run-command.ts';
import { readCheckFiles, readUnfilledCheckFile } from '../../session/cases/read-check-file.ts';
import { type CheckCells, writeCheckRows } from '../../session/cases/write-check-file.ts';
import { askServer, openBrowser, pageFaults, skipWithoutBrowser } from '../testing/browser.ts';
import { openJudging } from './judge.ts';
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

/** A table as `cases sample` writes it, each case with a clip. */
async function sampled(context: TestContext) {
  const folder = await temporaryFolder();
  context.after(() => folder[Symbol.asyncDispose]());
  const drawn = sampleCases(
    spoken.map(([text, transcript]) => ({
      ...{
        text,
        textId: text,
        voice: 'flite:slt',
        recognizer: 'secret-recognizer',
        transcript,
        status: 'failed' as const,
      },
      ...{ sound: { utteranceId: text, conditionName: 'clean', draw: 0 }, iteration: 1, otherwise: {} },
    })),
    { seed: 1 },
  );
  const file = folder.file('check.csv');
  await mkdir(folder.file('check-sounds'));
  const rows: CheckCells[] = [];
  for (const [at, { id, row, cellFailed }] of drawn.cases.entries()) {
    await writeFile(folder.file(`check-sounds/${at}.wav`), sineWav(200 + 100 * at, 16_000, 1));
    rows.push({
      ...{ case: id, sound: `check-sounds/${at}.wav`, text: row.text, transcript: row.transcript },
      ...{ heard: '', sound_says_text: '', sound_says_transcript: '', person: '', note: '' },
      ...{ recognizer: row.recognizer, voice: row.voice, condition: 'clean', draw: '0' },
      ...{ sample_size: String(drawn.cases.length), cell_failed: String(cellFailed) },
    });
  }
  await writeCheckRows(file, rows);
  return { folder, file, rows };
}

async function judging(context: TestContext, names: readonly string[]) {
  const made = await sampled(context);
  const people = openPeopleStore(made.folder.file('check-judging.sqlite'), 'judging', systemClock);
  const links = names.map((name) => people.invite(name));
  const pages = await openJudging({
    ...{ file: made.file, cases: await readUnfilledCheckFile(made.file), people, seed: 1, same: sameLetters },
    problem: (sentence) => assert.fail(sentence),
  });
  const serving = await servePeople(people, pages, {});
  context.after(async () => {
    await serving[Symbol.asyncDispose]();
    people[Symbol.dispose]();
  });
  return { ...made, people, pages, serving, links, origin: new URL(serving.links[0]!.link).origin };
}

/** Audio comes as it is. */
const ask = (origin: string, path: string, options: Parameters<typeof askServer>[2] = {}) =>
  askServer(origin, path, { ...options, encoding: 'latin1' });

async function cookieOf(link: string): Promise<string> {
  const { origin } = new URL(link);
  const { headers } = await ask(origin, link.slice(origin.length));
  return String(headers['set-cookie']).split(';')[0]!;
}

const put = (origin: string, cookie: string, path: string, value: unknown) =>
  ask(origin, path, {
    method: 'PUT',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });

test('Nobody judges who is not invited, from another site, as somebody else, or with what is no answer.', async (context) => {
  const { origin, links, people, serving } = await judging(context, ['anna', 'ben']);
  const [anna, ben] = [await cookieOf(serving.links[0]!.link), await cookieOf(serving.links[1]!.link)];
  const heard = '/clips/1/heard';
  const sent = { method: 'PUT', body: '{"heard":"x"}' };
  const json = { 'content-type': 'application/json' };
  const refused = [
    await ask(origin, '/clips/1'),
    await ask(origin, '/clips/1', { headers: { cookie: `${anna}x` } }),
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
  ] as const)
    assert.equal((await put(origin, anna, heard, value)).status, status, JSON.stringify(value));
  assert.equal((await put(origin, anna, '/clips/1/judgement', { saysText: 'yes', saysTranscript: 'no' })).status, 409);
  for (const path of [
    '/clips/0',
    '/clips/5',
    '/clips/1e0',
    '/audio/x',
    '/audio/..%2f..%2fcheck.csv',
    '/overview',
    '/clips/1/heard/x',
  ])
    assert.equal((await ask(origin, path, { headers: { cookie: anna } })).status, 404, path);
  assert.deepEqual(people.answers(), []);

  assert.equal((await put(origin, anna, heard, { heard: 'the tax' })).status, 200);
  assert.equal((await put(origin, anna, heard, { heard: 'the tax' })).status, 200);
  assert.equal((await put(origin, anna, heard, { heard: 'the tacks, now that I read it' })).status, 409);
  const [own, others] = await Promise.all(
    [anna, ben].map((cookie) => ask(origin, '/clips/1', { headers: { cookie } })),
  );
  assert.match(own!.body, /You heard/);
  assert.doesNotMatch(others!.body, /You heard|the tax|tacks/);
  for (const { body } of [own!, others!]) assert.doesNotMatch(body, /secret-recognizer|flite/);
  assert.equal(
    (await put(origin, anna, '/clips/1/judgement', { saysText: 'perhaps', saysTranscript: 'no' })).status,
    400,
  );

  people.revoke('anna');
  assert.equal((await ask(origin, '/clips/1', { headers: { cookie: anna } })).status, 403);
  assert.equal((await ask(origin, `/?token=${links[0]!.invitation}`)).status, 403);
  assert.notEqual(people.invite('anna').invitation, links[0]!.invitation);
  assert.equal((await ask(origin, '/clips/1', { headers: { cookie: ben } })).status, 200);
});

test('A link from a mail opens, its page leads on, and the cookie is for this server alone.', async (context) => {
  const { origin, links } = await judging(context, ['anna']);
  const from = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  const entered = await ask(origin, `/?token=${links[0]!.invitation}`, { headers: from });
  assert.equal(entered.status, 200);
  assert.match(entered.body, /http-equiv="refresh" content="0;url=\/"/);
  assert.match(String(entered.headers['set-cookie']), /HttpOnly; SameSite=Strict/);
  assert.equal(
    (await ask(origin, `/?token=${links[0]!.invitation}`, { headers: { ...from, 'sec-fetch-mode': 'no-cors' } }))
      .status,
    403,
  );
});

test('Audio is served whole and in parts.', async (context) => {
  const { origin, serving, folder } = await judging(context, ['anna']);
  const cookie = await cookieOf(serving.links[0]!.link);
  const page = await ask(origin, '/clips/1', { headers: { cookie } });
  const [, path] = /src="(\/audio\/[\w-]+)"/.exec(page.body)!;
  const whole = await ask(origin, path!, { headers: { cookie } });
  const clips = await Promise.all([0, 1, 2, 3].map((at) => readFile(folder.file(`check-sounds/${at}.wav`), 'latin1')));
  assert.ok(clips.includes(whole.body));
  const part = await ask(origin, path!, { headers: { cookie, range: 'bytes=4-11' } });
  assert.deepEqual(
    [part.status, part.headers['content-range'], part.body],
    [206, `bytes 4-11/${whole.body.length}`, whole.body.slice(4, 12)],
  );
  const past = await ask(origin, path!, { headers: { cookie, range: `bytes=${whole.body.length}-` } });
  assert.equal(past.status, 416);
});

test('Tables that were filled in, have no clips, or name files elsewhere are refused, and so is a database of something else.', async (context) => {
  const { folder, rows } = await sampled(context);
  const refused = async (change: Partial<CheckCells>, message: RegExp) => {
    const file = folder.file('other.csv');
    await writeCheckRows(file, [{ ...rows[0]!, ...change }]);
    const result = await runCommand(['cases', 'judge', file, '--person', 'anna']);
    assert.notEqual(result.code, 0);
    assert.match(result.stderr, message);
  };
  await writeFile(folder.file('secret.wav'), 'no clip');
  await symlink('/etc/passwd', folder.file('check-sounds/link.wav'));
  await refused({ heard: 'x' }, /other\.csv:2:\d+: expected a table that nobody filled in, but heard has "x"/);
  await refused({ sound: '' }, /expected a clip for each case/);
  for (const sound of ['../../etc/passwd', '/etc/passwd', 'check-sounds/link.wav', 'secret.wav', 'none.wav', '..'])
    await refused({ sound }, /expected the clip of case-\w+ as a WAV file in the folder beside the table/);
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
  assert.match((await runCommand(command)).stderr, /check-judging\.sqlite: expected a store, but the file is damaged/);
});

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test('Two people judge by keyboard on a phone, through a lost network, a reload and a change of mind; their tables are what verdicts reads.', {
  skip,
}, async (context) => {
  const { serving, file, folder, pages } = await judging(context, ['anna', 'ben']);
  const browser = await openBrowser();
  context.after(() => browser.close());
  const complaints: string[] = [];
  const come = async (link: string) => {
    const phone = await browser.newContext({ viewport: { width: 390, height: 800 } });
    const page = await phone.newPage();
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (!/ERR_INTERNET_DISCONNECTED/.test(message.text())) complaints.push(message.text());
    });
    await page.goto(link);
    await page.waitForURL(/\/clips\/1$/);
    return page;
  };
  const annas = await come(serving.links[0]!.link);
  assert.deepEqual(await pageFaults(annas), []);
  assert.doesNotMatch(await annas.content(), /lorry|tax|shells/);

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
  await annas.context().setOffline(false);
  await annas.waitForSelector('text=First text');
  assert.deepEqual(await pageFaults(annas), []);
  assert.equal(await annas.evaluate('window.stolen'), undefined);

  // Both questions by number: 1 to 3, and 4 to 6.
  const judge = async (page: Page, text: string, transcript: string) => {
    const before = page.url();
    await press(page, text, transcript, 'Enter');
    await page.waitForURL((url) => String(url) !== before);
  };
  await judge(annas, '1', '5');
  for (const at of [2, 3, 4]) {
    assert.match(annas.url(), new RegExp(`/clips/${at}$`));
    await annas.waitForSelector('input[name=heard]');
    await annas.check('input[name=nothing]');
    await annas.click('button[type=submit]');
    await annas.waitForSelector('text=First text');
    await judge(annas, '2', '5');
  }
  await annas.waitForSelector('text=All 4 clips are judged');

  // A change of mind: the verdict goes, what was heard stays.
  await annas.goto(new URL('/clips/1', annas.url()).href);
  assert.equal(await annas.inputValue('input[name=saysText]:checked'), 'yes');
  assert.equal(await annas.locator('input[name=heard]').count(), 0);
  await press(annas, '3');
  await annas.click('text=Save the change');
  await annas.waitForURL(/done/);

  const bens = await come(serving.links[1]!.link);
  await bens.fill('input[name=heard]', 'something');
  await bens.click('button[type=submit]');
  await bens.waitForSelector('text=First text');
  await judge(bens, '1', '5');

  const overview = await browser.newPage();
  // It comes back by itself, which a check that takes a while would not survive.
  await overview.goto(serving.overview);
  await overview.route('**/', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace(/<meta http-equiv="refresh"[^>]*>/, ''),
    });
  });
  await overview.goto(new URL('/', serving.overview).href);
  assert.deepEqual(await pageFaults(overview), []);
  assert.match(await overview.innerText('main'), /anna\s+4\s+open[\s\S]*ben\s+1\s+open/);
  assert.match(await overview.innerText('main'), /Agreement so far/);
  assert.deepEqual(complaints, []);

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

test('Killed at any moment, nothing that was acknowledged is lost and nothing is doubled; the same link goes on.', async (context) => {
  const { folder, file } = await sampled(context);
  const script = join(dirname(fileURLToPath(import.meta.url)), '../../../bin/earwitness.js');
  const start = async () => {
    const child = spawn(process.execPath, [script, 'cases', 'judge', file, '--person', 'anna', '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const [first] = (await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'close').then(() => assert.fail('it ended at once')),
    ])) as [Buffer];
    const { links } = JSON.parse(first.toString()) as { links: { link: string }[] };
    return { child, link: links[0]!.link };
  };
  const acknowledged = new Map<string, string>();
  let link: string | null = null;
  for (let round = 0; round < 4; round++) {
    const { child, link: now } = await start();
    link ??= now;
    assert.equal(now, link);
    const { origin } = new URL(now);
    const cookie = await cookieOf(now);
    const stopped = once(child, 'close');
    setTimeout(() => child.kill('SIGKILL'), 30 + 60 * round);
    for (let clip = 1; ; clip = (clip % 4) + 1) {
      const value = { saysText: 'yes', saysTranscript: 'no', note: `${round} ${clip} ${acknowledged.size}` };
      try {
        await put(origin, cookie, `/clips/${clip}/heard`, { heard: `clip ${clip}` });
        const { status } = await put(origin, cookie, `/clips/${clip}/judgement`, value);
        if (status === 200) acknowledged.set(String(clip), value.note);
      } catch {
        break;
      }
    }
    await stopped;
  }
  assert.ok(acknowledged.size > 0);
  const people = openPeopleStore(folder.file('check-judging.sqlite'), 'judging', systemClock);
  context.after(() => people[Symbol.dispose]());
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
