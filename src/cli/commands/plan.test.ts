import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

/** Twelve speakers with three sentences each, a third of them women. */
async function workplace(file: (name: string) => string, limits: readonly object[]) {
  const rows = Array.from({ length: 36 }, (_, index) => {
    const speaker = index % 12;
    return `u${index}\ts${speaker}\t${speaker % 3 === 0 ? 'female' : 'male'}\tred lorry yellow lorry blue`;
  });
  await writeFile(file('utterances.tsv'), `id\tspeaker\tsex\treference\n${rows.join('\n')}\n`);
  await writeFile(
    file('earwitness.config.json'),
    JSON.stringify({
      corpus: { type: 'manifest', file: 'utterances.tsv', language: 'en' },
      recognizers: { asr: { type: 'scripted', default: 'red lorry yellow lorry blue' } },
      studies: [{ type: 'robustness', conditions: [], resamples: 100 }],
      gate: { baseline: 'main.tsv', limits },
    }),
  );
}

test('before anything was asked a plan goes by an assumed rate, which it says; after a run by what was measured', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await workplace(folder.file, [{ wer: 0.5 }, { worseBy: 0.1, by: 'sex' }]);
  const plan = (...more: string[]) => runCommand(['plan', '--releases', '5', ...more], { cwd });
  const text = await plan();
  assert.equal(text.code, 0, text.stderr);
  const said = text.stdout.replace(/\s+/g, ' ');
  assert.match(said, /^No run is looked at: assumed is a WER of 10 % \(--wer\)\. .* asr: a run asks 36 recognitions\./);
  assert.match(
    said,
    /It cannot pass but with the same errors in every trial: an interval needs 10 speakers, and there are 4\./,
  );
  // How most unchanged releases end stands above the table, with the share of its first row.
  const [, share] = /(\d+) % of unchanged releases end inconclusive\./.exec(said) ?? [];
  assert.match(text.stdout, new RegExp(`^all limits +\\d+ +${share} +\\d+ +\\d+$`, 'm'));
  assert.match(
    said,
    /askUntil: verdict asked % recognitions pass % open % fail % unchanged \d+ \d+ \d+ \d+ \d+ \+2\.0 points/,
  );
  for (const line of text.stdout.split('\n')) assert.ok(line.length <= 80, line);
  const json = async (...more: string[]) => {
    const { code, stdout, stderr } = await plan('--json', ...more);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const assumed = await json('--wer', '0.3');
  assert.deepEqual([assumed.run, assumed.assumedWer, assumed.limits.length], [null, 0.3, 3]);
  // 180 words of 12 speakers vary much; a rate of 10 % would leave more room.
  const roomOf = ({ limits }: typeof assumed) =>
    limits.find((one: { check: { measure: string } }) => one.check.measure === 'wer').room;
  assert.ok(roomOf(assumed) > 0.05 && roomOf(assumed) < 0.35, `${roomOf(assumed)}`);
  assert.ok(roomOf(await json('--wer', '0.02')) > 0.42);

  assert.equal((await runCommand(['run'], { cwd })).code, 0);
  const measured = await json();
  assert.deepEqual([typeof measured.run, measured.assumedWer, roomOf(measured)], ['string', null, 0.5]);
  assert.deepEqual((await json('--wer', '0.3')).run, null);
});

test('what cannot be planned is refused in one sentence', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await workplace(folder.file, [{ wer: 0.5, by: 'sx' }]);
  const refusal = async (...args: string[]) => {
    const { code, stderr } = await runCommand(['plan', ...args], { cwd });
    return `${code} ${stderr}`;
  };
  assert.match(
    await refusal(),
    /^3 .*limits\[0\]\.by: expected an attribute .* of this config, but got "sx"; did you mean sex\?/,
  );
  assert.match(await refusal('20261124T1200'), /^6 .*expected a store, but there is none/);
  assert.match(await refusal('--store', 'elsewhere.sqlite'), /^6 .*expected a store, but there is none/);
  assert.match(await refusal('--wer', '7'), /^2 .*expected a share from 0 to 1/);
});
