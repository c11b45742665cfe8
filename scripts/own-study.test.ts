import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../src/cli/testing/run-command.ts';
import type { Finding } from '../src/model/finding.ts';
import { type Row, rowsOf } from '../src/model/finding-rows.ts';

const examples = resolve(import.meta.dirname, '../examples');

test('examples/own-study adds up the same words as robustness, by length and by group, and compares every pair and gap', async () => {
  await using folder = await temporaryFolder();
  const recorded = (name: string) => ({ type: 'recorded', file: join(examples, `recorded/${name}.tsv`) });
  const config = {
    corpus: { type: 'manifest', file: join(examples, 'recorded/utterances.tsv'), language: 'en' },
    recognizers: { whisper: recorded('whisper-base'), pocketsphinx: recorded('pocketsphinx') },
    studies: [
      { type: join(examples, 'own-study/pace.mts'), groupBy: ['accent'] },
      { type: 'robustness', conditions: [] },
    ],
  };
  writeFileSync(join(folder.path, 'earwitness.config.json'), JSON.stringify(config));
  const { code, stdout, stderr } = await runCommand(['run', '--json'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  const rows = (table: string): Row[] => JSON.parse(stdout).findings.flatMap((one: Finding) => rowsOf(one, table));
  const overall = rows('robustness-conditions').find(({ condition }) => condition === 'clean')!;
  const own = (table: string) => rows(table).filter(({ recognizer }) => recognizer === overall.recognizer);
  const sum = (table: string, key: string) => own(table).reduce((total, row) => total + Number(row[key]), 0);
  const [errors, words] = [sum('pace-length', 'errors'), sum('pace-length', 'words')];
  assert.ok(words > 200);
  assert.equal((overall.wordErrorRate as { value: number }).value, errors / words);
  assert.deepEqual([sum('pace-groups', 'errors'), sum('pace-groups', 'words')], [errors, words]);
  assert.equal(rows('pace-pairs').length, 1);
  // Every pair of accents, for both recognizers.
  const accents = own('pace-groups').length;
  assert.equal(rows('pace-gaps').length, accents * (accents - 1));
});
