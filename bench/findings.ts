/**
 * The findings of every study in invented worlds, as files to compare before and after a study is rewritten: one for each study and world.
 *
 *   node bench/findings.ts FOLDER [STUDY]
 *   diff -r BEFORE AFTER
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { studies } from '../src/catalog.ts';
import { findingsOf, worlds } from '../src/cli/testing/invented-worlds.ts';

const [folder, only] = process.argv.slice(2);
if (folder === undefined) throw new Error('expected a folder to write to: node bench/findings.ts FOLDER [STUDY]');
mkdirSync(folder, { recursive: true });
for (const name of Object.keys(studies) as (keyof typeof studies)[]) {
  if (only !== undefined && name !== only) continue;
  for (const [world, invented] of Object.entries(worlds)) {
    if (name === 'differential' && invented.recognizers < 2) continue;
    const findings = await findingsOf(name, invented);
    writeFileSync(join(folder, `${name}, ${world}.json`), `${JSON.stringify(findings, null, 1)}\n`);
  }
}
