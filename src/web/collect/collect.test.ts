import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { encodeWav } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { sha256 } from '../../base/hash.ts';
import { createRandom } from '../../base/random.ts';
import { createManualClock } from '../../base/testing/manual-clock.ts';
import { runCommand, temporaryFolder } from '../../cli/testing/run-command.ts';
import { wav } from '../../decoders/wav/wav.ts';
import { openPeopleStore } from '../people/people-store.ts';
import { servePeople } from '../people/serve-people.ts';
import { openBrowser, pageFaults, primaryButtons, skipWithoutBrowser } from '../testing/browser.ts';
import { ask, cookieOf, kills, onSmallDisk, put, skipWithoutMounts, started } from '../testing/session.ts';
import { openCollecting, speakerCode } from './collect.ts';
import { itemsOf, type Pair, readCollectionPlan } from './collection-plan.ts';
import { openVoices } from './voices.ts';

const skip = skipWithoutBrowser;
const hostile = '<img src=x onerror="window.stolen=1">';
const shared = fileURLToPath(new URL('../../../../shared/data', import.meta.url));

const plan = `title: "Voices ${hostile.replaceAll('"', '\\"')}"
language: en
licence: CC BY 4.0
consent: consent.txt
contact: a@example.org
attributes:
  - { name: sex, question: Gender?, choices: [female, male] }
  - { name: tongues, question: Languages?, choices: [English, Spanish], several: true }
environments: [at home, outdoors]
devices: [phone]
scripts:
  - { type: read, name: sentences, file: sentences.txt, each: 2 }
  - { type: free, name: story, prompts: [What did you do?] }
  - { type: dialogue, name: kiosk, file: dialogue.txt }
quota: { attributes: [sex], speakers: 2 }
maxSeconds: 20
`;

async function collection(change: (text: string) => string = (text) => text) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries({
    'collect.yaml': change(plan),
    'consent.txt': 'We record you.\n\nYou can withdraw.',
    'sentences.txt': `one ${hostile}\ntwo\nthree\nfour\n`,
    'dialogue.txt': 'A: Good morning\nB: Good evening\nA: Goodbye\n',
  }))
    await writeFile(folder.file(name), text);
  return folder;
}

/** Pages of a collection as the command serves them. */
async function serving(t: TestContext, names: readonly string[] = ['anna'], pairs: readonly Pair[] = []) {
  const folder = await collection();
  t.after(() => folder[Symbol.asyncDispose]());
  const open = async (port = 0) => {
    const read = await readCollectionPlan(folder.path);
    const people = openPeopleStore(folder.file('people.sqlite'), 'collecting', createManualClock());
    for (const name of names) people.invite(name);
    const voices = await openVoices(folder.path, read);
    const told: string[] = [];
    const now = () => new Date('2026-01-02T03:04:05Z');
    const problem = (sentence: string) => void told.push(sentence);
    const collecting = openCollecting({ plan: read, people, voices, pairs, now, problem });
    const server = await servePeople(people, collecting, { port });
    const links = new Map(server.links.map(({ name, link }) => [name, link]));
    let isOpen = true;
    const close = async () => {
      if (!isOpen) return;
      isOpen = false;
      await server[Symbol.asyncDispose]();
      people[Symbol.dispose]();
    };
    t.after(close);
    return { folder, people, voices, told, server, links, close, collecting };
  };
  return { folder, open };
}

/** Noise that comes and goes as speech does, in a file that browsers take for a microphone. */
async function voiceFile(file: string, seconds: number): Promise<Float32Array> {
  // That of chromium's invented microphone.
  const rate = 44_100;
  const random = createRandom('voice');
  const samples = Float32Array.from({ length: seconds * rate }, (_, n) => {
    const syllable = Math.max(0, Math.sin((2 * Math.PI * 3 * n) / rate));
    return (
      0.0005 * random.normal() + 0.3 * syllable * Math.sin((2 * Math.PI * (180 + 40 * Math.sin(n / 9000)) * n) / rate)
    );
  });
  await writeFile(file, encodeWav({ samples, sampleRate: rate }, { format: 's16' }));
  return samples;
}

/**
 * How well a recording correlates with what the microphone was given: the median over stretches of a fifth of a second, each where it fits best. On a
 * busy machine chromium's invented microphone loses samples here and there, so that a longer stretch fits nowhere.
 */
function likeness(recorded: Float32Array, given: Float32Array): number {
  const length = 8820;
  const found: number[] = [];
  for (let from = length; from + 2 * length <= recorded.length; from += length) {
    const part = recorded.subarray(from, from + length);
    const at = (lag: number, step: number) => {
      let [xy, xx, yy] = [0, 0, 0];
      for (let n = 0; n < length; n += step) {
        const [x, y] = [part[n]!, given[lag + n]!];
        xy += x * y;
        xx += x * x;
        yy += y * y;
      }
      return xy / Math.sqrt(xx * yy || 1);
    };
    let [place, rough] = [0, -1];
    for (let lag = 0; lag + length <= given.length; lag += 8) {
      const one = at(lag, 24);
      if (one > rough) [place, rough] = [lag, one];
    }
    const near = Array.from({ length: 33 }, (_, step) => place - 16 + step);
    found.push(Math.max(...near.map((lag) => (lag < 0 || lag + length > given.length ? -1 : at(lag, 1)))));
  }
  return found.sort((a, b) => a - b)[Math.floor(found.length / 2)]!;
}

