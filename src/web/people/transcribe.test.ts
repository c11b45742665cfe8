import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { sha256 } from '../../base/hash.ts';
import { runCommand } from '../../cli/testing/run-command.ts';
import { pageFaults, primaryButtons, skipWithoutBrowser } from '../testing/browser.ts';
import {
  ask,
  besideAddresses,
  cookieOf,
  finishedRun,
  hostileText as hostile,
  killAgainAndAgain,
  kills,
  onPhone,
  onSmallDisk,
  opened,
  planned,
  press,
  put,
  refuseOthers,
  sharedBrowser,
  skipWithoutMounts,
  started,
} from '../testing/session.ts';
import { inSquareOrder, type ListeningPlan, panelSize, parsePlan, planText, tasksOfSeat } from './listening-plan.ts';
import { openPeopleStore } from './people-store.ts';
import { takeSeats } from './planned-session.ts';
import { openTranscribing } from './transcribe.ts';

const skip = skipWithoutBrowser;
const clip = { sha256: '0'.repeat(64), seconds: 2 };

function planOf(of: Partial<ListeningPlan> = {}, utterances = 12): ListeningPlan {
  const conditions = of.conditions ?? ['clean', 'noise:1', 'noise:2'];
  return {
    ...{ plan: 'earwitness transcribe, version 1', run: 'r', seed: 1, profile: 'one-condition', groupBy: ['sex'] },
    ...{ seats: conditions.length, plays: 3, loop: false, slow: false, conditions },
    utterances: Array.from({ length: utterances }, (_, at) => ({
      ...{ id: `u${at}`, group: at < utterances / 2 ? 'F' : 'M', clips: conditions.map(() => clip) },
    })),
    ...of,
  };
}

test('A person hears an utterance in one condition; a panel hears all of them in every one, each group alike often.', () => {
  const plan = planOf({ seats: 6 });
  const cells = Array.from({ length: 6 }, (_, seat) => {
    const tasks = tasksOfSeat(plan, seat);
    assert.equal(new Set(tasks.map(({ utterance }) => utterance)).size, 12);
    // 12 utterances of two groups in three conditions: two of each.
    const counts = Map.groupBy(
      tasks,
      ({ utterance, condition }) => `${plan.utterances[utterance]!.group} ${condition}`,
    );
    assert.deepEqual(
      [...counts.values()].map(({ length }) => length),
      Array.from({ length: 6 }, () => 2),
    );
    return tasks.map(({ utterance, condition }) => `${utterance}/${condition}`);
  });
  for (const panel of [cells.slice(0, 3), cells.slice(3)]) {
    assert.equal(new Set(panel.flat()).size, 36);
    assert.equal(panel.flat().length, 36);
  }
  assert.deepEqual(tasksOfSeat(plan, 1), tasksOfSeat(plan, 1));
  assert.notDeepEqual(cells[0], cells[3]!.toSorted());
  const order = (seed: number) => tasksOfSeat({ ...plan, seed }, 0).map(({ utterance }) => utterance);
  assert.notDeepEqual(order(1), order(2));
});

test('Pairs: with noise first, clean at the end, by the same person; clean answers are repeats of the condition they belong to.', () => {
  const plan = planOf({ profile: 'sr-mt', seats: 2 });
  assert.equal(panelSize(plan), 2);
  for (const seat of [0, 1]) {
    const tasks = tasksOfSeat(plan, seat);
    const [first, last] = [tasks.slice(0, 12), tasks.slice(12)];
    assert.ok(first.every(({ condition, after: before }) => condition > 0 && before === null));
    assert.ok(last.every(({ condition }) => condition === 0));
    for (const { utterance, repeat, after: before } of last) {
      const noisy = first.find((one) => one.utterance === utterance)!;
      assert.deepEqual([before, repeat], [noisy.key, noisy.condition - 1]);
    }
  }
});

test('Utterances are dealt group by group and speaker by speaker; fewer are drawn over groups and speakers alike.', () => {
  const all = Array.from({ length: 60 }, (_, at) => ({
    id: `u${at}`,
    speaker: `s${at % 12}`,
    group: at % 12 < 2 ? 'rare' : 'common',
  }));
  const ordered = inSquareOrder(all, { seed: 3, most: null });
  assert.deepEqual(new Set(ordered.map(({ id }) => id)), new Set(all.map(({ id }) => id)));
  const runs = ordered.filter(({ speaker }, at) => at === 0 || ordered[at - 1]!.speaker !== speaker);
  assert.equal(runs.length, 12);
  const drawn = inSquareOrder(all, { seed: 3, most: 8 });
  assert.equal(drawn.filter(({ group }) => group === 'rare').length, 4);
  assert.equal(new Set(drawn.map(({ speaker }) => speaker)).size, 2 + 4);
  assert.notDeepEqual(inSquareOrder(all, { seed: 4, most: 8 }), drawn);
});

