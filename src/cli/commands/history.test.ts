import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { openRun } from '../../engine/open-run.ts';
import type { RunReport } from '../../model/run.ts';
import { openStore } from '../../store/open-store.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

test('runs of one name have a history: what changed, since when, for whom; other names, recognizers and conditions are refused', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const ids = Array.from({ length: 24 }, (_, place) => `u${place}`);
  const rows = (cells: (place: number) => readonly string[]) =>
    ids.map((id, place) => [id, ...cells(place)].join('\t')).join('\n');
  await writeFile(
    folder.file('list.tsv'),
    `id\treference\tspeaker\tsex\n${rows((place) => ['red blue green brown', `s${place % 12}`, place % 2 === 0 ? 'f' : 'm'])}\n`,
  );
  const config = (name: string) =>
    JSON.stringify({
      name,
      corpus: { type: 'manifest', file: 'list.tsv', language: 'en' },
      recognizers: { asr: { type: 'recorded', file: 'release.tsv' } },
      studies: [{ type: 'robustness', conditions: [], resamples: 200 }],
      report: { sound: false },
    });
  const run = async (name: string, wrong: number) => {
    await writeFile(folder.file('earwitness.config.json'), config(name));
    const words = (place: number) => (place % 24 < wrong ? 'red blue x brown' : 'red blue green brown');
    await writeFile(folder.file('release.tsv'), `utterance\ttranscript\n${rows((place) => [words(place)])}\n`);
    const { code, stderr } = await runCommand(['run', '--new'], { cwd });
    assert.equal(code, 0, stderr);
  };
  const none = await runCommand(['history'], { cwd });
  assert.notEqual(none.code, 0);
  await run('nightly', 2);
  await run('nightly', 2);
  await run('nightly', 14);
  await run('once', 3);
  const { code, stdout, stderr } = await runCommand(
    ['history', 'asr', '--name', 'nightly', '--resamples', '200', '--json'],
    {
      cwd,
    },
  );
  assert.equal(code, 0, stderr);
  const [finding] = (JSON.parse(stdout) as RunReport).findings;
  assert.equal((finding!.settings.runs as string[]).length, 3);
  assert.equal(finding!.answer[0]!.verdict, 'worse');
  assert.match(finding!.answer[1]!.text, /^The change came with the run of \S+ \S+: \+12\.5 points of WER since\.$/);
  assert.match(finding!.answer[2]!.text, /^Also changed then: contents of release\.tsv \(\S+ → \S+\)\.$/);
  // A line a run, whatever changed.
  const shown = (await runCommand(['history', 'asr', '--name', 'nightly', '--resamples', '200'], { cwd })).stdout;
  assert.match(shown, /^Begun \(UTC\).*\n(?:\d{4}-\d\d-\d\d \d\d:\d\d +\d+\.\d .*\n){3}since: /m);
  for (const line of shown.split('\n')) assert.ok(line.length < 80, line);
  assert.deepEqual(
    finding!.sections[0]!.tables![0]!.rows.map(({ changed }) => String(changed).replace(/[0-9a-f]{12}/g, 'hash')),
    ['', '', 'contents of release.tsv: hash → hash'],
  );
  {
    using store = openStore(folder.file('.earwitness/store.sqlite'));
    const { name, seed, recognizers, config: whole } = store.runs()[0]!;
    const asked = recognizers.map((one) => ({ ...one, pinned: true }));
    openRun(store, { name, purpose: 'run', config: whole, seed, recognizers: asked }, 'new', systemClock);
  }
  const alone = await runCommand(['history'], { cwd });
  assert.match(alone.stderr.replace(/\s+/g, ' '), /Run \S+ was begun after it and is not finished: it is left out\./);
  assert.match(
    alone.stdout.replace(/\s+/g, ' '),
    /No history yet: one run has answers on clean audio\. Run the same corpus again for the second\./,
  );
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['history', 'asrr'], /expected a recognizer of run \S+, but got "asrr"; did you mean asr\?/],
    [['history', '--condition', 'hiss'], /expected a condition of run \S+, or all, but got "hiss"; there is clean/],
    [['history', '--name', 'never'], /expected the name of a run, but got "never"; there is once and nightly/],
  ];
  for (const [args, sentence] of cases) {
    const refused = await runCommand(args, { cwd });
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, sentence);
  }
});

test('a report ends with the history of its recognizers where its config says so, up to its own run', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const rows = Array.from({ length: 12 }, (_, place) => `u${place}\tred blue\ts${place}`);
  await writeFile(folder.file('list.tsv'), `id\treference\tspeaker\n${rows.join('\n')}\n`);
  const run = async (said: string, history?: boolean) => {
    const config = {
      name: 'nightly',
      corpus: { type: 'manifest', file: 'list.tsv', language: 'en' },
      recognizers: { asr: { type: 'scripted', default: said } },
      studies: [{ type: 'robustness', conditions: [], resamples: 100 }],
      report: { sound: false, ...(history !== undefined && { history }) },
    };
    await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
    const { code, stdout, stderr } = await runCommand(['run', '--new', '--json'], { cwd });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as RunReport;
  };
  const historyOf = ({ findings }: RunReport) => findings.find(({ study }) => study.name === 'history');
  assert.equal(historyOf(await run('red blue', true)), undefined);
  const second = await run('red green', true);
  const told = historyOf(second)!;
  assert.equal((told.settings.runs as string[]).length, 2);
  assert.equal(second.findings.at(-1), told);
  assert.match(told.answer[0]!.text, /than in the earlier run/);
  assert.equal(historyOf(await run('red', false)), undefined);
  assert.equal(historyOf(await run('red')), undefined);
  const again = await runCommand(['report', second.timing.run as string, '--json'], { cwd });
  assert.deepEqual(historyOf(JSON.parse(again.stdout) as RunReport), told);
});
