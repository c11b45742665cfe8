import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { encodeWav } from '../../audio/encode-wav.ts';
import { quietPieces } from '../../recognizers/shared/quiet-pieces.ts';
import { temporaryFolder } from '../testing/run-command.ts';
import { askable, isLongRecording, piecesFile } from './cut-recordings.ts';
import { survey } from './survey.ts';

test('more than half an hour is cut where it would be if all of it were held at once, and its words are not used', async () => {
  await using folder = await temporaryFolder();
  const sampleRate = 1000;
  // Pauses of 0.4 s, each 7.3 s: steps of 16 bits, so that the file says exactly this.
  const samples = Float32Array.from({ length: 31 * 60 * sampleRate }, (_, index) =>
    index % 7300 < 400 ? 0 : Math.round(8000 * Math.sin(index / 3)) / 32_768,
  );
  await writeFile(folder.file('meeting.wav'), encodeWav({ samples, sampleRate }, { format: 's16' }));
  await writeFile(folder.file('meeting.txt'), 'all that was said');
  const found = await survey({ path: '.', baseFolder: folder.path, language: 'en', doing: () => {} });
  assert.ok(found !== null && isLongRecording(found));
  const pieces = await askable(found, folder.path, () => {});
  assert.equal(pieces.texts, 0);
  assert.match(pieces.notes.join(' '), /at most 30 minutes can be recognized at once: the pieces have none\. For word/);
  const rows = (await readFile(folder.file(piecesFile), 'utf8')).trimEnd().split('\n').slice(1);
  assert.deepEqual(
    rows.map((row) => row.split('\t')[1]),
    quietPieces(samples, sampleRate, 15).map(({ startSeconds }) => startSeconds.toFixed(3)),
  );
  assert.equal(rows.at(-1)!.split('\t')[2], '1860.000');
});

test('long segments are cut within their times, and what two rows mean is cut once', async () => {
  await using folder = await temporaryFolder();
  const sampleRate = 1000;
  const samples = Float32Array.from({ length: 210 * sampleRate }, (_, index) =>
    index % 7300 < 400 ? 0 : Math.sin(index / 3) / 4,
  );
  await writeFile(folder.file('meeting.wav'), encodeWav({ samples, sampleRate }, { format: 's16' }));
  const rows = ['a,meeting.wav,0,100,ann', 'b,meeting.wav,0,100,ann', 'c,meeting.wav,100,210,bob'];
  await writeFile(folder.file('list.csv'), ['id,file,start,end,speaker', ...rows].join('\n'));
  const found = await survey({ path: 'list.csv', baseFolder: folder.path, language: 'en', doing: () => {} });
  assert.ok(found !== null && isLongRecording(found));
  await askable(found, folder.path, () => {});
  const pieces = (await readFile(folder.file(piecesFile), 'utf8'))
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
  assert.equal(new Set(pieces.map(String)).size, pieces.length);
  for (const [, start, end, speaker] of pieces) {
    assert.ok(speaker === 'ann' ? Number(end) <= 100 : Number(start) >= 100, `${speaker}: ${start} to ${end}`);
  }
  assert.deepEqual([...new Set(pieces.map((piece) => piece[3]))], ['ann', 'bob']);
});

test('a minute is long where no words are known, five minutes where they are', () => {
  const found = (minutes: number, texts: number) =>
    isLongRecording({ longestSeconds: 60 * minutes, minutes, clips: 1, texts });
  assert.deepEqual([found(0.9, 0), found(1.1, 0), found(4.9, 1), found(5.1, 1)], [false, true, false, true]);
  // One long recording among many short ones stays as it is.
  assert.equal(isLongRecording({ longestSeconds: 600, minutes: 40, clips: 100, texts: 0 }), false);
});

test('a list of pieces that somebody has changed stays as it is', async () => {
  await using folder = await temporaryFolder();
  const sampleRate = 1000;
  const samples = new Float32Array(120 * sampleRate).fill(0.1);
  await writeFile(folder.file('talk.wav'), encodeWav({ samples, sampleRate }, { format: 's16' }));
  const found = await survey({ path: '.', baseFolder: folder.path, language: 'en', doing: () => {} });
  await writeFile(folder.file(piecesFile), 'file\tstart\tend\ttext\ntalk.wav\t0\t5\tgood morning\n');
  await assert.rejects(
    askable(found!, folder.path, () => {}),
    /earwitness-pieces\.tsv: .* another exists/,
  );
  assert.match(await readFile(folder.file(piecesFile), 'utf8'), /good morning/);
});
