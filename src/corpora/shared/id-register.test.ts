import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createIdRegister } from './utterance-id.ts';

test('a register answers like a map of first numbers, however many texts it holds', () => {
  const register = createIdRegister();
  const map = new Map<string, number>();
  const texts = fc.sample(fc.string({ maxLength: 3 }), { numRuns: 20_000, seed: 7 });
  for (const [number, text] of texts.entries()) {
    assert.equal(register.add(text, number), map.get(text) ?? null);
    if (!map.has(text)) map.set(text, number);
  }
  assert.equal(register.size, map.size);
  assert.ok(map.size > 5000 && map.size < texts.length);
});
