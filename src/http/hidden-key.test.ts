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

test('of several keys each is taken out, and with them what signs a call or an address', () => {
  const { inMessage, inAnswer } = keyRedactor(['secret-of-twenty-signs', 'AKIAEXAMPLEOFTESTS01']);
  assert.equal(inMessage('AKIAEXAMPLEOFTESTS01:secret-of-twenty-signs'), '[key]:[key]');
  const signature = '0123456789abcdef'.repeat(4);
  const address = `https://s3.example.com/a.json?X-Amz-Security-Token=to%2Fken&X-Amz-Credential=ASIA%2F20261125&X-Amz-Signature=${signature}`;
  const hidden =
    'https://s3.example.com/a.json?X-Amz-Security-Token=[key]&X-Amz-Credential=[key]&X-Amz-Signature=[key]';
  assert.deepEqual(inAnswer({ at: [address] }), { at: [hidden] });
  assert.equal(JSON.parse(inMessage(JSON.stringify({ a: address, b: 1 }))).a, hidden);
  assert.equal(inMessage(`SignedHeaders=host, Signature=${signature}`), 'SignedHeaders=host, Signature=[key]');
  assert.equal(inMessage('Signature=none that anybody could use'), 'Signature=none that anybody could use');
});
