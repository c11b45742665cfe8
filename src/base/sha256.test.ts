import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sha256Digits, sha256Words } from './sha256.ts';

test('The examples of FIPS 180-4 come out.', () => {
  const digits = (text: string) => sha256Digits(new TextEncoder().encode(text));
  assert.equal(digits('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(digits(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  assert.equal(
    digits('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'),
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  );
  assert.equal(sha256Words(new TextEncoder().encode('abc'))[0], 0xba7816bf | 0);
});

test('Bytes of any number, also within a buffer, have the hash that the machine’s own library gives.', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length: length + 3 }, (_, place) => place * 37 + length).subarray(3);
    assert.equal(sha256Digits(bytes), createHash('sha256').update(bytes).digest('hex'), `${length}`);
  }
});
