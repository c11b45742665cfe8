import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

const skip = !existsSync('/proc/self/environ') && 'no /proc here: what leaves its group is not found';

/** A process that runs a program (which has a child in a session of its own) and goes on as told. */
async function parentOfTwo(context: TestContext, then: string) {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-guard-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const program = `setsid sh -c 'echo $$ > stray; exec sleep 600' & echo $$ > own; sleep 600`;
  writeFileSync(
    join(folder, 'parent.mjs'),
    `import { spawn } from 'node:child_process';
    import { guardedCall } from ${JSON.stringify(new URL('./program-guard.ts', import.meta.url).href)};
    // Before the program can say that it has started.
    process.on('SIGTERM', () => { ${then} });
    const guarded = guardedCall();
    const env = { ...process.env, ...guarded.environment };
    const child = spawn('sh', ['-c', ${JSON.stringify(program)}], { detached: true, stdio: 'ignore', env });
    guarded.started(child.pid);
    setInterval(() => {}, 1000);`,
  );
  const parent = spawn(process.execPath, ['parent.mjs'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  context.after(() => parent.kill('SIGKILL'));
  const idIn = async (file: string) => {
    for (let tries = 0; tries < 200; tries++) {
      const id = existsSync(join(folder, file)) && Number(readFileSync(join(folder, file), 'utf8'));
      if (id) return id;
      await setTimeout(50);
    }
    throw new Error(`${file}: the program did not start`);
  };
  return { parent, own: await idIn('own'), stray: await idIn('stray') };
}

/** Within two seconds on a machine that has nothing else to do; where tests run side by side it may take longer. */
async function areGone(...ids: readonly number[]): Promise<boolean> {
  for (const started = performance.now(); performance.now() - started < 10_000; await setTimeout(25)) {
    if (
      ids.every((id) => !existsSync(`/proc/${id}/environ`) || readFileSync(`/proc/${id}/stat`, 'utf8').includes(') Z'))
    )
      return true;
  }
  return false;
}

test('programs and what has left their group end two seconds after whoever started them was killed', {
  skip,
}, async (context) => {
  const { parent, own, stray } = await parentOfTwo(context, '');
  assert.ok(existsSync(`/proc/${own}`) && existsSync(`/proc/${stray}`));
  parent.kill('SIGKILL');
  assert.ok(await areGone(own, stray));
});

test('what has left its group ends with whoever started it, where that ends by itself', { skip }, async (context) => {
  const { parent, own, stray } = await parentOfTwo(context, 'process.exit(0)');
  parent.kill('SIGTERM');
  assert.deepEqual((await once(parent, 'exit'))[0], 0);
  assert.ok(await areGone(own, stray));
});

test('strays of one call are killed alone', { skip }, async (context) => {
  const { parent, own, stray } = await parentOfTwo(
    context,
    "process.kill(-child.pid, 'SIGKILL'); guarded.killStrays()",
  );
  const other = await parentOfTwo(context, '');
  parent.kill('SIGTERM');
  assert.ok(await areGone(own, stray));
  assert.ok(existsSync(`/proc/${parent.pid}`) && existsSync(`/proc/${other.stray}`));
});
