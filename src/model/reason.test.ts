import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inUnits, lackingUnits, openInWords, type Reason, reasonCodes, reasonText } from './reason.ts';
import { storedFinding } from './stored-finding.ts';

test('A reason names the unit that is resampled, and how many of it are lacking.', () => {
  const few: Reason = { code: 'few-units', need: 10, have: [5, 4], each: 'group' };
  assert.equal(reasonText(few), 'an interval needs 10 speakers in each group, and they have 5 and 4');
  const recordings = inUnits(few, 'recording');
  assert.equal(reasonText(recordings), 'an interval needs 10 recordings in each group, and they have 5 and 4');
  // What it says itself stands.
  assert.deepEqual(inUnits({ ...few, unit: 'listener' }, 'speaker'), { ...few, unit: 'listener' });
  assert.deepEqual(inUnits({ code: 'no-denominator' }, 'speaker'), { code: 'no-denominator' });
  assert.deepEqual([few, { code: 'alike' } as const].map(lackingUnits), [11, null]);
});

test('Too few, the same, too close and corrected away are told apart by their codes and in words.', () => {
  const open = (reason: Reason, more: number | null) => openInWords({ reason, more, unit: 'speaker' });
  const few: Reason = { code: 'few-for-verdict', need: 6, have: 4, by: 'test' };
  assert.equal(open(few, 2), 'too few speakers: 4 of the 6 that a paired test needs');
  assert.equal(open({ code: 'unchanged' }, null), 'both have the same errors for every speaker');
  assert.equal(open({ code: 'holds-nothing' }, 24), 'the interval holds 0; about 24 more speakers would settle it');
  const corrected = { code: 'corrected', among: 15, pValue: 0.016 } as const;
  const text = 'open among 15 comparisons (p = .016 alone); about 3 more speakers would settle it';
  assert.equal(open(corrected, 3), text);
});

test('A code that another version wrote stands for itself, whatever it is called.', () => {
  const foreign = (code: string) => reasonText(JSON.parse(JSON.stringify({ code })));
  assert.deepEqual(['of-tomorrow', 'constructor', 'toString'].map(foreign), ['of-tomorrow', 'constructor', 'toString']);
  assert.ok(reasonCodes.includes('few-units'));
});

test('Findings of studies of one’s own are read: sentences as reasons, and nothing beside the tables.', () => {
  const n = { utterances: 3, speakers: 2 };
  const sentence = 'an interval needs 10 speakers, and there are 2';
  const estimate = { value: 0.5, low: null, high: null, level: 0.95, n, method: 'counted', reason: sentence };
  const open = { why: 'design', text: sentence, more: 8, unit: 'speaker' };
  const comparison = { difference: estimate, pValue: 0.2, minPValue: 0.01, test: 'a test', open, reason: sentence };
  const why = { code: 'text', text: sentence };
  const rows = [{ comparison, reason: 'a cell of a table' }];
  const kept = { study: { name: 's' }, data: 1, plain: 2, settings: { maxTrials: 4 }, sections: [{ rows }] };
  const now = { ...estimate, reason: why };
  const told = { reason: why, more: 8, unit: 'speaker' };
  const read = { difference: now, pValue: 0.2, minPValue: 0.01, test: 'a test', open: told, reason: why };
  const sections = [{ rows: [{ comparison: read, reason: 'a cell of a table' }] }];
  assert.deepEqual(storedFinding(kept), { study: { name: 's' }, settings: { maxTrials: 4 }, sections });
  // Another list of codes told why, and no sentence.
  const { open: _, ...bare } = { ...read, open };
  const ofOthers = { ...bare, open: { why: 'interval', more: 8, unit: 'speaker' } };
  assert.deepEqual(storedFinding({ study: { row: ofOthers } }), { study: { row: bare } });
});
