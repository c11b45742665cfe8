// Stores that were changed behind the program's back: whatever is read is what was written, or it is said that it is not.
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { exitCodes } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { createRandom } from '../../base/random.ts';
import { backUpStore, pruneStore } from '../maintenance.ts';
import { mergeStore } from '../merge.ts';
import { checkStore } from '../open-database.ts';
import { openStore } from '../open-store.ts';
import { damageSentence } from '../parts/check-rows.ts';
import { forgetSpeaker } from '../parts/forget.ts';
import { openFile } from './database.ts';
import { repairStore } from './repair.ts';

const size = 200;
let folder = '';
let path = '';
let run = '';
let whole = '';

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'earwitness-damage-'));
  path = join(folder, 'store.sqlite');
  using store = openStore(path);
  ({ id: run } = store.createRun({
    ...{ name: 'a run', purpose: sha256('p'), config: { corpus: 'c' }, seed: 1, fresh: false, parent: null },
    recognizers: [{ name: 'one', identity: { engine: 'one' }, epoch: null }],
    startedAtMs: 1_790_000_000_000,
  }));
  const places = Array.from({ length: size }, (_, index) => index);
  store.addUtterances(
    run,
    0,
    places.map((index) => ({
      ...{ id: `u${index}`, language: 'en', speaker: `s${index % 9}`, reference: `words of ${index}` },
      ...{ attributes: {}, tags: [] },
    })),
  );
  store.completeUtterances(run);
  store.addCondition(run, 0, { name: 'clean', steps: [] });
  store.beginBatch(run, 0, 'robustness');
  const question = (position: number) => ({
    ...{ position, key: sha256(`key ${position}`), utterance: position, condition: 0, draw: 0, recognizer: 0 },
    ...{ repeat: 0, twin: false },
  });
  store.plan(run, 0, places.map(question));
  store.completeBatch(run, 0, sha256('keys'), size);
  for (const position of places) {
    const place = { batch: 0, position };
    const key = sha256(`key ${position}`);
    const [attempt] = store.record(run, {
      begin: [{ place, key, sentAtMs: 5, reservedSeconds: 1, reservedPrice: null }],
    });
    store.record(run, {
      end: [{ attempt: attempt!, state: 'answered', price: null }],
      answers: [
        {
          ...{ place, key, utteranceId: `u${position}`, speaker: `s${position % 9}` },
          observation: {
            transcript: { text: `heard ${position}`.repeat(20) },
            soundSeconds: 1,
            timing: { seconds: 0.5, calls: 1 },
          },
        },
      ],
    });
  }
  whole = told(store);
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** Everything that a report is made from. */
function told(store: ReturnType<typeof openStore>): string {
  return JSON.stringify([
    store.runs(),
    store.utterances(run, { from: 0, limit: 1000 }),
    store.conditions(run),
    store.batches(run),
    store.answers(run, 0, { from: 0, limit: 1000 }),
    store.spent(run),
    store.tally(run),
  ]);
}

/** A copy of the store with some bytes changed. */
function damaged(name: string, change: (bytes: Buffer) => void): string {
  const copy = join(folder, `${name}.sqlite`);
  for (const end of ['-wal', '-shm', '.last', '.lock']) rmSync(copy + end, { force: true });
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(copy, bytes);
  return copy;
}

/** What is read is what was written, or it ends with a sentence of the store. */
function readOrRefused(copy: string): 'same' | 'refused' {
  try {
    using store = openStore(copy, { readonly: true });
    assert.equal(told(store), whole, 'something else was read as if it were what was written');
    return 'same';
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    assert.equal(code, 'store', `${message}`);
    assert.ok(!message.includes('\n') && message.includes(copy), message);
    return 'refused';
  }
}

