import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Estimate, Table } from '../../model/finding.ts';
import { textLead } from './text-lead.ts';

const rate = (value: number): Estimate => ({
  ...{ value, low: value - 0.1, high: value + 0.1, level: 0.95, method: 'invented' },
  n: { utterances: 44, speakers: 22 },
});
const difference: Comparison = {
  difference: { ...rate(-0.425), reason: { code: 'few-units', need: 10, have: [5] } },
  ...{ pValue: null, adjustedPValue: null, test: 'invented', verdict: 'cannot tell' },
  open: { reason: { code: 'few-for-verdict', have: 5, need: 10, by: 'interval' }, more: null, unit: 'speaker' },
};
const tableOf = (before: string, after: string): Table => ({
  ...{ id: 't', title: 'T', leads: 'WER %' },
  columns: [
    { key: 'condition', label: 'Condition', kind: 'text' },
    { key: 'before', label: before, kind: 'rate' },
    { key: 'after', label: after, kind: 'rate' },
    { key: 'difference', label: 'Difference', kind: 'difference' },
    { key: 'verdict', label: 'Verdict', kind: 'verdict' },
  ],
  rows: ['clean', 'telephone GSM full rate'].map((condition) => ({
    ...{ condition, before: rate(0.778), after: rate(0.353), difference, verdict: 'cannot tell' },
  })),
});

test('Names of two sides stand whole above their rates at 80 columns, beside the interval and the whole word of an open verdict', () => {
  const shown = (before: string, after: string) =>
    textLead([tableOf(before, after)], { width: 79, paint: (_, text) => text, conditionNames: {}, sized: true });
  const lines = shown('pocketsphinx', 'whisper-base');
  assert.match(lines[0]!, /pocketsphinx +whisper-base +change +95 % interval/);
  const text = lines.join('\n');
  assert.match(text, /\? too few/);
  assert.match(text, /speakers¹$/m);
  for (const line of lines) assert.ok(line.length <= 79, line);
  // Longer ones break where they have a place for it.
  const broken = shown('amazon-transcribe-us', 'deepspeech-0.7.3-pbmm').join('\n');
  assert.doesNotMatch(broken, /…/);
});

test('Of more conditions than have room those that changed for the worse stand first in line, whatever is open or has no verdict', () => {
  const verdicts = Array.from({ length: 15 }, (_, at) =>
    at === 5 || at === 7 ? 'worse' : at === 9 ? 'better' : 'cannot tell',
  );
  const rows = verdicts.map((verdict, at) => ({
    ...{ condition: `room ${at}`, before: rate(0.2), after: rate(0.3), difference, verdict },
  }));
  const table = { ...tableOf('before', 'after'), rows };
  const text = textLead([table], { width: 79, paint: (_, text) => text, conditionNames: {}, sized: true }).join('\n');
  for (const at of [0, 5, 7, 9, 14]) assert.match(text, new RegExp(`room ${at} `), `room ${at}`);
  assert.match(text, /… 3 more rows/);
});