test('A plan is read back as it was written, and nothing else is taken for one.', () => {
  const plan = planOf();
  const text = planText(plan);
  assert.deepEqual(parsePlan(text, 'people-plan.json'), plan);
  assert.equal(text.split('\n').filter((line) => line.includes('"u1"')).length, 1);
  for (const [other, where] of [
    ['', 'its conditions'],
    ['{}', 'plan'],
    [text.replace('"seats": 3', '"seats": 0'), 'seats'],
    [text.replace('"noise:2"', '"noise:2", "x"'), 'its conditions and clips'],
  ] as const)
    assert.throws(() => parsePlan(other, 'people-plan.json'), {
      message: new RegExp(`people-plan\\.json: expected the plan .* but ${where}`),
    });
});

const member = {
  ...{ command: 'transcribe' as const, kind: 'transcribing', parse: parsePlan, open: openTranscribing },
  keys: (plan: ListeningPlan, seat: number) => tasksOfSeat(plan, seat).map(({ key }) => key),
};
const steps = [{ perturbation: 'white-noise', parameters: { snrDb: 5 } }];
let made: Awaited<ReturnType<typeof finishedRun>>;

before(async () => {
  made = await finishedRun(6, 0.4, (at) => ({ speaker: `speaker ${at % 3}`, sex: at % 3 === 0 ? 'F' : 'M' }), [
    { type: 'robustness', conditions: [{ name: 'noise', steps }] },
  ]);
});
after(() => made.folder[Symbol.asyncDispose]());

const listening = (context: TestContext, names: readonly string[], flags: readonly string[] = []) =>
  opened(context, member, made.folder, names, flags);

test('The clips are those of the run; what the plan costs is said before anybody listens, and it is not made twice.', async () => {
  const { plan, clips, result, stem } = await planned(member, made.folder, ['--group-by', 'sex', '--listeners', '4']);
  assert.match(result.stdout, /6 utterances, 2 conditions: clean, noise\n4 listeners: 6 clips each, about 1 minute/);
  assert.match(result.stdout, /Every clip is heard by 2 people/);
  const pairs = await planned(member, made.folder, ['--profile', 'sr-mt', '--listeners', '2']);
  assert.match(pairs.result.stdout, /Every changed clip is heard by 2 people, every clean one by 2 people\./);
  assert.deepEqual(new Set(plan.utterances.map(({ group }) => group)), new Set(['F', 'M']));
  // The same clip as `perturb` writes it, whose bytes are those of a run with this seed.
  const place = plan.utterances.findIndex(({ id }) => id === 'u2');
  const perturbed = await runCommand(
    ['perturb', '--config', 'earwitness.config.json', '-o', `${stem}-again`, '--steps', JSON.stringify(steps)],
    { cwd: made.folder.path },
  );
  assert.equal(perturbed.code, 0, perturbed.stderr);
  const bytes = await readFile(join(clips, `${place + 1}-2.wav`));
  assert.equal(sha256(bytes), plan.utterances[place]!.clips[1]!.sha256);
  assert.deepEqual(bytes, await readFile(made.folder.file(`${stem}-again/u2.wav`)));

  const refused = async (flags: readonly string[], message: RegExp, table = `${stem}.csv`) => {
    const { code, stderr } = await runCommand(['transcribe', table, '--person', 'anna', ...flags], {
      cwd: made.folder.path,
    });
    assert.notEqual(code, 0);
    assert.match(stderr, message);
  };
  await refused(['--listeners', '6'], /expected --listeners as the plan has it/);
  await refused(['--seed', '2'], /expected --seed as the plan has it/);
  await refused(['--listeners', '3'], /expected a multiple of 2 listeners.*take 4/, 'other.csv');
  await refused(['--condition', 'nosie'], /expected a condition of the run.*did you mean "noise"/, 'other.csv');
  await refused(['--group-by', 'sxe'], /expected an attribute.*did you mean "sex"/, 'other.csv');
  await refused(['--run', 'none'], /none/, 'other.csv');
  await refused([], /expected a table that ends in \.csv or \.jsonl/, 'other.tsv');
  await refused(['--person', 'a/b'], /expected letters/);
  await refused(
    ['--person', 'b', '--person', 'c', '--person', 'd', '--person', 'e'],
    /no more people than the 4 seats/,
  );
  const path = made.folder.file(`${stem}-plan.json`);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"plays": 3', '"plays": 9'));
  await refused([], /expected the plan by which people listened before/);
  await writeFile(path, text);
  const table = made.folder.file(`${stem}.csv`);
  await writeFile(table, 'utterance,text\r\nu1,the only copy\r\n');
  // Those who were refused take no part now, and no seat.
  await refused(
    [],
    /expected the table as it was written from \S+, but it has 1 row filled in otherwise; move it away/,
  );
  assert.match(await readFile(table, 'utf8'), /the only copy/);
  await rm(table);
  await writeFile(join(clips, '1-1.wav'), 'other');
  await refused([], /1-1\.wav: expected the clip of the plan, but its bytes are others/);
});

