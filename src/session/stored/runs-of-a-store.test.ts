import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../base/hash.ts';
import { temporaryFolder } from '../../cli/testing/run-command.ts';
import type { Finding } from '../../model/finding.ts';
import { comparisonAt, estimateAt, rowsOf } from '../../model/finding-rows.ts';
import { clean } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Store } from '../../store/contract.ts';
import { openStore } from '../../store/open-store.ts';
import { compareRuns } from './compare-runs.ts';
import { historyOf } from './history-of.ts';

interface Told {
  readonly transcript: string;
  readonly soundSeconds: number;
  readonly made?: Utterance['made'];
}

/** A finished run whose recognizer was asked about `one two` once for each. */
function keepRun(store: Store, startedAtMs: number, told: Readonly<Record<string, Told>>): string {
  const recognizers = [{ name: 'asr', identity: { engine: 'asr' }, epoch: null }];
  const { id } = store.createRun({
    ...{ name: 'nightly', purpose: sha256('nightly'), config: {}, seed: 1, fresh: true, parent: null },
    ...{ recognizers, startedAtMs },
  });
  const asked = Object.entries(told);
  store.addUtterances(
    id,
    0,
    asked.map(([utterance, { made }]) => ({
      ...{ id: utterance, language: 'en', speaker: utterance, reference: 'one two', attributes: {}, tags: [] },
      ...(made && { made }),
    })),
  );
  store.completeUtterances(id);
  store.addCondition(id, 0, clean);
  store.beginBatch(id, 0, 'robustness');
  const keyOf = (utterance: string) => sha256(`${id} ${utterance}`);
  const rest = { condition: 0, draw: 0, recognizer: 0, repeat: 0, twin: false };
  store.plan(
    id,
    0,
    asked.map(([utterance], position) => ({ ...rest, position, key: keyOf(utterance), utterance: position })),
  );
  store.completeBatch(id, 0, sha256('all'), asked.length);
  store.record(id, {
    answers: asked.map(([utterance, { transcript, soundSeconds }], position) => ({
      ...{ place: { batch: 0, position }, key: keyOf(utterance), utteranceId: utterance, speaker: utterance },
      observation: { transcript: { text: transcript }, soundSeconds, timing: { seconds: 0.1, calls: 1 } },
    })),
  });
  store.finishRun(id, startedAtMs + 1, []);
  return id;
}

const ratesOf = (history: Finding) => rowsOf(history, 'history-runs').map((row) => estimateAt(row, 'rate'));
const shortened = { from: 'a', how: 'shortened' } as const;
const choice = { recognizer: null, condition: clean.name, name: null, normalizer: 'basic', resamples: 100 };

test('What studies made of their own, chosen by how a recognizer failed, is in no comparison and no history.', async () => {
  await using folder = await temporaryFolder();
  using store = openStore(folder.file('store.sqlite'));
  const right = { transcript: 'one two', soundSeconds: 1 };
  const first = keepRun(store, 1, { a: right, b: right, c: { ...right, made: shortened } });
  const second = keepRun(store, 2, { a: right, b: right, c: { transcript: 'no', soundSeconds: 1, made: shortened } });
  const [compared] = await compareRuns(store, first, second, { normalizer: 'basic', resamples: 100 });
  assert.equal(rowsOf(compared!, 'comparison-changes')[0]!.pairs, 2);
  const [history] = await historyOf(store, choice);
  assert.deepEqual(
    ratesOf(history!).map(({ value, n }) => [value, n.pairs]),
    [
      [0, 2],
      [0, 2],
    ],
  );
});

test('A recording that is another one than before is another question of a history.', async () => {
  await using folder = await temporaryFolder();
  using store = openStore(folder.file('store.sqlite'));
  const run = (at: number, secondsOfC: number) =>
    keepRun(store, at, {
      ...{ a: { transcript: 'one two', soundSeconds: 1 }, b: { transcript: 'one two', soundSeconds: 1 } },
      c: { transcript: 'no', soundSeconds: secondsOfC },
    });
  run(1, 1);
  run(2, 1.4);
  const [history] = await historyOf(store, choice);
  assert.deepEqual(
    ratesOf(history!).map(({ n }) => n.pairs),
    [2, 3],
  );
  // What differs between the two is over what both were asked.
  const { difference } = comparisonAt(rowsOf(history!, 'history-trends')[0]!, 'difference');
  assert.deepEqual([difference.n.pairs, difference.value], [2, 0]);
});
