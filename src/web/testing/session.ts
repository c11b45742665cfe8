import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { after, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { systemClock } from '../../base/clock.ts';
import { runCommand, sineWav, temporaryFolder } from '../../cli/testing/run-command.ts';
import { run } from '../../session/run/run.ts';
import { openPeopleStore, type PeopleStore } from '../people/people-store.ts';
import { type ClipSession, type SessionOptions, takeSeats } from '../people/planned-session.ts';
import { servePeople } from '../people/serve-people.ts';
import { askServer, openBrowser } from './browser.ts';

/** What a server for people answers; audio comes as it is. */
export const ask = (origin: string, path: string, options: Parameters<typeof askServer>[2] = {}) =>
  askServer(origin, path, { ...options, encoding: 'latin1' });

/** Follows an invitation: the cookie that its link sets. */
export async function cookieOf(link: string): Promise<string> {
  const { origin } = new URL(link);
  const { headers } = await ask(origin, link.slice(origin.length));
  return String(headers['set-cookie']).split(';')[0]!;
}

/** Sends an answer as the pages do. */
export const put = (origin: string, cookie: string, path: string, value: unknown) =>
  ask(origin, path, {
    method: 'PUT',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });

/** A page without addresses, whose letters are drawn. */
export const besideAddresses = (body: string) => body.replace(/\/p\/[\w/-]+/g, '');

/** Words that break out of tables and pages where they can. */
export const hostileText = '=1+1 <img src=x onerror="window.stolen=1"></script>\u202e';

/** A finished run of a corpus of tones in a folder, whose words are hostile. */
export async function finishedRun(
  utterances: number,
  seconds: number,
  columns: (at: number) => Readonly<Record<string, string>>,
  studies: readonly object[],
) {
  const folder = await temporaryFolder();
  const rows = Array.from({ length: utterances }, (_, at) => ({
    ...{ id: `u${at}`, path: `${at}.wav`, ...columns(at), text: `secret ${hostileText}` },
  }));
  const lines = rows.map((row) => Object.values(row).join('\t'));
  await writeFile(folder.file('list.tsv'), `${Object.keys(rows[0]!).join('\t')}\n${lines.join('\n')}\n`);
  for (const at of rows.keys()) await writeFile(folder.file(`${at}.wav`), sineWav(300 + 50 * at, 16_000, seconds));
  const config = {
    ...{ seed: 1, corpus: { type: 'manifest', file: 'list.tsv', language: 'en' } },
    ...{ recognizers: { machine: { type: 'scripted', answers: {} } }, failures: { maxShare: 1 }, studies },
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  await run(config as never, { baseFolder: folder.path });
  return { folder, config };
}

/** How a command that holds sessions is tested. */
interface Member<Plan, Row> {
  readonly command: 'rate' | 'transcribe';
  readonly kind: string;
  parse(text: string, file: string): Plan;
  open(options: SessionOptions<Plan, Row>): ClipSession<Row>;
  /** Keys of what a seat hears, in its order. */
  keys(plan: Plan, seat: number): readonly string[];
}

let tables = 0;

/** A plan over a run's clips, as the command makes it. */
export async function planned<Plan>(
  { command, parse }: Pick<Member<Plan, never>, 'command' | 'parse'>,
  folder: { readonly path: string; file(name: string): string },
  flags: readonly string[] = [],
) {
  const stem = `people${tables++}`;
  const result = await runCommand([command, `${stem}.csv`, '--plan-only', ...flags], { cwd: folder.path });
  assert.equal(result.code, 0, result.stderr);
  const plan = parse(await readFile(folder.file(`${stem}-plan.json`), 'utf8'), stem);
  const clips = folder.file(`${stem}-clips`);
  return { stem, plan, result, clips, table: folder.file(`${stem}.csv`), people: folder.file(`${stem}-people.sqlite`) };
}

/** Pages of a session in this process, for people who are invited. */
export async function opened<Plan extends { readonly seats: number }, Row>(
  context: TestContext,
  member: Member<Plan, Row>,
  folder: { readonly path: string; file(name: string): string },
  names: readonly string[],
  flags: readonly string[] = [],
) {
  const known = await planned(member, folder, flags);
  const people = openPeopleStore(known.people, member.kind, systemClock);
  for (const name of names) people.invite(name);
  assert.deepEqual(takeSeats(people, known.plan), []);
  let written: readonly Row[] = [];
  const pages = member.open({
    ...{ plan: known.plan, clips: known.clips, people },
    async write(rows) {
      written = rows;
    },
    problem: (sentence) => assert.fail(sentence),
  });
  const serving = await servePeople(people, pages, {});
  context.after(async () => {
    await serving[Symbol.asyncDispose]();
    people[Symbol.dispose]();
  });
  /** Where whoever sits in a seat finds the clip at a place, counted from 1. */
  const clipAt = (seat: number, at: number) => placesOf(member, people, known.plan, seat)[at - 1]!;
  const origin = new URL(serving.links[0]!.link).origin;
  return { ...known, people, pages, serving, clipAt, origin, rows: () => written };
}

function placesOf<Plan, Row>(
  { keys }: Member<Plan, Row>,
  people: PeopleStore,
  plan: Plan,
  seat: number,
): readonly string[] {
  const { home } = people.people()[seat]!;
  return keys(plan, seat).map((key) => `${home}/clips/${people.alias('clip', key)}`);
}

/** Ways to ask for somebody's page, or to answer there, that are not theirs to go; all are refused. */
export async function refuseOthers(
  origin: string,
  [own, other]: readonly [string, string],
  [anna, ben]: readonly [string, string],
  path: string,
  good: object,
): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const sent = { method: 'PUT', body: JSON.stringify(good) };
  for (const refused of [
    await ask(origin, own),
    await ask(origin, own, { headers: { cookie: `${anna}x` } }),
    await ask(origin, own, { headers: { cookie: ben } }),
    await ask(origin, other, { headers: { cookie: anna } }),
    await ask(origin, path, { ...sent, headers: { ...json, cookie: anna } }),
    await put(origin, ben, path, good),
    await ask(origin, path, { ...sent, headers: { ...json, cookie: anna, origin: 'https://evil.example' } }),
    await ask(origin, path, { ...sent, headers: { ...json, cookie: anna, origin, 'sec-fetch-site': 'same-site' } }),
  ])
    assert.equal(refused.status, 403);
}

let open: Promise<Browser> | null = null;
after(async () => (await open)?.close());

/** The browser of all tests of a file, which costs a second to start. What a test opens in it is closed after it. */
export async function sharedBrowser(context: TestContext): Promise<Browser> {
  open ??= openBrowser();
  const browser = await open;
  context.after(() => Promise.all(browser.contexts().map((one) => one.close())));
  return browser;
}

/** A page on a phone, and what its browser complains of: nothing but that the network is gone, or what a test expects. */
export async function onPhone(browser: Browser, expected = /ERR_INTERNET_DISCONNECTED/) {
  const phone = await browser.newContext({ viewport: { width: 390, height: 800 } });
  const page = await phone.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (!expected.test(message.text())) complaints.push(message.text());
  });
  return { phone, page, complaints };
}

