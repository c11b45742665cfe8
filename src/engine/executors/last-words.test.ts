import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWords } from './host.ts';

test('of a stack trace only what it is about is told', () => {
  const trace = [
    '<--- Last few GCs --->',
    '',
    '#',
    '# Fatal JavaScript out of memory: Committing semi space failed.',
    '#',
    '----- Native stack trace -----',
    ' 1: 0x9dde61  [node]',
    '11: 0x19c77d1  [node]',
  ].join('\n');
  assert.equal(lastWords(trace), 'Fatal JavaScript out of memory: Committing semi space failed.');
});

test('three lines are kept, without what could move a terminal', () => {
  assert.equal(lastWords('one\ntwo\n\u001b[2Jthree\nfour\n'), 'two / ⟨U+001B⟩[2Jthree / four');
  assert.equal(lastWords('   \n\n'), '');
});