test('Nobody hears or answers for another, and what is no answer is not taken.', async (context) => {
  const { origin, people, serving, rows, pages, clipAt } = await listening(context, ['anna', 'ben']);
  const [anna, ben] = [await cookieOf(serving.links[0]!.link), await cookieOf(serving.links[1]!.link)];
  const [clip, bens] = [clipAt(0, 1), clipAt(1, 1)];
  const heard = `${clip}/heard`;
  await refuseOthers(origin, [clip, bens], [anna, ben], heard, { words: 'x', plays: '1' });
  const page = await ask(origin, clip, { headers: { cookie: anna } });
  assert.doesNotMatch(besideAddresses(page.body), /secret|stolen|machine|u\d|noise|clean|\bF\b/);
  const [, audio] = /data-audio="(\/p\/[\w-]+\/audio\/[\w-]+)"/.exec(page.body)!;
  assert.equal((await ask(origin, audio!, { headers: { cookie: anna } })).body.slice(0, 4), 'RIFF');
  assert.equal((await ask(origin, audio!, { headers: { cookie: ben } })).status, 403);
  const asBen = audio!.replace(/^\/p\/[^/]+/, people.people()[1]!.home);
  assert.equal((await ask(origin, asBen, { headers: { cookie: ben } })).status, 404);
  const { home } = people.people()[0]!;
  for (const path of ['/clips/0', '/clips/1', '/audio/x', '/audio/..%2f1-1.wav', '/overview'])
    assert.equal((await ask(origin, home + path, { headers: { cookie: anna } })).status, 404, path);
  assert.equal((await ask(origin, `${heard}/x`, { headers: { cookie: anna } })).status, 404);
  for (const value of [
    {},
    [],
    null,
    { words: '  ', plays: '1' },
    { words: 'x' },
    { words: 'x', plays: '-1' },
    { words: 7, plays: '1' },
    { words: 'x', nothing: 'unintelligible', plays: '1' },
    { words: '', nothing: 'words', plays: '1' },
    { words: 'x', nothing: 'perhaps', plays: '1' },
  ])
    assert.equal((await put(origin, anna, heard, value)).status, 400, JSON.stringify(value));
  assert.deepEqual(people.answers(), []);
  assert.equal((await put(origin, anna, heard, { words: 'x'.repeat(100_000), plays: '1' })).status, 413);

  assert.equal((await put(origin, anna, heard, { words: ` a\tb \n ${hostile}`, plays: '99' })).status, 200);
  assert.equal(
    (await put(origin, anna, `${clipAt(0, 2)}/heard`, { words: '', nothing: 'unintelligible', plays: '2' })).status,
    200,
  );
  assert.equal((await put(origin, anna, `${clipAt(0, 3)}/heard`, { nothing: 'silent', plays: '1' })).status, 200);
  // Undone: the last answer counts.
  assert.equal((await put(origin, anna, `${clipAt(0, 3)}/heard`, { words: 'now I hear it', plays: '2' })).status, 200);
  await pages.writeTable();
  assert.deepEqual(
    rows()
      .map(({ text, unintelligible, plays, listener, system }) => [text, unintelligible, plays, listener, system])
      .sort(),
    [
      ['', true, 2, 'anna', 'people'],
      [`a b ${hostile}`, false, 3, 'anna', 'people'],
      ['now I hear it', false, 2, 'anna', 'people'],
    ].sort(),
  );
  people.revoke('anna');
  assert.equal((await ask(origin, clip, { headers: { cookie: anna } })).status, 403);
});

