import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCountingLine } from './lines.ts';

/** A sound each second, of 120. */
function written(isTTY: boolean): string[] {
  const pieces: string[] = [];
  let seconds = 0;
  const screen = { isTTY, columns: 30, write: (piece: string) => pieces.push(piece) };
  const line = createCountingLine(screen, 'sounds', { monotonicMs: () => 1000 * seconds });
  for (seconds = 1; seconds <= 120; seconds++) line.done(seconds, 120, seconds === 60 ? ', 2 failed' : '');
  line.clear();
  return pieces;
}

test('elsewhere than on a terminal a line a minute says how many of how many are done and what is left', () => {
  assert.deepEqual(written(false), ['60 of 120 sounds, 2 failed, 60 s left\n', '120 of 120 sounds\n']);
});

test('on a terminal the line is drawn over itself, no wider than it, and taken away', () => {
  const pieces = written(true);
  assert.equal(pieces[0], '\r\u001b[2K1 of 120 sounds');
  assert.equal(pieces[2], '\r\u001b[2K3 of 120 sounds, 2 min left');
  assert.ok(pieces.every((piece) => piece.replace('\r\u001b[2K', '').length < 30));
  assert.equal(pieces.length, 121);
  assert.equal(pieces.at(-1), '\r\u001b[2K');
});
