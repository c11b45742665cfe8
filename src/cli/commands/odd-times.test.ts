// A store of somebody else's, whose checksums are right, may have anything in the place of a time.
import assert from 'node:assert/strict';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { covered } from '../../store/parts/checksums.ts';
import { openFile } from '../../store/sqlite/database.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

/** Alters columns of the run and of its plan as SQL, and gives the rows the checksums of what they hold now. */
function alter(store: string, value: string): void {
  const database = openFile(store, { readonly: false });
  try {
    database.exec(`UPDATE runs SET started_at_ms = ${value}, finished_at_ms = ${value}`);
    database.exec(`UPDATE run_plans SET frozen_at_ms = ${value}`);
    for (const table of ['runs', 'run_plans'] as const) {
      // What Node has no number for has no checksum either.
      if (/^\d{17,}$/.test(value)) continue;
      database.exec(`UPDATE ${table} SET checksum = row_checksum(${covered[table].join(', ')})`);
    }
  } finally {
    database.close();
  }
}

test('whatever a store has in the place of a time, it is listed, judged, shown and refused in sentences', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const rows = Array.from({ length: 12 }, (_, index) => `u${index}\t${index}.wav\ts${index}\tred lorry`);
  await writeFile(folder.file('clips.tsv'), `id\tpath\tspeaker\treference\n${rows.join('\n')}\n`);
  for (const index of rows.keys()) await writeFile(folder.file(`${index}.wav`), sineWav(200 + index, 8000));
  const config = {
    corpus: { type: 'manifest', file: 'clips.tsv', language: 'en' },
    recognizers: { x: { type: 'scripted', default: 'red lorry' } },
    studies: [{ type: 'robustness', conditions: ['aequevox/noise:1'], resamples: 100 }],
    gate: { limits: [{ wer: 0.9 }] },
    report: { sound: false },
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  const began = await runCommand(['run'], { cwd });
  assert.equal(began.code, 0, began.stderr);
  const store = folder.file('.earwitness/store.sqlite');
  await copyFile(store, folder.file('as-it-was.sqlite'));
  const altered = async (value: string) => {
    for (const end of ['-wal', '-shm', '.last']) await rm(`${store}${end}`, { force: true });
    await copyFile(folder.file('as-it-was.sqlite'), store);
    alter(store, value);
  };

  // NOT NULL is no obstacle for whoever writes the file, but SQLite keeps it here; a NaN is stored as NULL.
  for (const value of ['1e300', '-1e300', "'soon'", "x'00'", '9e15', '-5']) {
    await altered(value);
    const known = value === '-5' ? '1969-12-31T23:59:59.995Z' : null;
    const listed = await runCommand(['store', 'list', '--json'], { cwd });
    assert.equal(listed.code, 0, `${value}: ${listed.stderr}`);
    assert.equal(JSON.parse(listed.stdout)[0].started, known, value);
    const judged = await runCommand(['gate', '--json', '--junit', 'gate.xml', '--markdown', 'gate.md'], { cwd });
    assert.equal(judged.code, 0, `${value}: ${judged.stderr}`);
    assert.equal(JSON.parse(judged.stdout).runBegun, known, value);
    assert.equal((await readFile(folder.file('gate.xml'), 'utf8')).includes('timestamp='), known !== null, value);
    const told = known === null ? /begun at an unknown time/ : /begun 1969.{1,2}12.{1,2}31 23:59 UTC/;
    assert.match(await readFile(folder.file('gate.md'), 'utf8'), told, value);
    const reported = await runCommand(['report', '--json'], { cwd });
    assert.equal(reported.code, 0, `${value}: ${reported.stderr}`);
    const { started, finished } = JSON.parse(reported.stdout).timing;
    assert.deepEqual([started, finished], [known, known], value);
    for (const args of [
      ['history', '--resamples', '50'],
      ['view', 'last', '--pages', 'pages'],
    ]) {
      const { code, stderr } = await runCommand(args, { cwd });
      assert.equal(code, 0, `${value} ${args[0]}: ${stderr}`);
    }
    const shown = await readFile(folder.file('pages/index.html'), 'utf8');
    assert.ok(shown.includes(known === null ? '<br>at an unknown time<' : '<br>1969-12-31 23:59 UTC<'), value);
    // Whoever gets the bundle could not verify it.
    const bundled = await runCommand(['bundle', '--out', 'bundle.gz'], { cwd });
    assert.equal(bundled.code, 2, `${value}: ${bundled.stderr}`);
    assert.match(bundled.stderr, /says when it was begun, planned and finished/);
  }
  await altered('1152921504606846976');
  for (const args of [['store', 'list'], ['gate'], ['report', '--json'], ['run']]) {
    const { code, stderr } = await runCommand(args, { cwd });
    assert.equal(code, 6, `${args[0]}: ${stderr}`);
    assert.match(stderr, /the store is damaged: it holds a number that is larger than any that was written/);
  }
});