test('Who takes over a seat hears what is open, and of pairs both halves.', async (context) => {
  const { origin, people, serving, plan, clips, clipAt } = await listening(context, ['anna'], ['--profile', 'sr-mt']);
  const anna = await cookieOf(serving.links[0]!.link);
  const answer = (cookie: string, at: number) =>
    put(origin, cookie, `${clipAt(0, at)}/heard`, { words: `word ${at}`, plays: '1' });
  assert.equal((await answer(anna, 7)).status, 409);
  assert.equal((await ask(origin, clipAt(0, 7), { headers: { cookie: anna } })).status, 303);
  for (let at = 1; at <= 8; at++) assert.equal((await answer(anna, at)).status, 200);
  // Once a clip was heard without noise, what was heard with noise stays.
  const [seventh] = tasksOfSeat(plan, 0).slice(6);
  const pair = tasksOfSeat(plan, 0).findIndex(({ key }) => key === seventh!.after) + 1;
  assert.equal((await put(origin, anna, `${clipAt(0, pair)}/heard`, { words: 'now I know', plays: '1' })).status, 409);
  people.revoke('anna');
  people.invite('dora');
  assert.deepEqual(takeSeats(people, plan), []);
  people.invite('anna');
  assert.deepEqual(takeSeats(people, plan), ['anna']);
  people.revoke('anna');
  const later = openTranscribing({ plan, clips, people, async write() {}, problem: assert.fail });
  // Two of six pairs are done.
  assert.equal(later.share('dora').clips, 8);
  assert.equal(later.rows().length, 4);
});

test('By keyboard on a phone, through a lost network, a reload and a change of mind.', {
  skip,
}, async (context) => {
  const { serving, pages, rows, plan, clipAt } = await listening(
    context,
    ['anna', 'ben'],
    ['--plays', '2', '--loop', '--slow'],
  );
  const browser = await sharedBrowser(context);
  const { phone, page, complaints } = await onPhone(browser);
  await page.goto(serving.links[0]!.link);
  await page.waitForSelector('text=You will hear 6 short clips');
  assert.deepEqual(await pageFaults(page), []);
  await page.click('text=Begin');
  await page.waitForURL(`**${clipAt(0, 1)}`);
  await page.waitForSelector('button:has-text("Play"):enabled');
  assert.deepEqual(await primaryButtons(page), ['Save and go on']);
  assert.deepEqual(await pageFaults(page), []);

  // Played by keyboard while the cursor stands in the words, counted, and counted after a reload too.
  await press(page, 'Escape');
  await page.waitForSelector('text=One play is left.');
  await page.keyboard.type('red lorry');
  await page.reload();
  await page.waitForSelector('text=What you had entered is here again.');
  assert.equal(await page.inputValue('input[name=words]'), 'red lorry');
  await page.waitForSelector('text=One play is left.');
  await page.check('[data-slow]');
  await page.waitForSelector('button:has-text("Play"):enabled');
  await press(page, 'Escape');
  await page.waitForSelector('text=No more plays.');
  await page.waitForSelector('button:has-text("Play again"):disabled');
  await press(page, 'Escape');
  await page.waitForTimeout(100);
  assert.equal(await page.inputValue('input[name=plays]'), '2');

  // Without a network nothing is lost.
  await phone.setOffline(true);
  await page.focus('input[name=words]');
  await press(page, 'Enter');
  await page.waitForSelector('text=It stays in this browser and is sent again.');
  await phone.setOffline(false);
  await page.waitForURL(`**${clipAt(0, 2)}`);
  for (const [at, choice] of [
    [2, '2'],
    [3, '3'],
    [4, null],
    [5, null],
    [6, null],
  ] as const) {
    await page.waitForSelector('button:has-text("Play"):enabled');
    await press(page, 'Escape');
    await page.waitForSelector('text=One play is left.');
    await page.waitForFunction(`document.querySelector('input[name=plays]').value === '1'`);
    if (choice === null) await page.fill('input[name=words]', `words ${at} ${hostile}`);
    else await page.focus(`input[name=nothing] >> nth=${Number(choice) - 1}`).then(() => press(page, choice));
    await press(page, 'Enter');
    await page.waitForURL(at === 6 ? /done/ : `**${clipAt(0, at + 1)}`);
  }
  await page.waitForSelector('text=All 6 clips are done');
  assert.equal(await page.evaluate('window.stolen'), undefined);

  await page.click('text=Look at the last one again');
  await page.waitForURL(`**${clipAt(0, 6)}`);
  await page.fill('input[name=words]', 'another word');
  await page.click('text=Save the change');
  await page.waitForURL(/done/);

  const overview = await browser.newPage();
  await overview.goto(serving.overview);
  assert.match(await overview.innerText('main'), /anna\s+6\s+6\s+1\s+open[\s\S]*ben\s+0\s+6\s+0\s+open/);
  assert.deepEqual(complaints, []);

  await pages.writeTable();
  const mine = rows().filter(({ listener }) => listener === 'anna');
  const told = new Map(tasksOfSeat(plan, 0).map(({ utterance }, at) => [plan.utterances[utterance]!.id, at + 1]));
  assert.deepEqual(
    mine
      .toSorted((a, b) => told.get(a.utterance)! - told.get(b.utterance)!)
      .map(({ text, unintelligible, plays, slowed }) => [text, unintelligible, plays, slowed]),
    [
      ['red lorry', false, 2, true],
      ['', true, 1, false],
      ['', false, 1, false],
      [`words 4 ${hostile}`, false, 1, false],
      [`words 5 ${hostile}`, false, 1, false],
      ['another word', false, 1, false],
    ],
  );
});

