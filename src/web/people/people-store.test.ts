import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { temporaryFolder } from '../../cli/testing/run-command.ts';
import { html } from '../../report/html/markup.ts';
import { openFile } from '../../store/sqlite/database.ts';
import { listen } from '../listen.ts';
import { askServer } from '../testing/browser.ts';
import { peopleTable } from './listening-plan.ts';
import { openPeopleStore } from './people-store.ts';
import { servePeople } from './serve-people.ts';

async function place(context: TestContext) {
  const folder = await temporaryFolder();
  context.after(() => folder[Symbol.asyncDispose]());
  const path = folder.file('people.sqlite');
  const change = (sql: string) => {
    const database = openFile(path, { readonly: false });
    database.exec(sql);
    database.close();
  };
  return { folder, path, change, open: () => openPeopleStore(path, 'judging', systemClock) };
}

const answer = { person: 'anna', task: 't', question: 'heard', value: 'words' };

test('No other account reads names, answers and what links are made from, nor does it after a copy that all can read.', async (context) => {
  const { path, open } = await place(context);
  const modes = async () => {
    const files = ['', '-wal', '-shm', '.lock'].map((ending) => stat(`${path}${ending}`));
    return (await Promise.all(files)).map(({ mode }) => mode & 0o777);
  };
  await writeFile(path, '', { mode: 0o644 });
  using people = open();
  people.invite('anna');
  people.keep(answer);
  assert.deepEqual(await modes(), [0o600, 0o600, 0o600, 0o600]);
});

test('A database of another version is refused, and a damaged one is told.', async (context) => {
  const { path, open, change } = await place(context);
  {
    using people = open();
    people.invite('anna');
    people.keep(answer);
  }
  for (const [version, what] of [
    [1, /but this is of one from before the first release; name another file/],
    [3, /but this is of a newer earwitness; name another file/],
  ] as const) {
    change(`PRAGMA user_version = ${version}`);
    assert.throws(open, what);
  }
  change('PRAGMA user_version = 2');
  change("UPDATE remembered SET value = '\"another\"' WHERE name = 'secret'");
  assert.throws(open, /people\.sqlite: expected what people answered, but the file is damaged.*restore a copy of it/);
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0xff, 4096, 12_288));
  assert.throws(open, { code: 'store', message: /expected what people answered, but the file is damaged/ });
});

test('A damaged answer is put back from the log; where that is damaged too it is named, and those of others are there.', async (context) => {
  const { open, change } = await place(context);
  {
    using people = open();
    for (const name of ['anna', 'ben']) people.invite(name);
    people.keep({ ...answer, value: 'at first' }, { ...answer, person: 'ben' });
    people.keep(answer);
  }
  change('UPDATE answer SET value = \'"swords"\' WHERE person = 1');
  {
    using people = open();
    assert.deepEqual(people.restored, [{ person: 'anna', task: 't', question: 'heard' }]);
    assert.equal(people.answer('anna', 't', 'heard'), 'words');
  }
  for (const table of ['answer', 'log'])
    change(`UPDATE ${table} SET value = '"swords' WHERE person = 1 AND value = '"words"'`);
  using people = open();
  const named = { code: 'store', message: /what anna answered \(heard of t\) is damaged, and so is its log/ };
  assert.throws(() => people.answer('anna', 't', 'heard'), named);
  assert.throws(() => people.answers('anna'), named);
  assert.deepEqual(people.answers('ben'), [{ ...answer, person: 'ben' }]);
  people.keep({ ...answer, value: 'given again' });
  assert.equal(people.answer('anna', 't', 'heard'), 'given again');
});

test('Answers are kept all or none.', async (context) => {
  const { open } = await place(context);
  using people = open();
  people.invite('anna');
  assert.throws(() => people.keep(answer, { ...answer, person: 'nobody' }));
  assert.deepEqual(people.answers(), []);
  assert.equal(people.lastAnswered('anna'), null);
  people.keep(answer);
  assert.ok(Math.abs(Date.parse(people.lastAnswered('anna')!) - Date.now()) < 60_000);
});

