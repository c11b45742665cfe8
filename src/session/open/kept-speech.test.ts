import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { temporaryFolder } from '../../cli/testing/run-command.ts';
import { keptSpeech } from './kept-sounds.ts';

test('a sentence that several utterances have is spoken once, though they ask for it at the same time', async () => {
  await using folder = await temporaryFolder();
  let spoken = 0;
  const source = {
    voices: [],
    identity: () => ({ engine: 'tone' }),
    async speak() {
      spoken++;
      return { samples: Float32Array.of(0, 0.25, -0.5), sampleRate: 8000 };
    },
  };
  const [one, other] = [keptSpeech(source, folder.path), keptSpeech(source, folder.path)];
  const clips = await Promise.all([one.speak('yes', 'a'), one.speak('yes', 'a'), other.speak('yes', 'a')]);
  assert.equal(spoken, 2, 'once for each corpus that speaks');
  assert.deepEqual(await one.speak('yes', 'a'), clips[0]);
});

test('a text that cannot be spoken is asked for once; a server that does not answer is asked again', async () => {
  await using folder = await temporaryFolder();
  const asked: string[] = [];
  const source = {
    voices: [],
    identity: () => ({ engine: 'tone' }),
    async speak(text: string): Promise<never> {
      asked.push(text);
      throw new EarwitnessError(text === 'busy' ? 'nothing-answered' : 'bad-input', `no ${text}`);
    },
  };
  const kept = keptSpeech(source, folder.path);
  for (const text of ['yes', 'yes', 'no', 'busy', 'busy', 'yes'])
    await assert.rejects(kept.speak(text, 'a'), { message: `no ${text}` });
  assert.deepEqual(asked, ['yes', 'no', 'busy', 'busy']);
});
