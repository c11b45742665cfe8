import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedKey } from './keys.ts';

test('everything that a recognizer of names is told is in its key', () => {
  const keys = [
    namedKey('r', 'u', 'clean', 'en', 0),
    namedKey('q', 'u', 'clean', 'en', 0),
    namedKey('r', 'v', 'clean', 'en', 0),
    namedKey('r', 'u', 'noise', 'en', 0),
    namedKey('r', 'u', 'clean', 'de', 0),
    namedKey('r', 'u', 'clean', 'en', 1),
  ];
  assert.equal(new Set(keys).size, keys.length);
});
