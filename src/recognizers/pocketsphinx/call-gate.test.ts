import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { CallGate } from './decoder.ts';

test('calls pass a gate beside each other, but nothing runs beside one that is alone', async () => {
  const gate = new CallGate();
  const inside = new Set<string>();
  const seen: string[] = [];
  const call = (name: string) => async () => {
    inside.add(name);
    seen.push([...inside].join('+'));
    await turn();
    await turn();
    inside.delete(name);
    return name;
  };
  const answers = await Promise.all([
    gate.pass(call('a')),
    gate.pass(call('b')),
    gate.alone(call('X')),
    gate.pass(call('c')),
    gate.alone(call('Y')),
    gate.pass(call('d')),
  ]);
  assert.deepEqual(answers, ['a', 'b', 'X', 'c', 'Y', 'd']);
  assert.deepEqual(seen, ['a', 'a+b', 'X', 'Y', 'c', 'c+d']);
});

test('a call that fails opens the gate as one that succeeds', async () => {
  const gate = new CallGate();
  await assert.rejects(
    gate.alone(() => Promise.reject(new Error('no'))),
    /no/,
  );
  await assert.rejects(
    gate.pass(() => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await gate.alone(async () => 1), 1);
});