test('a hundred random bytes in the middle are never read as something else, and what is good is kept by a repair', () => {
  let refused = 0;
  let answers = 0;
  for (let seed = 0; seed < 15; seed++) {
    const random = createRandom({ test: 'bytes', seed });
    const copy = damaged('bytes', (bytes) => {
      const from = 4096 + random.integer(bytes.length - 4196);
      for (let place = 0; place < 100; place++) bytes[from + place] = random.integer(256);
    });
    if (readOrRefused(copy) === 'same') continue;
    refused++;
    const { kept, damaged: aside } = repairStore(copy);
    answers += kept.answers;
    assert.ok(existsSync(aside));
    assert.ok(checkStore(copy).good);
    for (const file of [aside, `${aside}-wal`]) rmSync(file, { force: true });
  }
  assert.ok(refused > 5, `only ${refused} of 15 hit anything`);
  // What stood on a page that was hit is lost.
  assert.ok(answers > 0.95 * refused * size, `${answers} of ${refused * size} answers were kept`);
});

test('single flipped bits are never read as something else', () => {
  let refused = 0;
  for (let seed = 0; seed < 60; seed++) {
    const random = createRandom({ test: 'bits', seed });
    const copy = damaged('bits', (bytes) => {
      const place = random.integer(bytes.length);
      bytes[place] = bytes[place]! ^ (1 << random.integer(8));
    });
    if (readOrRefused(copy) === 'refused') refused++;
  }
  assert.ok(refused > 10, `only ${refused} of 60 hit anything`);
});

test('of a store that is whole nobody says that it is damaged, nor that it needs a repair', () => {
  const sentence = damageSentence('unhurt.sqlite', checkStore(damaged('unhurt', () => {})));
  assert.match(sentence, /^unhurt\.sqlite: .* a fault of earwitness and not of the store/);
  assert.doesNotMatch(sentence, /damaged|repair/);
});

test('the sentence says what is damaged and what is still good, check counts it, merge refuses it', () => {
  const copy = damaged('told', () => {});
  const database = openFile(copy, { readonly: false });
  database.exec("UPDATE observations SET transcript = 'something else' WHERE number IN (3, 4)");
  database.close();
  const sentence = new RegExp(
    `told\\.sqlite: the store is damaged: 2 of ${size} answers are damaged; still good are 1 runs, ${size} utterances, ${size - 2} answers; .*store check.*store repair`,
  );
  const store = openStore(copy, { readonly: true });
  assert.throws(() => store.answers(run, 0, { from: 0, limit: 10 }), { code: 'store', message: sentence });
  assert.equal(exitCodes.store, 6);
  assert.equal(store.answers(run, 0, { from: 50, limit: 10 }).length, 10, 'what is good is read');
  const { tables } = checkStore(copy);
  assert.deepEqual(
    tables.filter(({ damaged }) => damaged > 0).map(({ what, good, damaged }) => [what, good, damaged]),
    [['answers', size - 2, 2]],
  );
  assert.throws(() => mergeStore(join(folder, 'target.sqlite'), copy), { code: 'store', message: sentence });
  store.close();
  assert.deepEqual(repairStore(copy).kept, { runs: 1, answers: size - 2 });
  using repaired = openStore(copy);
  assert.equal(repaired.countOpen(run, 0, 0), 2, 'what was lost is asked again');
});

test('a log that is lost or cut after a kill is told, with how much is missing; after a repair the rest is used', () => {
  const origin = damaged('origin', () => {});
  const copies = ['with-log', 'without-log', 'cut-log'].map((name) => join(folder, `${name}.sqlite`));
  {
    using store = openStore(origin);
    const place = { batch: 0, position: 0 };
    const begin = { place, key: sha256('key 0'), sentAtMs: 5, reservedSeconds: 1, reservedPrice: null };
    for (let call = 0; call < 3; call++) store.record(run, { begin: [begin] });
    // As a kill leaves it: what was recorded last stands in the log alone.
    for (const copy of copies) for (const end of ['', '-wal', '.last']) copyFileSync(origin + end, copy + end);
  }
  const [withLog, withoutLog, cutLog] = copies as [string, string, string];
  rmSync(`${withoutLog}-wal`);
  truncateSync(`${cutLog}-wal`, statSync(`${cutLog}-wal`).size - 100);
  {
    using store = openStore(withLog, { readonly: true });
    assert.equal(store.spent(run).calls, size + 3);
  }
  const missing = (calls: number) => ({
    code: 'store',
    message: new RegExp(
      `: 0 answers and ${calls} calls that were stored last are missing: its log .*-wal\\) was lost or cut`,
    ),
  });
  assert.throws(() => openStore(withoutLog), missing(3));
  assert.throws(() => openStore(withoutLog, { readonly: true }), missing(3));
  assert.throws(() => openStore(cutLog), missing(1));
  assert.deepEqual(checkStore(withoutLog).missing, { answers: 0, calls: 3 });
  repairStore(withoutLog);
  using store = openStore(withoutLog);
  assert.equal(store.spent(run).calls, size);
});

