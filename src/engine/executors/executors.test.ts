import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../base/clock.ts';
import type { Recognizer } from '../../recognizers/contract.ts';
import { scripted } from '../../recognizers/scripted/scripted.ts';
import { executorConformance } from './conformance.ts';
import { childProcessesExecutor, inProcessExecutor } from './executors.ts';

const baseFolder = import.meta.dirname;
const services = { baseFolder, environment: () => undefined, fileHash: async () => '' };

executorConformance({
  name: 'in this process',
  survivesCrashes: false,
  create: (recognizers) =>
    inProcessExecutor((name) => scripted.open(scripted.options.parse(recognizers[name]), services), systemClock),
});

executorConformance({
  name: 'in child processes',
  survivesCrashes: true,
  create: (recognizers) =>
    childProcessesExecutor({
      entry: new URL('../../recognizer-host.ts', import.meta.url),
      addresses: Object.fromEntries(
        Object.entries(recognizers).map(([name, written]) => {
          const options = JSON.parse(JSON.stringify(scripted.options.parse(written)));
          return [name, { type: 'scripted', options, baseFolder }];
        }),
      ),
      concurrency: { one: 8, other: 8 },
      clock: systemClock,
    }),
});

/** A member that never opens, in a folder of its own. */
function hanging(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-hang-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 'hang.mjs'),
    `import { z } from 'zod';
    export default { name: 'hang', about: '', options: z.strictObject({}), describe() {}, open: () => new Promise(() => {}) };`,
  );
  return folder;
}

const apart = (folder: string) =>
  childProcessesExecutor({
    entry: new URL('../../recognizer-host.ts', import.meta.url),
    addresses: { one: { type: './hang.mjs', options: {}, baseFolder: folder } },
    concurrency: { one: 1 },
    clock: systemClock,
  });
const here = () => inProcessExecutor(() => new Promise(() => {}), systemClock);
const request = { utteranceId: 'a', conditionName: 'clean', repeat: 0, language: 'en' };

for (const [name, create] of Object.entries({ 'in child processes': apart, 'in this process': here })) {
  test(`${name}: an engine that hangs while it opens is ended with the run`, { timeout: 20_000 }, async (context) => {
    const executor = create(hanging(context));
    context.after(() => executor.close());
    const abort = new AbortController();
    const limits = { timeLimitSeconds: 60, openTimeLimitSeconds: 60 };
    const call = executor.run({ recognizer: 'one', request, ...limits }, null, abort.signal);
    void setTimeout(300).then(() => abort.abort(new Error('enough')));
    await assert.rejects(call, /enough/);
  });

  test(`${name}: an engine that does not open in its time is told by name`, { timeout: 20_000 }, async (context) => {
    const executor = create(hanging(context));
    context.after(() => executor.close());
    const limits = { timeLimitSeconds: 60, openTimeLimitSeconds: 0.3 };
    const call = executor.run({ recognizer: 'one', request, ...limits }, null, new AbortController().signal);
    await assert.rejects(call, {
      code: 'nothing-answered',
      message:
        'one: its engine was not open after 0.3 s; see whether it works by itself, or give it more time with limits.openTimeLimitSeconds',
    });
    for (let wait = 0; hosts() > 0; wait++) {
      assert.ok(wait < 50, 'its process is left');
      await setTimeout(100);
    }
  });
}

test('in this process: an engine that opens when nobody waits for it any more is closed', async () => {
  const opening = Promise.withResolvers<Recognizer>();
  const executor = inProcessExecutor(() => opening.promise, systemClock);
  const limits = { timeLimitSeconds: 60, openTimeLimitSeconds: 0.05 };
  const call = executor.run({ recognizer: 'one', request, ...limits }, null, new AbortController().signal);
  await assert.rejects(call, { code: 'nothing-answered' });
  await executor.close();
  let closed = false;
  const close = async () => {
    closed = true;
  };
  opening.resolve({ recognize: async () => ({ text: '' }), close });
  await setTimeout(10);
  assert.ok(closed);
});

