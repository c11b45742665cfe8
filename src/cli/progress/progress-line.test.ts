import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineEvent } from '../../engine/events.ts';
import { createProgressDisplay } from './progress-line.ts';

const progress = (answered: number, size: number): EngineEvent => ({
  type: 'progress',
  of: 'trials',
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

test('what is still measured when all trials are answered is called so', () => {
  const pieces: string[] = [];
  const display = createProgressDisplay({ write: (piece: string) => pieces.push(piece) });
  display.on(batch('clean'));
  display.on({ ...progress(1, 4), of: 'measurements' } as EngineEvent);
  assert.equal(pieces.join(''), 'differential: clean\ndifferential: 1 of 4 measurements, 2 min left\n');
});

test('on a terminal one line is drawn over itself, no wider than the terminal', () => {
  const lines = shown(true).split('\r\u001b[2K').slice(1);
  assert.equal(lines[0], 'differential: iteration 1');
  assert.equal(lines.length, 3);
  assert.ok(lines.every((line) => line.length < 60));
  assert.match(lines[2]!, /100 %/);
});

test('while statistics are computed, what and how much of it: on a terminal as it goes, elsewhere each kind once in a while', () => {
  const computing = (what: string, share: number): EngineEvent => ({
    type: 'computing',
    study: 'disparity',
    ...{ what, share, secondsLeft: share === 0.5 ? 200 : null },
  });
  const reading: EngineEvent = { type: 'reporting', what: 'writing the report', share: 0.25, secondsLeft: 75 };
  const parts = [computing('dealing', 0.1), computing('dealing', 0.5), computing('rates', 0.999), reading];
  const written = (isTTY: boolean) => {
    const pieces: string[] = [];
    const display = createProgressDisplay({ isTTY, columns: 60, write: (piece: string) => pieces.push(piece) });
    for (const event of parts) display.on(event);
    return pieces.map((piece) => piece.replace('\r\u001b[2K', ''));
  };
  assert.deepEqual(written(false), [
    'disparity: dealing, 10 %\n',
    'disparity: rates, 99 %\n',
    'writing the report, 25 %, 75 s left\n',
  ]);
  assert.deepEqual(written(true), [
    ...['disparity: dealing, 10 %', 'disparity: dealing, 50 %, 3 min left', 'disparity: rates, 99 %'],
    'writing the report, 25 %, 75 s left',
  ]);
});

test('on a terminal what becomes of the answers when all is asked is told too', () => {
  const pieces: string[] = [];
  const display = createProgressDisplay({ isTTY: true, columns: 0, write: (piece: string) => pieces.push(piece) });
  display.on({ type: 'reporting', what: 'writing the report' });
  display.end();
  assert.deepEqual(pieces, ['\r\u001b[2Kwriting the report', '\r\u001b[2K']);
});

test('who asks to be left alone for long, and why, is told in a line that stays; short waits are not', () => {
  const waiting = (seconds: number): EngineEvent => ({
    ...{ type: 'waiting', recognizer: 'deepgram', seconds },
    why: 'the server answered 429: slow\u001b[2J down',
  });
  for (const isTTY of [false, true]) {
    const pieces: string[] = [];
    const display = createProgressDisplay({ isTTY, columns: 20, write: (piece: string) => pieces.push(piece) });
    display.on(waiting(9));
    display.on(waiting(300));
    assert.deepEqual(pieces, [
      'deepgram asks to be left alone for 5 min: the server answered 429: slow⟨U+001B⟩[2J down\n',
    ]);
  }
});

test('calls that were cut off are told with what they count for', () => {
  const told = (lostCalls: number, finished = false): string => {
    const pieces: string[] = [];
    const display = createProgressDisplay({ write: (piece: string) => pieces.push(piece) });
    display.on({ type: 'run', id: 'r', resumed: true, finished, lostCalls, answered: 0, trials: 0 });
    return pieces.join('');
  };
  assert.equal(told(0), 'continuing the interrupted run\n');
  assert.equal(told(0, true), 'looking again at the finished run\n');
  assert.equal(
    told(1),
    'continuing the interrupted run; 1 call was cut off and is made again: the first may have been charged and counts in full\n',
  );
  assert.match(
    told(3),
    /; 3 calls were cut off and are made again: the first ones may have been charged and count in full\n$/,
  );
});

test('who makes the calls elsewhere is told beside what is asked; where nobody does, the command that changes it and no time left', () => {
  const workers = (working: number, halted: number): EngineEvent => ({
    ...{ type: 'workers', working, halted, inFlight: 4 * working },
    perSecond: working === 0 ? null : 12.4,
  });
  const told = (isTTY: boolean) => {
    let text = '';
    const write = (piece: string) => {
      text += piece;
    };
    const display = createProgressDisplay({ isTTY, columns: 120, write });
    const asked = [batch('clean'), progress(0, 1000), workers(0, 0), progress(0, 1000), workers(0, 1)];
    for (const event of [...asked, progress(100, 1000), workers(3, 0), progress(200, 1000)]) display.on(event);
    display.end();
    return text;
  };
  assert.equal(
    told(false),
    [
      'differential: clean',
      'differential: 0 of 1000, 2 min left',
      'differential: 100 of 1000, 2 min left',
      'differential: 200 of 1000, 2 min left; 3 workers: 12.4 calls a second, 12 in hand, 788 waiting\n',
    ].join('\n'),
  );
  // What stands in the terminal behind each piece: two lines at most, and at the end none.
  const screens = told(true).split('\u001b[1A');
  const lines = screens.map((screen) =>
    screen
      .split('\r\u001b[2K')
      .filter(Boolean)
      .map((line) => line.trim()),
  );
  assert.deepEqual(
    lines.map((screen) => screen.at(-1)),
    [
      'no worker is there, 1,000 waiting; `earwitness worker` starts one',
      'no worker is there, 1,000 waiting; `earwitness worker` starts one',
      'all workers are paused or end, 1,000 waiting; `earwitness workers resume --all` lets them go on',
      '3 workers: 12.4 calls a second, 12 in hand, 888 waiting',
      '3 workers: 12.4 calls a second, 12 in hand, 788 waiting',
      undefined,
    ],
  );
  for (const [screen, left] of [
    [1, false],
    [2, false],
    [3, true],
    [4, true],
  ] as const)
    assert.equal(/ left$/.test(lines[screen]!.at(-2)!), left, lines[screen]!.at(-2));
});

test('planning that takes minutes is told, with the time that is left', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 1e12 });
  const planned = (questions: number): EngineEvent => ({ type: 'planned', questions, size: 1000 });
  const written = (isTTY: boolean) => {
    const pieces: string[] = [];
    const display = createProgressDisplay({ isTTY, columns: 70, write: (piece: string) => pieces.push(piece) });
    display.on(batch('all'));
    for (const questions of [100, 200, 300, 400]) {
      display.on(planned(questions));
      context.mock.timers.tick(40_000);
    }
    return pieces.map((piece) => piece.replace('\r\u001b[2K', '')).slice(1);
  };
  // 100 in 40 s, once a minute.
  assert.deepEqual(written(false), ['differential: planned 300 of 1000 questions, 5 min left\n']);
  assert.deepEqual(written(true).at(-1), 'differential: planned 400 of 1000 questions, 4 min left');
});
