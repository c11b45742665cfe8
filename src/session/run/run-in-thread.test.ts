import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { sineWav, temporaryFolder } from '../../cli/testing/run-command.ts';
import { checkedConfig } from '../config/load-config.ts';
import { runInThread } from './run-in-thread.ts';

const own = `import { z } from 'zod';
export const parrot = {
  name: 'parrot', about: 'leaves a timer behind', isolation: 'none',
  options: z.strictObject({}),
  describe: async () => ({ identity: {}, input: 'names', pinned: true, concurrency: 1, usesProcessor: false, facts: {} }),
  open: async () => {
    setInterval(() => {}, 1000);
    return { recognize: async () => ({ text: 'x' }), close: async () => {} };
  },
};`;

test('a recognizer that leaves a timer behind does not keep the command from its end', {
  timeout: 30_000,
}, async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('one.wav'), sineWav());
  await writeFile(folder.file('one.txt'), 'so say all of us');
  await writeFile(folder.file('parrot.mjs'), own);
  const loaded = await checkedConfig(
    { corpus: { type: 'folder', folder: '.', language: 'en' }, recognizers: { own: { type: './parrot.mjs' } } },
    folder.path,
  );
  const request = {
    mode: 'new',
    resume: null,
    limit: null,
    preview: null,
    executor: 'here',
    workers: 1,
    sound: false,
  } as const;
  const job = {
    loaded,
    request,
    reportFolder: 'report',
    choice: { sound: false, transcripts: true },
    trials: [],
    terminal: { width: 80, color: false, verbose: false },
  };
  assert.equal((await runInThread(job, () => {}).result).tally.answered > 0, true);
});
