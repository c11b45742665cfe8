import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../model/finding.ts';
import { failureKinds } from '../../model/observation.ts';
import { findingInWords, noteOf } from './in-words.ts';

test('A table of failures and an example that failed say in words why, and no code is left; other columns of that name stay', () => {
  const columns = [{ key: 'kind', label: 'Kind', kind: 'text' }] as const;
  const transcripts = failureKinds.map((kind) => ({
    label: kind,
    aligned: null,
    failure: { kind, message: 'a message' },
  }));
  const finding: Finding = {
    ...{ study: { name: 'invented', version: 1 }, title: 'Invented', settings: {}, answer: [], warnings: [] },
    sections: [
      {
        ...{ id: 's', title: 'S' },
        tables: [
          { id: 'study-failures', title: 'F', columns, rows: failureKinds.map((kind) => ({ kind })) },
          { id: 'study-grammars', title: 'G', columns, rows: [{ kind: 'timeout' }] },
        ],
        examples: [{ title: 'E', utteranceId: 'u', conditionName: 'clean', draw: 0, transcripts }],
      },
    ],
  };
  const [section] = findingInWords(finding).sections;
  const [failures, grammars] = section!.tables!;
  const kinds = failures!.rows.map(({ kind }) => String(kind));
  assert.equal(kinds[failureKinds.indexOf('timeout')], 'timed out');
  assert.ok(kinds.every((kind) => !/^(sound|crash|timeout|unavailable|garbage|unknown-utterance)$/.test(kind)));
  assert.deepEqual(grammars!.rows, [{ kind: 'timeout' }]);
  const notes = section!.examples![0]!.transcripts.map(noteOf);
  assert.equal(notes[failureKinds.indexOf('unavailable')], 'failed (not reached): a message');
  assert.deepEqual(
    notes,
    kinds.map((kind) => `failed (${kind}): a message`),
  );
});
