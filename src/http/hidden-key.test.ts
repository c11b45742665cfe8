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

test('a key is taken out however a server escapes it: as PHP and .NET write JSON, as parts of addresses, as HTML', () => {
  const { inMessage } = keyRedactor('sk/LEAK/7f3a+9b2c==&"x');
  const forms = [
    String.raw`sk\/LEAK\/7f3a+9b2c==&\"x`,
    String.raw`sk/LEAK/7f3a\u002b9b2c==\u0026\u0022x`,
    String.raw`sk\u002FLEAK\u002F7f3a\u002B9b2c\u003d\u003D&\"x`,
    'sk/LEAK/7f3a%2B9b2c%3d%3D%26%22x',
    'sk&#x2F;LEAK&#47;7f3a&#x2b;9b2c==&#38;&#034;x',
  ];
  for (const form of forms) assert.equal(inMessage(`bad key ${form}!`), 'bad key [key]!');
  assert.equal(inMessage('sk/LEAK/7f3a-9b2c==&"x'), 'sk/LEAK/7f3a-9b2c==&"x');
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