/** Presses keys one after another. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** How often a server is killed: 20 times in the slow tests, or by hand. */
export const kills = Number(process.env.EARWITNESS_KILLS ?? (process.env.EARWITNESS_SLOW_TESTS === '1' ? 20 : 2));

const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * A command that goes on until it is ended, and what it has printed.
 *
 * @param within a program that runs what is named after its own words
 */
export async function started(args: readonly string[], cwd?: string, within: readonly string[] = []) {
  const script = fileURLToPath(new URL('../../../bin/earwitness.js', import.meta.url));
  const [program, ...words] = [...within, process.execPath, script, ...args, '--json'];
  const child = spawn(program!, words, {
    ...{ cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
  });
  running.add(child);
  let said = '';
  child.stderr!.on('data', (part: Buffer) => {
    said += part;
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const text = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout!.on('data', (part: Buffer) => {
      printed += part;
      if (printed.includes('overview') && printed.endsWith('}\n')) resolve(printed);
    });
    closed.then(() => reject(new Error(`it ended at once: ${said}`)), reject);
  });
  const { links, fingerprint } = JSON.parse(text) as {
    readonly links: readonly { readonly name: string; readonly link: string }[];
    readonly fingerprint: string | null;
  };
  return {
    ...{ child, links, fingerprint, closed },
    async end() {
      child.kill('SIGINT');
      const [code] = await closed;
      return { code, said };
    },
  };
}

const isolated = ['unshare', '--mount', '--user', '--map-root-user', 'sh', '-c'];

/** Why tests that fill a disk are skipped; false where one can be mounted. */
export const skipWithoutMounts =
  spawnSync(isolated[0]!, [...isolated.slice(1), 'mount --bind /tmp /tmp']).status !== 0 &&
  'nothing can be mounted here';

/**
 * A command that goes on until it is ended, in a copy of a folder on a disk of its own, which can be filled and emptied again.
 *
 * @param argsOf its words, with the folder on that disk
 */
export async function onSmallDisk(
  context: TestContext,
  folder: string,
  mebibytes: number,
  argsOf: (folder: string) => readonly string[],
) {
  const [small, left] = [await temporaryFolder(), await temporaryFolder()];
  context.after(async () => {
    await small[Symbol.asyncDispose]();
    await left[Symbol.asyncDispose]();
  });
  // Files beside the disk tell the shell what to do, and us that it did; when the command has ended, what it left is brought there.
  const script = [
    `mount -t tmpfs -o size=${mebibytes}m none "$1" && cp -r "$2/." "$1" && cd "$1" && at="$3" && shift 3`,
    'when() { until [ -e "$at/$1" ]; do sleep .02; done; }',
    '(when fill; cat /dev/zero > zeros 2> /dev/null; : > "$at/filled"; when free; rm zeros; : > "$at/freed"; while kill -0 $$; do sleep .02; done; cp -r . "$at"; : > "$at/copied") > /dev/null 2>&1 &',
    'exec "$@"',
  ].join('\n');
  const server = await started(argsOf(small.path), undefined, [
    ...isolated,
    script,
    'sh',
    small.path,
    folder,
    left.path,
  ]);
  const until = async (done: string) => {
    while (!existsSync(left.file(done))) await systemClock.sleep(20);
  };
  const asked = (what: string, done: string) => async () => {
    await writeFile(left.file(what), '');
    await until(done);
  };
  return {
    ...{ links: server.links, left, fill: asked('fill', 'filled'), free: asked('free', 'freed') },
    async end() {
      const ended = await server.end();
      await until('copied');
      return ended;
    },
  };
}

/**
 * Kills a command at moments that follow each other from the first answer that it took to a quarter of a second later, while somebody goes on answering; then starts it once
 * more and ends it, so that its tables are what was kept.
 *
 * @param send one answer; whether it was acknowledged
 */
export async function killAgainAndAgain(
  start: (isLast: boolean) => ReturnType<typeof started>,
  rounds: number,
  send: (to: { readonly origin: string; readonly cookie: string }, sent: number) => Promise<boolean>,
): Promise<{ readonly fingerprint: string | null }> {
  let [link, sent, taken] = ['', 0, 0];
  for (let round = 0; round < rounds; round++) {
    const { child, links, closed } = await start(false);
    const now = links[0]!.link;
    if (link === '') link = now;
    assert.equal(now, link);
    const to = { origin: new URL(now).origin, cookie: await cookieOf(now) };
    let isBegun = false;
    for (;;) {
      try {
        if (!(await send(to, ++sent))) continue;
        taken++;
        // However slow the machine is, something was taken, and more is under way.
        if (!isBegun) setTimeout(() => child.kill('SIGKILL'), (round * 67) % 250);
        isBegun = true;
      } catch {
        break;
      }
    }
    await closed;
  }
  assert.ok(taken >= rounds);
  const last = await start(true);
  const { code, said } = await last.end();
  assert.equal(code, 0, said);
  return last;
}
