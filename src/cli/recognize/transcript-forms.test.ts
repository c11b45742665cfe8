import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Word } from '../../model/observation.ts';
import { readCtm } from '../../scoring/transcript-files/read-ctm.ts';
import { transcriptFiles } from '../commands/recognize.ts';
import { ctmLines, type TimedWord, timedWords, transcriptText } from './transcript-form.ts';

const word = (text: string, startSeconds: number, endSeconds: number, confidence: number | null = null): TimedWord => ({
  text,
  startSeconds,
  endSeconds,
  confidence,
});
test('CTM comes back through the reader of CTM', async () => {
  const lines = ctmLines('calls/my talk.wav', [
    word('go', 0.46, 0.64, 0.99995),
    word('New York', 1, 2),
    word('<ALT>', 2, 3),
  ]);
  assert.deepEqual(lines, [
    'my_talk 1 0.460 0.180 go 1.0000',
    'my_talk 1 1.000 0.500 New',
    'my_talk 1 1.500 0.500 York',
    'my_talk 1 2.000 1.000 <_ALT>',
  ]);
  const read = [];
  for await (const token of readCtm(
    lines.map((text, index) => ({ number: index + 1, text })),
    'a.ctm',
  ))
    read.push(token);
  assert.deepEqual(
    read.map(({ alternatives, confidence }) => [alternatives, confidence]),
    [
      [[['go']], 1],
      [[['New']], null],
      [[['York']], null],
      [[['<_ALT>']], null],
    ],
  );
});

test('words without a time lie between their neighbours', () => {
  const bare = (text: string): Word => ({ text });
  const timed: Word = { text: 'b', startSeconds: 1, endSeconds: 2 };
  const later: Word = { text: 'e', startSeconds: 3, endSeconds: 4 };
  assert.deepEqual(
    timedWords([bare('a'), timed, bare('c'), bare('d'), later, bare('f')])!.map(({ startSeconds, endSeconds }) => [
      startSeconds,
      endSeconds,
    ]),
    [
      [1, 1],
      [1, 2],
      [2, 2.5],
      [2.5, 3],
      [3, 4],
      [4, 4],
    ],
  );
  assert.equal(timedWords([bare('a'), { text: 'b', startSeconds: 2, endSeconds: 1 }]), null);
});

test('without any time there is one sentence, and nothing said is an empty file', () => {
  assert.throws(
    () => transcriptText('a.wav', { text: 'hello' }, 'ctm'),
    /^EarwitnessError: a\.wav: expected words with times for --ctm/,
  );
  assert.equal(transcriptText('a.wav', { text: '' }, 'ctm'), '');
  assert.equal(transcriptText('a.wav', { text: 'hello' }, 'txt'), 'hello\n');
});

test('two sounds of one name are refused before any is heard', () => {
  assert.deepEqual([...transcriptFiles(['a/x.wav', 'y.flac'], 'out', 'ctm').values()], ['out/x.ctm', 'out/y.ctm']);
  assert.throws(() => transcriptFiles(['a/x.wav', 'b/x.flac'], 'out', 'ctm'), /a\/x\.wav and b\/x\.flac would both/);
});
