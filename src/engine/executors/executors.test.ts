import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { scripted } from '../../recognizers/scripted/scripted.ts';
import { childProcessesExecutor } from './child-processes.ts';
import { executorConformance } from './conformance.ts';
import { inProcessExecutor } from './in-process.ts';

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

test('in child processes: an engine that hangs while it opens is ended with the run', {
  timeout: 20_000,
}, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-hang-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 'hang.mjs'),
    `import { z } from 'zod';
    export default { name: 'hang', about: '', options: z.strictObject({}), describe() {}, open: () => new Promise(() => {}) };`,
  );
  const executor = childProcessesExecutor({
    entry: new URL('../../recognizer-host.ts', import.meta.url),
    addresses: { one: { type: './hang.mjs', options: {}, baseFolder: folder } },
    concurrency: { one: 1 },
    clock: systemClock,
  });
  context.after(() => executor.close());
  const abort = new AbortController();
  const request = { utteranceId: 'a', conditionName: 'clean', repeat: 0, language: 'en' };
  const call = executor.run({ recognizer: 'one', request, timeLimitSeconds: 60 }, null, abort.signal);
  setTimeout(() => abort.abort(new Error('enough')), 300);
  await assert.rejects(call, /enough/);
});
