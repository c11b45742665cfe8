import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  add,
  advance,
  compile,
  countDown,
  createMemory,
  get,
  integer,
  loadInteger,
  multiply,
  set,
} from './assembler.ts';
import { lanes, loadVector, storeVector } from './vectors.ts';

test('whole numbers of any size are written by the rules of LEB128 (core specification, section 5.2.2)', () => {
  for (const value of [0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, 2 ** 31 - 1, -(2 ** 31)]) {
    const memory = createMemory(64);
    const words = new Int32Array(memory.buffer);
    words[3] = value;
    // Reads from 12 + value - value: only the right number ends there, without a trap.
    const { run } = compile([
      {
        name: 'run',
        parameters: 1,
        body: () => [
          storeVector(integer(16), lanes.splat(add(integer(12), add(integer(value), multiply(get(0), integer(-1)))))),
        ],
      },
    ])(memory);
    run!(value);
    assert.deepEqual([...words.subarray(4, 8)], [value, value, value, value]);
  }
});

test('a loop over vectors adds up what it should', () => {
  const memory = createMemory(4096);
  const floats = new Float32Array(memory.buffer);
  for (let n = 0; n < 40; n++) floats[n] = n;
  new Int32Array(memory.buffer)[100] = 10;
  const { sum } = compile([
    {
      name: 'sum',
      parameters: 2,
      body: (scope) => {
        const [from, into] = [0, 1];
        const [counter, total] = [scope.i32(), scope.v128()];
        return [
          set(counter, loadInteger(integer(400))),
          set(total, lanes.constant(0.5)),
          countDown(counter, [set(total, lanes.add(get(total), loadVector(get(from)))), advance(from, integer(16))]),
          storeVector(get(into), get(total)),
        ];
      },
    },
  ])(memory);
  sum!(0, 800);
  assert.deepEqual([...floats.subarray(200, 204)], [180.5, 190.5, 200.5, 210.5]);
});