async function phone(t: TestContext, voice: string): Promise<Page> {
  const browser = await openBrowser([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${voice}`,
  ]);
  t.after(() => browser.close());
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, permissions: ['microphone'] });
  return await context.newPage();
}

/** From the link to the first recording, by keyboard. */
async function begin(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('I have read this').focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Go on' }).press('Enter');
  await page.waitForURL(/about$/);
  await page.getByLabel('female').first().check();
  await page.getByLabel('Spanish').check();
  await page.getByLabel('In your own words').last().fill('=Quechua');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.waitForURL(/check$/);
  await page.getByLabel('at home').check();
  await page.getByRole('radio', { name: 'phone' }).check();
}

async function record(page: Page, seconds: number): Promise<void> {
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.waitForTimeout(1000 * seconds);
  await page.keyboard.press('r');
  await page.locator('[data-listen]:not([disabled])').waitFor();
}

test('Somebody agrees, tells about themselves, tests the microphone and records by keyboard on a phone; the clips are what the microphone was given.', {
  skip,
}, async (t) => {
  const { folder, open } = await serving(t);
  const { links, voices, people } = await open();
  const given = await voiceFile(folder.file('voice.wav'), 8);
  const page = await phone(t, folder.file('voice.wav'));
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(links.get('anna')!);
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  faults.push(...(await pageFaults(page)));
  await begin(page, links.get('anna')!);
  faults.push(...(await pageFaults(page)));
  await record(page, 1.5);
  assert.match((await page.locator('[data-told]').textContent()) ?? '', /^1\.\d s, good/);
  await page.getByRole('button', { name: 'Go on' }).press('Enter');
  await page.waitForURL(/items/);
  faults.push(...(await pageFaults(page)));

  const first = page.url();
  const size = await page.evaluate('parseFloat(getComputedStyle(document.querySelector("blockquote")).fontSize)');
  assert.ok(Number(size) >= 28, String(size));
  assert.deepEqual(await primaryButtons(page), ['Record']);
  await record(page, 2);
  assert.deepEqual(await primaryButtons(page), ['Keep and go on']);
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.locator('[data-keep]').press('Enter');
  await page.waitForURL((url) => url.href !== first);
  // Recorded again, the clip of before is gone.
  const second = page.url();
  await record(page, 1);
  await page.locator('[data-keep]').press('Enter');
  await page.waitForURL((url) => url.href !== second);
  await page.goto(second);
  await record(page, 1.5);
  await page.locator('[data-keep]').press('Enter');
  await page.waitForURL(/story-1$/);
  await record(page, 1.5);
  await page.locator('[data-keep]').press('Enter');
  await page.waitForURL(/words$/);
  faults.push(...(await pageFaults(page)));
  await page.getByLabel('Your words').fill('I went\nhome');
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.waitForURL(/done$/);
  faults.push(...(await pageFaults(page)));
  assert.match(await page.locator('main').innerText(), /Thank you: 3 of 3 recordings are kept/);
  const code = speakerCode(people, 'anna');
  assert.equal(await page.locator('code').innerText(), code);
  assert.deepEqual(faults, []);
  assert.equal(await page.evaluate('window.stolen'), undefined);

  const recordings = [...voices.recordings(code).values()];
  assert.equal(recordings.length, 3);
  for (const { check, settings, environment, sha256: hash, item, take } of recordings) {
    const bytes = await readFile(join(folder.path, 'clips', code, `${item}.${take.slice(0, 8)}.wav`));
    assert.equal(sha256(bytes), hash);
    const clip = await wav.decode(bytes, 'clip');
    const found = likeness(clip.samples, new Float32Array([...given, ...given]));
    assert.ok(found > 0.99, `${item}: correlation ${found}, ${clip.sampleRate} Hz`);
    assert.deepEqual(
      [settings.echoCancellation, settings.noiseSuppression, settings.autoGainControl],
      [false, false, false],
    );
    assert.deepEqual([environment, check.problems], ['at home', []]);
  }
  assert.equal((await readdir(join(folder.path, 'clips', code))).length, 6);
  assert.deepEqual(voices.about(code)?.attributes, { sex: 'female', tongues: 'Spanish; Quechua' });
  await voices.writeLists();
  const list = await readFile(folder.file('utterances.tsv'), 'utf8');
  assert.match(list, /\tI went home\t/);
  assert.doesNotMatch(list, /anna/);
  const card = await readFile(folder.file('card.md'), 'utf8');
  assert.match(card, /3 clips of 1 speaker,/);
  assert.doesNotMatch(card, /<img/);
});

test('Real speech comes through the microphone as it was.', {
  skip: skip || (existsSync(shared) ? false : '../shared is absent'),
}, async (t) => {
  const { folder, open } = await serving(t);
  const { links, voices, people } = await open();
  const { decode } = wav;
  const speech = await decode(await readFile(join(shared, 'speech/timit/dr1-fvmh0-si1466.wav')), 'speech');
  const rate = 44_100;
  const given = resample(speech, rate).samples;
  await writeFile(folder.file('voice.wav'), encodeWav({ samples: given, sampleRate: rate }, { format: 's16' }));
  const page = await phone(t, folder.file('voice.wav'));
  await begin(page, links.get('anna')!);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.waitForURL(/items/);
  const first = page.url();
  await record(page, 3);
  await page.locator('[data-keep]').click();
  await page.waitForURL((url) => url.href !== first);
  const [recording] = voices.recordings(speakerCode(people, 'anna')).values();
  const bytes = (await voices.audio(speakerCode(people, 'anna'), recording!.item))!;
  const { samples } = await decode(bytes, 'clip');
  const found = likeness(samples, new Float32Array([...given, ...given]));
  assert.ok(found > 0.99, `correlation ${found}`);
});

test('A closed tab, a lost network and a server that ends lose nothing: what was recorded is there again, and sent once.', {
  skip,
}, async (t) => {
  const { folder, open } = await serving(t);
  const first = await open();
  await voiceFile(folder.file('voice.wav'), 4);
  const page = await phone(t, folder.file('voice.wav'));
  const link = first.links.get('anna')!;
  await begin(page, link);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.waitForURL(/items/);
  const item = page.url();
  // Closed in the middle of a recording.
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.waitForTimeout(2500);
  const context = page.context();
  await page.close();
  const again = await context.newPage();
  await again.goto(item);
  await again.getByText('before the page was closed').waitFor();
  // The server is gone when it is kept.
  const port = new URL(link).port;
  await first.close();
  await again.locator('[data-keep]').click();
  await again.getByText('waits in this browser').waitFor();
  await again.close();
  const second = await open(Number(port));
  const later = await context.newPage();
  await later.goto(item);
  const code = speakerCode(second.people, 'anna');
  await waitUntil(() => second.voices.recordings(code).size === 1);
  const [kept] = second.voices.recordings(code).values();
  assert.ok(kept!.check.durationSeconds > 1.5, String(kept!.check.durationSeconds));
  await later.waitForURL((url) => url.href !== item);
  await later.goto(item);
  await later.waitForTimeout(300);
  assert.deepEqual(await readdir(join(folder.path, 'parts')), []);
  assert.equal(second.people.answers('anna').filter(({ question }) => question === 'recorded').length, 1);
});

async function waitUntil(holds: () => boolean, seconds = 20): Promise<void> {
  for (let tries = 0; tries < 20 * seconds && !holds(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(holds());
}

const take = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const settings = { echoCancellation: false, noiseSuppression: null, autoGainControl: false, sampleRate: 48_000 };
const clipOf = (seed: number, seconds = 1) => {
  const random = createRandom(seed);
  const samples = Float32Array.from(
    { length: seconds * 16_000 },
    (_, n) => (n % 4000 < 2000 ? 0.2 : 0.001) * random.normal(),
  );
  return encodeWav({ samples, sampleRate: 16_000 }, { format: 's16' });
};
const whatOf = (bytes: Uint8Array) => ({
  ...{ bytes: bytes.length, sha256: sha256(bytes), environment: 'at home', device: 'phone', rooms: '', settings },
});

/** A person who has told all that comes before the recordings, without a browser. */
async function ready(
  link: string,
): Promise<{ readonly origin: string; readonly home: string; readonly cookie: string }> {
  const { origin, pathname } = new URL(link);
  const home = pathname.replace(/\/$/, '');
  const cookie = await cookieOf(link);
  const page = await ask(origin, `${home}/consent`, { headers: { cookie } });
  const consent = /name="sha256" value="(\w+)"/.exec(page.body)?.[1];
  await put(origin, cookie, `${home}/consent`, { agree: 'yes', sha256: consent });
  await put(origin, cookie, `${home}/about`, { sex: '0' });
  await put(origin, cookie, `${home}/check`, { environment: 'at home', device: 'phone' });
  return { origin, home, cookie };
}

const piece = (origin: string, cookie: string, path: string, body: Uint8Array) =>
  fetch(origin + path, {
    method: 'PUT',
    headers: { cookie, origin, 'content-type': 'application/octet-stream' },
    body: body as never,
  });

test('Clips are taken in pieces, once, and only from whom they are asked of: no file of another kind, none that is too large, none of somebody else.', async (t) => {
  const { folder, open } = await serving(t, ['anna', 'ben']);
  const { links, voices, people } = await open();
  const anna = await ready(links.get('anna')!);
  const ben = await ready(links.get('ben')!);
  const item = itemsOf(await readCollectionPlan(folder.path), 0, null)[0]!.id;
  const to = `${anna.home}/items/${item}/takes/${take(1)}`;
  const bytes = clipOf(1, 10);
  const begun = await put(anna.origin, anna.cookie, to, whatOf(bytes));
  assert.deepEqual(JSON.parse(begun.body), { have: 0 });
  const half = bytes.subarray(0, 200_000);
  assert.deepEqual(await (await piece(anna.origin, anna.cookie, `${to}?from=0`, half)).json(), { have: 200_000 });
  // The same piece once more, and one that leaves a hole, change nothing.
  assert.deepEqual(await (await piece(anna.origin, anna.cookie, `${to}?from=0`, half)).json(), { have: 200_000 });
  assert.deepEqual(await (await piece(anna.origin, anna.cookie, `${to}?from=300000`, half)).json(), { have: 200_000 });
  const last = (await (await piece(anna.origin, anna.cookie, `${to}?from=200000`, bytes.subarray(200_000))).json()) as {
    readonly kept?: boolean;
  };
  assert.equal(last.kept, true);
  assert.equal((await put(anna.origin, anna.cookie, to, whatOf(bytes))).body.includes('"kept":true'), true);
  const code = speakerCode(people, 'anna');
  assert.equal(sha256((await voices.audio(code, item))!), sha256(bytes));

  const other = (n: number) => `${anna.home}/items/${item}/takes/${take(n)}`;
  const refused = async (n: number, wrong: Uint8Array, what: object = whatOf(wrong)) => {
    await put(anna.origin, anna.cookie, other(n), what);
    const answer = await piece(anna.origin, anna.cookie, `${other(n)}?from=0`, wrong);
    return `${answer.status} ${((await answer.json()) as { problem?: string }).problem}`;
  };
  assert.match(await refused(2, new TextEncoder().encode(`<script>${'x'.repeat(100)}`)), /^400 This is no WAV file/);
  assert.match(await refused(3, bytes.subarray(0, 100)), /^400 This is no WAV file/);
  const stereo = clipOf(2).slice();
  stereo[22] = 2;
  assert.match(await refused(8, stereo), /^400 This is no WAV file of one channel/);
  // Changed on its way: the browser is told to begin anew, and loses nothing.
  await put(anna.origin, anna.cookie, other(4), { ...whatOf(clipOf(2)), sha256: '0'.repeat(64) });
  assert.deepEqual(await (await piece(anna.origin, anna.cookie, `${other(4)}?from=0`, clipOf(2))).json(), { have: 0 });
  assert.match(await refused(5, clipOf(3, 8), { ...whatOf(clipOf(3, 8)), bytes: 100_000_000 }), /^409/);
  assert.match(await refused(6, clipOf(1, 10).subarray(0, 262_145)), /^413 At most 256 KB/);
  // Ben's cookie on Anna's path, no cookie, another site.
  for (const headers of [
    { cookie: ben.cookie, origin: anna.origin },
    { origin: anna.origin },
    { cookie: anna.cookie, origin: 'https://evil.example' },
  ]) {
    const answer = await ask(anna.origin, to, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    });
    assert.equal(answer.status, 403);
  }
  for (const path of [
    `${anna.home}/items/../../etc`,
    `${anna.home}/items/kiosk-1`,
    `${anna.home}/items/${item}/takes/..%2f..%2fx`,
    `${anna.home}/items/__proto__`,
  ])
    assert.ok([400, 403, 404].includes((await put(anna.origin, anna.cookie, path, {})).status), path);
  assert.equal(
    (await ask(anna.origin, `${anna.home}/items/${item}/audio`, { headers: { cookie: ben.cookie } })).status,
    403,
  );
  assert.deepEqual(await readdir(join(folder.path, 'parts')), []);
  assert.equal(voices.recordings(speakerCode(people, 'ben')).size, 0);
  // The same clip sent by two requests at once, as a browser does that lost an answer.
  const twice = clipOf(9);
  await put(anna.origin, anna.cookie, other(9), { ...whatOf(twice), environment: hostile });
  const both = await Promise.all([0, 1].map(() => piece(anna.origin, anna.cookie, `${other(9)}?from=0`, twice)));
  for (const answer of both) assert.equal(((await answer.json()) as { kept?: boolean }).kept, true);
  assert.equal(sha256((await voices.audio(code, item))!), sha256(twice));
  // A place that the plan does not name is none, and no reason to lose a clip.
  assert.equal(voices.recordings(code).get(item)!.environment, '');
  // Whoever begins many clips and ends none fills no disk.
  for (let n = 20; n < 30; n++) {
    await put(anna.origin, anna.cookie, other(n), whatOf(bytes));
    await piece(anna.origin, anna.cookie, `${other(n)}?from=0`, half);
  }
  assert.equal((await readdir(join(folder.path, 'parts'))).length, 4);
  const page = await ask(anna.origin, `${anna.home}/items/${item}`, { headers: { cookie: anna.cookie } });
  assert.match(String(page.headers['permissions-policy']), /microphone=\(self\)/);
  assert.doesNotMatch(page.body, /<img src=x/);
});

test('Whoever withdraws is gone from the folder, on their page or by their code; a name is in the database alone.', async (t) => {
  const { folder, open } = await serving(t, ['anna', 'ben']);
  const { links, voices, people, told, close } = await open();
  const item = itemsOf(await readCollectionPlan(folder.path), 0, null)[0]!.id;
  for (const [at, name] of ['anna', 'ben'].entries()) {
    const { origin, home, cookie } = await ready(links.get(name)!);
    const own = at === 0 ? item : itemsOf(await readCollectionPlan(folder.path), 1, null)[0]!.id;
    const bytes = clipOf(at);
    await put(origin, cookie, `${home}/items/${own}/takes/${take(1)}`, whatOf(bytes));
    await piece(origin, cookie, `${home}/items/${own}/takes/${take(1)}?from=0`, bytes);
  }
  const [anna, ben] = ['anna', 'ben'].map((name) => speakerCode(people, name));
  await voices.writeLists();
  const names = (await readdir(folder.path, { recursive: true })).filter((path) => !path.startsWith('people.sqlite'));
  for (const path of names) {
    const text = await readFile(join(folder.path, path), 'latin1').catch(() => '');
    assert.doesNotMatch(path + text, /anna|\bben\b/, path);
  }
  const { origin, home, cookie } = await ready(links.get('anna')!);
  assert.equal((await put(origin, cookie, `${home}/withdraw`, {})).status, 400);
  assert.equal((await put(origin, cookie, `${home}/withdraw`, { sure: 'yes' })).status, 200);
  assert.match(told.join(), new RegExp(`forget --speaker ${anna}`));
  assert.match((await ask(origin, `${home}/done`, { headers: { cookie } })).body, /You have withdrawn/);
  // What waited in a browser is not taken any more, and is to be kept there no longer.
  const late = await put(origin, cookie, `${home}/items/${item}/takes/${take(2)}`, whatOf(clipOf(2)));
  assert.deepEqual([late.status, JSON.parse(late.body).refused], [400, true]);
  // A kill between the word and the deed: what is left is removed at the next start.
  await voices.tell(anna!, { consent: { sha256: '', at: '' }, attributes: {}, declined: [] });
  await voices.writeLists();
  assert.doesNotMatch(await readFile(folder.file('utterances.tsv'), 'utf8'), new RegExp(anna!));
  await close();
  const { stdout } = await runCommand(['collect', folder.path, '--withdraw', `${ben!.slice(0, 4)} ${ben!.slice(4)}`]);
  assert.match(stdout, /^1 clip and the answers of \w+ are removed here/);
  assert.deepEqual((await readFile(folder.file('utterances.tsv'), 'utf8')).split('\n').length, 2);
  assert.deepEqual([await readdir(join(folder.path, 'clips')), await readdir(join(folder.path, 'speakers'))], [[], []]);
  const nobody = await runCommand(['collect', folder.path, '--withdraw', '000000000000']);
  assert.equal(nobody.code, 2);
});

test('Of whoever has withdrawn no byte of any kind is left in the folder, in free pages or logs of the database; a kill in between is made good.', async (t) => {
  const { folder, open } = await serving(t, ['anna', 'ben']);
  const { links, people, voices, close } = await open();
  const whose = new Map<string, { readonly origin: string; readonly home: string; readonly cookie: string }>();
  for (const name of ['anna', 'ben']) whose.set(name, await ready(links.get(name)!));
  const [anna, ben] = ['anna', 'ben'].map((name) => speakerCode(people, name)) as [string, string];
  const { origin, home, cookie } = whose.get('anna')!;
  // Attributes, place, answers, voices (one recorded anew, one half sent) and words; some of it changed, which the log keeps.
  for (const own of ['Quechua of Cusco', 'Aymara of Puno'])
    await put(origin, cookie, `${home}/about`, { sex: '0', 'tongues.own': own });
  await put(origin, cookie, `${home}/check`, { environment: 'outdoors', device: 'phone' });
  const [item] = itemsOf(await readCollectionPlan(folder.path), 0, null).map(({ id }) => id);
  const clips = [11, 12, 13].map((seed) => clipOf(seed));
  for (const [at, to] of [item, item, 'story-1'].entries()) {
    const path = `${home}/items/${to}/takes/${take(at + 11)}`;
    await put(origin, cookie, path, whatOf(clips[at]!));
    await piece(origin, cookie, `${path}?from=0`, clips[at]!);
  }
  for (const words of ['I baked lemon bread', 'I baked barley bread'])
    await put(origin, cookie, `${home}/items/story-1/words`, { words });
  const half = clipOf(14, 2);
  await put(origin, cookie, `${home}/items/${item}/takes/${take(14)}`, whatOf(half));
  await piece(origin, cookie, `${home}/items/${item}/takes/${take(14)}?from=0`, half.subarray(0, 30_000));
  const { origin: other, home: bens, cookie: key } = whose.get('ben')!;
  await put(other, key, `${bens}/about`, { sex: '1', 'tongues.own': 'Basque of Oiartzun' });
  const bytesOf = async () => {
    const paths = (await readdir(folder.path, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    return Promise.all(
      paths.map(async (one) => {
        const path = join(one.parentPath, one.name);
        return { path, mode: (await stat(path)).mode & 0o777, bytes: (await readFile(path)).toString('latin1') };
      }),
    );
  };
  const marks: Readonly<Record<string, string | RegExp>> = {
    ...Object.fromEntries(clips.map((clip, at) => [`hash ${at}`, sha256(clip)])),
    ...Object.fromEntries(
      clips.slice(1).map((clip, at) => [`voice ${at}`, Buffer.from(clip.subarray(1000, 1200)).toString('latin1')]),
    ),
    'half a voice': Buffer.from(half.subarray(1000, 1200)).toString('latin1'),
    ...{
      attribute: 'Aymara',
      'attribute of before': 'Quechua',
      words: 'barley bread',
      'words of before': 'lemon bread',
    },
    ...{ place: '"environment":"outdoors"', take: take(11), 'a code': new RegExp(anna) },
  };
  const found = async (names: readonly string[]) => {
    const files = await bytesOf();
    return names.filter((name) =>
      files.some(({ path, bytes }) => {
        const mark = marks[name]!;
        return typeof mark === 'string' ? bytes.includes(mark) : mark.test(path.slice(folder.path.length) + bytes);
      }),
    );
  };
  const ofAnna = Object.keys(marks);
  // What is under way is written to its end, and no half of it is there.
  await voices.writeLists();
  // Files of before are written over; the database has the hashes of all of them.
  assert.deepEqual(
    (await found(ofAnna)).toSorted(),
    ofAnna.filter((name) => !['attribute of before', 'words of before'].includes(name)).toSorted(),
  );
  assert.equal((await put(origin, cookie, `${home}/withdraw`, { sure: 'yes' })).status, 200);
  assert.deepEqual(await found(ofAnna), [], 'at once, while the pages are served');
  assert.deepEqual(
    people.answers('anna').map(({ task, question }) => `${task} ${question}`),
    ['session withdrawn'],
  );
  assert.match((await ask(origin, `${home}/`, { headers: { cookie } })).body, /You have withdrawn/);
  const files = await bytesOf();
  for (const kept of ['Basque of Oiartzun', ben, 'ben', 'anna'])
    assert.ok(
      files.some(({ path, bytes }) => (path + bytes).includes(kept)),
      `${kept} stays`,
    );
  const ours = files.filter(({ path }) => !/collect\.yaml$|(consent|sentences|dialogue)\.txt$/.test(path));
  assert.deepEqual([...new Set(ours.map(({ mode }) => mode.toString(8)))], ['600']);
  await close();
  // A kill after the word, before the deed.
  const again = await open();
  again.people.keep({ person: 'ben', task: 'session', question: 'withdrawn', value: '2026-01-02T03:04:05Z' });
  await again.close();
  const { code, stderr } = await runCommand(['collect', folder.path, '--withdraw', anna]);
  assert.equal(code, 0, stderr);
  const left = (await bytesOf()).filter(({ path, bytes }) => /Basque/.test(bytes) || (path + bytes).includes(ben));
  assert.deepEqual(
    left.map(({ path }) => path),
    [],
  );
});

test('Killed at any moment, nothing is lost and nothing doubled.', async (t) => {
  const folder = await collection((text) =>
    text.replace('each: 2', 'each: 4').replace(/ {2}- \{ type: (free|dialogue).*\n/g, ''),
  );
  t.after(() => folder[Symbol.asyncDispose]());
  const rounds = kills;
  const random = createRandom('kills');
  const sent = new Map<string, string>();
  let number = 0;
  for (let round = 0; round <= rounds; round++) {
    const { child, links, closed } = await started(['collect', folder.path, '--person', 'anna']);
    const [{ link }] = links as [(typeof links)[number]];
    if (round < rounds) setTimeout(() => child.kill('SIGKILL'), 50 + 400 * random.next());
    try {
      const { origin, home, cookie } = await ready(link);
      for (let step = 0; step < (round < rounds ? 1000 : 4); step++) {
        const item = `sentences-${(step % 4) + 1}`;
        const bytes = clipOf(++number, 12);
        const to = `${home}/items/${item}/takes/${take(number)}`;
        await put(origin, cookie, to, whatOf(bytes));
        let kept = false;
        for (let from = 0; from < bytes.length; from += 262_144) {
          const answer = await piece(origin, cookie, `${to}?from=${from}`, bytes.subarray(from, from + 262_144));
          kept = ((await answer.json()) as { kept?: boolean }).kept === true;
        }
        assert.ok(kept);
        sent.set(item, sha256(bytes));
      }
    } catch (error) {
      if (round === rounds) throw error;
    }
    if (round === rounds) child.kill('SIGINT');
    await closed;
  }
  const read = await readCollectionPlan(folder.path);
  const voices = await openVoices(folder.path, read);
  assert.deepEqual(voices.problems, []);
  const [one] = voices.everything();
  assert.deepEqual(new Map(one!.recordings.map((recording) => [recording.item, recording.sha256])), sent);
  const files = await readdir(join(folder.path, 'clips', one!.speaker));
  assert.equal(files.filter((name) => name.endsWith('.wav')).length, 4);
  const list = (await readFile(folder.file('utterances.tsv'), 'utf8')).trim().split('\n');
  assert.equal(list.length, 5);
});

test('On a disk that is full a clip is not taken, and what was taken is whole; with room the same is sent again and kept.', {
  skip: skipWithoutMounts,
}, async (t) => {
  const folder = await collection((text) =>
    text.replace('each: 2', 'each: 4').replace(/ {2}- \{ type: (free|dialogue).*\n/g, ''),
  );
  t.after(() => folder[Symbol.asyncDispose]());
  const disk = await onSmallDisk(t, folder.path, 260, (at) => ['collect', at, '--person', 'anna']);
  const { origin, home, cookie } = await ready(disk.links[0]!.link);
  /** Whether it was kept; what it was told where it was not. */
  const send = async (number: number, item: string) => {
    const bytes = clipOf(number, 12);
    const to = `${home}/items/${item}/takes/${take(number)}`;
    const begun = await put(origin, cookie, to, whatOf(bytes));
    if (begun.status !== 200) return { kept: false, told: begun.body, hash: '' };
    let [kept, told] = [false, ''];
    for (let from = 0; from < bytes.length; from += 262_144) {
      const answer = await piece(origin, cookie, `${to}?from=${from}`, bytes.subarray(from, from + 262_144));
      told = await answer.text();
      if (answer.status !== 200) return { kept: false, told, hash: '' };
      kept = (JSON.parse(told) as { kept?: boolean }).kept === true;
    }
    return { kept, told, hash: sha256(bytes) };
  };
  const first = await send(1, 'sentences-1');
  assert.ok(first.kept, first.told);
  await disk.fill();
  const refused = await send(2, 'sentences-2');
  assert.deepEqual(
    [refused.kept, /the disk is nearly full, so that no clip is taken; free some space/.test(refused.told)],
    [false, true],
    refused.told,
  );
  await disk.free();
  const again = await send(2, 'sentences-2');
  assert.ok(again.kept, again.told);
  const { code, said } = await disk.end();
  assert.equal(code, 0, said);
  const voices = await openVoices(disk.left.path, await readCollectionPlan(disk.left.path));
  assert.deepEqual(voices.problems, []);
  const [one] = voices.everything();
  assert.deepEqual(
    one!.recordings.map(({ item, sha256: hash }) => [item, hash]),
    [
      ['sentences-1', first.hash],
      ['sentences-2', again.hash],
    ],
  );
  const files = await readdir(join(disk.left.path, 'clips', one!.speaker));
  assert.equal(files.filter((name) => name.endsWith('.wav')).length, 2, files.join());
});

test('Without a network somebody records on, in two tabs too; a page that is opened later goes on where it was.', {
  skip,
}, async (t) => {
  const { folder, open } = await serving(t);
  const { links, voices, people } = await open();
  await voiceFile(folder.file('voice.wav'), 4);
  const page = await phone(t, folder.file('voice.wav'));
  await begin(page, links.get('anna')!);
  await record(page, 0.6);
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.waitForURL(/items/);
  const [first, code, context] = [page.url(), speakerCode(people, 'anna'), page.context()];
  await page.waitForTimeout(500);
  await context.setOffline(true);
  await record(page, 0.8);
  assert.match((await page.locator('[data-told]').textContent()) ?? '', /^\d\.\d s/);
  await page.locator('[data-keep]').press('Enter');
  await page.getByText('there is no connection').waitFor();
  await context.setOffline(false);
  await page.waitForURL((url) => url.href !== first);
  assert.equal(voices.recordings(code).size, 1);

  // Both tabs record the same; the clip of the second is sent by whichever comes first, and neither says that it was not taken.
  const item = page.url();
  const other = await context.newPage();
  await other.goto(item);
  await record(page, 0.8);
  await record(other, 0.8);
  await context.setOffline(true);
  await page.locator('[data-keep]').press('Enter');
  await other.locator('[data-keep]').press('Enter');
  await other.waitForTimeout(500);
  await context.setOffline(false);
  for (const tab of [page, other]) await tab.waitForURL((url) => url.href !== item);
  assert.equal(voices.recordings(code).size, 2);
});

test('The list is a corpus that other commands read, with what people told as groups; the overview says whom to recruit.', async (t) => {
  const { folder, open } = await serving(t, ['anna', 'ben'], [{ a: 'anna', b: 'ben' }]);
  const { links, server, voices } = await open();
  const { origin, home, cookie } = await ready(links.get('anna')!);
  assert.equal((await put(origin, cookie, `${home}/check`, { environment: 'at home', device: 'phone' })).status, 400);
  assert.equal(
    (await put(origin, cookie, `${home}/check`, { environment: 'at home', device: 'phone', rooms: 'two' })).status,
    200,
  );
  const items = itemsOf(await readCollectionPlan(folder.path), 0, 'A');
  assert.deepEqual(
    items.filter(({ type }) => type === 'dialogue').map(({ text }) => text),
    ['Good morning', 'Goodbye'],
  );
  for (const [at, { id }] of items.entries()) {
    const bytes = clipOf(at);
    await put(origin, cookie, `${home}/items/${id}/takes/${take(at)}`, { ...whatOf(bytes), rooms: 'two' });
    await piece(origin, cookie, `${home}/items/${id}/takes/${take(at)}?from=0`, bytes);
  }
  await put(origin, cookie, `${home}/items/story-1/words`, { words: 'I slept' });
  await voices.writeLists();
  const overviewCookie = await cookieOf(server.overview);
  const overview = await ask(new URL(server.overview).origin, '/', { headers: { cookie: overviewCookie } });
  assert.match(overview.body.replace(/<[^>]*>/g, ''), /Recruit next: male, of whom 2 are missing/);
  // One speaker of two groups: log 2 + 1 log 1.
  assert.match(overview.body, /0\.693 nats/);
  await writeFile(
    folder.file('earwitness.config.json'),
    JSON.stringify({
      corpus: { type: 'manifest', file: 'utterances.tsv' },
      recognizers: { machine: { type: 'scripted', answers: {} } },
      studies: [{ type: 'corpus', coverage: { attributes: ['sex'] } }],
      failures: { maxShare: 1 },
    }),
  );
  const { stdout, stderr, code } = await runCommand(
    ['run', '--config', folder.file('earwitness.config.json'), '--json'],
    { cwd: folder.path },
  );
  assert.equal(code, 0, stderr);
  assert.match(stdout, /"female"/);
  const rows = (await readFile(folder.file('utterances.tsv'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  const column = (name: string) => rows.slice(1).map((cells) => cells[rows[0]!.indexOf(name)]);
  assert.deepEqual(new Set(column('style')), new Set(['read', 'spontaneous', 'acted']));
  assert.deepEqual(new Set(column('rooms')), new Set(['two']));
});

test('A plan that cannot be used says where and why, all at once; a new one can be used as it is.', async (t) => {
  const cases: readonly (readonly [(text: string) => string, RegExp])[] = [
    [
      (text) => text.replace('language: en', 'language: English'),
      /collect\.yaml:2:11: language: expected a language tag/,
    ],
    [(text) => text.replace('licence', 'license'), /collect\.yaml:3:1: license: .*licence/],
    [
      (text) => text.replace('attributes: [sex], speakers', 'attributes: [age], speakers'),
      /quota\.attributes: expected attributes that people are asked about, but got "age"/,
    ],
    [
      (text) => text.replace('name: sex', 'name: speaker'),
      /expected other names than those of the list's own columns, but got "speaker"/,
    ],
    [(text) => text.replace('consent.txt', '../../etc/passwd'), /expected a file in the folder of collect\.yaml/],
    [
      (text) => text.replace('file: sentences.txt', 'file: none.txt'),
      /none\.txt: expected a text, but it cannot be read/,
    ],
  ];
  for (const [change, expected] of cases) {
    await using folder = await collection(change);
    await assert.rejects(readCollectionPlan(folder.path), { message: expected });
  }
  await using folder = await temporaryFolder();
  const made = await runCommand(['collect', folder.file('new'), '--new']);
  assert.equal(made.code, 0);
  const read = await readCollectionPlan(folder.file('new'));
  assert.equal(itemsOf(read, 0, null).length, 13);
  assert.equal((await runCommand(['collect', folder.file('new'), '--new'])).code, 2);
  assert.equal((await runCommand(['collect', folder.file('new')])).code, 2);
  t.diagnostic(`${made.stdout.split('\n').length - 1} files`);
});

test('What people were asked to say is not changed under them; other texts can be added.', async (t) => {
  const folder = await collection();
  t.after(() => folder[Symbol.asyncDispose]());
  /** What is said until it is ended, or ends at once. */
  const start = async () => {
    const collecting = await started(['collect', folder.path, '--person', 'anna']).catch(String);
    if (typeof collecting === 'string') return collecting;
    await ready(collecting.links[0]!.link);
    return (await collecting.end()).said;
  };
  const lines = 'one\ntwo\nthree\nfour\n';
  await writeFile(folder.file('sentences.txt'), lines);
  await start();
  await writeFile(folder.file('sentences.txt'), `new\n${lines}`);
  assert.match(
    await start(),
    /expected sentences-1 as people were asked to say it, "one", but now it is "new"; put it/,
  );
  await writeFile(folder.file('sentences.txt'), `${lines}five\n`);
  assert.doesNotMatch(await start(), /expected/);
});

test('Texts of which each person reads some are read about alike often.', async () => {
  await using folder = await collection();
  const read = await readCollectionPlan(folder.path);
  const counts = new Map<string, number>();
  for (let seat = 0; seat < 10; seat++)
    for (const { id, type } of itemsOf(read, seat, null))
      if (type === 'read') counts.set(id, (counts.get(id) ?? 0) + 1);
  assert.deepEqual([...counts.values()], [5, 5, 5, 5]);
});
