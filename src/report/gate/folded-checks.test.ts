import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GateCheck, GateResult } from '../../model/gate.ts';
import { renderGateMarkdown } from './markdown-gate.ts';
import { renderGateText } from './text-gate.ts';

const speakers = { speakers: 6, utterances: 18, words: 72 };

function check(value: string, verdict: GateCheck['verdict'], now: number): GateCheck {
  return {
    ...{ measure: 'worseBy', limit: 0.02, recognizer: 'asr', condition: null, before: 0.1, verdict },
    group: { attribute: 'region', value },
    value: { value: now, low: null, high: null, level: 0.95, method: 'none', n: speakers },
    upperBound: null,
    pValue: verdict === 'fail' ? 0.001 : null,
    ...(verdict === 'inconclusive' && { why: { code: 'few-units', need: 10, have: [6] } as const, moreSpeakers: 4 }),
  };
}

function gateOf(checks: readonly GateCheck[]): GateResult {
  return {
    ...{
      earwitness: '0.1.0',
      run: 'r',
      runName: 'nightly',
      runBegun: null,
      verdict: 'fail',
      ifInconclusive: 'block',
      level: 0.95,
    },
    ...{
      normalizer: { name: 'basic', version: 1 },
      baseline: null,
      checks,
      conditionNames: {},
      notes: [],
      worseUtterances: [],
    },
  };
}

const open = Array.from({ length: 17 }, (_, at) => check(`region${at}`, 'inconclusive', at === 4 ? 0.736 : 0.01));
const failed = Array.from({ length: 4 }, (_, at) => check(`bad${at}`, 'fail', 0.3));
const text = (checks: readonly GateCheck[], full: string | null) =>
  renderGateText(gateOf(checks), { width: 100, color: false, next: null, full });

test('Of many limits each that failed has a line, and the undecided of one kind share one that names the highest', () => {
  const shown = text([...open, ...failed], 'earwitness gate --full');
  const lines = shown.split('\n').filter((line) => line.startsWith('WER'));
  assert.equal(lines.length, 5);
  assert.deepEqual(
    lines.slice(0, 4).map((line) => /bad\d/.exec(line)?.[0]),
    ['bad0', 'bad1', 'bad2', 'bad3'],
  );
  assert.match(lines[4]!, /^WER rise, region \(17 checks\) .*\+2\.0 {2}\? /);
  assert.match(shown, /highest region4: \+73\.6; up to 4 more speakers in each would do for an interval/);
  assert.match(shown, /Each of the 17 checks that share a line:\n {2}earwitness gate --full/);
  const markdown = renderGateMarkdown(gateOf([...open, ...failed]));
  const [first, behind] = markdown.split('<details><summary>Each of the 21 checks</summary>');
  assert.equal(first!.match(/^\| [✗?] /gm)?.length, 5);
  assert.equal(behind!.match(/^\| [✗?] /gm)?.length, 21);
});

test('Few limits, and all where they are asked for, have a line each', () => {
  const count = (shown: string) => shown.split('\n').filter((line) => line.startsWith('WER')).length;
  assert.equal(count(text(open.slice(0, 12), 'again')), 12);
  assert.equal(count(text(open, null)), 17);
  assert.doesNotMatch(text(open, null), /share a line/);
});

test('A limit on a change and one on how high it is have two names in every form', () => {
  const change = { ...check('a', 'pass', 0), group: null };
  const { before: _, ...now } = change;
  const level = { ...now, measure: 'wer' as const, limit: 0.5 };
  const names = text([change, level], null)
    .split('\n')
    .filter((line) => line.startsWith('WER'))
    .map((line) => line.split('  ')[0]);
  assert.equal(new Set(names).size, 2, String(names));
  const rows = renderGateMarkdown(gateOf([change, level]))
    .split('\n')
    .filter((line) => line.startsWith('| ✓'))
    .map((line) => line.split(' | ')[1]);
  assert.equal(new Set(rows).size, 2, String(rows));
});

test('Intervals of changes have a sign, those of levels none', () => {
  const change = { ...check('a', 'pass', 0.3), group: null };
  const interval = { ...change.value, low: 0.1, high: 0.5 };
  const { before: _, ...now } = change;
  const level = { ...now, measure: 'wer' as const, limit: 0.5, value: interval };
  for (const shown of [
    text([{ ...change, value: interval }, level], null),
    renderGateMarkdown(gateOf([{ ...change, value: interval }, level])),
  ]) {
    assert.match(shown, /\+10\.0 to \+50\.0/);
    assert.match(shown, / 10\\?\.0 to 50\.0 /);
  }
});
