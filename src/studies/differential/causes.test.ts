import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DifferentialCase } from './case.ts';
import { causesSections } from './causes.ts';

const failed = (text: string, transcript: string): DifferentialCase => ({
  ...{ text, transcript, voice: 'robot:tin', recognizer: 'deaf', status: 'failed', iteration: 1 },
  sound: { utteranceId: text, conditionName: 'clean', draw: 0 },
  otherwise: {},
});

test('Every cause has a label, and what came out of a longer stretch says of which.', () => {
  const cases = [
    failed('please bring the box', 'bring the box'),
    failed('please open the door', 'open the door'),
    failed('please close it now and then', 'it now and then'),
    failed('one two three', ''),
    failed('four five six', ''),
    { ...failed('please', 'what'), status: 'indeterminable' as const },
  ];
  const [section] = causesSections(cases, 20);
  assert.deepEqual(
    section!.tables![0]!.rows.map(({ words, outcomes, failures, text, voice }) => [
      ...[words, outcomes, failures, text, voice],
    ]),
    [
      ['please', '(nothing) 2, please close: (nothing) 1', 3, 'please bring the box', 'robot:tin'],
      ['(no words in particular)', '(nothing) 2', 2, 'one two three', 'robot:tin'],
    ],
  );
  assert.equal(section!.text![0], '5 failed tests read as 2 causes: 5 have one of them, 0 have none.');
  assert.deepEqual(causesSections(cases, 0), []);
});
