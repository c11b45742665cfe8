import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { readStm, type TranscriptLine } from '../../base/read-stm.ts';
import { cutAtSilences, cutToSegments } from './cut-to-segments.ts';
import { type CtmToken, ctmText, readCtm } from './read-ctm.ts';
import { foldCase, readTrn } from './read-trn.ts';

function lines(text: string): TranscriptLine[] {
  return text.split('\n').map((line, index) => ({ number: index + 1, text: line }));
}
async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
const trn = (text: string) => collected(readTrn(lines(text), 'a.trn'));
const stm = (text: string) => readStm(lines(text), 'a.stm');
const ctm = (text: string) => collected(readCtm(lines(text), 'a.ctm'));

async function refused(reading: Promise<unknown>, said: RegExp): Promise<void> {
  await assert.rejects(reading, (error: Error) => {
    assert.ok(error instanceof EarwitnessError, error.stack);
    assert.equal(error.code, 'bad-input');
    assert.match(error.message, said);
    return true;
  });
}

test('A trn line is words and an id whose beginning is the speaker; comments and empty lines are passed over.', async () => {
  const read = await trn(
    ';; a comment\n\n she had  your { dark / black } (suit) (cmh_sa01) \n(f-2_x)\nall (year) (noSpeaker)',
  );
  assert.deepEqual(read, [
    { id: 'cmh_sa01', speaker: 'cmh', text: 'she had  your { dark / black } (suit)', column: 2, line: 3 },
    { id: 'f-2_x', speaker: 'f', text: '', column: 1, line: 4 },
    { id: 'noSpeaker', speaker: null, text: 'all (year)', column: 1, line: 5 },
  ]);
});