test('a backup is whole while another process writes, and a damaged store is not backed up', async () => {
  const origin = damaged('busy', () => {});
  const copy = join(folder, 'backup.sqlite');
  using writing = openStore(origin);
  const place = { batch: 0, position: 0 };
  writing.record(run, {
    begin: [{ place, key: sha256('key 0'), sentAtMs: 5, reservedSeconds: 1, reservedPrice: null }],
  });
  await backUpStore(origin, copy);
  using store = openStore(copy, { readonly: true });
  assert.equal(store.spent(run).calls, size + 1);
  const broken = damaged('broken', () => {});
  const database = openFile(broken, { readonly: false });
  database.exec("UPDATE attempts SET state = 'lost' WHERE number = 1");
  database.close();
  await assert.rejects(backUpStore(broken, join(folder, 'none.sqlite')), { message: /1 of 200 calls are damaged/ });
  assert.ok(!existsSync(join(folder, 'none.sqlite')));
});

test('a store of somebody else names no file that is removed, whether it is written, read or merged', () => {
  const precious = join(folder, 'precious.wav');
  const elsewhere = join(mkdtempSync(join(folder, 'elsewhere-')), `${'a'.repeat(64)}.wav`);
  const cached = join(folder, `${'b'.repeat(64)}.wav`);
  for (const file of [precious, elsewhere, cached]) writeFileSync(file, '');
  const named = [precious, elsewhere, cached].map((file) => `INSERT INTO chores VALUES ('remove', '${file}');`);
  const own = mkdtempSync(join(folder, 'own-'));
  const copy = join(own, 'theirs.sqlite');
  writeFileSync(copy, readFileSync(damaged('theirs', () => {})));
  const database = openFile(copy, { readonly: false });
  database.exec(named.join(''));
  database.close();
  openStore(copy, { readonly: true }).close();
  assert.equal(mergeStore(join(own, 'mine.sqlite'), copy).runs, 1);
  openStore(copy).close();
  for (const file of [precious, elsewhere, cached]) assert.ok(existsSync(file), `${file} was removed`);
});

test('a log that is lost in the first run of a store is told too', () => {
  const [first, killed] = ['first', 'killed'].map((name) => join(folder, `${name}.sqlite`)) as [string, string];
  using store = openStore(first);
  const { id } = store.createRun({
    ...{ name: 'a run', purpose: sha256('p'), config: {}, seed: 1, fresh: false, parent: null },
    recognizers: [{ name: 'one', identity: { engine: 'one' }, epoch: null }],
    startedAtMs: 5,
  });
  store.record(id, {
    begin: [
      { place: { batch: 0, position: 0 }, key: sha256('k'), sentAtMs: 5, reservedSeconds: 1, reservedPrice: null },
    ],
  });
  for (const end of ['', '.last']) copyFileSync(first + end, killed + end);
  assert.throws(() => openStore(killed), {
    code: 'store',
    message: /0 answers and 1 calls that were stored last are missing/,
  });
  repairStore(killed);
  openStore(killed).close();
});

test('after the machine was started anew only what was on the disk is missed: a power cut may take the rest', () => {
  const origin = damaged('powered', () => {});
  const cut = join(folder, 'power-cut.sqlite');
  using store = openStore(origin);
  const begin = { place: { batch: 0, position: 0 }, key: sha256('key 0'), sentAtMs: 5, reservedSeconds: 1 };
  store.record(run, { begin: [{ ...begin, reservedPrice: null }] });
  // The log was not yet on the disk, what the marker says was.
  for (const end of ['', '.last']) copyFileSync(origin + end, cut + end);
  assert.throws(() => openStore(cut), /0 answers and 1 calls that were stored last are missing/);
  const marker = readFileSync(`${cut}.last`, 'utf8');
  const synced = (calls: number) => {
    const numbers = marker.trim().split(/\s+/).slice(0, 4);
    numbers[3] = String(calls);
    writeFileSync(`${cut}.last`, `${numbers.join(' ')} 00000000-0000-0000-0000-000000000000\n`);
  };
  synced(size + 1);
  assert.throws(() => openStore(cut), /0 answers and 1 calls that were stored last are missing/);
  synced(size);
  openStore(cut).close();
});

