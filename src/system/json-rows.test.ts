import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usualColumn } from '../base/columns/roles.ts';
import { jsonRow, rowsOfJson } from './json-rows.ts';

const row = (object: object) => jsonRow({ ...object }, { number: 1, text: '' }, 'x.json');

test('words, names and speakers are found in members of members, where no member itself is one', () => {
  const labelled = row({
    id: 7,
    data: { audio: '/upload/a.wav' },
    annotations: [{ id: 1, ground_truth: false, result: [{ type: 'textarea', value: { text: ['what was said'] } }] }],
    predictions: [],
  });
  assert.equal(labelled.text(usualColumn(labelled.names, 'path')!), '/upload/a.wav');
  assert.equal(labelled.text('text'), 'what was said');
  assert.equal(labelled.text('ground_truth'), undefined);
  // Nothing is taken from within where a member says it.
  const own = row({ id: 'a', text: 'said', supervisions: [{ id: 'b', text: 'other' }], audio: { path: 'a.wav' } });
  assert.deepEqual([own.text('text'), own.text('id'), own.text('path')], ['said', 'a', 'a.wav']);
  assert.deepEqual(own.names, ['id', 'text', 'supervisions', 'audio', 'path']);
});

test('members that are called alike keep what tells them apart', () => {
  const both = row({ reference: { text: 'a b' }, hypothesis: { text: 'a c' } });
  assert.deepEqual([both.text('reference'), both.text('hypothesis')], ['a b', 'a c']);
  const systems = row({ ref: 'a b', outputs: { whisper: { text: 'a' }, google: { text: 'b' } } });
  assert.deepEqual([systems.text('whisper'), systems.text('google')], ['a', 'b']);
});

test('of several ways to say it the first counts, of parts with times all, and of versions without times none', () => {
  assert.equal(
    row({ results: { alternatives: [{ transcript: 'one' }, { transcript: 'won' }] } }).text('transcript'),
    'one',
  );
  const parts = [
    { start: 0, text: 'one ' },
    { start: 1, text: ' two' },
  ];
  assert.equal(row({ id: 'a', supervisions: parts }).text('text'), 'one two');
  const versions = [{ text: 'one' }, { text: 'one two' }];
  assert.equal(row({ id: 'a', annotations: versions }).text('text'), undefined);
});

test('a file that is one value has its rows in a list, in columns or by name, wherever these stand', () => {
  const pair = { reference: 'a', hypothesis: 'b' };
  assert.deepEqual(rowsOfJson({ wer: 1, details: { results: [pair] } }), [pair]);
  assert.deepEqual(rowsOfJson({ wer: 1, references: ['a', 'c'], predictions: ['b', 'd'] }), [
    { references: 'a', predictions: 'b' },
    { references: 'c', predictions: 'd' },
  ]);
  assert.deepEqual(rowsOfJson({ ref: { 0: 'a', 1: 'c' }, hyp: { 0: 'b', 1: 'd' } }), [
    { ref: 'a', hyp: 'b' },
    { ref: 'c', hyp: 'd' },
  ]);
  assert.deepEqual(rowsOfJson({ utts: { u1: { text: 'a' }, u2: { text: 'b' } } }), [
    { id: 'u1', text: 'a' },
    { id: 'u2', text: 'b' },
  ]);
  // Two lists may be those of two systems, or of two parts of a corpus: nobody can tell.
  assert.equal(rowsOfJson({ one: [pair], other: [pair] }), null);
});
