import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { Finding } from '../../model/finding.ts';
import { estimateAt, rowsOf } from '../../model/finding-rows.ts';
import type { GateResult } from '../../model/gate.ts';
import type { SequentialAsking } from '../../session/stored/sequential-asking.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const script = join(import.meta.dirname, '../../../bin/earwitness.js');
const words = 'red lorry yellow lorry she sells sea shells'.split(' ');
const speakers = 60;
const clips = 2;

/** Sixty speakers with two sentences each; a baseline of a recognizer that gets one word in ten wrong. */
async function workplace(folder: { readonly path: string; file(name: string): string }) {
  const cwd = folder.path;
  const utterances = Array.from({ length: speakers * clips }, (_, index) => ({
    id: `u${index}`,
    speaker: `s${index % speakers}`,
    sex: index % 2 === 0 ? 'female' : 'male',
  }));
  const rows = utterances.map(({ id, speaker, sex }) => `${id}\t${speaker}\t${sex}\t${words.join(' ')}`);
  await writeFile(folder.file('utterances.tsv'), `id\tspeaker\tsex\treference\n${rows.join('\n')}\n`);
  /** The same errors for the same name and share. */
  const answer = async (name: string, share: number) => {
    const random = createRandom([name]);
    const answers = utterances.map(({ id }) => [
      id,
      words.map((word, place) => (random.next() < share ? `${word}${place}` : word)).join(' '),
    ]);
    await writeFile(folder.file('answers.json'), JSON.stringify(Object.fromEntries(answers)));
  };
  const config = (gate: object | null, recognizer: object = {}) =>
    writeFile(
      folder.file('earwitness.config.json'),
      JSON.stringify({
        corpus: { type: 'manifest', file: 'utterances.tsv', language: 'en' },
        recognizers: { asr: { type: 'scripted', file: 'answers.json', ...recognizer } },
        studies: [{ type: 'robustness', conditions: [], resamples: 100 }],
        ...(gate === null ? {} : { gate: { baseline: 'main.tsv', ...gate } }),
      }),
    );
  const report = async (...more: string[]) => {
    const { code, stdout, stderr } = await runCommand(['run', '--json', ...more], { cwd });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as Report;
  };
  const gate = async () => {
    const { code, stdout, stderr } = await runCommand(['gate', '--json'], { cwd });
    return { code, stderr, result: (stdout === '' ? null : JSON.parse(stdout)) as GateResult | null };
  };
  const asked = async (...more: string[]) => {
    const found = await report(...more);
    const [first] = found.findings;
    assert.equal(first!.study.name, 'sequential-asking');
    return { asking: first!.settings as unknown as SequentialAsking, report: found };
  };
  await answer('baseline', 0.1);
  await config(null);
  await report();
  assert.equal((await runCommand(['baseline', 'main.tsv'], { cwd })).code, 0);
  return { cwd, answer, config, gate, asked };
}

interface Report {
  readonly tally: { readonly trials: number };
  readonly findings: readonly {
    readonly study: { readonly name: string };
    readonly settings: object;
    readonly sections: Finding['sections'];
  }[];
}

test('A clear loss ends the asking early, and so do a release without a change and the same answers; other studies are of whom was asked.', async () => {
  await using folder = await temporaryFolder();
  const { cwd, answer, config, gate, asked } = await workplace(folder);
  const limits = [{ worseBy: 0.1 }, { worseBy: 0.2, condition: 'all' }, { collapsed: 0.5 }];
  await config({ limits, askUntil: 'limits' });

  await answer('much worse', 0.6);
  const lost = await asked();
  assert.equal(lost.asking.why, 'limits');
  assert.ok(lost.asking.speakers.asked < speakers / 2, `${lost.asking.speakers.asked}`);
  assert.equal(lost.report.tally.trials, clips * lost.asking.speakers.asked);
  assert.equal(lost.asking.recognitions, clips * lost.asking.speakers.asked);
  const robustness = lost.report.findings.find(({ study }) => study.name === 'robustness')!;
  const [clean] = rowsOf(robustness, 'robustness-conditions');
  assert.equal(estimateAt(clean!, 'wordErrorRate').n.speakers, lost.asking.speakers.asked);
  const failed = await gate();
  assert.equal(failed.code, 20);
  assert.deepEqual(
    failed.result!.checks.map(({ measure, verdict }) => `${measure} ${verdict}`),
    ['worseBy fail', 'worseBy fail', 'collapsed pass'],
  );
  assert.match(
    failed.result!.asking!,
    /^\d+ of 60 speakers \(\d+ of 120 utterances\) were asked: the verdict of every/,
  );
  // Rates of a verdict before the end are not those of the run.
  const shown = (await runCommand(['gate'], { cwd })).stdout.replace(/\s+/g, ' ');
  const early = failed.result!.checks[0]!.value.n.speakers;
  assert.match(shown, new RegExp(`WER rise, clean .*¹ .*¹ of the first ${early} speakers`));

  await answer('no better, no worse', 0.1);
  const equal = await asked();
  assert.ok(equal.asking.speakers.asked < speakers, `${equal.asking.speakers.asked}`);
  assert.equal((await gate()).code, 0);

  // With fewer than 29 speakers who are the same, one in ten could have lost everything.
  await answer('baseline', 0.1);
  const same = await asked();
  assert.ok(same.asking.speakers.asked >= 29 && same.asking.speakers.asked < speakers, `${same.asking.speakers.asked}`);
  assert.equal((await gate()).code, 0);
});