test('what was written is on the disk soon, and at the end', async () => {
  const copy = damaged('synced', () => {});
  const store = openStore(copy);
  const marked = () => readFileSync(`${copy}.last`, 'utf8').trim().split(/\s+/).slice(0, 4).map(Number);
  const begin = { place: { batch: 0, position: 0 }, key: sha256('key 0'), sentAtMs: 5, reservedSeconds: 1 };
  store.record(run, { begin: [{ ...begin, reservedPrice: null }] });
  assert.deepEqual(marked(), [size, size + 1, 0, 0]);
  for (let tries = 0; tries < 100 && marked()[3] === 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(marked(), [size, size + 1, size, size + 1]);
  store.record(run, { begin: [{ ...begin, reservedPrice: null }] });
  store.close();
  assert.deepEqual(marked(), [size, size + 2, size, size + 2]);
});

test('a kill while somebody is forgotten or runs are pruned is no log that was lost', () => {
  for (const deleting of [
    (file: string) =>
      forgetSpeaker(file, 's1', {
        dryRun: false,
        forgottenAtMs: 5,
        cacheFile: () => join(folder, 'none'),
        madeFiles: () => [],
      }),
    (file: string) => pruneStore(file, { keep: 0, answers: true }),
  ]) {
    const copy = damaged('deleting', () => {});
    openStore(copy).close();
    const before = readFileSync(`${copy}.last`, 'utf8');
    const during = openFile(copy, { readonly: false });
    // It fails in the middle, as a kill ends it: what stands in the marker then is what a kill leaves.
    during.exec("CREATE TRIGGER stop BEFORE DELETE ON observations BEGIN SELECT RAISE(ABORT, 'killed here'); END");
    during.close();
    assert.throws(() => deleting(copy), /killed here/);
    const file = openFile(copy, { readonly: false });
    assert.notEqual(readFileSync(`${copy}.last`, 'utf8'), before);
    file.exec('DROP TRIGGER stop; DELETE FROM run_trials; DELETE FROM observations; DELETE FROM attempts');
    file.close();
    assert.deepEqual(checkStore(copy).missing, { answers: 0, calls: 0 });
  }
});

test('answers behind a broken inner page come back, long ones too', () => {
  const copy = damaged('inner', () => {});
  const long = 'a long answer '.repeat(2000);
  let [root, pageSize] = [0, 0];
  {
    using store = openStore(copy);
    const place = { batch: 0, position: 0 };
    const timing = { seconds: 0.5, calls: 1 };
    const observation = { transcript: { text: long }, soundSeconds: 1, timing };
    const answer = { place, key: sha256('long'), utteranceId: 'u0', speaker: 's0', observation };
    store.record(run, { answers: [answer] });
  }
  const before = openFile(copy, { readonly: true });
  root = before.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'observations'").pluck().get() as number;
  pageSize = before.pragma('page_size') as number;
  before.close();
  const bytes = readFileSync(copy);
  assert.equal(bytes[(root - 1) * pageSize], 5, 'the root is an inner page');
  bytes.fill(0xff, (root - 1) * pageSize, root * pageSize);
  writeFileSync(copy, bytes);
  assert.throws(() => openStore(copy), { code: 'store' });
  assert.deepEqual(repairStore(copy).kept, { runs: 1, answers: size + 1 });
  assert.ok(checkStore(copy).good);
  const repaired = openFile(copy, { readonly: true });
  const texts = repaired.prepare('SELECT transcript FROM observations ORDER BY number').pluck().all() as string[];
  repaired.close();
  assert.ok(texts.at(-1)!.includes(long));
  assert.ok(texts[7]!.includes('heard 7heard 7'));
});
