import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from './clock.ts';
import {
  detailsProblem,
  firstBadByte,
  foreignLimits,
  jsonProblem,
  tooLongToWait,
  transcriptProblem,
  utf8Text,
} from './foreign-data.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

test('bytes that are no UTF-8 are told with the place of the first bad one', () => {
  assert.deepEqual(utf8Text(Buffer.from('grün �')), { text: 'grün �' });
  assert.deepEqual(utf8Text(latin1('caf\xe9')), { problem: 'byte 4 (0xe9) is not part of any UTF-8 character' });
  // A real replacement character before it, and lines.
  const mixed = Buffer.concat([Buffer.from('a�\nb'), latin1('\xfc')]);
  assert.deepEqual(utf8Text(mixed), { problem: 'byte 7, in line 2, (0xfc) is not part of any UTF-8 character' });
  // A surrogate in three bytes (CESU-8), an overlong slash, and a character that is cut off (RFC 3629, sections 3 and 10).
  for (const bytes of [
    [0xed, 0xa0, 0x80],
    [0xc0, 0xaf],
    [0xe2, 0x82],
  ])
    assert.ok('problem' in utf8Text(Uint8Array.from(bytes)), String(bytes));
  assert.equal(firstBadByte(Buffer.from([0x61, 0xe2, 0x82])), 1);
});

test('JSON is taken up to its limits, and what is beyond is named by its member', () => {
  const deep = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as unknown;
  assert.equal(jsonProblem(deep(foreignLimits.depth)), null);
  assert.equal(jsonProblem(deep(foreignLimits.depth + 1)), '"a" has more than 64 lists and objects in each other');
  // A walk by calls in each other ends here with a RangeError.
  assert.match(jsonProblem(deep(1_000_000))!, /more than 64/);
  assert.match(jsonProblem({ said: ['a', 'b\0'] })!, /^"said" has the character U\+0000/);
  assert.match(jsonProblem({ said: { '\ud800': 1 } })!, /^"said" has a member whose name has half of a surrogate pair/);
  assert.equal(jsonProblem({ said: 'a 😀 b', number: 1, nothing: null }), null);
});

test('a transcript has limits for its text, its words and what stands beside them', () => {
  const { textCharacters, words, detailsCharacters } = foreignLimits;
  assert.equal(transcriptProblem({ text: 'x'.repeat(textCharacters) }), null);
  assert.match(transcriptProblem({ text: 'x'.repeat(textCharacters + 1) })!, /^"text" has 1000001 characters/);
  assert.match(transcriptProblem({ text: '', words: Array(words + 1).fill('a') })!, /^"words" has 200001 entries/);
  const long = { word: 'x'.repeat(textCharacters / 2) };
  assert.equal(transcriptProblem({ text: '', words: [long, long] }), null);
  assert.match(transcriptProblem({ text: '', words: [long, long, 'a'] })!, /^the texts of "words" have 1000001/);
  assert.equal(detailsProblem('facts', { a: 'x'.repeat(detailsCharacters - '{"a":""}'.length) }), null);
  assert.match(detailsProblem('facts', { a: 'x'.repeat(detailsCharacters) })!, /^"facts" has 65544 characters of JSON/);
});

test('nobody waits for longer than an hour', () => {
  assert.equal(tooLongToWait(undefined), null);
  assert.equal(tooLongToWait(3600), null);
  assert.equal(tooLongToWait(60_000), ', to be asked again in 16.7 hours');
  assert.equal(tooLongToWait(1e300), ', to be asked again after more than an hour');
});

test('a wait of more than a timer takes is a wait', async () => {
  let over = false;
  const stop = new AbortController();
  // 2^31 ms: a timer of Node that is given more fires after 1 ms.
  const slept = systemClock.sleep(2 ** 31 + 1, stop.signal).finally(() => {
    over = true;
  });
  await systemClock.sleep(50);
  assert.equal(over, false);
  stop.abort(new Error('enough'));
  await assert.rejects(slept, /enough/);
});