test('Killed at any moment, nothing that was acknowledged is lost and nothing is doubled; the same link goes on.', async () => {
  const { stem, table, plan, people: file } = await planned(member, made.folder);
  const people = openPeopleStore(file, 'transcribing', systemClock);
  const { home } = people.invite('anna');
  const paths = tasksOfSeat(plan, 0).map(({ key }) => `${home}/clips/${people.alias('clip', key)}`);
  people[Symbol.dispose]();
  const acknowledged = new Map<number, number>();
  const { fingerprint } = await killAgainAndAgain(
    (isLast) =>
      started(['transcribe', `${stem}.csv`, '--person', 'anna', ...(isLast ? ['--tls'] : [])], made.folder.path),
    kills,
    async ({ origin, cookie }, sent) => {
      const at = (sent % 6) + 1;
      const { status } = await put(origin, cookie, `${paths[at - 1]}/heard`, { words: `${at} ${sent}`, plays: '1' });
      if (status === 200) acknowledged.set(at, sent);
      return status === 200;
    },
  );
  // Of the certificate that was made at the last start: what browsers show of it.
  assert.match(fingerprint ?? '', /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  const lines = (await readFile(table, 'utf8')).trim().split('\r\n').slice(1);
  const kept = lines.map((line) => line.split(','));
  assert.equal(new Set(kept.map(([utterance, , condition]) => `${utterance} ${condition}`)).size, kept.length);
  for (const [at, count] of acknowledged) {
    const found = kept.map((cells) => cells[5]!.split(' ').map(Number)).find(([place]) => place === at);
    // One that was sent and not acknowledged may have come after it.
    assert.ok(found !== undefined && found[1]! >= count, `${at} ${count} ${found}`);
  }
});

test('On a disk that is full words are refused and said not to be kept; what was acknowledged is there, and with room it goes on.', {
  skip: skipWithoutMounts,
}, async (context) => {
  const { stem, plan, people: file } = await planned(member, made.folder);
  const people = openPeopleStore(file, 'transcribing', systemClock);
  const { home } = people.invite('anna');
  const [path] = tasksOfSeat(plan, 0).map(({ key }) => `${home}/clips/${people.alias('clip', key)}`);
  people[Symbol.dispose]();
  const disk = await onSmallDisk(context, made.folder.path, 4, (folder) => [
    ...['transcribe', join(folder, `${stem}.csv`), '--person', 'anna'],
  ]);
  const { link } = disk.links[0]!;
  const { origin } = new URL(link);
  const cookie = await cookieOf(link);
  let kept = '';
  const write = async (sent: number) => {
    const words = `${sent} ${'word '.repeat(200)}`.trim();
    const answer = await put(origin, cookie, `${path}/heard`, { words, plays: '1' });
    if (answer.status === 200) kept = words;
    return answer;
  };
  assert.equal((await write(0)).status, 200);
  await disk.fill();
  let [refused, sent] = [await write(1), 1];
  while (refused.status === 200 && sent < 1000) refused = await write(++sent);
  assert.equal(refused.status, 500, `after ${sent} answers`);
  assert.match(refused.body, /the disk is full: this answer is not kept yet, all that were acknowledged are/);
  await disk.free();
  assert.equal((await write(++sent)).status, 200);
  const { code, said } = await disk.end();
  assert.equal(code, 0, said);
  const lines = (await readFile(disk.left.file(`${stem}.csv`), 'utf8')).trim().split('\r\n').slice(1);
  assert.deepEqual(
    lines.map((line) => line.split(',')[5]),
    [kept],
  );
});