/** How many processes of engines this one has. */
function hosts(): number {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes('recognizer-host') && !line.startsWith('Z')).length;
}

test('in child processes: an engine that dies while it is opened again is a crash of the trial', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-again-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 'once.mjs'),
    `import { existsSync, writeFileSync } from 'node:fs';
    import { z } from 'zod';
    const mark = ${JSON.stringify(join(folder, 'opened'))};
    export default {
      name: 'once', about: '', options: z.strictObject({}), describe() {},
      open() {
        if (existsSync(mark)) process.kill(process.pid, 'SIGKILL');
        writeFileSync(mark, '');
        return { recognize: async ({ utteranceId }) => utteranceId === 'deadly' ? process.exit(3) : { text: 'fine' }, close() {} };
      },
    };`,
  );
  const executor = childProcessesExecutor({
    entry: new URL('../../recognizer-host.ts', import.meta.url),
    addresses: { one: { type: './once.mjs', options: {}, baseFolder: folder } },
    concurrency: { one: 1 },
    clock: systemClock,
  });
  context.after(() => executor.close());
  const ask = (utteranceId: string) => {
    const request = { utteranceId, conditionName: 'clean', repeat: 0, language: 'en' };
    return executor.run(
      { recognizer: 'one', request, timeLimitSeconds: 60, openTimeLimitSeconds: 60 },
      null,
      new AbortController().signal,
    );
  };
  assert.equal((await ask('a')).transcript?.text, 'fine');
  assert.equal((await ask('deadly')).failure?.kind, 'crash');
  for (let call = 0; call < 2; call++) {
    const { failure } = await ask('b');
    assert.equal(failure?.kind, 'crash');
    assert.match(
      failure?.message ?? '',
      /^the engine could not be opened again: the engine's process was ended by SIGKILL/,
    );
  }
  rmSync(join(folder, 'opened'));
  assert.equal((await ask('c')).transcript?.text, 'fine', 'the next one may open again');
});

test('in child processes: an engine that computes is gone two seconds after its parent was killed', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-orphan-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const own = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  writeFileSync(
    join(folder, 'parent.mjs'),
    `import { childProcessesExecutor } from ${own('./executors.ts')};
    import { systemClock } from ${own('../../base/clock.ts')};
    import { scripted } from ${own('../../recognizers/scripted/scripted.ts')};
    const options = scripted.options.parse({ failures: [{ how: 'spin' }] });
    const executor = childProcessesExecutor({
      entry: new URL(${own('../../recognizer-host.ts')}),
      addresses: { one: { type: 'scripted', options, baseFolder: '.' } },
      concurrency: { one: 1 },
      clock: systemClock,
    });
    const request = { utteranceId: 'a', conditionName: 'clean', repeat: 0, language: 'en' };
    await executor.run({ recognizer: 'one', request, timeLimitSeconds: 600, openTimeLimitSeconds: 600 }, null, new AbortController().signal);`,
  );
  const parent = spawn(process.execPath, [join(folder, 'parent.mjs')], { stdio: 'ignore' });
  context.after(() => parent.kill('SIGKILL'));
  const child = await busyChild(parent.pid!);
  parent.kill('SIGKILL');
  // It would compute for ten minutes.
  const killed = performance.now();
  while (isAlive(child) && performance.now() - killed < 10_000) await setTimeout(50);
  assert.ok(!isAlive(child), 'it lives');
});

/** The child of a process, once it has computed for two seconds. */
async function busyChild(parent: number): Promise<number> {
  for (const started = performance.now(); performance.now() - started < 60_000; await setTimeout(50)) {
    const { stdout } = spawnSync('ps', ['-o', 'pid=,cputimes=', '--ppid', String(parent)], { encoding: 'utf8' });
    const [pid, seconds] = stdout.trim().split(/\s+/).map(Number);
    if (pid && seconds !== undefined && seconds >= 2) return pid;
  }
  throw new Error('no child computes');
}

function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