test('An invitation that ended is known as one, and the last one is not.', async (context) => {
  const { open } = await place(context);
  using people = open();
  const first = people.invite('anna').invitation;
  assert.equal(people.isEnded(first), false);
  people.revoke('anna');
  const second = people.invite('anna').invitation;
  assert.deepEqual([first, second, 'none'].map(people.isEnded), [true, false, false]);
  assert.deepEqual([people.whose(first), people.whose(second)?.home], [null, people.people()[0]!.home]);
});

test('What goes wrong on the server is told where it was started, once, and those who take part are told too.', async (context) => {
  const { open } = await place(context);
  using people = open();
  const { home, invitation } = people.invite('anna');
  const told: string[] = [];
  const answerNothing = () => Promise.reject(new Error('the disk is full'));
  await using serving = await servePeople(
    people,
    { answer: answerNothing, overview: answerNothing, problem: (sentence) => void told.push(sentence) },
    {},
  );
  const { origin } = new URL(serving.links[0]!.link);
  const entered = await askServer(origin, `${home}/?token=${invitation}`);
  const cookie = String(entered.headers['set-cookie']).split(';')[0]!;
  for (const _ of [1, 2]) {
    const { status, body } = await askServer(origin, `${home}/`, { headers: { cookie } });
    assert.deepEqual([status, /the disk is full/.test(body)], [500, true]);
  }
  assert.deepEqual(told, ['the disk is full']);
});

test('Who sends half a request is not waited for.', async () => {
  await using listening = await listen<true>({
    ...{ port: 0, patienceSeconds: 0.5 },
    doors: { enter: () => null, who: () => true, closed: '', spent: '', takesPart: true },
    answer: async () => ({ page: { title: 'x' }, content: html`` }),
  });
  const { hostname, port, host } = new URL(listening.origin);
  const socket = connect(Number(port), hostname);
  let told = '';
  socket.on('data', (part) => {
    told += part.toString();
  });
  socket.on('error', () => {});
  socket.write(
    `PUT / HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${listening.origin}\r\nCookie: earwitness-${port}=x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"`,
  );
  const began = Date.now();
  await once(socket, 'close');
  assert.ok(Date.now() - began < 10_000, told);
});

test('What cannot be opened is said as what it is: another account’s folder, a file in the way, the command a second time.', async (context) => {
  const { folder, path, open } = await place(context);
  {
    using _ = open();
    assert.throws(open, {
      code: 'store-busy',
      message: /another earwitness shows these pages already; end that one first/,
    });
  }
  assert.throws(
    () => openPeopleStore(path, 'transcribing', systemClock),
    /expected a database of transcribing, but it is one of/,
  );
  await writeFile(folder.file('file'), '');
  assert.throws(() => openPeopleStore(folder.file('file/people.sqlite'), 'judging', systemClock), {
    code: 'store',
    message: /its folder cannot be made, a file is in the way$/,
  });
  assert.throws(() => openPeopleStore(folder.path, 'judging', systemClock), /cannot be written; check the permissions/);
});

test('A table that was written is known for one, however often a kill came before the next was whole; another is not.', async (context) => {
  const { folder, open } = await place(context);
  using people = open();
  const file = folder.file('table.csv');
  const table = peopleTable(people, file, async () => 1);
  await table.write('one');
  for (const text of ['two', 'three', 'four', 'five', 'six', 'seven']) {
    await table.write(text);
    // What is there when the process ends between what it remembers and what it writes.
    await writeFile(file, 'one');
    await table.check();
  }
  await table.write('eight');
  await table.check();
  await writeFile(file, 'by hand');
  await assert.rejects(table.write('nine'), /expected the table as it was written from people.sqlite/);
  assert.equal(await readFile(file, 'utf8'), 'by hand');
});
