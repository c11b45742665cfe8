import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { Word } from '../../model/observation.ts';
import { readCtm } from '../../scoring/transcript-files/read-ctm.ts';
import { transcriptFiles } from '../commands/recognize.ts';
import {
  ctmLines,
  formatSrt,
  subtitleCues,
  type TimedWord,
  timedWords,
  transcriptText,
  vttText,
} from './transcript-form.ts';

const word = (text: string, startSeconds: number, endSeconds: number, confidence: number | null = null): TimedWord => ({
  text,
  startSeconds,
  endSeconds,
  confidence,
});
/** Words of .3 s, one every .4 s. */
const spoken = (text: string, from = 0): TimedWord[] =>
  text.split(' ').map((part, index) => word(part, from + 0.4 * index, from + 0.4 * index + 0.3));

test('a subtitle begins where the speaker pauses and after the end of a sentence', () => {
  const words = [...spoken('it rained. we stayed'), ...spoken('at home', 10)];
  assert.deepEqual(
    subtitleCues(words).map(({ lines }) => lines),
    [['it rained.'], ['we stayed'], ['at home']],
  );
});

test('two lines are as even as they can be, and hold 42 characters each', () => {
  const [cue, ...more] = subtitleCues(spoken('the quick brown fox jumps over the lazy dog and runs away'));
  assert.deepEqual(cue!.lines, ['the quick brown fox jumps over', 'the lazy dog and runs away']);
  assert.deepEqual(more, []);
});

test('subtitles keep their limits whatever is said, lose no word and never overlap', () => {
  const random = createRandom({ test: 'subtitles' });
  for (let round = 0; round < 200; round++) {
    let now = 0;
    const words = Array.from({ length: 60 }, () => {
      const start = now + (random.next() < 0.1 ? 2 : 0.1) * random.next();
      now = start + random.next() * (random.next() < 0.05 ? 20 : 0.6);
      return word('abcdefgh'.repeat(12).slice(0, 1 + Math.floor(random.next() ** 6 * 96)), start, now);
    });
    const cues = subtitleCues(words);
    for (const [index, { startSeconds, endSeconds, lines }] of cues.entries()) {
      assert.ok(lines.length >= 1 && lines.length <= 2);
      for (const line of lines) assert.ok(line.length <= 42, line);
      assert.ok(endSeconds >= startSeconds && endSeconds - startSeconds <= 7 + 1e-9);
      assert.ok(endSeconds <= (cues[index + 1]?.startSeconds ?? Number.POSITIVE_INFINITY));
    }
    const shown = cues
      .flatMap(({ lines }) => lines)
      .join('')
      .replaceAll(' ', '');
    assert.equal(shown, words.map(({ text }) => text).join(''));
  }
});

test('a short word stays to be read as long as nothing follows it', () => {
  const [lone] = subtitleCues([word('no', 1, 1.1)]);
  assert.ok(Math.abs(lone!.endSeconds - (1 + 5 / 6)) < 1e-9);
  const [first] = subtitleCues([word('no.', 1, 1.1), word('yes', 1.4, 1.6)]);
  assert.equal(first!.endSeconds, 1.4);
});

test('SubRip and WebVTT are written by the letter, and words cannot break out of them', () => {
  const cues = subtitleCues([word('a<b>', 3661.0004, 3662), word('-->', 3662, 3663), word('x\n\n1', 3663, 3664)]);
  assert.equal(formatSrt(cues), '1\n01:01:01,000 --> 01:01:04,000\na<b> -> x 1\n');
  assert.equal(vttText(cues), 'WEBVTT\n\n01:01:01.000 --> 01:01:04.000\na&lt;b&gt; --&gt; x 1\n');
  assert.equal(formatSrt([]), '');
  assert.equal(vttText([]), 'WEBVTT\n');
  assert.match(formatSrt(subtitleCues([word('a\u001b[2J', 0, 1)])), /a⟨U\+001B⟩\[2J/);
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
    () => transcriptText('a.wav', { text: 'hello' }, 'srt'),
    /^EarwitnessError: a\.wav: expected words with times for --srt/,
  );
  assert.equal(transcriptText('a.wav', { text: '' }, 'ctm'), '');
  assert.equal(transcriptText('a.wav', { text: 'hello' }, 'txt'), 'hello\n');
});

test('two sounds of one name are refused before any is heard', () => {
  assert.deepEqual([...transcriptFiles(['a/x.wav', 'y.flac'], 'out', 'srt').values()], ['out/x.srt', 'out/y.srt']);
  assert.throws(() => transcriptFiles(['a/x.wav', 'b/x.flac'], 'out', 'srt'), /a\/x\.wav and b\/x\.flac would both/);
});
