import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Estimate, Finding } from '../../model/finding.ts';
import { clean } from '../../model/trial.ts';
import { normalizerNamed } from '../../scoring/normalizers/normalizers.ts';
import type { RunRecord } from '../../store/contract.ts';
import { said, spoken } from '../../studies/shared/testing/testing.ts';
import { type GateStore, gateRun } from './gate-run.ts';

test('A limit of a threshold is held against that of everybody, not against that of a group.', async () => {
  const at = (value: number): Estimate => ({
    ...{ value, low: value - 1, high: value + 1, n: { utterances: 20, speakers: 20 }, level: 0.95, method: 'invented' },
  });
  const rows = [
    { attribute: '', group: 'everybody', recognizer: 'asr', threshold: at(2) },
    { attribute: 'sex', group: 'female', recognizer: 'asr', threshold: at(9) },
  ];
  const sections = [{ tables: [{ id: 'threshold-thresholds', rows }] }];
  const finding = { study: { name: 'threshold', version: 1 }, sections } as unknown as Finding;
  const trial = { conditionName: 'clean', draw: 0, repeat: 0, recognizer: 0, position: 0, answer: 0 };
  const trials = [{ ...trial, utterance: spoken('u', 'one two'), observation: said('one two') }];
  const store: GateStore = { trials: () => trials, conditions: () => [clean], findings: () => [finding] };
  const run = {
    id: 'r',
    name: 'nightly',
    seed: 1,
    startedAtMs: 0,
    config: {},
    recognizers: [{ name: 'asr', identity: {} }],
  };
  const options = { level: 0.95, ifInconclusive: 'block', minimumSpeakers: 10, limits: [{ thresholdDb: 5 }] } as const;
  const { checks } = await gateRun(
    store,
    run as unknown as RunRecord,
    options,
    { words: normalizerNamed('basic'), told: 'as here', isOther: false, resamples: 2000 },
    null,
  );
  assert.deepEqual(
    checks.map(({ value, verdict }) => [value.value, verdict]),
    [[2, 'pass']],
  );
});
