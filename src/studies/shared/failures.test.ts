import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailureCounts, failuresSection, failureWarnings, namedTrials } from './failures.ts';

/** Of 100 trials in each condition so many failed, by recognizer. */
function warnings(failed: Readonly<Record<string, readonly number[]>>, unheard = 0): string[] {
  const names = Object.keys(failed);
  const conditions = ['clean', 'hiss'].map((name) => ({ name }));
  const counts = new FailureCounts(names.length * conditions.length);
  names.forEach((name, recognizer) => {
    conditions.forEach((_, condition) => {
      const place = recognizer * conditions.length + condition;
      for (let trial = 0; trial < 100; trial++) {
        if (trial < failed[name]![condition]!) counts.addFailure(place, trial < unheard ? 'sound' : 'timeout');
        else counts.addAnswer(place);
      }
    });
  });
  const design = { conditions, recognizers: names.map((name) => ({ name })) };
  const rows = namedTrials({ tally: { trials: counts }, design });
  return failureWarnings(rows, 'they are left out');
}

test('A recognizer that fails in more than one of a hundred trials of some condition is warned of, and where most.', () => {
  assert.deepEqual(warnings({ steady: [1, 0], shaky: [0, 2] }), [
    'shaky did not answer 2 of 200 trials (1.0 %), most in hiss (2.0 %); they are left out.',
  ]);
});

test('Who fails alike in all conditions fails most in none, and of whom fails always nothing is known.', () => {
  assert.deepEqual(warnings({ dead: [100, 100], half: [50, 50] }), [
    'dead did not answer any of its 200 trials: it has no results.',
    'half did not answer 100 of 200 trials (50.0 %); they are left out.',
  ]);
});

test('Nothing asked, and nothing failed, is nothing to warn of.', () => {
  assert.deepEqual(warnings({ steady: [0, 0] }), []);
  assert.deepEqual(failureWarnings([], 'they are left out'), []);
});

test('Sounds that could not be read are told as that, and not as what a recognizer failed in.', () => {
  assert.deepEqual(warnings({ deaf: [3, 3] }, 3), [
    'deaf did not answer 6 of 200 trials (3.0 %), because the audio could not be read or made; they are left out.',
  ]);
  assert.deepEqual(warnings({ deaf: [3, 3] }, 1), [
    'deaf did not answer 6 of 200 trials (3.0 %), in 2 of them because the audio could not be read or made; they are left out.',
  ]);
});

test('Failures are counted by kind and as a share of what was asked; without any, one sentence says so.', () => {
  const answered = { condition: 'clean', recognizer: 'a', asked: 8, answered: 8, failed: 0, failures: [] };
  const failed = {
    ...answered,
    recognizer: 'b',
    answered: 6,
    failed: 2,
    failures: [{ kind: 'timeout', count: 2 }],
  } as const;
  const some = JSON.stringify(failuresSection('s', 'they are left out', [answered, failed]));
  assert.match(some, /"recognizer":"b"/);
  assert.match(some, /timeout/);
  assert.match(some, /0\.25/);
  assert.doesNotMatch(some, /"recognizer":"a"/);
  assert.deepEqual(failuresSection('s', 'they are left out', [answered]).text, ['No trial failed.']);
});
