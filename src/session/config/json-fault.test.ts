import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { jsonFault } from './json-fault.ts';

test('a fault of JSON has its place, what would stand there and what does', () => {
  for (const [text, offset, problem] of [
    ['{"a": 1,}', 8, 'expected a key in double quotes, but found "}"'],
    ['{"a" 1}', 5, 'expected a colon after the key, but found "1"'],
    ['{"a": 1 "b": 2}', 8, 'expected a comma or }, but found "\\"b\\""'],
    ['[1, 2', 5, 'expected a comma or ], but the file ends'],
    ["{'a': 1}", 1, 'expected a key in double quotes or }, but found "\'a\'"'],
    ['{"a": yes}', 6, 'expected a value of JSON, but found "yes"'],
    ['{"a": 01}', 6, 'expected a value of JSON, but found "01"'],
    ['{} x', 3, 'expected nothing after the end of the value, but found "x"'],
    ['', 0, 'expected a value of JSON, but the file ends'],
    ['{ // c\n}', 2, /; JSON has no comments: take them out, or name the file \.yaml$/],
  ] as const) {
    const fault = jsonFault(text);
    assert.equal(fault?.offset, offset, text);
    if (typeof problem === 'string') assert.equal(fault?.problem, problem);
    else assert.match(fault!.problem, problem);
  }
});

test('exactly what JSON.parse refuses has a fault: whole values, and each with one character taken out or put in', () => {
  const values = [
    { a: [1, -2.5e-7, 'x\n"\\\u00e9\u2028\u0080', null, true], b: { c: {}, d: [] } },
    [[], {}, 'https://x', 0, [false]],
    'text',
  ];
  const random = createRandom('json faults');
  const inserted = [...'{}[],:"\\0 19.e+-tn/\u0001\u007fé'];
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  let refused = 0;
  for (const value of values) {
    const text = JSON.stringify(value, null, 1);
    assert.equal(jsonFault(text), null, text);
    for (let time = 0; time < 2000; time++) {
      const at = random.integer(text.length + 1);
      const put = random.next() < 0.5 ? inserted[random.integer(inserted.length)]! : '';
      const changed = text.slice(0, at) + put + text.slice(put === '' ? at + 1 : at);
      const fault = jsonFault(changed);
      assert.equal(fault === null, isJson(changed), changed);
      if (fault !== null) refused++;
    }
  }
  assert.ok(refused > 500, `${refused}`);
});
