import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineEvent } from '../../engine/events.ts';
import { createProgressDisplay } from './progress-line.ts';

const progress = (answered: number, size: number): EngineEvent => ({
  type: 'progress',
  answered,
  size,
  failed: 0,
  reused: 0,
  secondsLeft: 120,
});
const batch = (about: string): EngineEvent => ({ type: 'batch', study: 'differential', about, size: null });
const events = [batch('iteration 1'), progress(0, 2), progress(2, 2), batch(''), progress(0, 1), progress(1, 1)];

function shown(isTTY: boolean): string {
  let text = '';
  const display = createProgressDisplay({
    isTTY,
    columns: 60,
    write: (piece: string) => {
      text += piece;
    },
  });
  for (const event of events) display.on(event);
  return text;
}

test('where lines stay, each batch has its own and a time left, but what nobody waits for has none', () => {
  assert.equal(shown(false), 'differential: iteration 1\ndifferential: 0 of 2, 2 min left\ndifferential: 2 of 2\n');
});

test('on a terminal one line is drawn over itself, no wider than the terminal', () => {
  const lines = shown(true).split('\r\u001b[2K').slice(1);
  assert.equal(lines[0], 'differential: iteration 1');
  assert.equal(lines.length, 3);
  assert.ok(lines.every((line) => line.length < 60));
  assert.match(lines[2]!, /100 %/);
});