test('Wrong trn lines are refused with line and column.', async () => {
  await refused(trn('fine (a_1)\nno id here'), /^a\.trn:2:11: expected the utterance's id in parentheses/);
  await refused(trn('open (a_1'), /^a\.trn:1:10: /);
  await refused(trn('words (a_1) more'), /^a\.trn:1:12: expected the line to end .* "more"/);
  await refused(trn('words ( )'), /^a\.trn:1:8: .*they are empty/);
});

const reference = `;; CATEGORY "1" "Sex" "Sex of the speaker"
;; LABEL "F" "Female" "Female speakers"

call1 A ann 0.00 2.00 <O,F> good morning { how are / how're } you
call1 A bob 2.00 4.50 <O,M> fine (uh) thank you
call1 A ann 4.50 6.00 <O,F> IGNORE_TIME_SEGMENT_IN_SCORING
call1 A bob 6.00 9.00 we meet at noon
call1 B cid 0.50 3.00
`;

test('An stm line is file, channel, speaker, times, labels if there are any, and words.', async () => {
  const { segments, labels } = await stm(reference);
  assert.deepEqual(labels, [
    { kind: 'category', id: '1', heading: 'Sex', description: 'Sex of the speaker' },
    { kind: 'label', id: 'F', heading: 'Female', description: 'Female speakers' },
  ]);
  assert.deepEqual(segments[0], {
    file: 'call1',
    channel: 'A',
    speaker: 'ann',
    beginSeconds: 0,
    endSeconds: 2,
    labels: ['O', 'F'],
    text: "good morning { how are / how're } you",
    column: 29,
    ignored: false,
    line: 4,
  });
  assert.deepEqual(
    segments.map(({ labels: of, ignored, text }) => [of.length, ignored, text.length]),
    [
      [2, false, 37],
      [2, false, 19],
      [2, true, 30],
      [0, false, 15],
      [0, false, 0],
    ],
  );
});

test('Wrong stm lines are refused with line and column.', async () => {
  await refused(stm('call1 A ann 0.00'), /^a\.stm:1:17: .*ends before its end/);
  await refused(stm('\ncall1 A ann zero 1 x'), /^a\.stm:2:13: expected the begin .* "zero"/);
  await refused(stm('call1 A ann -1 1 x'), /0 or more/);
  await refused(stm('call1 A ann 2 1.5 x'), /^a\.stm:1:15: expected a segment that ends after it begins/);
  await refused(stm('call1 A ann 0x1 0x2 x'), /"0x1"/);
});

const recognized = `;; words of an invented recognizer
CALL1 A 0.10 0.40 GOOD 0.91
CALL1 A 0.55 0.40 MOURNING 0.33
CALL1 A 1.00 0.30 HOW'RE NA
CALL1 A 1.85 0.30 YOU
CALL1 A 2.10 0.50 FINE
CALL1 A 2.70 0.40 THANKS
CALL1 A 3.20 0.20 YOU
CALL1 A 4.40 0.20 SO
CALL1 A 4.90 0.20 HIDDEN
CALL1 A 6.10 0.30 WE
CALL1 A * * <ALT_BEGIN>
CALL1 A 6.50 0.30 MEAT
CALL1 A * * <ALT>
CALL1 A * * <alt_end>
CALL1 A 7.00 -0.01 AT
CALL1 A 9.40 0.30 LATE
CALL2 A 0.10 0.10 STRANGER
`;

test('A ctm line is file, channel, begin, duration, word and confidence; alternatives are one token.', async () => {
  const tokens = await ctm(recognized);
  assert.deepEqual(tokens[0], {
    file: 'CALL1',
    channel: 'A',
    beginSeconds: 0.1,
    endSeconds: 0.5,
    middleSeconds: 0.30000000000000004,
    alternatives: [['GOOD']],
    confidence: 0.91,
    line: 2,
  });
  assert.equal(tokens[2]!.confidence, null);
  assert.deepEqual(tokens[10]!.alternatives, [['MEAT'], []]);
  assert.equal(ctmText(tokens.slice(9, 12)), 'WE { MEAT / @ } AT');
});

test('Wrong ctm lines are refused with line and column.', async () => {
  await refused(ctm('f A 1.0 0.2'), /^a\.ctm:1:12: .*ends before its word/);
  await refused(ctm('f A 1.0 x word'), /^a\.ctm:1:9: expected the duration/);
  await refused(ctm('f A 1.0 0.1 two words'), /^a\.ctm:1:17: expected the confidence .*second word\?/);
  await refused(ctm('f A 1.0 0.1 w 0.5 1 more'), /^a\.ctm:1:21: /);
  await refused(ctm('f A * * word'), /begin of the word in seconds, 0 or more, but found "\*"/);
  await refused(ctm('f A * * <ALT>'), /no alternatives are open/);
  await refused(ctm('f A * * <ALT_BEGIN>\nf A * * <ALT_BEGIN>'), /^a\.ctm:2:9: .*line 1 are open/);
  await refused(ctm('f A * * <ALT_BEGIN>\nf B 1 1 w'), /another channel/);
  await refused(ctm('\nf A * * <ALT_BEGIN>\nf A 1 1 w'), /^a\.ctm:2:1: .*closed/);
  await refused(ctm('f A * * <ALT_BEGIN>\nf A 1 1 w\nf A * * <ALT_END>'), /at least two alternatives/);
});

const texts = (tokens: readonly CtmToken[]) => tokens.flatMap(({ alternatives }) => alternatives[0]!).join(' ');

test('Words belong to the segment in which their middle lies; those between to the later, the rest to the last.', async () => {
  const cut = cutToSegments((await stm(reference)).segments, await ctm(recognized));
  // By sclite of SCTK 2.4.10 (report pra) but for the confidences: YOU (middle 2.00) and SO (4.50) begin the next segment.
  assert.deepEqual(
    cut.segments.map(({ segment, tokens, missing }) => [segment.line, texts(tokens), missing]),
    [
      [4, "GOOD MOURNING HOW'RE", false],
      [5, 'YOU FINE THANKS YOU', false],
      [7, 'WE MEAT AT LATE', false],
      [8, '', true],
    ],
  );
  assert.equal(cut.ignoredWords, 2);
  assert.deepEqual([...cut.unmatched], [['CALL2 A', 1]]);
});

test('The order of lines does not change what belongs to a segment, and segments come in the order of the file.', async () => {
  const sorted = cutToSegments((await stm(reference)).segments, await ctm(recognized));
  const shuffled = cutToSegments((await stm(reference)).segments.toReversed(), (await ctm(recognized)).toReversed());
  assert.deepEqual(shuffled.segments.toReversed(), sorted.segments);
});

test('Folding looks at each character alone.', () => {
  assert.equal(foldCase('ΛΌΓΟΣ Straße İĞ Ǆ 𐐀 x\ud800Y'), 'λόγοσ straße iğ ǆ 𐐨 x\ud800y');
});

test('A line of a million characters takes no square time.', async () => {
  const long = 1_000_000;
  await refused(trn('('.repeat(long)), /expected the utterance's id/);
  assert.equal((await trn(`${' '.repeat(long)}a (b_1)`))[0]!.text, 'a');
  await refused(stm(`${' \t'.repeat(long / 2)}x`), /ends before its channel/);
  await refused(ctm(`f A 1 1 w ${'1'.repeat(long)}`), /confidence/);
  await refused(stm(`f A s ${'1'.repeat(long)} 2`), /expected the begin/);
});

test('A channel is cut where neither file has a word for long enough, and no word is lost.', async () => {
  const said = await ctm('f A 0 0.4 one\nf A 0.5 0.3 two\nf A 2 0.3 three\nf A 3.0 1.0 four\nf A 9 1 six');
  // "and" bridges the silence from 2.3 to 3.0; nothing was said where "five" was heard; "six" was not heard.
  const heard = await ctm('f A 2.2 0.9 and\nf A 0.1 0.3 one\nf A 6 0.2 five\nf A 3.5 0.4 four');
  const stretches = (silenceSeconds: number) =>
    cutAtSilences(said, heard, silenceSeconds).map(({ beginSeconds, endSeconds, reference: one, hypothesis: other }) =>
      [beginSeconds, endSeconds, texts(one), texts(other)].join('|'),
    );
  assert.deepEqual(stretches(0.5), ['0|0.8|one two|one', '2|4|three four|and four', '6|6.2||five', '9|10|six|']);
  assert.deepEqual(stretches(1.3), ['0|4|one two three four|one and four', '6|6.2||five', '9|10|six|']);
  assert.deepEqual(stretches(Number.POSITIVE_INFINITY), ['0|10|one two three four six|one and four five']);
  assert.deepEqual(cutAtSilences([], [], 0.5), []);
});

test('Alternatives last until their last word ends, and a word of negative length takes no time.', async () => {
  const said = await ctm(`f A * * <ALT_BEGIN>
f A 1 0.2 going
f A 1.9 0.2 to
f A * * <ALT>
f A 1 0.5 gonna
f A * * <ALT_END>
f A 2.7 -1 go
f A 3.3 0.1 on`);
  assert.equal(said[0]!.endSeconds, 2.1);
  const cut = cutAtSilences(said, [], 0.6).map((stretch) => [stretch.beginSeconds, stretch.endSeconds]);
  assert.deepEqual(cut, [
    [1, 2.1],
    [2.7, 2.7],
    [3.3, 3.4],
  ]);
});