test('Until the verdict is less than until every limit: the first fail ends it.', async () => {
  await using folder = await temporaryFolder();
  const { answer, config, gate, asked } = await workplace(folder);
  await answer('worse', 0.3);
  const limits = [{ worseBy: 0.02 }, { worseBy: 0.2, by: 'sex' }];
  await config({ limits, askUntil: 'limits' });
  const all = await asked();
  await config({ limits, askUntil: 'verdict' });
  const first = await asked();
  assert.ok(first.asking.speakers.asked < all.asking.speakers.asked);
  const { code, result } = await gate();
  assert.equal(code, 20);
  assert.ok(result!.checks.some(({ why }) => why?.code === 'not-certain'));
});

test('Killed in the middle and run again, it asks the same and decides the same.', async () => {
  await using folder = await temporaryFolder();
  const { cwd, answer, config, gate, asked } = await workplace(folder);
  await answer('somewhat worse', 0.25);
  const limits = [{ worseBy: 0.05 }, { worseBy: 0.1, by: 'sex' }];
  await config({ limits, askUntil: 'limits' }, { delaySeconds: 0.03 });
  const child = spawn(process.execPath, [script, 'run'], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.includes('look 3 of')) child.kill('SIGKILL');
  });
  await once(child, 'close');
  assert.equal(child.signalCode, 'SIGKILL', said);
  const continued = await asked();
  const after = await gate();
  const undisturbed = await asked('--fresh');
  assert.deepEqual(continued.asking, undisturbed.asking);
  assert.ok(continued.asking.looks.length > 3);
  assert.deepEqual(after.result!.checks, (await gate()).result!.checks);
});

test('A bundle of such a run is verified.', async () => {
  await using folder = await temporaryFolder();
  const { cwd, answer, config, asked } = await workplace(folder);
  await answer('much worse', 0.6);
  await config({ limits: [{ worseBy: 0.1 }], askUntil: 'verdict' });
  assert.ok((await asked()).asking.speakers.asked < speakers);
  assert.equal((await runCommand(['bundle', '--out', 'bundle.gz'], { cwd })).code, 0);
  const verified = await runCommand(['verify', 'bundle.gz'], { cwd });
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
});

test('Without a baseline everything is asked; names are checked at the first look; other limits are refused.', async () => {
  await using folder = await temporaryFolder();
  const { cwd, answer, config, gate, asked } = await workplace(folder);
  await answer('much worse', 0.6);
  await config({ baseline: 'none.tsv', limits: [{ worseBy: 0.1 }], askUntil: 'verdict' });
  const { asking } = await asked();
  assert.deepEqual([asking.why, asking.speakers.asked, asking.looks.length], ['no baseline', speakers, 1]);

  await config({ limits: [{ worseBy: 0.1, group: { sex: 'f' } }], askUntil: 'verdict' });
  const refused = await runCommand(['run'], { cwd });
  assert.match(refused.stderr, /expected a group of sex of this run, but got "f"; it has female and male/);

  await config({ limits: [{ worseBy: 0.1 }], askUntil: 'verdict' });
  await asked();
  for (const command of [['baseline', 'other.tsv'], ['plan']]) {
    const { code, stderr } = await runCommand(command, { cwd });
    assert.match(
      `${code} ${stderr}`,
      /^4 earwitness: expected a run that asked everything, but this one asked \d+ of 60/,
    );
  }
  await config({ limits: [{ worseBy: 0.2 }], askUntil: 'verdict' });
  const other = await gate();
  assert.equal(other.code, 4);
  assert.match(other.stderr, /expected the limits, baseline and normalizer by which run .* but these are others/);

  await config({ limits: [{ worseBy: 0.1 }, { thresholdDb: -3 }], askUntil: 'verdict' });
  assert.match((await runCommand(['run'], { cwd })).stderr, /judged while a run goes on, but got thresholdDb/);
  await config({ limits: [{ failures: 0.1 }], askUntil: 'verdict' });
  assert.match((await runCommand(['run'], { cwd })).stderr, /expected wer, worseBy or gap beside askUntil/);
});
