import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../cli/testing/run-command.ts';
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
