import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessLanguage } from './guess-language.ts';

test('two sentences tell their language where no other has a word of them, and one word tells nothing', () => {
  const german = ['Die Werbung vermittelt einen falschen Eindruck.', 'Meine Lieblingszahl ist 268'];
  assert.equal(guessLanguage(german), 'de');
  assert.equal(guessLanguage(german.slice(0, 1)), null);
  // Words of Dutch as well as of German.
  assert.equal(guessLanguage(['is in']), null);
});
