import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { createPrompt } from './prompt.ts';

/** A terminal on which somebody types these keys as soon as something is asked. */
function terminal(...keys: string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  output.on('data', (piece: Buffer) => {
    shown += piece;
    if (String(piece).includes('explains]: ')) input.write(keys.shift() ?? '');
  });
  return { prompt: createPrompt({ input, output, terminal: true }), shown: () => shown };
}

test('nothing typed takes what is suggested, "?" explains and asks again', async () => {
  const { prompt, shown } = terminal('\r', '?\r', 'calls\r');
  assert.equal(await prompt.ask('Recordings', '.', 'A folder.'), '.');
  assert.equal(await prompt.ask('Recordings', '.', 'A folder.'), 'calls');
  assert.equal(shown().split('A folder.').length, 2);
  assert.equal(shown().split('Recordings [., ? explains]: ').length, 4);
  prompt[Symbol.dispose]();
});

for (const [name, key] of [
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
] as const) {
  test(`${name} at a question ends with the code of an interruption`, { timeout: 5000 }, async () => {
    const { prompt } = terminal(key);
    await assert.rejects(prompt.ask('Recordings', '.', ''), (error) => {
      assert.ok(error instanceof EarwitnessError && error.code === 'interrupted');
      assert.equal(error.message, 'stopped at a question; nothing was written');
      return true;
    });
    prompt[Symbol.dispose]();
  });
}
