import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyRedactor } from './hidden-key.ts';

const key = 'key-of/a+test?0123456789&abcdef';

test('a key is taken out as it is, percent-encoded, and in base64 wherever it stands in a longer text', () => {
  const { inMessage, inAnswer } = keyRedactor(key);
  assert.equal(inMessage(`no ${key}!`), 'no [key]!');
  assert.equal(inMessage(`?key=${encodeURIComponent(key)}&a=1`), '?key=[key]&a=1');
  for (const before of ['', 'a', 'ab', 'abc', 'apikey:']) {
    for (const after of ['', 'z', 'zz']) {
      const bytes = Buffer.from(`${before}${key}${after}`);
      for (const coding of ['base64', 'base64url'] as const) {
        const shown = inMessage(bytes.toString(coding));
        // At most the characters that hold bits of its neighbours are left: of the key itself, one on each side.
        const left = Buffer.from(shown.split('[key]').at(-1)!, 'base64').toString('latin1');
        assert.ok(shown.includes('[key]') && left.length <= after.length + 2, `${before}|${after}: ${shown}`);
      }
    }
  }
  assert.deepEqual(inAnswer({ [key]: [`${key}.`] }), { '[key]': ['[key].'] });
});

test('short keys stay in transcripts, where they stand by chance, and no text is one without a key', () => {
  const short = keyRedactor('none');
  assert.equal(short.inMessage('none of them'), '[key] of them');
  assert.equal(short.inAnswer('none of them'), 'none of them');
  assert.equal(keyRedactor(null).inMessage('anything'), 'anything');
});
