import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openQueue } from '../queue/open-queue.ts';
import { openStore } from '../store/open-store.ts';
import { connect } from '../store/postgres/connection.ts';
import { noServer, testServer } from '../store/testing/postgres-server.ts';
import { serveRuns } from './serve.ts';
import { openBrowser, pageFaults, skipWithoutBrowser } from './testing/browser.ts';
import { createWorkersWatch, workersSentence } from './workers-page.ts';

const hostile = 'h<img src=x onerror=alert(1)>';

/** Says of workers of this name that they are there. */
function announce(address: string, name: string): void {
  const recognizers = [{ name: 'mine', engine: 'scripted', queue: 'calls-0123456789ab', concurrency: 3 }];
  const about = JSON.stringify({ host: 'h', gpu: null, memoryBytes: 2 ** 34, recognizers });
  const server = connect(address);
  server.exec(
    `INSERT INTO earwitness_calls.workers (id, name, about, done, in_flight, per_second, wish)
     VALUES (gen_random_uuid(), '${name}', '${about}', 10, 2, 12.4, 'work')`,
  );
  server.close();
}

test('the page of workers tells who works and how fast, goes on telling it, and comes anew with who comes', {
  skip: noServer || skipWithoutBrowser,
}, async (context) => {
  const address = testServer().newDatabase();
  using store = openStore(address);
  await using serving = await serveRuns({ store, storeFile: address, port: 0, audio: false });
  const browser = await openBrowser();
  context.after(() => browser.close());
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(serving.link);
  await page.click('text=Workers');
  const sum = () => page.textContent('[data-sum]');
  // A store that nobody ever had a queue at.
  assert.equal(await sum(), 'no worker is there; `earwitness worker` starts one');

  await (await openQueue(address)).close();
  announce(address, hostile);
  await page.waitForSelector('td:has-text("working")');
  assert.equal(await sum(), '1 worker: 12.4 calls a second, 2 in hand');
  const cells = async () => (await page.locator('[data-cell]').allTextContents()).slice(0, 5);
  assert.deepEqual(await cells(), [hostile, 'working', '12.4', '2', '10']);
  assert.match((await page.locator('[data-cell]').allTextContents()).join(' '), /mine scripted 01234567 3 16 GB –$/);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await pageFaults(page), [], `${width} px`);
  }

  const server = connect(address);
  server.exec("UPDATE earwitness_calls.workers SET done = 21, in_flight = 3, per_second = 9, wish = 'pause'");
  server.close();
  await page.waitForSelector('td:has-text("paused")');
  assert.deepEqual(await cells(), [hostile, 'paused', '–', '3', '21']);
  assert.equal(await sum(), 'all workers are paused or end; `earwitness workers resume --all` lets them go on');
  announce(address, 'newcomer');
  await page.waitForSelector('th:has-text("newcomer")');
  assert.deepEqual(problems, []);
});

test("what a run waits for is all that is open and in nobody's hand; who may not see workers is told nothing", {
  skip: noServer,
}, async (context) => {
  const address = testServer().newDatabase();
  const workers = createWorkersWatch(address)!;
  context.after(() => workers.close());
  assert.deepEqual(await workersSentence(workers, 100), { text: '', working: true });
  await (await openQueue(address)).close();
  announce(address, 'first');
  const told = { text: '1 worker: 12.4 calls a second, 2 in hand, 98 waiting', working: true };
  assert.deepEqual(await workersSentence(workers, 100), told);
  const server = connect(address);
  server.exec('CREATE ROLE looks_only LOGIN');
  server.close();
  const other = createWorkersWatch(address.replace('user=earwitness', 'user=looks_only'))!;
  context.after(() => other.close());
  assert.deepEqual(await workersSentence(other, 100), { text: '', working: true });
});
