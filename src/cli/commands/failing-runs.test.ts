import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

interface Failure {
  readonly match?: { readonly utterance: string };
  readonly kind?: string;
}

/** Ten speakers with an utterance each, and recognizers that know names alone and fail as told. */
async function project(folder: string, failing: Readonly<Record<string, readonly Failure[]>>, more = {}) {
  const rows = Array.from({ length: 10 }, (_, index) => `u${index}\tone two three\ts${index}\tfemale`);
  await writeFile(join(folder, 'list.tsv'), ['id\treference\tspeaker\tgender', ...rows].join('\n'));
  await writeFile(
    join(folder, 'earwitness.config.json'),
    JSON.stringify({
      corpus: { type: 'manifest', file: 'list.tsv' },
      recognizers: Object.fromEntries(
        Object.entries(failing).map(([name, failures]) => [
          name,
          { type: 'scripted', default: 'one two three', failures },
        ]),
      ),
      studies: [{ type: 'robustness', conditions: [], resamples: 200 }],
      report: { sound: false },
      ...more,
    }),
  );
}

const fewOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ match: { utterance: `u${9 - index}` }, kind: 'refused' }));

test('a run in which nothing was answered is reported with its reasons in every form, and exits with 11', async () => {
  await using folder = await temporaryFolder();
  // Names that no script knows blame no recognizer before the run.
  await project(folder.path, { one: [{ kind: 'unknown-utterance' }] });
  const { code, stdout, stderr } = await runCommand(['run'], { cwd: folder.path });
  assert.equal(code, 11, stderr);
  assert.match(stdout, /one: 10 of 10 trials failed\n +10 trials: unknown-utterance: the script says/);
  assert.match(stdout, /10 trials: none answered, 10 failed/);
  assert.match(stderr, /^earwitness: all 10 trials failed, most often unknown-utterance: .*run again/m);
  const html = /Report: (.*)/.exec(stdout)![1]!;
  for (const name of ['report.html', 'report.md', 'report.json', 'tables/failures.csv']) {
    const text = await readFile(join(html, '..', name), 'utf8');
    assert.match(text, /the script says(:|\\:) unknown(-|\\-)utterance/, name);
  }
  const again = await runCommand(['report', '--json'], { cwd: folder.path });
  assert.equal(again.code, 0);
  const { failures } = JSON.parse(again.stdout) as { failures: object[] };
  const reason = { count: 10, kind: 'unknown-utterance', message: 'the script says: unknown-utterance', varied: false };
  assert.deepEqual(failures, [{ failed: 10, reasons: [reason], recognizer: 'one', trials: 10 }]);
});

test('a recognizer that fails in a larger share than is allowed ends the run with 12, whoever allows it', async () => {
  await using folder = await temporaryFolder();
  await project(folder.path, { fine: [], weak: fewOf(3) });
  const usual = await runCommand(['run'], { cwd: folder.path });
  assert.equal(usual.code, 12);
  assert.match(usual.stderr, /^earwitness: weak failed in 3 of 10 trials \(30\.0 %, allowed are 20\.0 %\)/m);
  assert.doesNotMatch(usual.stdout, /fine: \d+ of/);
  assert.equal((await runCommand(['run', '--max-failed', '0.3'], { cwd: folder.path })).code, 0);
  await project(folder.path, { fine: [], weak: fewOf(3) }, { failures: { maxShare: 0.3 } });
  assert.equal((await runCommand(['run'], { cwd: folder.path })).code, 0);
  assert.equal((await runCommand(['run', '--max-failed', '0.29'], { cwd: folder.path })).code, 12);
  const wrong = await runCommand(['run', '--max-failed', '30 %'], { cwd: folder.path });
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /a share from 0 to 1/);
});
